/** Works on what a store hands out, so many at once; what takes long keeps nobody else waiting (spec 2: One flow an item). */
import type { Clock } from '../../ports/clock.ts';
import type { Woken } from '../loop.ts';

export interface Pool<T> {
  /** How many are worked on at once. */
  limit: number;
  /** Takes at most so many that are due and that nobody works on. */
  take(limit: number): Promise<T[]>;
  work(one: T): Promise<void>;
  /** Holds what is being worked on anew, a third of the hold apart: what is slow is not taken a second time. */
  hold: { extend(atWork: T[]): Promise<unknown>; holdMs: number; clock: Clock };
  /** Told of what was thrown while others were still worked on. */
  failed(error: unknown): void;
  /** Nothing more is taken once it is aborted. */
  draining: AbortSignal;
  /** Shortest time from one take to the next, milliseconds, so that what comes in quick succession is taken together; default none. */
  paceMs?: number;
  /** Tells when it is worth looking again although nothing has ended; absent: only what ends leads to a look. */
  woken?: Woken;
}

/**
 * Works until nothing is due and nothing is at work; answers how many were worked on. As soon as a place is free, or something new came, it
 * takes again.
 * @throws what `take` or `work` threw when nothing else is at work.
 */
export async function workPool<T>(pool: Pool<T>): Promise<number> {
  const busy = new Set<Promise<void>>();
  const atWork = new Set<T>();
  let keeping = false;
  const errors: unknown[] = [];
  const ended = new AbortController();
  let look: { promise: Promise<void>; over: boolean } | null = null;
  let worked = 0;

  function begin(one: T): void {
    atWork.add(one);
    if (!keeping) void keepHolds();
    const work = pool
      .work(one)
      .catch((error: unknown) => void errors.push(error))
      .then(() => {
        busy.delete(work);
        atWork.delete(one);
      });
    busy.add(work);
    worked += 1;
  }

  /** Ends when nothing is at work; begun anew with the next. */
  async function keepHolds(): Promise<void> {
    const { extend, holdMs, clock } = pool.hold;
    keeping = true;
    while (atWork.size > 0 && !ended.signal.aborted) {
      await clock.sleep(holdMs / 3, ended.signal).catch(() => undefined);
      if (atWork.size > 0 && !ended.signal.aborted) await extend([...atWork]).catch(pool.failed);
    }
    keeping = false;
  }

  /** Until the next take may begin; what is at work goes on meanwhile. */
  let rested: Promise<void> | null = null;

  async function fill(): Promise<number> {
    await rested;
    if (pool.paceMs) rested = pool.hold.clock.sleep(pool.paceMs, ended.signal).catch(() => undefined);
    const free = pool.limit - busy.size;
    if (free <= 0 || pool.draining.aborted) return 0;
    try {
      const taken = await pool.take(free);
      for (const one of taken) begin(one);
      return taken.length;
    } catch (error) {
      errors.push(error);
      return 0;
    }
  }

  /** Until something has ended, or there may be something new. */
  async function wait(): Promise<void> {
    const looking = pool.draining.aborted || busy.size >= pool.limit ? null : (look ?? lookout());
    await Promise.race(looking ? [...busy, looking.promise] : busy);
    if (look?.over) look = null;
  }

  function lookout(): typeof look {
    if (!pool.woken) return null;
    const over = () => {
      made.over = true;
    };
    const made = { promise: pool.woken(ended.signal).then(over), over: false };
    look = made;
    return made;
  }

  try {
    for (;;) {
      const alone = busy.size === 0;
      const taken = await fill();
      if (errors.length > 0 && busy.size === 0) throw errors[0];
      for (const error of errors.splice(0)) pool.failed(error);
      if (busy.size > 0) await wait();
      // What ended while this was taken may have made way for the next of its item.
      else if (alone && taken === 0) return worked;
    }
  } finally {
    ended.abort(ENDED);
  }
}

/** One for all: an abort without a reason makes an error with a stack each time. */
const ENDED = new Error('The pool has ended.');
