/**
 * Delivers outbox rows to GitLab (D11): exactly once on the item by marker and search. Before a post our own notes are searched for the marker,
 * after it again, and the lowest is kept (spec 2: Notes on the item). A failed POST is never repeated blindly.
 */
import { findMarkers, hasMarker } from '../../domain/text/marker.ts';
import { withNotices } from '../../domain/workplan/notices.ts';
import type { Clock } from '../../ports/clock.ts';
import { PermanentFailure, TransientFailure } from '../../ports/failures.ts';
import type { GitLabNote, GitLabPort } from '../../ports/gitlab.ts';
import type { Log } from '../../ports/log.ts';
import type { DeliveredNote, OutboxStore, StoredOutboxRow } from '../../ports/outbox.ts';
import type { ProjectWarnings } from '../../ports/project-warnings.ts';
import { MOST_UNANSWERED } from '../../ports/unanswered.ts';
import type { Woken } from '../loop.ts';
import type { Audience } from './audience.ts';
import { isForDescription, putIntoDescription } from './description.ts';
import { afterEdit } from './late-edit.ts';
import { showStatusLabel, takeLabelAway } from './outbox-labels.ts';
import { workPool } from './pool.ts';
import { type RetryLimits, retryOf } from './retry.ts';

export interface OutboxDeps {
  outbox: OutboxStore;
  gitlab: GitLabPort;
  audience: Audience;
  clock: Clock;
  log: Log;
  owner: string;
  /** Rows held at once and how long a hold stands without an answer, milliseconds. */
  limit: number;
  holdMs: number;
  /** As `Pool.paceMs`. */
  paceMs?: number;
  /** Where it is kept that GitLab does not let the service set labels; absent: it is only logged. */
  warnings?: Pick<ProjectWarnings, 'raise' | 'clear'>;
  /** The body of a run's status note as things stand now, marker inside; null: there is no such run. Absent: as the row says. */
  statusNote?(runId: string): Promise<string | null>;
}

/** For `paceMs`: nobody sees so short a wait, and of a run's status rows of such a moment only the newest goes out. */
export const OUTBOX_PACE_MS = 50;

/** With the waits between the tries about an hour. */
const RETRY: RetryLimits = { tries: 14, longestMs: 10 * 60_000 };
const OF_A_PAUSE: ReadonlySet<string> = new Set(['question', 'gate', 'approval', 'reminder']);
/** Plan, end and cancel always go out (D11). */
const MAY_BE_OVER: ReadonlySet<string> = new Set([...OF_A_PAUSE, 'status']);

/**
 * Delivers what is due, items side by side, until nothing is; answers how many rows were worked on. `woken`: as `Pool.woken`, so that a
 * delivery that takes long keeps no other item waiting.
 */
export async function deliverOutbox(
  deps: OutboxDeps,
  signal: AbortSignal,
  draining = signal,
  woken?: Woken,
): Promise<number> {
  return workPool({
    limit: deps.limit,
    ...(deps.paceMs === undefined ? {} : { paceMs: deps.paceMs }),
    take: (limit) => deps.outbox.take({ owner: deps.owner, limit, leaseMs: deps.holdMs }),
    work: (row) => deliverRow(deps, row, signal),
    hold: {
      holdMs: deps.holdMs,
      clock: deps.clock,
      extend: (atWork) =>
        deps.outbox.extend({ owner: deps.owner, ids: atWork.map((row) => row.id), leaseMs: deps.holdMs }),
    },
    failed: (error) => deps.log.warn({ error: String(error) }, 'outbox could not be worked on, it is tried again'),
    draining: AbortSignal.any([signal, draining]),
    ...(woken ? { woken } : {}),
  });
}

async function deliverRow(deps: OutboxDeps, row: StoredOutboxRow, signal: AbortSignal): Promise<void> {
  const { id: outboxId, runId, kind, attempts, unanswered } = row;
  if (unanswered >= MOST_UNANSWERED) {
    // The store has given it up by now: whatever is in it, nobody takes it again.
    deps.log.error({ outboxId, runId, kind, code: 'worker_lost', attempts }, 'note could not be delivered');
    return;
  }
  try {
    const note = await deliver({ ...deps, begunAt: deps.clock.now().getTime() }, row, signal);
    await deps.outbox.delivered(row.id, deps.owner, note);
  } catch (error) {
    // Given back at once: whoever goes on finds by its marker what was posted.
    if (signal.aborted) await deps.outbox.postpone(row.id, deps.owner, 0, 'the worker stopped');
    else await setAside(deps, row, error);
  }
}

