/** A background loop: works when it is woken, when something is due, and now and then by itself (a lost wake-up costs a sweep). */
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';

export interface LoopOptions {
  name: string;
  /** Does what there is to do; must not run twice at the same time, and never does. */
  work(signal: AbortSignal): Promise<unknown>;
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
  /** Ends after the work at hand was aborted. */
  stop(): Promise<void>;
}

const SHORTEST_WAIT_MS = 20;

export function startLoop(options: LoopOptions): Loop {
  const { clock, log, name } = options;
  const stopping = new AbortController();
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
        await options.work(stopping.signal);
      } catch (error) {
        if (!stopping.signal.aborted)
          log.warn({ loop: name, error: String(error) }, 'background work failed, it is tried again');
      }
      if (!stopping.signal.aborted) await wait();
    }
  }

  const ended = run();
  return {
    wake: () => awake.resolve(),
    async stop() {
      stopping.abort(new Error(`${name} stops`));
      await ended;
    },
  };
}
