/** The status note of a run as things stand now, for what is told in it (spec 2: a line in the status note), and whether a text is it. */
import { fold } from '../../domain/run/fold.ts';
import { marker } from '../../domain/text/marker.ts';
import { withoutNotices } from '../../domain/workplan/notices.ts';
import type { OutboxRow } from '../../ports/outbox.ts';
import type { RunRow, RunStore } from '../../ports/run-store.ts';
import { QUIET_MS, statusRow, statusText } from '../announce.ts';

/** Body with marker; null where the run is gone, or has no item. */
export async function statusNoteOf(store: Pick<RunStore, 'load'>, runId: string): Promise<string | null> {
  return (await statusRowOf(store, runId))?.body ?? null;
}

/** The row that writes it; null as above. */
export async function statusRowOf(store: Pick<RunStore, 'load'>, runId: string): Promise<OutboxRow | null> {
  const run = await store.load(runId);
  if (!run) return null;
  const state = fold(runId, run.events);
  return state.item ? statusRow(state, run.settings) : null;
}

/** What is told of how far a run is may be late by about `QUIET_MS`; after so long it is not. */
const TOLD_MS = 3 * QUIET_MS;

/**
 * Does the text, whatever lines are told in it, say what the run's row says? By the row alone, which a log of any length leaves as cheap as it
 * is; false also where the row does not say enough. How far a run is counts once it has had time to be told; in the queue it does not.
 */
export function showsRun(run: RunRow, text: string, now: Date): boolean {
  const shown = withoutNotices(text.trim());
  const own = marker({ run: run.id, kind: 'status' });
  const isTold = run.waitsForTurn !== true && now.getTime() - Date.parse(run.updatedAt) > TOLD_MS;
  const exact = run.status !== 'GENERATING' || isTold;
  const body = exact ? statusText(run) : statusText(run, { movement: null, iteration: 0 });
  if (body === null) return false;
  return exact ? shown === `${body}\n\n${own}` : isAlike(shown, `${body}\n\n${own}`);
}

/** But for what follows the first words of the first line. */
function isAlike(shown: string, bare: string): boolean {
  const cut = bare.indexOf('\n\n');
  const shownCut = shown.indexOf('\n\n');
  if (cut < 0 || shownCut < 0 || shown.slice(shownCut) !== bare.slice(cut)) return false;
  return `${shown.slice(0, shownCut)} · `.startsWith(`${bare.slice(0, cut)} · `);
}
