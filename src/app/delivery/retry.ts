/** Whether what failed in a delivery, of the inbox or the outbox, is done again, and when. */
import { PermanentFailure, TransientFailure } from '../../ports/failures.ts';

export type Retry = { kind: 'later'; inMs: number } | { kind: 'never' };

export interface RetryLimits {
  /** Tries before it is given up. */
  tries: number;
  /** Longest wait between two, milliseconds. */
  longestMs: number;
}

const FIRST_RETRY_MS = 500;

/** GitLab refuses the service's own token: it has expired or was exchanged. Until an operator sets a new one nothing is lost: about a week. */
const UNAUTHORIZED = 'gitlab_unauthorized';
const UNAUTHORIZED_WAIT_MS = 10 * 60_000;
const UNAUTHORIZED_TRIES = 1000;

/** `attempts`: how often it was tried before this time. Waits double, and are never shorter than GitLab asked for. */
export function retryOf(error: unknown, attempts: number, limits: RetryLimits): Retry {
  const backoff = FIRST_RETRY_MS * 2 ** Math.min(attempts, 30);
  if (error instanceof PermanentFailure) {
    if (error.code !== UNAUTHORIZED || attempts + 1 >= UNAUTHORIZED_TRIES) return { kind: 'never' };
    return { kind: 'later', inMs: Math.min(UNAUTHORIZED_WAIT_MS, backoff * 20) };
  }
  if (attempts + 1 >= limits.tries) return { kind: 'never' };
  const asked = error instanceof TransientFailure ? (error.retryAfterMs ?? 0) : 0;
  return { kind: 'later', inMs: Math.max(Math.min(limits.longestMs, backoff), asked) };
}
