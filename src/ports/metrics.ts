/** What the service counts, and its text for a scraper. */
import type { PauseKind } from '../domain/run/events.ts';
import type { GenerationStatus } from './run-store.ts';
import type { Backlog } from './upkeep.ts';

export interface Metrics {
  /** Media type of `text()`. */
  readonly contentType: string;
  text(): Promise<string>;
  /** A request was answered; `route` is the pattern, never the path. */
  request(answered: { method: string; route: string; status: number; seconds: number }): void;
}

/** Counted where the database accepted it. */
export interface RunCounters {
  started(): void;
  paused(kind: PauseKind, questions: number): void;
  resumed(): void;
  pauseSeconds(seconds: number): void;
  /** Questions whose answers were handed on. */
  answered(questions: number): void;
  ended(status: GenerationStatus, reason: string): void;
  /** What calls used: tokens by kind, and money (null: the price is not known, which is counted apart). */
  used(used: {
    model: string;
    inputTokens: number;
    outputTokens: number;
    cachedTokens: number;
    cacheWriteTokens: number;
    estimated: boolean;
    money: number | null;
  }): void;
  budgetReached(scope: string, what: string): void;
}

export interface ServiceMetrics extends Metrics {
  readonly runs: RunCounters;
  /** A request to GitLab ended; status null: no answer came. */
  gitlab(call: { method: string; status: number | null; durationMs: number }): void;
  /** A model call ended; `outcome`: ok, cut_off, aborted, or the code of its failure. */
  modelCall(call: { model: string; outcome: string; ms: number }): void;
  /** Looked at when a scraper asks, at most once in a while; what cannot be told then is left out. */
  backlogFrom(read: () => Promise<Backlog>): void;
  /** Seconds since this process last worked on a job of the queue. */
  queueSilence(read: () => { queue: string; seconds: number }[]): void;
  /** The day the service's GitLab token expires, where GitLab has told; null: it has not. Asked for as `backlogFrom`. */
  tokenExpiryFrom(read: () => Promise<Date | null>): void;
  /** A dead listener was made anew. */
  listenerRenewed(queue: string): void;
}
