import type { Clock } from '../../ports/clock.ts';

// Node fires a longer timer at once.
const longestTimerMs = 2_147_483_647;

/** The machine's clock. */
export function createSystemClock(): Clock {
  return { now: () => new Date(), sleep };
}

/** By a plain timer: that of `node:timers/promises` makes an error with a stack for each sleep that is cut short, and most are. */
function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      },
      Math.min(Math.max(0, ms), longestTimerMs),
    );
    signal?.addEventListener('abort', stop, { once: true });
  });
}
