/** One run of the chaos suite: the world, the people and the monkey at once, then quiet, then the checks. */
import { setTimeout as delay } from 'node:timers/promises';
import { createRandom } from '../fuzz/random.ts';
import { violations } from './checks.ts';
import { collectHistory } from './collect.ts';
import type { MonkeyCounts } from './counts.ts';
import type { History } from './history.ts';
import { type Item, makeItems } from './items.ts';
import { startMonkey } from './monkey.ts';
import { type Observer, observe } from './observer.ts';
import { type Deeds, liveWith } from './people.ts';
import { openWorld, type World } from './world.ts';

export interface ChaosOptions {
  seed: number;
  /** Items, each with a run or two. */
  runs: number;
  /** Items that people look after at once. */
  atOnce: number;
  /** After so long the monkey is calm even when people have not done yet. */
  chaosMs: number;
  /** How long everything may take to come to rest afterwards. */
  restMs: number;
  /**
   * How many times longer than in the short form processes live, and as many times rarer GitLab's faults: where each worker dies within
   * seconds of its start, most of what happens is starting, and thousands of items would take most of a day.
   */
  spacing: number;
  /** Told what happens. */
  say: (line: string) => void;
  /** Gets all that was left behind, to look into a failing seed. */
  keep?: (history: History) => Promise<void>;
}

export interface ChaosReport {
  seed: number;
  violations: string[];
  seconds: number;
  runs: Record<string, number>;
  /** Runs that failed, by reason. */
  failures: Record<string, number>;
  people: { accepted: number; commands: number; replies: number; presses: number };
  post: { handedOn: number; twice: number; late: number; refused: number };
  monkey: MonkeyCounts;
  /** Notes that stood on an item twice for a while, and notes given up. */
  notes: { posted: number; removed: number; givenUp: number };
}

const EVERY_MS = 2000;
const LAST_ITEMS_MS = 30_000;

export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { seed, say } = options;
  const started = performance.now();
  const world = await openWorld(seed, say);
  const observer = observe(world.db);
  try {
    const items = await makeItems(world, options.runs);
    say(`${items.length} items, ${seconds(started)} s`);
    const deeds: Deeds = { accepted: [], commands: [], replies: [], presses: 0 };
    const monkey = startMonkey({ world, spacing: options.spacing, say }, seed);
    const over = new AbortController();
    const company = accompany(world, observer, over.signal, say);
    await lifeUnderChaos(options, { world, observer, deeds }, items, () => monkey.calm());
    over.abort();
    await company;
    const stuck = await rest(world, options.restMs, say);
    const history = await collectHistory(world, deeds);
    await options.keep?.(history);
    return {
      seed,
      violations: [...stuck, ...idle(history), ...violations(history)],
      seconds: seconds(started),
      ...figures(history),
      people: {
        accepted: deeds.accepted.length,
        commands: deeds.commands.length,
        replies: deeds.replies.length,
        presses: deeds.presses,
      },
      post: world.post.counts,
      monkey: monkey.counts,
    };
  } finally {
    await observer.stop();
    await world.close();
  }
}

