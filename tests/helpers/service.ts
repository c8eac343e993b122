import { createPerson, type Person } from '../../scripts/demo/person.ts';
import { type Embedded, type EmbeddedOptions, startEmbedded } from '../../scripts/embedded.ts';
import type { StatusAnswer } from '../../src/app/status.ts';
import { createMemoryLog } from './fakes/log.ts';
import { testRedis } from './servers.ts';

export type TestService = Embedded & {
  person(username: string): Person;
  /** Polls until the status is as wanted; throws with the last one after `LONGEST_MS`. */
  until(project: string, iid: number, wanted: (status: StatusAnswer) => boolean): Promise<StatusAnswer>;
  /** Resolves when the outbox is empty: all that people see stands on the items. */
  delivered(): Promise<void>;
};

const LONGEST_MS = 60_000;
const POLL_MS = 20;

/** The whole service on the embedded default, with the sandbox over real HTTP and the test run's Redis. */
export async function startTestService(options: Partial<EmbeddedOptions> = {}): Promise<TestService> {
  const redis = await testRedis();
  const embedded = await startEmbedded({
    log: createMemoryLog(),
    databaseDir: 'memory',
    port: 0,
    ...options,
    config: { redisUrl: redis.url, redisPrefix: redis.prefix, sweepMs: 500, ...options.config },
  });
  const urls = { gitlab: embedded.sandbox.url, api: embedded.apiUrl };
  return {
    ...embedded,
    person: (username) => createPerson(username, urls),
    until: (project, iid, wanted) => until(createPerson('maria', urls), project, iid, wanted),
    delivered: () => delivered(embedded),
  };
}

async function until(
  person: Person,
  project: string,
  iid: number,
  wanted: (status: StatusAnswer) => boolean,
): Promise<StatusAnswer> {
  const started = performance.now();
  for (;;) {
    const status = await person.status(project, iid);
    if (wanted(status)) return status;
    if (performance.now() - started > LONGEST_MS) throw new Error(`Still ${JSON.stringify(status).slice(0, 500)}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function delivered(embedded: Embedded): Promise<void> {
  const started = performance.now();
  while ((await embedded.infra.outbox.nextDueInMs()) !== null) {
    if (performance.now() - started > LONGEST_MS) throw new Error('Rows still wait in the outbox.');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
