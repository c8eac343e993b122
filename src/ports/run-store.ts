/**
 * The store of runs: event log, run rows, pauses and outbox rows (design: How a run moves, D5–D12). Its clock is the database's for leases
 * and retries; `at` of events is the caller's. All failures to reach it are `TransientFailure('store_unavailable')`.
 */
import type { PieceBundle } from '../domain/piece/types.ts';
import type { RunBudget } from '../domain/run/budget.ts';
import type { PauseKind, RunEvent, RunEventBody } from '../domain/run/events.ts';
import type { ItemRef, Person } from '../domain/workplan/people.ts';
import type { OutboxRow } from './outbox.ts';

export type GenerationStatus = 'NOT_STARTED' | 'GENERATING' | 'NEEDS_INPUT' | 'COMPLETED' | 'CANCELED' | 'FAILED';
export type ScoreStatus = 'NOT_EVALUATED' | 'EVALUATING' | 'EVALUATED' | 'FAILED' | 'CANCELED';

/** What stays with a run from its beginning (D9). */
export interface RunSettings {
  /** Format version, raised when an older worker could not run it (a rolling upgrade leaves such runs alone). */
  format: number;
  interactive: boolean;
  language: string;
  questionFormat: 'hidden' | 'duo';
  score: boolean;
  provider: string;
  /** By role (`research`, `plan`, `judge`), `default` for the others; `fallback` is asked when one fails. `PROVIDER:MODEL`. */
  models: Record<string, string>;
  /** Whom a piece may name on its movements: the default provider, those that are set up, and models by name. Absent: nobody. */
  offered?: { provider: string; providers: string[]; models: string[] };
  /** What the run and its project's day may use; absent: no limit. */
  budget?: RunBudget;
  /** Research by sub-agents: at once, in all for one agent, depth, tokens each. Absent: none. */
  delegate?: { width: number; tasks: number; depth: number; tokens: number };
  /** Milliseconds of GENERATING time. */
  timeoutMs: number;
  roles: { plan: string[]; continue: string[]; answer: string[] | null };
  /** What an agent may do: tool steps and milliseconds an answer. Absent (older runs): what the process says. */
  agent?: { steps: number; timeoutMs: number };
  /** Numeric ids of bots whose replies and notes count; absent: what the process says. */
  allowedBots?: number[];
  /** Under which people reach the service, no trailing slash; absent: not known. */
  publicUrl?: string;
  /** How many runs of the project may be at work at once; absent: any number (`ports/turns.ts`). */
  maxLiveRuns?: number;
  /** Where the plan stands; absent: in a note. */
  planTarget?: 'description';
}

export interface RunRow {
  id: string;
  itemGlobalId: number;
  item: ItemRef;
  startedBy: Person;
  status: GenerationStatus;
  /** A code a person can act on, of FAILED and CANCELED. */
  reason: string | null;
  pause: { id: string; kind: PauseKind } | null;
  scoreStatus: ScoreStatus;
  /** Projection for people: `RunView` of the domain as JSON (questions, plan, score), written with the events. */
  view: unknown;
  fence: number;
  /** Sequence of the last event. */
  seq: number;
  /** Raised with every visible change; part of the ETag. */
  version: number;
  createdAt: string;
  updatedAt: string;
  /** GENERATING, but in the queue until the project's limit leaves it a turn; absent: not so. */
  waitsForTurn?: boolean;
}

/** What changes in the run's row together with events; absent fields stay. `live: false` with a terminal event. */
export interface RowChange {
  status?: GenerationStatus;
  reason?: string | null;
  pause?: { id: string; kind: PauseKind } | null;
  scoreStatus?: ScoreStatus;
  view?: unknown;
  /** How far it is, merged into `view`: what changes most often need not bring along what seldom does. */
  progress?: { movement: string | null; iteration: number };
}

