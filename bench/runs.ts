/** Durable runs beside the peers on the same work and machine, in turn (design: Speed to reach). */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { createDatabase, ensurePostgres } from '../scripts/launch/postgres.ts';
import { ensureRedis } from '../scripts/launch/redis.ts';
import { type Bench, type Figure, median } from './figures.ts';
import type { Measured } from './peers/measure.mjs';
import { MOVEMENTS } from './runs/work.ts';

const exec = promisify(execFile);
const here = import.meta.dirname;
const ROUNDS = 3;
const PEER = { runs: 300, atOnce: 32, rounds: 1, alone: 30, warmUp: 60 };
const OURS = { ...PEER, runs: 2000, alone: 100, warmUp: 400 };
const AGAINST_DBOS = 5;
const AGAINST_LANGGRAPH = 8;

export const bench: Bench = {
  // A movement that takes no time ends before the append of the one before it has left: they share it. Models take seconds.
  what: `Durable runs: ${MOVEMENTS} movements of 2 kB without latency, one pause and Continue, ${PEER.atOnce} at a time, PostgreSQL with fsync. What a run learns in one turn of the event loop is one append.`,
  async run(log) {
    await installPeers(log);
    const [postgres, redis] = await Promise.all([ensurePostgres({ fsync: true }), ensureRedis()]);
    const rounds: Record<string, Measured>[] = [];
    try {
      for (let round = 1; round <= ROUNDS; round += 1) {
        log(`round ${round} of ${ROUNDS}`);
        rounds.push({
          ours: await contest('runs/contestant.ts', postgres.url, OURS, redis.url),
          dbos: await contest('peers/dbos.mjs', postgres.url, PEER),
          langgraph: await contest('peers/langgraph.mjs', postgres.url, PEER),
        });
      }
    } finally {
      await Promise.all([postgres.stop(), redis.stop()]);
    }
    return figuresOf(rounds);
  },
};

async function installPeers(log: (line: string) => void): Promise<void> {
  const cwd = path.join(here, 'peers');
  if (existsSync(path.join(cwd, 'node_modules'))) return;
  log('installing the peers');
  await exec('npm', ['ci'], { cwd });
}

/** Each in a process and a database of its own. */
async function contest(file: string, adminUrl: string, plan: typeof PEER, ...more: string[]): Promise<Measured> {
  const database = await createDatabase(adminUrl, 'bench');
  try {
    const args = [path.join(here, file), database.url, JSON.stringify(plan), ...more];
    const { stdout } = await exec(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 });
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Measured;
  } finally {
    await database.drop();
  }
}

function figuresOf(rounds: Record<string, Measured>[]): Figure[] {
  const of = (who: string, what: (measured: Measured) => number) =>
    median(rounds.flatMap((round) => (round[who] ? [what(round[who])] : [])));
  const rate = (who: string) => of(who, (measured) => measured.runsPerSecond);
  const ratio = (who: string) =>
    median(rounds.map((round) => (round['ours']?.runsPerSecond ?? 0) / (round[who]?.runsPerSecond ?? 1)));
  const alone = (who: string) => of(who, (measured) => measured.aloneP50);
  return [
    { name: 'Planwright', value: rate('ours'), unit: 'runs/s' },
    { name: 'Planwright', value: rate('ours') * MOVEMENTS, unit: 'movements/s' },
    { name: 'DBOS Transact', value: rate('dbos'), unit: 'runs/s' },
    { name: 'LangGraph + PostgresSaver', value: rate('langgraph'), unit: 'runs/s' },
    { name: 'times DBOS (median of rounds)', value: ratio('dbos'), unit: '×', goal: { min: AGAINST_DBOS } },
    {
      name: 'times LangGraph (median of rounds)',
      value: ratio('langgraph'),
      unit: '×',
      goal: { min: AGAINST_LANGGRAPH },
    },
    { name: 'p50 under load', value: of('ours', (measured) => measured.p50), unit: 'ms' },
    { name: 'p99 under load', value: of('ours', (measured) => measured.p99), unit: 'ms' },
    {
      name: 'one run alone, p50',
      value: alone('ours'),
      unit: 'ms',
      goal: { max: Math.min(alone('dbos'), alone('langgraph')) },
    },
    { name: 'one run alone, p50, DBOS', value: alone('dbos'), unit: 'ms' },
    { name: 'one run alone, p50, LangGraph', value: alone('langgraph'), unit: 'ms' },
    { name: 'memory of the process', value: of('ours', (measured) => measured.rssMb), unit: 'MB' },
  ];
}
