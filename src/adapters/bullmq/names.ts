/** Queues of the service; every installation has its own prefix. */
export const runsQueue = 'runs';
export const deliveriesQueue = 'deliveries';

/** Run ids that one job carries at most (D12). */
export const runsPerJob = 32;

export interface QueueSettings {
  /** `redis://…` or `rediss://…`. */
  url: string;
  prefix: string;
}

/** When to try again to reach Redis, and whether it can be reached. */
export interface Reconnect {
  retryStrategy(times: number): number | null;
  /** The connection stands. */
  ready(): void;
  lost(): boolean;
  /** No further try: what still waits for the connection fails. */
  end(): void;
}

export function createReconnect(): Reconnect {
  let ended = false;
  let lost = true;
  return {
    retryStrategy: (times) => {
      lost = true;
      return ended ? null : Math.min(50 * 2 ** Math.min(times, 5), 1000);
    },
    ready: () => {
      lost = false;
    },
    lost: () => lost,
    end: () => {
      ended = true;
    },
  };
}

/** Resolves when `work` settles, or after `limitMs` milliseconds; never rejects. */
export async function settleWithin(limitMs: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, limitMs);
  await Promise.race([work.catch(() => undefined), late.promise]);
  clearTimeout(timer);
}
