/** The worker processes and their ends: killed at any moment or at a point of their own work, or frozen until another one has taken over. */
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { createRandom, type Random } from '../fuzz/random.ts';
import type { MonkeyCounts } from './counts.ts';
import type { ServiceProcess } from './processes.ts';
import type { World } from './world.ts';

export interface Fleet {
  /** Ends when the signal is aborted. */
  done: Promise<unknown>;
  /** All that live, frozen or not, are killed; as many fresh ones begin. */
  renew(): Promise<void>;
}

interface Place {
  world: World;
  counts: MonkeyCounts;
  /** `ChaosOptions.spacing`. */
  spacing: number;
  random: Random;
  signal: AbortSignal;
  say: (line: string) => void;
  /** One at a time: who is frozen must be missed by somebody. */
  freezing: { now: boolean };
}

const WORKERS = 2;
/** Points of `tests/helpers/kill-at.ts` that a worker passes again and again. */
const POINTS = [
  'claim_runs',
  'write_runs',
  'add_outbox',
  'take_outbox',
  'take_deliveries',
  'outbox_delivered',
  'gitlab POST /notes',
  'gitlab POST /discussions',
  'gitlab PUT /notes/ID',
];
/** A frozen worker goes on after so long although nobody took over. */
const LONGEST_FREEZE_MS = 4000;
const POLL_MS = 15;
/** A worker is frozen when it has more runs at work than that, or after so long. */
const AT_LEAST_HELD = 2;
const LONGEST_IDLE_MS = 2000;

export function startFleet(parts: Omit<Place, 'random' | 'freezing'>, seed: number): Fleet {
  const workers: ServiceProcess[] = [];
  const freezing = { now: false };
  const places = Array.from({ length: WORKERS }, async (_, index) => {
    const place = { ...parts, freezing, random: createRandom(seed + index) };
    while (!parts.signal.aborted) {
      const { worker, stopsItself } = freshWorker(place);
      workers[index] = worker;
      await liveAndDie(place, worker, stopsItself).catch((error: unknown) => {
        if (!parts.signal.aborted) throw error;
      });
    }
  });
  return {
    done: Promise.all(places),
    async renew() {
      for (const worker of workers) worker.kill('SIGKILL');
      await Promise.all(workers.map((worker) => worker.exit));
      for (let place = 0; place < WORKERS; place += 1) workers[place] = parts.world.startWorker();
    },
  };
}

type StopsItself = 'SIGKILL' | 'SIGSTOP' | null;

function freshWorker({ world, random, counts, spacing, freezing }: Place): {
  worker: ServiceProcess;
  stopsItself: StopsItself;
} {
  const picked = random.pick<StopsItself>(['SIGKILL', 'SIGSTOP', 'SIGSTOP', 'SIGSTOP']);
  const stopsItself = picked === 'SIGSTOP' && freezing.now ? null : picked;
  if (stopsItself === 'SIGSTOP') freezing.now = true;
  if (stopsItself === null) return { worker: world.startWorker(), stopsItself };
  counts.pointsSet += 1;
  // Right before it writes is where a frozen worker would do harm.
  const freezes = stopsItself === 'SIGSTOP' && random.chance(0.85);
  const point = freezes ? 'write_runs' : random.pick(POINTS);
  const env = {
    KILL_AT: `${point}#${1 + random.below(spacing * (freezes ? 5 : 25))}`,
    KILL_WHEN: freezes ? 'before' : random.pick(['before', 'after']),
    KILL_SIGNAL: stopsItself,
  };
  return { worker: world.startWorker(env), stopsItself };
}

