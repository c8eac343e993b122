import { createAudience } from '../../../../src/app/delivery/audience.ts';
import type { OutboxDeps } from '../../../../src/app/delivery/outbox.ts';
import { marker } from '../../../../src/domain/text/marker.ts';
import type { GitLabPort } from '../../../../src/ports/gitlab.ts';
import type { OutboxRow } from '../../../../src/ports/outbox.ts';
import { appendTo, createService, pauseRun, personOf, type Service, startRun } from '../setup.ts';

export const never = new AbortController().signal;
const WRITES = ['createNote', 'createDiscussion', 'replyToDiscussion', 'updateNote', 'deleteNote'] as const;

/** The deliverer with its writes to GitLab noted down. */
export async function deliverer() {
  const service = createService();
  await startRun(service.store);
  const writes: string[] = [];
  const gitlab: GitLabPort = { ...service.gitlab };
  for (const name of WRITES) {
    const call = gitlab[name] as (...given: unknown[]) => Promise<never>;
    Object.assign(gitlab, {
      [name]: (...given: unknown[]) => {
        writes.push(name);
        return call(...given);
      },
    });
  }
  const deps: OutboxDeps = {
    outbox: service.outbox,
    gitlab,
    audience: createAudience({ gitlab, clock: service.clock }),
    clock: service.clock,
    log: service.log,
    owner: 'deliveries-1',
    limit: 10,
    holdMs: 30_000,
  };
  return { service, deps, writes };
}

export function rowOf(kind: OutboxRow['kind'], text: string, change: Partial<OutboxRow> = {}): OutboxRow {
  const own = change.marker ?? marker({ run: 'run-a', kind });
  return {
    kind,
    itemGlobalId: 501,
    projectId: 1,
    iid: 1,
    runId: 'run-a',
    pauseId: null,
    discussion: false,
    replyTo: null,
    itemUrl: 'https://gitlab.example/gitlab/acme/sample/-/issues/1',
    questionId: null,
    ...change,
    marker: own,
    body: `${text}\n\n${own}`,
  };
}

export const write = (service: Service, ...rows: OutboxRow[]) => appendTo(service.store, 'run-a', [], {}, rows);
export const texts = async (service: Service) =>
  (await service.gitlab.notes(1, 1)).map((note) => note.body.split('\n')[0]);

/** A question of the pause p1, which stands. */
export async function question(service: Service, text = 'Which?') {
  await pauseRun(service, 'run-a', 'p1', 'question');
  const row = rowOf('question', text, {
    pauseId: 'p1',
    questionId: 'q1',
    discussion: true,
    marker: marker({ run: 'run-a', kind: 'question', pause: 'p1', q: 'q1' }),
  });
  await service.outbox.add([row], { actionKey: null, deliveryId: null });
  return row;
}

export async function resume(service: Service) {
  await service.store.resume({
    runId: 'run-a',
    pauseId: 'p1',
    event: { type: 'resumed', pauseId: 'p1', by: personOf('alice'), via: 'api', decision: 'continue', reason: '' },
    at: '2026-01-05T09:01:00.000Z',
    outbox: [],
    cause: { actionKey: null, deliveryId: null },
  });
}
