/** The two failures that carry the retry decision (design: Style). Vendors' errors are translated into them at the edge. */

/** Worth repeating: later, not before `retryAfterMs` milliseconds when it is given. */
export class TransientFailure extends Error {
  readonly code: string;
  readonly retryAfterMs: number | undefined;
  constructor(code: string, message: string, retryAfterMs?: number) {
    super(message);
    this.name = 'TransientFailure';
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Not worth repeating as it is: a person or another state of things must come first. */
export class PermanentFailure extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'PermanentFailure';
    this.code = code;
  }
}
