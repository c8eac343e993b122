/** Time, randomness and waiting, so that tests decide them. */
export interface Clock {
  now(): Date;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Ids {
  /** A new unique id: a UUID. */
  next(): string;
}
