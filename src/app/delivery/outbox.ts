/**
 * Delivers outbox rows to GitLab (D11): exactly once on the item by marker and search. Before a post our own notes are searched for the marker,
 * after it again, and the lowest is kept (spec 2: Notes on the item). A failed POST is never repeated blindly.
 */
import { findMarkers, hasMarker } from '../../domain/text/marker.ts';
import type { Clock } from '../../ports/clock.ts';
import { PermanentFailure, TransientFailure } from '../../ports/failures.ts';
import type { GitLabNote, GitLabPort } from '../../ports/gitlab.ts';
import type { Log } from '../../ports/log.ts';
import type { DeliveredNote, OutboxStore, StoredOutboxRow } from '../../ports/outbox.ts';

export interface OutboxDeps {
  outbox: OutboxStore;
  gitlab: GitLabPort;
  clock: Clock;
  log: Log;
  owner: string;
  /** Rows held at once and how long a hold stands without an answer, milliseconds. */
  limit: number;
  holdMs: number;
}

/** Tries before a row is given up: with the waits between them about an hour. */
const MAX_TRIES = 14;
const OF_A_PAUSE: ReadonlySet<string> = new Set(['question', 'gate', 'approval', 'reminder']);
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10 * 60_000;

/** Delivers what is due, items side by side, until nothing is; answers how many rows were worked on. */
export async function deliverOutbox(deps: OutboxDeps, signal: AbortSignal, draining = signal): Promise<number> {
  let worked = 0;
  while (!signal.aborted && !draining.aborted) {
    const rows = await deps.outbox.take({ owner: deps.owner, limit: deps.limit, leaseMs: deps.holdMs });
    if (rows.length === 0) return worked;
    await Promise.all(rows.map((row) => deliverRow(deps, row, signal)));
    worked += rows.length;
  }
  return worked;
}

async function deliverRow(deps: OutboxDeps, row: StoredOutboxRow, signal: AbortSignal): Promise<void> {
  try {
    const note = await post(deps, row, signal);
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
  if (error instanceof PermanentFailure || row.attempts + 1 >= MAX_TRIES) {
    deps.log.error(data, 'note could not be delivered');
    await deps.outbox.fail(row.id, deps.owner, message);
    return;
  }
  const backoff = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** row.attempts);
  const asked = error instanceof TransientFailure ? (error.retryAfterMs ?? 0) : 0;
  deps.log.warn(data, 'note delivery is tried again later');
  await deps.outbox.postpone(row.id, deps.owner, Math.max(backoff, asked), message);
}

/** Posts or edits; null when the row is not needed any more meanwhile, then nothing of it stays on the item. */
async function post(deps: OutboxDeps, row: StoredOutboxRow, signal: AbortSignal): Promise<DeliveredNote | null> {
  if (row.pauseId !== null && !(await deps.outbox.stillWanted(row.id))) return null;
  if (row.kind === 'cancel') await deleteUnrecorded(deps, row, signal);
  if (row.known && (await edit(deps, row, row.known.noteId, signal)))
    return delivered(row, row.known.noteId, row.known.discussionId);
  const found = await ownNotes(deps, row, signal);
  const before = found[0];
  if (before) {
    const same = before.body.trim() === row.body.trim();
    if (!same && !(await edit(deps, row, before.id, signal)))
      throw new TransientFailure('note_gone', 'The note was deleted while it was looked at.');
  } else await create(deps, row, signal);
  const kept = await keepLowest(deps, row, before ? found : await ownNotes(deps, row, signal), signal);
  if (!OF_A_PAUSE.has(row.kind) || (await deps.outbox.stillWanted(row.id)) || (await isRecorded(deps, row)))
    return delivered(row, kept.id, kept.discussionId);
  await deps.gitlab.deleteNote(row.projectId, row.iid, kept.id, { signal });
  return null;
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
  deps: OutboxDeps,
  row: StoredOutboxRow,
  noteId: number,
  signal: AbortSignal,
): Promise<GitLabNote | null> {
  try {
    return await deps.gitlab.updateNote(row.projectId, row.iid, noteId, row.body, { signal });
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
