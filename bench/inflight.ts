/** Thousands of runs in flight in one worker (design: Speed to reach). */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { createDatabase, ensurePostgres } from '../scripts/launch/postgres.ts';
import { ensureRedis } from '../scripts/launch/redis.ts';
import { type Bench, type Figure, median } from './figures.ts';

const RUNS = 5000;
const MOVEMENT_MS = 2000;
const ROUNDS = 3;
const MOST_TIME = 1.3;
const MOST_KB = 90;

interface Measured {
  ms: number;
  idealMs: number;
  heapPerRun: number;
  rssPerRun: number;
  cpuMs: number;
}

export const bench: Bench = {
  what: `${RUNS} runs in flight in one worker, six movements of ${MOVEMENT_MS / 1000} s each: from the first wake-up to the last end, PostgreSQL with fsync; notes are another worker's.`,
  async run(log) {
    const [postgres, redis] = await Promise.all([ensurePostgres({ fsync: true }), ensureRedis()]);
    const rounds: Measured[] = [];
    try {
      for (let round = 1; round <= ROUNDS; round += 1) {
        const one = await measure(postgres.url, redis.url);
        log(`round ${round} of ${ROUNDS}: ${(one.ms / 1000).toFixed(1)} s`);
        rounds.push(one);
      }
    } finally {
      await Promise.all([postgres.stop(), redis.stop()]);
    }
    return figuresOf(rounds);
  },
};

async function measure(adminUrl: string, redisUrl: string): Promise<Measured> {
  const database = await createDatabase(adminUrl, 'bench');
  try {
    const file = path.join(import.meta.dirname, 'inflight/worker.ts');
    const args = ['--expose-gc', file, database.url, redisUrl, String(RUNS), String(MOVEMENT_MS)];
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 });
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Measured;
  } finally {
    await database.drop();
  }
}

function figuresOf(rounds: readonly Measured[]): Figure[] {
  const of = (what: (round: Measured) => number): number => median(rounds.map(what));
  return [
    { name: 'all ended after', value: of(({ ms }) => ms / 1000), unit: 's' },
    { name: 'of the ideal time', value: of(({ ms, idealMs }) => ms / idealMs), unit: '×', goal: { max: MOST_TIME } },
    {
      name: 'heap a run in flight',
      value: of(({ heapPerRun }) => heapPerRun / 1024),
      unit: 'kB',
      goal: { max: MOST_KB },
    },
    { name: 'resident memory a run in flight', value: of(({ rssPerRun }) => rssPerRun / 1024), unit: 'kB' },
    { name: 'processor time of the worker a run', value: of(({ cpuMs }) => cpuMs / RUNS), unit: 'ms' },
  ];
}
