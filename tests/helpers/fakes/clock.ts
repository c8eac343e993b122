import type { Clock } from '../../../src/ports/clock.ts';

export interface FakeClock extends Clock {
  /** Lets time pass: wakes every wait that is due, in order. */
  advance(ms: number): void;
  /** Resolves as soon as a wait of exactly so many milliseconds is asked for (or is pending already). */
  untilWaiting(ms: number): Promise<void>;
  /** Lengths of all waits asked for so far. */
  readonly waits: readonly number[];
}

interface Sleeper {
  ms: number;
  at: number;
  wake: () => void;
}

/** A clock that stands until the test moves it. Starts at 2026-01-05T09:00:00Z. */
export function createFakeClock(start = '2026-01-05T09:00:00.000Z'): FakeClock {
  let now = Date.parse(start);
  const waits: number[] = [];
  const sleepers = new Set<Sleeper>();
  const watchers = new Set<{ ms: number; found: () => void }>();

  function sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    waits.push(ms);
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        sleepers.delete(sleeper);
        reject(signal?.reason);
      };
      const wake = (): void => {
        sleepers.delete(sleeper);
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const sleeper: Sleeper = { ms, at: now + ms, wake };
      sleepers.add(sleeper);
      signal?.addEventListener('abort', abort, { once: true });
      for (const watcher of watchers) if (watcher.ms === ms) watcher.found();
    });
  }

  return {
    waits,
    now: () => new Date(now),
    sleep,
    advance: (ms) => {
      now += ms;
      const due = [...sleepers].filter((sleeper) => sleeper.at <= now).sort((a, b) => a.at - b.at);
      for (const sleeper of due) sleeper.wake();
    },
    untilWaiting: (ms) =>
      new Promise((resolve) => {
        const watcher = {
          ms,
          found: () => {
            watchers.delete(watcher);
            resolve();
          },
        };
        watchers.add(watcher);
        if ([...sleepers].some((sleeper) => sleeper.ms === ms)) watcher.found();
      }),
  };
}
