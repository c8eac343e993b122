import type { Clock } from '../../ports/clock.ts';
import { TransientFailure } from '../../ports/failures.ts';
import type { Headers } from './transport.ts';

/** Decides when a request may begin. The one below knows its own process only; `shared-limiter.ts` has what all of them know. */
export interface Limiter {
  /**
   * Waits for a free place and for the end of a pause; gives what ends the use of the place. Throws
   * `TransientFailure('gitlab_rate_limited')` when the pause is longer than `maxWaitMs`, and the signal's reason once aborted.
   */
  take(kind: string, options: TakeOptions): Promise<() => void>;
  /** Learns from an answer. */
  observe(kind: string, status: number, headers: Headers): void;
}

export interface TakeOptions {
  maxWaitMs: number;
  /** A person waits for the answer: before all that is done in the background. Default false. */
  urgent?: boolean;
  signal?: AbortSignal | undefined;
}

export interface LimiterOptions {
  clock: Clock;
  /** Requests in flight at once. */
  concurrency: number;
  /** 0 to 1, exclusive. */
  random: () => number;
}

export const FIRST_PAUSE_MS = 1_000;
export const MAX_PAUSE_MS = 60_000;
/** Pauses are longer than asked by at most this part of them, so that all who wait do not come at once. */
export const SPREAD = 0.2;
/** `kind` of the pause that holds for everything. */
const EVERYTHING = '*';

export function createProcessLimiter({ clock, concurrency, random }: LimiterOptions): Limiter {
  const pausedUntil = new Map<string, number>();
  /** Answers 429 without a time, in a row: each doubles the pause. */
  const strikes = new Map<string, number>();
  const urgentLine: (() => void)[] = [];
  const line: (() => void)[] = [];
  let busy = 0;

  function remaining(kind: string): number {
    const until = Math.max(pausedUntil.get(EVERYTHING) ?? 0, pausedUntil.get(kind) ?? 0);
    return until - clock.now().getTime();
  }

  async function take(kind: string, { maxWaitMs, urgent = false, signal }: TakeOptions): Promise<() => void> {
    signal?.throwIfAborted();
    const startedAt = clock.now().getTime();
    for (;;) {
      const waitMs = remaining(kind);
      if (waitMs <= 0) break;
      const left = maxWaitMs - (clock.now().getTime() - startedAt);
      if (waitMs > left) throw rateLimited(waitMs);
      await clock.sleep(waitMs, signal);
    }
    if (busy >= concurrency) await queued(urgent ? urgentLine : line, signal);
    else busy += 1;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      const next = urgentLine.shift() ?? line.shift();
      // The place goes straight to the next in line.
      if (next) next();
      else busy -= 1;
    };
  }

  function queued(waiting: (() => void)[], signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        waiting.splice(waiting.indexOf(admit), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
      waiting.push(admit);
    });
  }

  function observe(kind: string, status: number, headers: Headers): void {
    const now = clock.now().getTime();
    const refusal = refusalIn(status, headers, now);
    if (refusal === null) {
      strikes.delete(kind);
      return;
    }
    const strike = status === 429 ? (strikes.get(kind) ?? 0) + 1 : 0;
    strikes.set(kind, strike);
    // Nothing left, but nothing said about when there is more: the next answer tells.
    if (status !== 429 && refusal.ms === undefined) return;
    const ms = refusal.ms ?? Math.min(FIRST_PAUSE_MS * 2 ** (strike - 1), MAX_PAUSE_MS);
    const until = now + ms + ms * SPREAD * random();
    const scope = refusal.everything ? EVERYTHING : kind;
    pausedUntil.set(scope, Math.max(pausedUntil.get(scope) ?? 0, until));
  }

  return { take, observe };
}

export function rateLimited(waitMs: number): TransientFailure {
  return new TransientFailure('gitlab_rate_limited', `GitLab asked to wait ${Math.ceil(waitMs / 1000)} s`, waitMs);
}

/**
 * Whether an answer says that calls must wait: 429, or the last one that the limit allowed. `ms`: for how long, where it says so.
 * GitLab's limits of single features (notes, archives) answer 429 without RateLimit headers: then the rest may go on.
 */
export function refusalIn(
  status: number,
  headers: Headers,
  now: number,
): { everything: boolean; ms: number | undefined } | null {
  if (status !== 429 && headers['ratelimit-remaining'] !== '0') return null;
  const everything = Object.keys(headers).some((name) => name.startsWith('ratelimit-'));
  return { everything, ms: limitWaitMs(headers, now) };
}

/** What `Retry-After` (seconds or a date) asks to wait, in milliseconds. */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const after = headers['retry-after']?.trim();
  if (!after) return undefined;
  const at = /^\d+$/.test(after) ? now + Number(after) * 1000 : Date.parse(after);
  return Number.isFinite(at) ? Math.max(0, at - now) : undefined;
}

/** What an exhausted limit asks to wait, in milliseconds: `Retry-After`, else `RateLimit-Reset` (epoch seconds). */
export function limitWaitMs(headers: Headers, now: number): number | undefined {
  const asked = retryAfterMs(headers, now);
  if (asked !== undefined) return asked;
  const reset = Number(headers['ratelimit-reset']);
  if (Number.isFinite(reset) && reset > 0) return Math.max(0, reset * 1000 - now);
  return undefined;
}
