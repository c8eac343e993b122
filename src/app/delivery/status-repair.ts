/**
 * Puts a status note right that says something else than its run (D7, D8, D11). GitLab knows no condition for a write: a deliverer that was frozen
 * right before its request puts its old text over a newer one, and may be killed before it looks (`late-edit.ts`). But GitLab tells of every
 * edit, also of ours: so each is followed by a look, and the last of them finds the note as it stays.
 */
import { findMarkers, marker } from '../../domain/text/marker.ts';
import { withoutNotices } from '../../domain/workplan/notices.ts';
import type { RunRow } from '../../ports/run-store.ts';
import { isStatusNote } from './by-reaction.ts';
import type { Hint } from './payload.ts';
import { showsRun, statusNoteOf, statusRowOf } from './status-note.ts';
import type { WayDeps } from './ways.ts';

/** In a minute and on one item: whoever else writes the note again and again is not answered for ever. */
const MOST_REPAIRS = 10;

/** Answers in a word what became of it. Our own edits come all the time: where the payload fits the run's row, nothing else is asked. */
export async function putStatusRight(
  deps: WayDeps,
  hint: Extract<Hint, { kind: 'edited' }>,
  deliveryId: string,
): Promise<string> {
  const { projectId, iid, itemGlobalId, noteId } = hint;
  const me = await deps.gitlab.me();
  // A marker can be copied: what counts is who wrote the note.
  if (hint.authorId !== me.id) return 'ignored: edited';
  const run = await runOf(deps, hint);
  if (!run) return 'ignored: no status note';
  if (await isRight(deps, run, hint.text)) return 'ignored: status note as it should be';
  const own = marker({ run: run.id, kind: 'status' });
  if (await deps.outbox.isWaiting(itemGlobalId, own)) return 'ignored: status note is to be written';
  const note = await deps.gitlab.note(projectId, iid, noteId);
  if (note?.author.id !== me.id) return 'ignored: note gone';
  const now = await deps.store.byId(run.id);
  if (!now || (await isRight(deps, now, note.body))) return 'ignored: status note as it should be';
  const data = { runId: run.id, item: run.item.reference, noteId };
  const { allowed } = await deps.breaker.hit({ itemGlobalId, personId: me.id, key: deliveryId, limit: MOST_REPAIRS });
  if (!allowed) {
    deps.log.warn(data, 'a status note is changed again and again, it is left as it is');
    return 'ignored: put right too often';
  }
  const row = await statusRowOf(deps.store, run.id);
  if (!row) return 'ignored: run gone';
  deps.log.warn(data, 'a status note said something else than its run, it is put right');
  // A notice shows the run as it stands when it goes out, and takes no newer row's place.
  await deps.outbox.add([{ ...row, kind: 'notice' }], { actionKey: null, deliveryId });
  await deps.queue.wakeDeliveries();
  return 'status note put right';
}

/** By its marker; where somebody took that away, as it was recorded. Null: it is no status note, or of another item's run. */
async function runOf(deps: WayDeps, hint: Extract<Hint, { kind: 'edited' }>): Promise<RunRow | null> {
  const marked = findMarkers(hint.text);
  let runId = marked.find((fields) => fields['kind'] === 'status')?.['run'] ?? null;
  if (marked.length === 0) {
    const recorded = await deps.outbox.noteById(hint.itemGlobalId, hint.noteId);
    runId = recorded && isStatusNote(recorded) ? recorded.runId : null;
  }
  const run = runId === null ? null : await deps.store.byId(runId);
  return run?.itemGlobalId === hint.itemGlobalId ? run : null;
}

/** The log is read only where the row does not say it. */
async function isRight(deps: WayDeps, run: RunRow, text: string): Promise<boolean> {
  if (showsRun(run, text, deps.clock.now())) return true;
  return withoutNotices(text.trim()) === (await statusNoteOf(deps.store, run.id))?.trim();
}
