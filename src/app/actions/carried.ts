/** Questions of earlier runs that a new one is handed at its start (spec 2: Questions and replies). */

import type { EventOf } from '../../domain/run/events.ts';
import { fold } from '../../domain/run/fold.ts';
import type { RunRow, RunStore } from '../../ports/run-store.ts';

/** Open and answered questions of the item's newest run, `latest`: what was asked is never asked again, what was answered stays known. */
export async function carriedQuestions(
  store: Pick<RunStore, 'load'>,
  latest: RunRow | null,
): Promise<EventOf<'run_started'>['carried']> {
  const run = latest && (await store.load(latest.id));
  if (!run) return [];
  return fold(run.row.id, run.events).questions.map(({ question, answers }) => ({
    question,
    answers: answers.map((answer) => ({ ...answer, via: 'carried' as const })),
  }));
}