export interface UsageRow {
  effectId: string;
  model: string;
  inputTokens: number;
  outputTokens: number;
  estimated: boolean;
  /** Of the item; absent or null: a run without one. */
  projectId?: number | null;
  /** Of the input: read from and written to the provider's cache; absent: none. */
  cachedTokens?: number;
  cacheWriteTokens?: number;
  /** In the operator's currency; absent or null: the price is not known. */
  money?: number | null;
  /** How long the calls took; absent: not told. */
  ms?: number;
}

/**
 * What caused a change, for D10 and the dedupe of actions: `actionKey` is unique for ever (a second one: `duplicate`), `deliveryId` is marked
 * done in the same transaction.
 */
export interface Cause {
  actionKey: string | null;
  deliveryId: string | null;
}

export interface StartRun {
  id: string;
  item: ItemRef;
  startedBy: Person;
  piece: PieceBundle;
  settings: RunSettings;
  events: RunEventBody[];
  at: string;
  row: RowChange;
  outbox: OutboxRow[];
  cause: Cause;
  /** Owner token of the item's lease, handed on in the row to the worker that claims; null when the lease store was away. */
  leaseToken?: string | null;
}

export type StartOutcome =
  | { kind: 'started'; run: RunRow }
  | { kind: 'already_running'; run: RunRow }
  | { kind: 'duplicate' };

/** A run held by a worker under `fence`, with its whole log. */
export interface ClaimedRun {
  row: RunRow;
  fence: number;
  piece: PieceBundle;
  settings: RunSettings;
  events: RunEvent[];
  /** The lease's token as `start` or `resume` left it. */
  leaseToken?: string | null;
}

/** One fenced append (D6, D12): nothing is written unless fence and sequence both stand. */
export interface Append {
  runId: string;
  fence: number;
  /** The sequence the caller folded up to; the new events get `expectedSeq + 1 …`. */
  expectedSeq: number;
  at: string;
  events: RunEventBody[];
  row: RowChange;
  outbox: OutboxRow[];
  usage: UsageRow[];
  /** A store where appends wait for their turn calls it, once, right before it reads this one: the caller adds what it learned since. */
  takeAlong?(): void;
}

export type AppendOutcome = { kind: 'appended'; seq: number; version: number } | { kind: 'stale' };

export interface ResumeRun {
  runId: string;
  pauseId: string;
  event: RunEventBody;
  at: string;
  /** Further changes of the row, as with an append (view). */
  row?: RowChange;
  outbox: OutboxRow[];
  cause: Cause;
  leaseToken?: string | null;
}

/** `already_continued`: the pause is over, or another Continue won. `not_resumable`: the run does not wait at all. */
export type ResumeOutcome =
  | { kind: 'resumed'; run: RunRow }
  | { kind: 'already_continued'; run: RunRow }
  | { kind: 'not_resumable'; run: RunRow }
  | { kind: 'duplicate' };

/** Something seen from outside while a run waits; it goes on waiting. */
export interface ObserveRun {
  runId: string;
  /** Written only while the run waits at this sequence. */
  onlyAtSeq: number;
  event: RunEventBody;
  at: string;
  row: RowChange;
  outbox: OutboxRow[];
}

export interface EndRun {
  runId: string;
  event: RunEventBody & { type: 'ended' };
  /** What led to it, e.g. that a limit was reached (D1); absent: nothing. */
  before?: RunEventBody[];
  at: string;
  status: GenerationStatus;
  reason: string | null;
  /** Further changes of the row, as with an append (view, scoreStatus). */
  row?: RowChange;
  outbox: OutboxRow[];
  cause: Cause;
  /** End only if still at this sequence (deadlines); null: whatever the state (cancel). */
  onlyAtSeq: number | null;
}

export type EndOutcome =
  | { kind: 'ended'; run: RunRow }
  | { kind: 'not_live'; run: RunRow | null }
  | { kind: 'duplicate' };

export interface LoadedRun {
  row: RunRow;
  piece: PieceBundle;
  settings: RunSettings;
  events: RunEvent[];
  /** As `start` or `resume` left it, while the run is GENERATING. */
  leaseToken?: string | null;
}

