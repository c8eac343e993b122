/** What maintenance looks after beside the runs themselves: pauses by their age, what waits, who works. Its clock is the database's. */
import type { PauseKind } from '../domain/run/events.ts';

export interface WaitingPause {
  runId: string;
  /** Sequence of the run's last event. */
  seq: number;
  pauseId: string;
  kind: PauseKind;
  openedAt: string;
}

export interface Waiting {
  /** How many rows wait. */
  open: number;
  /** How long the one that is due longest has been due, milliseconds; null when nothing is due. */
  oldestDueMs: number | null;
}

/** How much waits at a moment. */
export interface Backlog {
  inbox: Waiting;
  outbox: Waiting;
  /** Deliveries that were given up and wait for an operator. */
  deliveriesGivenUp: number;
  /** Live runs: at work or to be taken, waiting for people, and those at work that nobody holds. */
  runs: { generating: number; needsInput: number; abandoned: number };
}

/** A process as it said last. */
export interface WorkerSign {
  owner: string;
  /** The parts it runs, e.g. `runs`. */
  parts: string[];
  ready: boolean;
  /** Why it is not ready; empty when it is. */
  detail: string;
}

export interface UpkeepStore {
  /** Open pauses that began over `ageMs` ago, oldest first, of runs of at most this format. */
  pausesOlderThan(input: { ageMs: number; limit: number; maxFormat: number }): Promise<WaitingPause[]>;
  /** As `pausesOlderThan`, those that nobody was reminded of. */
  pausesToRemind(input: { ageMs: number; limit: number; maxFormat: number }): Promise<WaitingPause[]>;
  /** Takes open pauses at which nobody looked for `ageMs`, longest ago first; each is given to one taker only. */
  pausesToLookAt(input: { ageMs: number; limit: number; maxFormat: number }): Promise<WaitingPause[]>;
  /** The reminder of a pause is written. */
  reminded(runId: string, pauseId: string): Promise<void>;
  backlog(): Promise<Backlog>;
  /** A sign of life; also forgets those that gave none for a day. */
  sign(worker: WorkerSign): Promise<void>;
  /** The process ends as it should. */
  signOff(owner: string): Promise<void>;
  /** Processes that gave a sign within `withinMs`. */
  workers(withinMs: number): Promise<(WorkerSign & { seenAt: string })[]>;
}
