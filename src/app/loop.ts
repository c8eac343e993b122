/** A background loop: works when it is woken, when something is due, and now and then by itself (a lost wake-up costs a sweep). */
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';

/** Resolves when it is worth looking again: something came, or some time is over; at the latest when `until` is aborted. */
export type Woken = (until: AbortSignal) => Promise<void>;

export interface LoopOptions {
  name: string;
  /**
   * Does what there is to do; must not run twice at the same time, and never does. `draining` is aborted when the loop stops: nothing new is
   * to be begun then; `signal` when its grace time is over. `woken` is for work that looks for more while something is
   * still at work: it resolves when the loop is woken or stopped, or `idleMs` are over.
   */
  work(signal: AbortSignal, draining: AbortSignal, woken: Woken): Promise<unknown>;
  /** Milliseconds until something is due; null: nothing is known. */
  nextInMs?(): Promise<number | null>;
  /** Longest time between two looks, milliseconds. */
  idleMs: number;
  /** Shortest time from one look to the next, milliseconds, so that what comes in quick succession is done together; default none. */
  paceMs?: number;
  clock: Clock;
  log: Log;
}

export interface Loop {
  /** Something is there: look soon. Never throws. */
  wake(): void;
  /** Lets the work at hand go on for `graceMs` (default 0), then aborts it; resolves when it has ended. */
  stop(graceMs?: number): Promise<void>;
}

const SHORTEST_WAIT_MS = 20;

export function startLoop(options: LoopOptions): Loop {
  const { clock, log, name } = options;
  const stopping = new AbortController();
  const aborting = new AbortController();
  let awake = Promise.withResolvers<void>();
  let wakes = 0;
  /** Wakes that the last look knew of. */
  let seen = 0;

  async function wait(): Promise<void> {
    const due = (await options.nextInMs?.().catch(() => null)) ?? options.idleMs;
    await woken(Math.max(SHORTEST_WAIT_MS, Math.min(options.idleMs, due)));
  }

  async function woken(ms: number, until?: AbortSignal): Promise<void> {
    // A wake during a look leads to another one.
    if (wakes === seen) {
      const timer = new AbortController();
      const ends = [timer.signal, stopping.signal, ...(until ? [until] : [])];
      const asleep = clock.sleep(ms, AbortSignal.any(ends)).catch(() => undefined);
      await Promise.race([asleep, awake.promise]);
      timer.abort(new Error('woken'));
    }
    if (!until?.aborted) seen = wakes;
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const rested = options.paceMs ? clock.sleep(options.paceMs, stopping.signal).catch(() => undefined) : null;
      try {
        await options.work(aborting.signal, stopping.signal, (until) => woken(options.idleMs, until));
      } catch (error) {
        if (!aborting.signal.aborted)
          log.warn({ loop: name, error: String(error) }, 'background work failed, it is tried again');
      }
      await rested;
      if (!stopping.signal.aborted) await wait();
    }
  }

  const ended = run();
  return {
    wake() {
      wakes += 1;
      awake.resolve();
      awake = Promise.withResolvers<void>();
    },
    async stop(graceMs = 0) {
      const reason = new Error(`${name} stops`);
      stopping.abort(reason);
      if (graceMs > 0) await within(clock, graceMs, ended);
      aborting.abort(reason);
      await ended;
    },
  };
}

/** Resolves when `work` does, at the latest after `ms` milliseconds. */
export async function within(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  const late = clock.sleep(ms, timer.signal).catch(() => undefined);
  await Promise.race([work, late]);
  timer.abort(new Error('no longer waited for'));
}
