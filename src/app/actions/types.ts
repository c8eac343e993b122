/** An action that a person takes on an item, whatever way it came (spec 2: Actions): one code path, definite answers. */

import type { Piece, PieceBundle } from '../../domain/piece/types.ts';
import type { RunBudget } from '../../domain/run/budget.ts';
import type { Person } from '../../domain/workplan/people.ts';
import type { Clock, Ids } from '../../ports/clock.ts';
import type { GitLabIssue, GitLabPort, GitLabProject } from '../../ports/gitlab.ts';
import type { LeasePort } from '../../ports/lease.ts';
import type { Log } from '../../ports/log.ts';
import type { ModelPort } from '../../ports/model.ts';
import type { OutboxRow } from '../../ports/outbox.ts';
import type { PieceSource } from '../../ports/piece-source.ts';
import type { RunQueue } from '../../ports/run-queue.ts';
import type { Cause, GenerationStatus, RunRow, RunSettings, RunStore } from '../../ports/run-store.ts';
import type { UsageStore } from '../../ports/usage.ts';

export type ActionName = 'plan' | 'continue' | 'cancel' | 'replan' | 'approve' | 'reject';

export interface ActionRequest {
  action: ActionName;
  project: GitLabProject;
  issue: GitLabIssue;
  person: Person;
  via: 'comment' | 'label' | 'emoji' | 'rule' | 'api' | 'page';
  /** Of `replan` and `reject`: the reason. */
  argument: string;
  /** Over HTTP: the pause that is meant; null: the current one. */
  pauseId: string | null;
  /** By comment: the note's id; the pause whose first note is older is meant (spec 2: Pauses and Continue). */
  noteId: number | null;
  /** When that note was written, ISO 8601: of use where the pause's own notes could not be posted. */
  notedAt?: string;
  /** By label or reaction: when it was given, ISO 8601 by GitLab's clock; the pause that stood then is meant. */
  givenAt?: string;
  /** By reaction: the run whose note it was given to; another one is not meant. */
  runId?: string;
  /** Written with the change, e.g. that the label is taken away. */
  follow?: readonly OutboxRow[];
  cause: Cause;
}

export type RefusalCode =
  | 'group_level_item'
  | 'disabled'
  | 'settings_invalid'
  | 'forbidden'
  | 'bot_cannot_see_item'
  | 'project_archived'
  | 'item_closed'
  | 'item_moved'
  | 'already_running'
  | 'already_continued'
  | 'not_resumable'
  | 'not_running'
  | 'piece_missing'
  | 'piece_invalid'
  | 'piece_without_workplan'
  | 'too_many_actions'
  | 'unknown_action'
  | 'budget_exhausted'
  | 'price_unknown'
  | 'model_not_offered'
  | 'not_supported';

export type ActionResult =
  | { kind: 'accepted'; status: GenerationStatus; run: RunRow }
  | { kind: 'refused'; code: RefusalCode; message: string; run: RunRow | null }
  /** The same action was taken before (spec 2: an action is known by item, note and action); nothing is said twice. */
  | { kind: 'duplicate' };

export function refuse(code: RefusalCode, message: string, run: RunRow | null = null): ActionResult {
  return { kind: 'refused', code, message, run };
}

/** What a new run gets from the operator (D9). */
export interface OperatorSettings {
  provider: string;
  models: Record<string, string>;
  /** Whom pieces and projects may choose; absent: nobody (no model, or a script). */
  offered?: NonNullable<RunSettings['offered']>;
  /** Ceilings of every project's; absent: none. */
  budget?: RunBudget;
  /** Of prices and budgets. */
  currency?: string;
  delegate?: NonNullable<RunSettings['delegate']>;
  /** Milliseconds of GENERATING time. */
  runTimeoutMs: number;
  leaseMs: number;
  /** As in `RunSettings`. */
  agent?: { steps: number; timeoutMs: number };
  allowedBots?: readonly number[];
  publicUrl?: string;
  /** Ceiling of every project's `max_live_runs`; absent, null: none. */
  maxLiveRuns?: number | null;
}

export interface ActDeps {
  store: RunStore;
  gitlab: GitLabPort;
  lease: LeasePort;
  queue: RunQueue;
  pieces: PieceSource;
  /** Parsed pieces, remembered by their text; null: cannot be read. */
  pieceOf(run: { piece: PieceBundle }): Piece | null;
  clock: Clock;
  ids: Ids;
  log: Log;
  operator: OperatorSettings;
  /** What model calls used; absent: nothing is counted. */
  usage?: UsageStore;
  /** Facts of models; absent: they cost nothing. */
  model?: Pick<ModelPort, 'about'>;
}
