/**
 * Turns of runs in projects with a limit (spec 2: `max_live_runs`). A run of such a project that is GENERATING is not claimed before it has
 * its turn; who pauses or ends leaves it. Runs of projects without a limit are not touched by anything here.
 */
import type { OutboxRow } from './outbox.ts';

export interface TurnStore {
  /** How many runs of the project may be at work at once; the last word counts for all that wait. */
  limit(projectId: number, max: number): Promise<void>;
  /**
   * Gives free turns to who waits longest; null: in all projects. Answers the runs that may go on now. Never more than the limit, whoever
   * does it at the same moment: then one of them gives none away. `shifted`: somebody left who waited, so the others' places changed.
   */
  admit(projectId: number | null, shifted?: boolean): Promise<string[]>;
  /** How many runs of its project have their turn before this one; null when it does not wait. */
  ahead(runId: string): Promise<number | null>;
  /** Adds a row to the outbox, unless its run does not wait any more. */
  tellWaiting(row: OutboxRow & { runId: string }): Promise<void>;
}
