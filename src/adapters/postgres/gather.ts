import { StatementRefused } from './errors.ts';

export interface GatherOptions<I, O> {
  /** At most one item of a key is in a batch; batches are sorted by it, so that processes lock rows in one order. */
  keyOf(item: I): string;
  /** One statement for all; answers in the order of the items. */
  flush(items: I[]): Promise<O[]>;
  /** Items a batch. */
  max: number;
  /**
   * So many items make a batch that leaves beside the one under way (never two with one key): the server works on one while the next steps
   * of the other are made. Absent: one batch at a time.
   */
  beside?: number;
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
  const { keyOf, max, beside = Number.POSITIVE_INFINITY } = options;
  let waiting: Waiting<I, O>[] = [];
  let senders = 0;
  /** Keys of what is under way. */
  const underWay = new Set<string>();
  let batches = 0;

  function begin(): void {
    if (senders > 0 && (senders > 1 || waiting.length < beside)) return;
    senders += 1;
    // In a microtask: what is asked for in the same turn leaves together.
    queueMicrotask(run);
  }

  async function run(): Promise<void> {
    for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) {
      const keys = batch.map((entry) => keyOf(entry.item));
      for (const key of keys) underWay.add(key);
      batches += 1;
      if (waiting.length > 0) begin();
      await settle(batch);
      batches -= 1;
      for (const key of keys) underWay.delete(key);
    }
    senders -= 1;
  }

  function nextBatch(): Waiting<I, O>[] {
    const batch = new Map<string, Waiting<I, O>>();
    const rest: Waiting<I, O>[] = [];
    const size = sizeOfNext();
    for (const entry of waiting) {
      const key = keyOf(entry.item);
      if (batch.size < size && !batch.has(key) && !underWay.has(key)) batch.set(key, entry);
      else rest.push(entry);
    }
    waiting = rest;
    return [...batch].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  }

  /** All; half of them where the other half makes a batch; none beside another batch where they make none. */
  function sizeOfNext(): number {
    const count = waiting.length;
    if (batches > 0 && count < beside) return 0;
    return Math.min(max, batches === 0 && count >= 2 * beside ? Math.ceil(count / 2) : count);
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
      begin();
    });
}