export interface ClaimRuns {
  runIds: string[];
  worker: string;
  leaseMs: number;
  maxFormat: number;
  /** Of a run that could not be claimed beside others that were. It may be held by now: it is found when its hold lapses. */
  failed?(runId: string, error: unknown): void;
}

export interface RunStore {
  /** Run row, first events and outbox rows in one statement; at most one live run an item (unique partial index). */
  start(input: StartRun): Promise<StartOutcome>;
  /**
   * Claims those of the runs that are GENERATING and held by nobody (no owner, or its heartbeat lapsed): raises the fence and loads the log.
   * Runs held, paused, ended, unknown or of a newer format are left out. One statement for all (D12). One that cannot be claimed or read keeps
   * nobody from the others: `failed` is told of it; where none was claimed, what happened is thrown.
   */
  claim(input: ClaimRuns): Promise<ClaimedRun[]>;
  /**
   * Appends of all runs of the process at a moment are gathered into one statement; each learns its own outcome. One that waits for its
   * turn takes along what came meanwhile (`takeAlong`).
   */
  append(input: Append): Promise<AppendOutcome>;
  /** Extends the worker's holds by `leaseMs`; answers the run ids whose fence no longer stands. One statement. */
  heartbeat(input: { worker: string; holds: { runId: string; fence: number }[]; leaseMs: number }): Promise<string[]>;
  /** Read-only: those of the holds whose fence no longer stands (a cancel, a take-over), so that work in flight is aborted soon. */
  lost(holds: { runId: string; fence: number }[]): Promise<string[]>;
  /** Gives a hold back so that anybody may claim at once (shutdown). Waiting and ending runs are released by their append. */
  release(holds: { runId: string; fence: number }[]): Promise<void>;
  /**
   * Leaves a run to nobody for `forMs`: it cannot go on before. Its GENERATING time stands still meanwhile; cancel ends it all the same. A hold
   * whose fence no longer stands is left alone.
   */
  park(hold: { runId: string; fence: number; forMs: number }): Promise<void>;
  /** All that is parked may be claimed at once. */
  unpark(): Promise<void>;
  /** Compare-and-set NEEDS_INPUT → GENERATING for this very pause; visible at once. */
  resume(input: ResumeRun): Promise<ResumeOutcome>;
  /** Appends to the log of a run that waits (NEEDS_INPUT) at just this sequence; its pause stays as it is. */
  observe(input: ObserveRun): Promise<'observed' | 'passed'>;
  /** Terminal event and a raised fence in one transaction, in every live state and with no worker alive (spec 2: Cancel). */
  end(input: EndRun): Promise<EndOutcome>;

  byId(runId: string): Promise<RunRow | null>;
  /** The item's newest run (live or not). */
  latestForItem(itemGlobalId: number): Promise<RunRow | null>;
  /** All runs of an item, newest first. */
  runsOfItem(itemGlobalId: number, limit: number): Promise<RunRow[]>;
  load(runId: string): Promise<LoadedRun | null>;
  /**
   * GENERATING runs nobody holds or whose heartbeat lapsed, oldest first (sweeper, worker start); those of a newer format than `maxFormat`
   * are left to newer processes, so that they do not fill the limit.
   */
  findAbandoned(limit: number, maxFormat?: number): Promise<string[]>;
  /** Live runs whose GENERATING time is over (`deadline_at` passed), of at most this format. */
  findOverdue(limit: number, maxFormat?: number): Promise<{ runId: string; seq: number }[]>;
  /**
   * Pauses of a run: when each began, ended, and the lowest GitLab note id delivered for it; `posting`: notes of it still wait in the outbox.
   */
  pauses(runId: string): Promise<
    {
      id: string;
      kind: PauseKind;
      openedAt: string;
      closedAt: string | null;
      firstNoteId: number | null;
      posting: boolean;
    }[]
  >;
}
