import { StatementRefused } from './errors.ts';

export interface GatherOptions<I, O> {
  /** At most one item of a key is in a batch; batches are sorted by it, so that processes lock rows in one order. */
  keyOf(item: I): string;
  /** One statement for all; answers in the order of the items. */
  flush(items: I[]): Promise<O[]>;
  /** Items a batch. */
  max: number;
  /** Batches under way at once, never two with one key; default 1. With 2 the next is made while the server works on the last. */
  atOnce?: number;
}

interface Waiting<I, O> {
  item: I;
  resolve(outcome: O): void;
  reject(error: unknown): void;
}

/**
 * Collects what a process wants of the store at one moment into one statement (D12). Self-clocked: the next batch leaves when the last
 * one returned, and a batch never waits for company. A batch that the server refused is repeated item by item, so that one bad item
 * fails alone; after a lost connection nobody knows what was committed, and all items fail.
 */
export function createGather<I, O>(options: GatherOptions<I, O>): (item: I) => Promise<O> {
  let waiting: Waiting<I, O>[] = [];
  let running = 0;
  const underWay = new Set<string>();

  async function run(): Promise<void> {
    for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) {
      const keys = batch.map((entry) => options.keyOf(entry.item));
      for (const key of keys) underWay.add(key);
      await settle(batch);
      for (const key of keys) underWay.delete(key);
    }
    running -= 1;
  }

  function nextBatch(): Waiting<I, O>[] {
    const batch = new Map<string, Waiting<I, O>>();
    const rest: Waiting<I, O>[] = [];
    for (const entry of waiting) {
      const key = options.keyOf(entry.item);
      if (batch.size < options.max && !batch.has(key) && !underWay.has(key)) batch.set(key, entry);
      else rest.push(entry);
    }
    waiting = rest;
    return [...batch].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  }

  async function settle(batch: Waiting<I, O>[]): Promise<void> {
    try {
      const outcomes = await options.flush(batch.map((entry) => entry.item));
      if (outcomes.length !== batch.length) throw new Error(`${outcomes.length} outcomes for ${batch.length} items`);
      batch.forEach((entry, index) => {
        entry.resolve(outcomes[index] as O);
      });
    } catch (error) {
      if (batch.length > 1 && error instanceof StatementRefused) for (const entry of batch) await settle([entry]);
      else for (const entry of batch) entry.reject(error);
    }
  }

  return (item) =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (running >= (options.atOnce ?? 1)) return;
      running += 1;
      // In a microtask: what is asked for in the same turn leaves together.
      queueMicrotask(run);
    });
}
