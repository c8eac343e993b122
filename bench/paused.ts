/** Runs that wait for people: they cost a worker nothing, and a status poll takes no longer (design: Speed to reach). */
import { Redis } from 'ioredis';
import type { Database } from '../src/adapters/postgres/connect.ts';
import { type Bench, type Figure, median } from './figures.ts';
import { startServer } from './http/server-process.ts';
import { openStatusPlace, type StatusPlace } from './http/status-place.ts';
import { type Polls, pollHard } from './status.ts';

const PAUSED = 100_000;
const ROUNDS = 5;
const SETTLE_MS = 15_000;
/** A poll may be so much slower: less proves nothing on a machine of this kind. */
const MOST_SLOWER = 1.15;

export const bench: Bench = {
  what: `${PAUSED.toLocaleString('en')} paused runs: what a worker that starts beside them holds, and unchanged status polls with and without them.`,
  async run(log) {
    const place = await openStatusPlace();
    try {
      const few = await look(place, log);
      await fill(place.db, PAUSED);
      log(`${PAUSED} paused runs are there`);
      const many = await look(place, log);
      return figuresOf(few, many);
    } finally {
      await place.close();
    }
  },
};

interface Look {
  workerBytes: number;
  /** Processor time of the idle worker, milliseconds a second. */
  workerCpu: number;
  redisKeys: number;
  polls: Polls;
}

async function look({ api, settings, redisUrl, poll }: StatusPlace, log: (line: string) => void): Promise<Look> {
  const request = await poll();
  const rounds: Polls[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const one = await pollHard(api, request);
    // The first only warms up.
    if (round > 0) rounds.push(one);
  }
  const port = 1 + Number(settings['PORT']);
  const env = { ...settings, WORKER_HEALTH_PORT: String(port) };
  const worker = await startServer(['src/cli.ts', 'worker'], port, env);
  try {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const cpu = worker.cpuMs();
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const workerCpu = ((worker.cpuMs() - cpu) / SETTLE_MS) * 1000;
    const polls = {
      perSecond: median(rounds.map((round) => round.perSecond)),
      p99: median(rounds.map((round) => round.p99)),
      cpuUs: median(rounds.map((round) => round.cpuUs)),
    };
    log(`${polls.perSecond.toFixed(0)} polls/s, the worker holds ${(worker.rssBytes() / 1024 / 1024).toFixed(0)} MB`);
    return { workerBytes: worker.rssBytes(), workerCpu, redisKeys: await keysOf(redisUrl), polls };
  } finally {
    await worker.stop();
  }
}

async function keysOf(url: string): Promise<number> {
  const redis = new Redis(url);
  try {
    return await redis.dbsize();
  } finally {
    redis.disconnect();
  }
}

/** Copies of the item's run as it is, of other items, each at a pause of an hour ago. */
async function fill(db: Database, count: number): Promise<void> {
  const columns = await db.execute<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = 'runs' and is_identity = 'NO'`,
  );
  const own: Record<string, string> = {
    id: 'gen.id',
    item_global_id: '10000000 + gen.n',
    status: `'NEEDS_INPUT'`,
    pause_id: `'p1'`,
    pause_kind: `'question'`,
    owner: 'null',
    held_until: 'null',
    lease_token: 'null',
    deadline_at: 'null',
  };
  const names = columns.map(({ name }) => name);
  const values = names.map((name) => own[name] ?? `r.${name}`);
  await db.execute(`create table gen as select n, gen_random_uuid() as id from generate_series(1, ${count}) n`);
  await db.execute(
    `insert into runs (${names.join()}) select ${values.join()} from gen, (select * from runs limit 1) r`,
  );
  await db.execute(`insert into run_definitions (run_id, item, started_by, settings, piece_hash)
    select gen.id, d.item, d.started_by, d.settings, d.piece_hash from gen, (select * from run_definitions limit 1) d`);
  await db.execute(`insert into events (run_id, seq, at, v, type, data)
    select gen.id, e.seq, e.at, e.v, e.type, e.data from gen, (select * from events order by seq limit 1) e`);
  await db.execute(
    `insert into pauses (run_id, id, kind, opened_at) select id, 'p1', 'question', now() - interval '1 hour' from gen`,
  );
  await db.execute('drop table gen');
  // What the server would do in the background about so many new rows is done before anything is measured.
  for (const table of ['runs', 'run_definitions', 'events', 'pauses']) await db.execute(`vacuum (analyze) ${table}`);
  await db.execute('checkpoint');
}

function figuresOf(few: Look, many: Look): Figure[] {
  const mb = (bytes: number): number => bytes / 1024 / 1024;
  return [
    { name: 'polls without them', value: few.polls.perSecond, unit: 'polls/s' },
    { name: 'polls with them', value: many.polls.perSecond, unit: 'polls/s' },
    {
      name: 'processor time a poll, with / without',
      value: many.polls.cpuUs / few.polls.cpuUs,
      unit: '×',
      goal: { max: MOST_SLOWER },
    },
    {
      name: 'a worker more with them, resident',
      value: mb(many.workerBytes - few.workerBytes),
      unit: 'MB',
      goal: { max: 16 },
    },
    { name: 'an idle worker, processor time', value: few.workerCpu, unit: 'ms a second' },
    { name: 'an idle worker with them, processor time', value: many.workerCpu, unit: 'ms a second' },
    { name: 'keys in Redis more with them', value: many.redisKeys - few.redisKeys, unit: 'keys', goal: { max: 10 } },
  ];
}
