/** The API's processes: each listens on a port of its own, is killed at any moment or at a point of its work, and started again there. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../fuzz/random.ts';
import type { MonkeyCounts } from './counts.ts';
import type { ServiceProcess } from './processes.ts';

export interface Apis {
  readonly urls: readonly string[];
  /** Kills one that still lives, waits, and starts another one in its place, `env` naming where that one is to stop. */
  replace(index: number, afterMs: number, env?: NodeJS.ProcessEnv): Promise<ServiceProcess>;
  at(index: number): ServiceProcess;
}

/** Points of `tests/helpers/kill-at.ts` that an API passes: a delivery is stored, a run begins, goes on, ends. */
const POINTS = ['put_deliveries', 'start_runs', 'write_runs'];

/** `start` gives a process that serves under this port; resolves when both serve. */
export async function startApis(
  ports: readonly number[],
  start: (name: string, port: number, env: NodeJS.ProcessEnv) => ServiceProcess,
): Promise<Apis> {
  let started = 0;
  const fresh = (index: number, env: NodeJS.ProcessEnv = {}): ServiceProcess => {
    started += 1;
    return start(`api-${started}`, ports[index] ?? 0, env);
  };
  const apis = ports.map((_, index) => fresh(index));
  await Promise.all(apis.map((api) => api.logged('started')));
  const at = (index: number): ServiceProcess => {
    const api = apis[index];
    if (!api) throw new Error(`There is no API ${index}.`);
    return api;
  };
  return {
    urls: ports.map((port) => `http://127.0.0.1:${port}`),
    at,
    async replace(index, afterMs, env) {
      at(index).kill('SIGKILL');
      await at(index).exit;
      await delay(afterMs);
      const api = fresh(index, env);
      apis[index] = api;
      return api;
    },
  };
}

export interface ApiKiller {
  apis: Apis;
  counts: Pick<MonkeyCounts, 'apiKills' | 'apiPoints'>;
  /** `ChaosOptions.spacing`. */
  spacing: number;
  say: (line: string) => void;
  signal: AbortSignal;
}

/** One after the other ends, never all at once: an API that is away takes nothing, and nothing else would happen. */
export async function killApis(killer: ApiKiller, random: Random): Promise<void> {
  const { apis, counts, spacing, say, signal } = killer;
  while (!signal.aborted) {
    const index = random.below(apis.urls.length);
    const point = random.chance(0.6) ? `${random.pick(POINTS)}#${1 + random.below(spacing * 8)}` : null;
    const when = random.pick(['before', 'after']);
    const [calmMs, lifeMs] = [spacing * (500 + random.below(1500)), spacing * (1500 + random.below(4500))];
    const awayMs = random.below(1200);
    await delay(calmMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    if (point !== null) await serveAgain(apis, index, awayMs, { KILL_AT: point, KILL_WHEN: when });
    // One that does not come to its point is killed after so long.
    await Promise.race([apis.at(index).exit, delay(lifeMs, undefined, { signal }).catch(() => undefined)]);
    const stopped = apis.at(index).ended() !== null;
    counts[stopped ? 'apiPoints' : 'apiKills'] += 1;
    say(`${apis.at(index).name}: ${stopped ? `stopped ${when} ${point}` : 'killed'}`);
    await serveAgain(apis, index, awayMs);
  }
}

/** An API that comes while the database is away ends by itself: it is started again, as its supervisor would. */
async function serveAgain(apis: Apis, index: number, afterMs: number, env?: NodeJS.ProcessEnv): Promise<void> {
  for (;;) {
    const api = await apis.replace(index, afterMs, env);
    const serves = await api.logged('started').then(
      () => true,
      () => false,
    );
    // At its point already: it has served.
    if (serves || env !== undefined) return;
  }
}
