/**
 * An edit that came late. A deliverer that is frozen right before its request, for longer than its hold, puts its text over what others have
 * written since: GitLab knows no fence. So who took long looks, after the edit, whether the row was still its own, and puts the run's
 * status right where it was not (D7, D8).
 */
import { withNotices } from '../../domain/workplan/notices.ts';
import type { Clock } from '../../ports/clock.ts';
import type { GitLabNote, GitLabPort } from '../../ports/gitlab.ts';
import type { Log } from '../../ports/log.ts';
import type { OutboxStore, StoredOutboxRow } from '../../ports/outbox.ts';

export interface LateEditDeps {
  outbox: Pick<OutboxStore, 'extend'>;
  gitlab: Pick<GitLabPort, 'updateNote'>;
  clock: Clock;
  log: Log;
  owner: string;
  holdMs: number;
  /** As `OutboxDeps.statusNote`. */
  statusNote?(runId: string): Promise<string | null>;
}

/** Each further try is one more request that may come late itself. */
const TRIES = 3;

/**
 * The note as it stands after an edit that began at `begunAt` (epoch milliseconds). Holds are kept for a third of their time at least, so that
 * nobody can have taken the row over in less.
 */
export async function afterEdit(
  deps: LateEditDeps,
  row: StoredOutboxRow,
  edited: GitLabNote,
  begunAt: number,
  signal: AbortSignal,
): Promise<GitLabNote> {
  let note = edited;
  let since = begunAt;
  for (let tried = 0; tried < TRIES; tried += 1) {
    const now = deps.clock.now().getTime();
    if (now - since < deps.holdMs / 3) return note;
    if ((await deps.outbox.extend({ owner: deps.owner, ids: [row.id], leaseMs: deps.holdMs })).length > 0) return note;
    const wanted = await newestText(deps, row);
    deps.log.warn(
      { outboxId: row.id, runId: row.runId, kind: row.kind, late: now - since, repaired: wanted !== null },
      'a note was edited after another worker had taken it over',
    );
    if (wanted === null || wanted.trim() === note.body.trim()) return note;
    since = now;
    note = await deps.gitlab.updateNote(row.projectId, row.iid, note.id, wanted, { signal });
  }
  return note;
}

/** Null where it is not known: only the status note changes more than once or twice. */
async function newestText(deps: LateEditDeps, { kind, runId, notices = [] }: StoredOutboxRow): Promise<string | null> {
  if ((kind !== 'status' && kind !== 'notice' && kind !== 'cancel') || runId === null || !deps.statusNote) return null;
  const body = await deps.statusNote(runId);
  return body === null ? null : withNotices(body, notices);
}