async function setAside(deps: OutboxDeps, row: StoredOutboxRow, error: unknown): Promise<void> {
  const code = error instanceof TransientFailure || error instanceof PermanentFailure ? error.code : 'internal';
  const message = `${code}: ${error instanceof Error ? error.message : String(error)}`;
  const data = { outboxId: row.id, runId: row.runId, kind: row.kind, code, attempts: row.attempts };
  const retry = retryOf(error, row.attempts, RETRY);
  if (retry.kind === 'never') {
    deps.log.error(data, 'note could not be delivered');
    await deps.outbox.fail(row.id, deps.owner, message);
    return;
  }
  deps.log.warn(data, 'note delivery is tried again later');
  await deps.outbox.postpone(row.id, deps.owner, retry.inMs, message);
}

/** One delivery's. */
interface DeliveryDeps extends OutboxDeps {
  begunAt: number;
}

/** The note that stands on the item with it; null: none. */
async function deliver(deps: DeliveryDeps, row: StoredOutboxRow, signal: AbortSignal): Promise<DeliveredNote | null> {
  if (row.kind === 'unlabel') {
    await takeLabelAway(deps, row, signal);
    return null;
  }
  const noted = await withLines(deps, row);
  if (!row.label) return noted && post(deps, noted, signal);
  const { label } = row;
  // Boards show it also where notes cannot be posted; a note that is not wanted any more takes its label with it.
  const posting = noted ? post(deps, noted, signal) : Promise.resolve(null);
  const note = await posting.catch(async (error: unknown) => {
    if (error instanceof PermanentFailure) await showStatusLabel(deps, row, label, signal);
    throw error;
  });
  if (note && !(await isOver(deps, row))) await showStatusLabel(deps, row, label, signal);
  return note;
}

/** With what is to be told in it. A notice shows the run as it stands now: what its row was written beside may be long over. */
async function withLines(deps: OutboxDeps, row: StoredOutboxRow): Promise<StoredOutboxRow | null> {
  const { kind, runId, notices = [] } = row;
  const renewed = kind === 'notice' && runId !== null && deps.statusNote ? await deps.statusNote(runId) : row.body;
  return renewed === null ? null : { ...row, body: withNotices(renewed, notices) };
}

/** Posts or edits; null when the row is not needed any more meanwhile: then no note of it is recorded. */
async function post(deps: DeliveryDeps, taken: StoredOutboxRow, signal: AbortSignal): Promise<DeliveredNote | null> {
  if (taken.kind === 'cancel') await deleteUnrecorded(deps, taken, signal);
  let row = await forAudience(deps, taken, signal);
  if (isForDescription(row)) {
    const notice = await putIntoDescription(deps, row, () => isOurs(deps, taken), signal);
    if (notice === null) return null;
    row = { ...row, body: `${notice}\n\n${row.body}` };
  }
  if (row.known) {
    if (await isOver(deps, row)) return null;
    if (await edit(deps, row, row.known.noteId, signal))
      return delivered(row, row.known.noteId, row.known.discussionId);
  }
  const found = await ownNotes(deps, row, signal);
  // Asked last of all before GitLab is told: what was cancelled or continued by now is not said any more (spec 2: Cancel).
  if (await isOver(deps, row)) return null;
  const before = found[0];
  if (before) {
    const same = before.body.trim() === row.body.trim();
    if (!same && !(await edit(deps, row, before.id, signal)))
      throw new TransientFailure('note_gone', 'The note was deleted while it was looked at.');
  } else if (await isOurs(deps, row)) await create(deps, row, signal);
  else return null;
  const kept = await keepLowest(deps, row, before ? found : await ownNotes(deps, row, signal), signal);
  if (!OF_A_PAUSE.has(row.kind) || (await deps.outbox.stillWanted(row.id)) || (await isRecorded(deps, row)))
    return delivered(row, kept.id, kept.discussionId);
  // Over while it was posted. People may have replied there before they pressed Continue, and a reply counts where the note stands: it is
  // not taken away. Of a cancelled run the cancel's row, which comes after this one, deletes what is not recorded.
  return null;
}

/** Is it still ours to post? A deliverer that was frozen leaves the note to who took the row over. */
async function isOurs(deps: OutboxDeps, row: StoredOutboxRow): Promise<boolean> {
  const held = await deps.outbox.extend({ owner: deps.owner, ids: [row.id], leaseMs: deps.holdMs });
  return held.length > 0;
}

