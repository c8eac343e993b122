/** The work's outcome, or the signal's reason as soon as it is aborted, whether or not the work heeds it. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Ended because its time was over. */
export class TimeOver extends Error {
  readonly timeoutMs: number;
  constructor(timeoutMs: number) {
    super(`Not finished within ${timeoutMs} ms.`);
    this.name = 'TimeOver';
    this.timeoutMs = timeoutMs;
  }
}
