import type { RunQueue, RunQueueConsumer } from '../../../src/ports/run-queue.ts';

export interface MemoryQueue extends RunQueue, RunQueueConsumer {
  /** Errors of handlers, which never reach who woke. */
  readonly failures: readonly unknown[];
  /** From now on wakes are lost (or no longer). */
  down(isDown: boolean): void;
}

const runsPerJob = 32;

interface Channel<T> {
  jobs: T[];
  handle: ((job: T) => Promise<void>) | null;
  busy: Promise<void>;
}

/** The queue in memory: wakes of a moment go together, up to 32 ids a job; kept until somebody listens. */
export function createMemoryQueue(): MemoryQueue {
  const failures: unknown[] = [];
  const runs: Channel<string[]> = { jobs: [], handle: null, busy: Promise.resolve() };
  const deliveries: Channel<null> = { jobs: [], handle: null, busy: Promise.resolve() };
  let gathered: { ids: Set<string>; sent: Promise<void> } | null = null;
  let isDown = false;

  function deliver<T>(channel: Channel<T>): void {
    channel.busy = channel.busy.then(async () => {
      const { handle } = channel;
      const job = handle ? channel.jobs.shift() : undefined;
      if (!handle || job === undefined) return;
      await handle(job).catch((error: unknown) => void failures.push(error));
      deliver(channel);
    });
  }

  async function send(ids: Set<string>): Promise<void> {
    await Promise.resolve();
    gathered = null;
    const all = [...ids];
    for (let from = 0; from < all.length; from += runsPerJob) runs.jobs.push(all.slice(from, from + runsPerJob));
    deliver(runs);
  }

  function listen<T>(channel: Channel<T>, handle: (job: T) => Promise<void>): { close(): Promise<void> } {
    if (channel.handle) throw new Error('the memory queue has one listener a channel');
    channel.handle = handle;
    deliver(channel);
    return {
      close: async () => {
        channel.handle = null;
        await channel.busy;
      },
    };
  }

  return {
    failures,
    wakeRuns: async (runIds) => {
      if (isDown || runIds.length === 0) return;
      const ids = gathered?.ids ?? new Set<string>();
      gathered ??= { ids, sent: send(ids) };
      for (const id of runIds) ids.add(id);
      await gathered.sent;
    },
    wakeDeliveries: async () => {
      if (isDown) return;
      deliveries.jobs.push(null);
      deliver(deliveries);
    },
    onRuns: async (handle) => listen(runs, handle),
    onDeliveries: async (handle) => listen(deliveries, () => handle()),
    health: () => [],
    down: (value) => {
      isDown = value;
    },
  };
}
