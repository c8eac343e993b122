import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../ports/clock.ts';

// Node fires a longer timer at once.
const longestTimerMs = 2_147_483_647;

/** The machine's clock. */
export function createSystemClock(): Clock {
  return { now: () => new Date(), sleep };
}

async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  const wait = Math.min(Math.max(0, ms), longestTimerMs);
  try {
    await delay(wait, undefined, signal ? { signal } : {});
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw error;
  }
}
