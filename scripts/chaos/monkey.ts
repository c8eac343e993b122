/** The monkey: stops and kills what the service needs and what it consists of, APIs too, each kind by numbers of its own from the seed. */
import { createConnection } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createRandom, type Random } from '../fuzz/random.ts';
import { killApis } from './apis.ts';
import type { MonkeyCounts } from './counts.ts';
import { startFleet } from './fleet.ts';
import type { World } from './world.ts';

export interface Monkey {
  readonly counts: MonkeyCounts;
  /** Ends the chaos: all servers serve, two workers live, no fault is left. */
  calm(): Promise<void>;
}

/** Still to come at once. */
const MOST_FAULTS = 8;
/** Longer than BullMQ waits for a job with one command, 5 s. */
const LONG_OUTAGE_MS = 6500;

export interface MonkeyParts {
  world: World;
  /** `ChaosOptions.spacing`. */
  spacing: number;
  say: (line: string) => void;
}

export function startMonkey({ world, spacing, say }: MonkeyParts, seed: number): Monkey {
  const counts: MonkeyCounts = {
    postgresRestarts: 0,
    redisKills: 0,
    redisFlushes: 0,
    longestRedisMs: 0,
    workerKills: 0,
    workerFreezes: 0,
    apiKills: 0,
    apiPoints: 0,
    pointsSet: 0,
    faults: 0,
  };
  const stopping = new AbortController();
  const pause = (ms: number): Promise<void> => delay(ms, undefined, { signal: stopping.signal });
  const stops = (): boolean => stopping.signal.aborted;

  async function forever(one: (random: Random) => Promise<void>, random: Random): Promise<void> {
    while (!stops())
      await one(random).catch((error: unknown) => {
        if (!stops()) throw error;
      });
  }

  async function restartPostgres(random: Random): Promise<void> {
    await pause(5000 + random.below(5000));
    const how = random.chance(0.5) ? 'crash' : 'quick';
    const ms = random.below(1800);
    say(`PostgreSQL: ${how}, ${ms} ms`);
    await world.postgres.halt(how);
    await delay(ms);
    await world.postgres.start();
    counts.postgresRestarts += 1;
  }

  async function killRedis(random: Random): Promise<void> {
    await pause(3000 + random.below(5000));
    // The second time it is away for longer than the queue waits.
    const ms = counts.redisKills === 1 ? LONG_OUTAGE_MS : random.below(1500);
    say(`Redis: killed, ${ms} ms`);
    await world.redis.halt('crash');
    await delay(ms);
    await world.redis.start();
    counts.redisKills += 1;
    counts.longestRedisMs = Math.max(counts.longestRedisMs, ms);
  }

  async function addFault(random: Random): Promise<void> {
    await pause(spacing * (80 + random.below(250)));
    const fault = faultOf(random);
    const open = (await (await fetch(`${world.sandbox.url}/_sandbox/faults`)).json()) as unknown[];
    // Where nobody calls they would pile up, and then nothing gets through for long.
    if (open.length >= MOST_FAULTS) return;
    const response = await fetch(`${world.sandbox.url}/_sandbox/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fault),
    });
    if (response.status !== 201) throw new Error(`The fault was not taken: ${await response.text()}`);
    counts.faults += 1;
  }

  const fleet = startFleet({ world, counts, spacing, say, signal: stopping.signal }, seed + 21);
  const work = Promise.all([
    forever(restartPostgres, createRandom(seed + 11)),
    forever(killRedis, createRandom(seed + 12)),
    forever(addFault, createRandom(seed + 13)),
    forever(
      async (random) => {
        await pause(7000 + random.below(4000));
        await flush(world);
        counts.redisFlushes += 1;
      },
      createRandom(seed + 14),
    ),
    killApis({ apis: world.apis, counts, spacing, say, signal: stopping.signal }, createRandom(seed + 15)),
    fleet.done,
  ]);
  work.catch(() => undefined); // Told by `calm`.

  return {
    counts,
    async calm() {
      stopping.abort(new Error('the monkey is calm'));
      // Whatever they were to stop at does not count any more.
      await fleet.renew();
      await work;
      await fetch(`${world.sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
    },
  };
}

/** Empties it while everybody is connected; when it is away just now it comes back empty anyway. */
async function flush(world: World): Promise<void> {
  const { hostname, port } = new URL(world.redis.url);
  await new Promise<void>((resolve) => {
    const socket = createConnection({ host: hostname, port: Number(port), timeout: 1000 });
    for (const end of ['data', 'error', 'timeout', 'close'] as const)
      socket.once(end, () => {
        socket.destroy();
        resolve();
      });
    socket.once('connect', () => socket.write('FLUSHALL\r\n'));
  });
}

const NOTES = '^/projects/\\d+/issues/\\d+/(notes|discussions(/\\w+/notes)?)$';

const AGENTS_READ = '/issues/\\d+(/links|/related_merge_requests)?$';

function faultOf(random: Random): object {
  const times = 1 + random.below(2);
  switch (random.below(13)) {
    case 0:
      return { path: '.', status: 429, headers: { 'retry-after': '1' } };
    case 1:
      return { method: 'GET', path: '.', status: 500, times };
    case 2:
      return { method: 'GET', path: '.', status: 502, times };
    case 3:
      return { method: 'POST', path: NOTES, status: 500 };
    case 4:
    case 5:
      return { method: 'POST', path: NOTES, status: 502, afterCommit: true, times };
    case 6:
      return { method: 'PUT', path: '/notes/\\d+$', status: 502, afterCommit: true, times };
    case 7:
      // Longer than the service waits for an answer.
      return { method: 'POST', path: NOTES, afterCommit: true, delayMs: 2200 };
    case 8:
      return { method: 'GET', path: random.pick(['/discussions$', '/archive', '/issues/\\d+$']), delayMs: 2200 };
    default:
      // What agents read, so that effects take a while and workers end inside of them.
      return { method: 'GET', path: AGENTS_READ, delayMs: 300 + random.below(900), times: 8 };
  }
}
