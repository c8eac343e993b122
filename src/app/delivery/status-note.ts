/** The status note of a run as things stand now, for what is told in it (spec 2: a line in the status note). */
import { fold } from '../../domain/run/fold.ts';
import type { RunStore } from '../../ports/run-store.ts';
import { statusRow } from '../announce.ts';

/** Body with marker; null where the run is gone, or has no item. */
export async function statusNoteOf(store: Pick<RunStore, 'load'>, runId: string): Promise<string | null> {
  const run = await store.load(runId);
  if (!run) return null;
  const state = fold(runId, run.events);
  return state.item ? statusRow(state, run.settings).body : null;
}
