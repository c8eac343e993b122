/** An action that a person takes on an item, whatever way it came (spec 2: Actions): one code path, definite answers. */
import type { Person } from '../../domain/workplan/people.ts';
import type { GitLabIssue, GitLabProject } from '../../ports/gitlab.ts';
import type { Cause, GenerationStatus, RunRow } from '../../ports/run-store.ts';

export type ActionName = 'plan' | 'continue' | 'cancel' | 'replan' | 'approve' | 'reject';

export interface ActionRequest {
  action: ActionName;
  project: GitLabProject;
  issue: GitLabIssue;
  person: Person;
  via: 'comment' | 'api' | 'page';
  /** Of `replan` and `reject`: the reason. */
  argument: string;
  /** Over HTTP: the pause that is meant; null: the current one. */
  pauseId: string | null;
  /** By comment: the note's id; the pause whose first note is older is meant (spec 2: Pauses and Continue). */
  noteId: number | null;
  cause: Cause;
}

export type RefusalCode =
  | 'group_level_item'
  | 'disabled'
  | 'settings_invalid'
  | 'forbidden'
  | 'item_closed'
  | 'already_running'
  | 'already_continued'
  | 'not_resumable'
  | 'not_running'
  | 'unknown_pause'
  | 'piece_missing'
  | 'piece_invalid'
  | 'piece_without_workplan'
  | 'not_supported';

export type ActionResult =
  | { kind: 'accepted'; status: GenerationStatus; run: RunRow }
  | { kind: 'refused'; code: RefusalCode; message: string; run: RunRow | null }
  /** The same action was taken before (spec 2: an action is known by item, note and action); nothing is said twice. */
  | { kind: 'duplicate' };

export function refuse(code: RefusalCode, message: string, run: RunRow | null = null): ActionResult {
  return { kind: 'refused', code, message, run };
}