async function isOver(deps: OutboxDeps, row: StoredOutboxRow): Promise<boolean> {
  return MAY_BE_OVER.has(row.kind) && row.runId !== null && !(await deps.outbox.stillWanted(row.id));
}

/** With what may be said where the item stands now. */
async function forAudience(deps: OutboxDeps, row: StoredOutboxRow, signal: AbortSignal): Promise<StoredOutboxRow> {
  if (!row.kept || !(await deps.audience.isTooWide(row, signal))) return row;
  deps.log.info({ outboxId: row.id, runId: row.runId, kind: row.kind }, 'text is kept in the service');
  return { ...row, body: row.kept };
}

/** Did another deliverer end with this row, because our hold lapsed? Then the row is gone, but its note stays. */
async function isRecorded(deps: OutboxDeps, row: StoredOutboxRow): Promise<boolean> {
  if (row.runId === null) return false;
  return (await deps.outbox.notesOfRun(row.runId)).some((known) => known.marker === row.marker);
}

/** Of a cancelled run: a question that was posted by a delivery which ended before it was recorded (spec 2: Cancel). */
async function deleteUnrecorded(deps: OutboxDeps, row: StoredOutboxRow, signal: AbortSignal): Promise<void> {
  const { runId, projectId, iid } = row;
  if (runId === null) return;
  const [me, notes, recorded] = await Promise.all([
    deps.gitlab.me({ signal }),
    deps.gitlab.notes(projectId, iid, { signal }),
    deps.outbox.notesOfRun(runId),
  ]);
  for (const note of notes) {
    if (note.author.id !== me.id || recorded.some((known) => known.noteId === note.id)) continue;
    const asks = findMarkers(note.body).some(
      (fields) => fields['run'] === runId && OF_A_PAUSE.has(fields['kind'] ?? ''),
    );
    if (asks) await deps.gitlab.deleteNote(projectId, iid, note.id, { signal });
  }
}

/** Null when the note is gone. */
async function edit(
  deps: DeliveryDeps,
  row: StoredOutboxRow,
  noteId: number,
  signal: AbortSignal,
): Promise<GitLabNote | null> {
  try {
    const edited = await deps.gitlab.updateNote(row.projectId, row.iid, noteId, row.body, { signal });
    return await afterEdit(deps, row, edited, deps.begunAt, signal);
  } catch (error) {
    if (error instanceof PermanentFailure && error.code === 'gitlab_not_found') return null;
    throw error;
  }
}

async function create(deps: OutboxDeps, row: StoredOutboxRow, signal: AbortSignal): Promise<void> {
  const { projectId, iid, body } = row;
  if (row.replyTo !== null) await deps.gitlab.replyToDiscussion(projectId, iid, row.replyTo, body, { signal });
  else if (row.discussion) await deps.gitlab.createDiscussion(projectId, iid, body, { signal });
  else await deps.gitlab.createNote(projectId, iid, body, { signal });
}

/** Our own notes with the row's marker, lowest id first, from the complete list. */
async function ownNotes(deps: OutboxDeps, row: StoredOutboxRow, signal: AbortSignal): Promise<GitLabNote[]> {
  const [me, discussions] = await Promise.all([
    deps.gitlab.me({ signal }),
    deps.gitlab.discussions(row.projectId, row.iid, { signal }),
  ]);
  return discussions
    .flatMap((discussion) => discussion.notes.map((note) => ({ ...note, discussionId: discussion.id })))
    .filter((note) => note.author.id === me.id && hasMarker(note.body, row.marker))
    .sort((a, b) => a.id - b.id);
}

async function keepLowest(
  deps: OutboxDeps,
  row: StoredOutboxRow,
  notes: readonly GitLabNote[],
  signal: AbortSignal,
): Promise<GitLabNote> {
  const [lowest, ...doubles] = notes;
  if (!lowest) throw new TransientFailure('note_not_found', 'The note was posted but is not in the list of notes.');
  for (const double of doubles) await deps.gitlab.deleteNote(row.projectId, row.iid, double.id, { signal });
  return lowest;
}

function delivered(row: StoredOutboxRow, noteId: number, discussionId: string | null): DeliveredNote {
  const { runId, marker, kind, pauseId, questionId, itemUrl } = row;
  return { runId, marker, kind, pauseId, questionId, noteId, discussionId, url: `${itemUrl}#note_${noteId}` };
}