async function liveAndDie(place: Place, worker: ServiceProcess, stopsItself: StopsItself): Promise<void> {
  const { random, counts, spacing, say, signal, freezing } = place;
  let mayFreeze = stopsItself === 'SIGSTOP';
  await Promise.race([worker.logged('started').catch(() => undefined), aborted(signal)]);
  try {
    for (;;) {
      const ms = spacing * (600 + random.below(2000));
      const what = await first(place, worker, ms, mayFreeze);
      if (what === 'ended') break;
      if (what === 'time' && (random.chance(0.3) || (freezing.now && !mayFreeze))) {
        say(`${worker.name}: killed`);
        counts.workerKills += 1;
        worker.kill('SIGKILL');
        break;
      }
      freezing.now = true;
      if (what === 'time') {
        await untilAtWork(place, worker);
        worker.kill('SIGSTOP');
      }
      counts.workerFreezes += 1;
      const over = await untilTakenOver(place, worker);
      say(`${worker.name}: frozen${what === 'frozen' ? ' at its point' : ''}, ${over ? 'taken over' : 'not missed'}`);
      worker.kill('SIGCONT');
      mayFreeze = false;
      freezing.now = false;
    }
  } finally {
    if (mayFreeze) freezing.now = false;
  }
  await worker.exit;
  say(`${worker.name}: ${worker.ended()}`);
  await delay(random.below(700), undefined, { signal });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** What comes first: its own end, the point at which it freezes, or the time. */
async function first(
  { signal }: Place,
  worker: ServiceProcess,
  ms: number,
  mayFreeze: boolean,
): Promise<'ended' | 'frozen' | 'time'> {
  const deadline = performance.now() + ms;
  while (performance.now() < deadline) {
    if (worker.ended() !== null) return 'ended';
    if (mayFreeze && (await isStopped(worker))) return 'frozen';
    await delay(POLL_MS, undefined, { signal });
  }
  return 'time';
}

/** Has the kernel stopped it? Where that cannot be seen it is frozen and thawed with the others. */
async function isStopped(worker: ServiceProcess): Promise<boolean> {
  const stat = await readFile(`/proc/${worker.pid}/stat`, 'utf8').catch(() => '');
  return /^\d+ \(.*\) T /.test(stat);
}

/** Until it holds runs and is at their effects; not for long. */
async function untilAtWork({ world, signal }: Place, worker: ServiceProcess): Promise<void> {
  const deadline = performance.now() + LONGEST_IDLE_MS;
  while (performance.now() < deadline && !signal.aborted) {
    if ((await world.db.execute(AT_WORK, [worker.name]).catch(() => [])).length > AT_LEAST_HELD) return;
    await delay(POLL_MS);
  }
}

/** Until another worker has claimed a run that this one held: then it is at its effects, and what this one writes would be under an old fence. */
async function untilTakenOver({ world, signal }: Place, worker: ServiceProcess): Promise<boolean> {
  const deadline = performance.now() + LONGEST_FREEZE_MS;
  let since: number | undefined;
  while (performance.now() < deadline && !signal.aborted) {
    // While the database is down nobody takes over.
    since ??= (await world.db.execute<{ no: number }>(NEWEST).catch(() => []))[0]?.no;
    const rows = since === undefined ? [] : await world.db.execute(TAKEN_OVER, [worker.name, since]).catch(() => []);
    if (rows.length > 0) return true;
    await delay(POLL_MS);
  }
  return false;
}

const AT_WORK = `select 1 from audit a join runs r on r.id = a.run_id and r.fence = a.fence and r.owner is not null
where a.app = $1 and a.what = 'claim'`;

const NEWEST = 'select coalesce(max(no), 0) as no from audit';

/** A claim that came after $2, of a run that $1 held and that nobody had given back, under which nothing was written yet. */
const TAKEN_OVER = `select 1 from audit own
join audit other on other.run_id = own.run_id and other.what = 'claim' and other.fence = own.fence + 1 and other.app <> own.app
where own.app = $1 and own.what = 'claim' and other.no > $2
  and not exists (select from audit e where e.run_id = own.run_id and e.no > own.no and e.type = 'resumed')
  and not exists (select from audit e where e.run_id = own.run_id and e.no > other.no) limit 1`;
