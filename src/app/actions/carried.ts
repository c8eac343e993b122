/** Questions of earlier runs that a new one is handed at its start (spec 2: Questions and replies). */

import type { EventOf } from '../../domain/run/events.ts';
import { fold } from '../../domain/run/fold.ts';
import type { RunStore } from '../../ports/run-store.ts';

/** Open and answered questions of the item's newest run: what was asked is never asked again, what was answered stays known. */
export async function carriedQuestions(
  store: Pick<RunStore, 'latestForItem' | 'load'>,
  itemGlobalId: number,
): Promise<EventOf<'run_started'>['carried']> {
  const latest = await store.latestForItem(itemGlobalId);
  const run = latest && (await store.load(latest.id));
  if (!run) return [];
  return fold(run.row.id, run.events).questions.map(({ question, answers }) => ({
    question,
    answers: answers.map((answer) => ({ ...answer, via: 'carried' as const })),
  }));
}