/** People look after the items, so many at once, while the monkey does its part; ends when all are looked after. */
async function lifeUnderChaos(
  { seed, atOnce, chaosMs, restMs, say }: ChaosOptions,
  parts: { world: World; observer: Observer; deeds: Deeds },
  items: readonly Item[],
  calm: () => Promise<void>,
): Promise<void> {
  const stopping = new AbortController();
  const started = performance.now();
  const queue = items.entries();
  const lookAfter = async (): Promise<void> => {
    for (const [index, item] of queue) {
      if (index === items.length - 1) lastTaken.resolve();
      const random = createRandom(seed * 1_000_003 + index);
      await liveWith({ ...parts, item, random, signal: stopping.signal });
    }
  };
  let calmed: Promise<void> | undefined;
  const beCalm = (): Promise<void> => {
    calmed ??= Promise.resolve().then(() => {
      say(`calm after ${seconds(started)} s: ${JSON.stringify(parts.observer.counts())}`);
      parts.world.post.calm();
      return calm();
    });
    return calmed;
  };
  const waiting = new AbortController();
  // When only the last items are left, all the monkey does hits them, and little gets on.
  const lastTaken = Promise.withResolvers<void>();
  const soon = lastTaken.promise.then(() => delay(LAST_ITEMS_MS, undefined, { signal: waiting.signal }));
  const timer = Promise.race([soon, delay(chaosMs, undefined, { signal: waiting.signal })])
    .then(beCalm)
    .then(() => delay(restMs, undefined, { signal: waiting.signal }))
    .then(() => stopping.abort(new Error('people have waited long enough')))
    .catch((error: unknown) => {
      if (!waiting.signal.aborted) throw error;
    });
  const people = await Promise.allSettled(Array.from({ length: atOnce }, lookAfter));
  waiting.abort();
  await timer;
  await beCalm();
  const failed = people.find((result) => result.status === 'rejected');
  if (failed && !stopping.signal.aborted) throw failed.reason;
}

/** Waits between tries grow to minutes: here nobody waits longer than a second for the next. */
async function passTime(db: World['db']): Promise<void> {
  for (const table of ['inbox', 'outbox'])
    await db.execute(`update ${table} set due_at = now() where due_at > now() + interval '1 second' and owner is null`);
}

/** Lets time pass and tells how far all is, until the signal is aborted. */
async function accompany(
  { db, post }: World,
  observer: Observer,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<void> {
  for (let round = 1; !signal.aborted; round += 1) {
    await delay(EVERY_MS, undefined, { signal }).catch(() => undefined);
    // While the database is down time stands still.
    await passTime(db).catch(() => undefined);
    if (round % 10 === 0) say(`runs: ${JSON.stringify(observer.counts())}, deliveries to hand on: ${post.waiting()}`);
  }
}

/** Time passes for what waits for its next try; answers what has not come to rest. */
async function rest(world: World, longestMs: number, say: (line: string) => void): Promise<string[]> {
  const { db, post, sandbox } = world;
  const started = performance.now();
  for (;;) {
    await sandbox.idle();
    await passTime(db);
    const [left] = await db.execute<{ inbox: number; outbox: number; runs: number }>(`select
      (select count(*)::int from inbox where state = 'open') as inbox, (select count(*)::int from outbox) as outbox,
      (select count(*)::int from runs where status = 'GENERATING') as runs`);
    const open = (left?.inbox ?? 0) + (left?.outbox ?? 0) + (left?.runs ?? 0) + post.waiting();
    if (open === 0) break;
    if (performance.now() - started > longestMs)
      return [`rest: after ${longestMs} ms there is still ${JSON.stringify({ ...left, post: post.waiting() })}`];
    await delay(200);
  }
  say(`at rest after ${seconds(started)} s`);
  return [];
}

/** Where nothing was done everything holds. */
function idle({ runs }: History): string[] {
  return runs.some((run) => run.status === 'COMPLETED') ? [] : ['idle: no run completed, so nothing was shown'];
}

function figures(history: History): Pick<ChaosReport, 'runs' | 'failures' | 'notes'> {
  const count = (values: readonly string[]): Record<string, number> =>
    Object.fromEntries([...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length]));
  const posted = history.journal.filter(
    ({ actor, method, path, id }) =>
      actor === 'planwright' && method === 'POST' && id !== null && /notes$|discussions$/.test(path),
  ).length;
  const standing = history.items.flatMap((item) => item.notes.filter((note) => note.author === 'planwright')).length;
  return {
    runs: count(history.runs.map((run) => run.status)),
    failures: count(history.runs.flatMap((run) => (run.status === 'FAILED' ? [run.reason ?? 'none'] : []))),
    notes: { posted, removed: posted - standing, givenUp: history.outboxFailures.length },
  };
}

function seconds(since: number): number {
  return Math.round((performance.now() - since) / 100) / 10;
}
