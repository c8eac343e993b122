/**
 * Puts a status note or label right that says something else than its run (D7, D8, D11). GitLab knows no condition for a write: a deliverer that was frozen
 * right before its request puts its old text over a newer one, and may be killed before it looks (`late-edit.ts`). But GitLab tells of every
 * edit, also of ours: so each is followed by a look, and the last of them finds the note as it stays.
 */
import { findMarkers, marker } from '../../domain/text/marker.ts';
import { isStatusLabel, statusLabel } from '../../domain/workplan/labels.ts';
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
  if (!(await mayRepair(deps, run, me.id, deliveryId))) return 'ignored: put right too often';
  const row = await statusRowOf(deps.store, run.id);
  if (!row) return 'ignored: run gone';
  const data = { runId: run.id, item: run.item.reference, noteId };
  deps.log.warn(data, 'a status note said something else than its run, it is put right');
  // A notice shows the run as it stands when it goes out, and takes no newer row's place.
  await deps.outbox.add([{ ...row, kind: 'notice' }], { actionKey: null, deliveryId });
  await deps.queue.wakeDeliveries();
  return 'status note put right';
}

/**
 * The same for the status label, where the service itself set one that is not the newest run's: an own change comes with every status. Whoever
 * else changes it, it is theirs to change.
 */
export async function putLabelRight(
  deps: WayDeps,
  hint: Extract<Hint, { kind: 'item' }>,
  deliveryId: string,
): Promise<string> {
  const { projectId, iid, itemGlobalId } = hint;
  const run = itemGlobalId === null ? null : await deps.store.latestForItem(itemGlobalId);
  if (!run || !isMislabelled(run, hint.labels)) return 'ignored: own labels';
  const own = marker({ run: run.id, kind: 'status' });
  if (await deps.outbox.isWaiting(run.itemGlobalId, own)) return 'ignored: status label is to be set';
  const issue = await deps.gitlab.issue(projectId, iid);
  const now = await deps.store.latestForItem(run.itemGlobalId);
  if (!issue || now?.id !== run.id || !isMislabelled(now, issue.labels)) return 'ignored: own labels';
  const me = await deps.gitlab.me();
  if (!(await mayRepair(deps, run, me.id, deliveryId))) return 'ignored: put right too often';
  const row = await statusRowOf(deps.store, run.id);
  if (!row) return 'ignored: run gone';
  deps.log.warn({ runId: run.id, item: run.item.reference }, 'a status label was not that of the run, it is put right');
  // No cancel is told twice, and nothing follows it; any other row with a label gives way only to one with a label.
  const kind = row.kind === 'cancel' ? 'notice' : 'status';
  await deps.outbox.add([{ ...row, kind, label: statusLabel(now.status) }], { actionKey: null, deliveryId });
  await deps.queue.wakeDeliveries();
  return 'status label put right';
}

/** Is there a status label among them that is another status'? That there is none may be somebody's wish. */
function isMislabelled(run: RunRow, labels: readonly string[]): boolean {
  return labels.some((name) => isStatusLabel(name) && name !== statusLabel(run.status));
}

async function mayRepair(deps: WayDeps, run: RunRow, botId: number, deliveryId: string): Promise<boolean> {
  const { itemGlobalId, item } = run;
  const repair = { itemGlobalId, personId: botId, key: deliveryId, limit: MOST_REPAIRS };
  const { allowed } = await deps.breaker.hit(repair);
  if (!allowed)
    deps.log.warn({ runId: run.id, item: item.reference }, 'a status is changed again and again, it is left as it is');
  return allowed;
}

/** By its marker; where somebody took that away or put another one there, as it was recorded. Null: it is no status note of this item's runs. */
async function runOf(
  deps: WayDeps,
  { itemGlobalId, noteId, text }: Extract<Hint, { kind: 'edited' }>,
): Promise<RunRow | null> {
  const ofItem = async (runId: string | null | undefined): Promise<RunRow | null> => {
    const run = runId ? await deps.store.byId(runId) : null;
    return run?.itemGlobalId === itemGlobalId ? run : null;
  };
  const marked = await ofItem(findMarkers(text).find((fields) => fields['kind'] === 'status')?.['run']);
  if (marked) return marked;
  const recorded = await deps.outbox.noteById(itemGlobalId, noteId);
  return recorded && isStatusNote(recorded) ? ofItem(recorded.runId) : null;
}

/** The log is read only where the row does not say it. */
async function isRight(deps: WayDeps, run: RunRow, text: string): Promise<boolean> {
  if (showsRun(run, text, deps.clock.now())) return true;
  return withoutNotices(text.trim()) === (await statusNoteOf(deps.store, run.id))?.trim();
}
