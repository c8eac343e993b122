/** One piece of work at a time for a key, shared by all who ask for it meanwhile. */
export interface Shared<T> {
  /**
   * The work's result. Who aborts leaves with the signal's reason; the work goes on while anybody waits and is aborted when the
   * last one left. A failure reaches those who wait and is not remembered.
   */
  get(key: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Aborts what is under way and waits for its end. */
  close(): Promise<void>;
}

interface Flight<T> {
  promise: Promise<T>;
  control: AbortController;
  waiting: number;
}

export function createShared<T>(): Shared<T> {
  const flights = new Map<string, Flight<T>>();
  /** Aborted ones are no longer joined, but they end in their own time. */
  const ending = new Set<Promise<T>>();

  function start(key: string, work: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const control = new AbortController();
    const promise = work(control.signal);
    const flight: Flight<T> = { promise, control, waiting: 0 };
    flights.set(key, flight);
    ending.add(promise);
    const done = (): void => {
      ending.delete(promise);
      if (flights.get(key) === flight) flights.delete(key);
    };
    promise.then(done, done);
    return flight;
  }

  async function get(key: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    const flight = flights.get(key) ?? start(key, work);
    flight.waiting += 1;
    const { promise: left, reject } = Promise.withResolvers<never>();
    const leave = (): void => reject(signal?.reason);
    signal?.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([flight.promise, left]);
    } finally {
      signal?.removeEventListener('abort', leave);
      flight.waiting -= 1;
      if (flight.waiting === 0 && signal?.aborted) {
        if (flights.get(key) === flight) flights.delete(key);
        flight.control.abort(signal.reason);
      }
    }
  }

  async function close(): Promise<void> {
    for (const flight of flights.values()) flight.control.abort(new Error('the repository is closed'));
    await Promise.allSettled([...ending]);
  }

  return { get, close };
}
