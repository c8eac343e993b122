/** A background loop: works when it is woken, when something is due, and now and then by itself (a lost wake-up costs a sweep). */
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';

export interface LoopOptions {
  name: string;
  /**
   * Does what there is to do; must not run twice at the same time, and never does. `draining` is aborted when the loop stops: nothing new is
   * to be begun then; `signal` when its grace time is over.
   */
  work(signal: AbortSignal, draining: AbortSignal): Promise<unknown>;
  /** Milliseconds until something is due; null: nothing is known. */
  nextInMs?(): Promise<number | null>;
  /** Longest time between two looks, milliseconds. */
  idleMs: number;
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

  async function wait(): Promise<void> {
    const due = (await options.nextInMs?.().catch(() => null)) ?? options.idleMs;
    const ms = Math.max(SHORTEST_WAIT_MS, Math.min(options.idleMs, due));
    const timer = new AbortController();
    const asleep = clock.sleep(ms, AbortSignal.any([timer.signal, stopping.signal])).catch(() => undefined);
    await Promise.race([asleep, awake.promise]);
    timer.abort(new Error('woken'));
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      awake = Promise.withResolvers<void>();
      try {
        await options.work(aborting.signal, stopping.signal);
      } catch (error) {
        if (!aborting.signal.aborted)
          log.warn({ loop: name, error: String(error) }, 'background work failed, it is tried again');
      }
      if (!stopping.signal.aborted) await wait();
    }
  }

  const ended = run();
  return {
    wake: () => awake.resolve(),
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
