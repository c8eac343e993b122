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
  tokens(used: { model: string; inputTokens: number; outputTokens: number; estimated: boolean }): void;
}

export interface ServiceMetrics extends Metrics {
  readonly runs: RunCounters;
  /** A request to GitLab ended; status null: no answer came. */
  gitlab(call: { method: string; status: number | null; durationMs: number }): void;
  /** Looked at when a scraper asks, at most once in a while; what cannot be told then is left out. */
  backlogFrom(read: () => Promise<Backlog>): void;
  /** Seconds since this process last worked on a job of the queue. */
  queueSilence(read: () => { queue: string; seconds: number }[]): void;
  /** A dead listener was made anew. */
  listenerRenewed(queue: string): void;
}
