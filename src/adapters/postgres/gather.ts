import { StatementRefused } from './errors.ts';

export interface GatherOptions<I, O, P = I> {
  /** At most one item of a key is in a batch; batches are sorted by it, so that processes lock rows in one order. */
  keyOf(item: I): string;
  /**
   * What of an item goes into the statement, read once, when its batch leaves: what is done to it while it waits counts. One that
   * throws fails alone. Absent: the item itself.
   */
  prepare?(item: I): P;
  /** One statement for all; answers in the order of the items. */
  flush(items: P[]): Promise<O[]>;
  /** Items a batch. */
  max: number;
  /**
   * So many items make a batch that leaves beside the one under way (never two with one key): the server works on one while the next steps
   * of the other are made. Absent: one batch at a time.
   */
  beside?: number;
  /**
   * True: a first batch leaves when this turn of the event loop is over, so that what follows from an item at once can still be added to it
   * (`prepare`). Absent: what is asked for at one moment leaves together.
   */
  afterTurn?: boolean;
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
export function createGather<I, O, P = I>(options: GatherOptions<I, O, P>): (item: I) => Promise<O> {
  const { keyOf, max, beside = Number.POSITIVE_INFINITY } = options;
  let waiting: Waiting<I, O>[] = [];
  let senders = 0;
  /** Keys of what is under way. */
  const underWay = new Set<string>();
  let batches = 0;

  function begin(): void {
    if (senders > 0 && (senders > 1 || waiting.length < beside)) return;
    senders += 1;
    if (options.afterTurn) setImmediate(run);
    else queueMicrotask(run);
  }

  async function run(): Promise<void> {
    for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) {
      const keys = batch.map((entry) => keyOf(entry.item));
      for (const key of keys) underWay.add(key);
      batches += 1;
      if (waiting.length > 0) begin();
      await settle(prepared(batch));
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

  function prepared(batch: Waiting<I, O>[]): Waiting<P, O>[] {
    const { prepare = (item: I) => item as unknown as P } = options;
    return batch.flatMap(({ item, resolve, reject }) => {
      try {
        return [{ item: prepare(item), resolve, reject }];
      } catch (error) {
        reject(error);
        return [];
      }
    });
  }

  async function settle(batch: Waiting<P, O>[]): Promise<void> {
    if (batch.length === 0) return;
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
