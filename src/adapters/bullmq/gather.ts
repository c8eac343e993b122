/** Passes on what is asked for in one moment together. The promise says that it was sent, failed or took too long: never which. */
export type Gatherer = (items: string[]) => Promise<void>;

export interface GatherOptions {
  send(items: string[]): Promise<void>;
  /** Milliseconds after which nobody waits any longer. */
  limitMs: number;
  failed(error: unknown, items: string[]): void;
}

interface Batch {
  items: Set<string>;
  settled: PromiseWithResolvers<void>;
  timer: NodeJS.Timeout;
}

// What is kept for the return of a lost server; the sweeper finds the rest.
const keptAtMost = 10_000;

/**
 * Self-clocked: the next batch leaves when the last one returned, so that a batch never waits for company. While a sending
 * hangs, callers return at once after the limit; what they asked for is kept, up to a bound, and goes with the next batch.
 */
export function createGatherer(options: GatherOptions): Gatherer {
  let waiting: Batch | null = null;
  let sending = false;
  let hanging = false;

  function open(): Batch {
    const settled = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      hanging = sending;
      settled.resolve();
    }, options.limitMs);
    if (!sending) queueMicrotask(() => void flush());
    return { items: new Set(), settled, timer };
  }

  async function flush(): Promise<void> {
    const batch = waiting;
    if (batch === null || sending) return;
    waiting = null;
    sending = true;
    try {
      await options.send([...batch.items]);
    } catch (error) {
      options.failed(error, [...batch.items]);
    }
    sending = false;
    hanging = false;
    clearTimeout(batch.timer);
    batch.settled.resolve();
    void flush();
  }

  return (items) => {
    if (items.length === 0) return Promise.resolve();
    waiting ??= open();
    const batch = waiting;
    for (const item of items) if (batch.items.size < keptAtMost) batch.items.add(item);
    return hanging ? Promise.resolve() : batch.settled.promise;
  };
}
