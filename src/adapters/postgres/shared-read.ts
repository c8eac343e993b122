interface Reading<V> {
  promise: Promise<V>;
  resolve(value: V): void;
  reject(error: unknown): void;
}

/**
 * Reads by key that share: all that a process wants to know at one moment is one statement, and who asks for the same key shares its
 * answer. Every statement leaves after all were asked that it answers, so nobody learns what was already old when they asked. Self-clocked
 * as writes are (D12): the next one leaves when the last one returned.
 */
export function createSharedRead<K, V>(options: {
  /** Answers in the order of the keys. */
  read(keys: K[]): Promise<V[]>;
  /** Keys a statement. */
  max: number;
}): (key: K) => Promise<V> {
  const waiting = new Map<K, Reading<V>>();
  let running = false;

  async function run(): Promise<void> {
    while (waiting.size > 0) {
      // One turn of the event loop, no time: all requests that have arrived by now are read and asked before the statement leaves.
      await new Promise((resolve) => setImmediate(resolve));
      const batch = [...waiting].slice(0, options.max);
      for (const [key] of batch) waiting.delete(key);
      try {
        const values = await options.read(batch.map(([key]) => key));
        if (values.length !== batch.length) throw new Error(`${values.length} answers for ${batch.length} keys`);
        batch.forEach(([, reading], index) => {
          reading.resolve(values[index] as V);
        });
      } catch (error) {
        for (const [, reading] of batch) reading.reject(error);
      }
    }
    running = false;
  }

  return (key) => {
    const before = waiting.get(key);
    if (before) return before.promise;
    const reading = Promise.withResolvers<V>();
    waiting.set(key, reading);
    if (!running) {
      running = true;
      void run();
    }
    return reading.promise;
  };
}
