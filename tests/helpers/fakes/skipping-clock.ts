import type { Clock } from '../../../src/ports/clock.ts';

export interface SkippingClock extends Clock {
  /** Lengths of all waits asked for. */
  readonly waits: readonly number[];
}

/** A clock whose waits are over at once, with the time moved on as if they had been waited. */
export function createSkippingClock(start: Date = new Date('2026-01-05T09:00:00.000Z')): SkippingClock {
  let now = start.getTime();
  const waits: number[] = [];
  return {
    waits,
    now: () => new Date(now),
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      waits.push(ms);
      now += ms;
    },
  };
}
