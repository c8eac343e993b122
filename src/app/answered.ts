/**
 * The open-question counter (spec 2: Questions and replies): which questions of a run that waits have an answer by now, by the very rule by
 * which answers are read at Continue. It only shows: what is handed on is read at Continue.
 */
import type { EventOf } from '../domain/run/events.ts';
import { fold } from '../domain/run/fold.ts';
import type { Clock } from '../ports/clock.ts';
import type { RunQueue } from '../ports/run-queue.ts';
import type { RunStore } from '../ports/run-store.ts';
import { announce } from './announce.ts';
import { collectAnswers, type RepliesDeps } from './effects/replies.ts';
import { applyAll } from './runner/settle.ts';

export interface CountDeps extends RepliesDeps {
  store: Pick<RunStore, 'load' | 'observe'>;
  queue: Pick<RunQueue, 'wakeDeliveries'>;
  clock: Clock;
}

/** `waits not`: nothing was asked of GitLab. `passed`: the run went on meanwhile. */
export type Counted = 'changed' | 'unchanged' | 'waits not' | 'passed';

const NEVER = new AbortController().signal;

export async function countAnswered(deps: CountDeps, runId: string, signal?: AbortSignal): Promise<Counted> {
  const run = await deps.store.load(runId);
  if (run?.row.status !== 'NEEDS_INPUT') return 'waits not';
  const state = fold(runId, run.events);
  if (state.questions.length === 0) return 'waits not';
  const allowedBots = run.settings.allowedBots ?? deps.allowedBots;
  const answers = await collectAnswers({ ...deps, allowedBots }, state, run.settings, signal ?? NEVER);
  const answered = new Set(answers.map((answer) => answer.questionId));
  const same = state.questions.every(
    ({ question, state: known }) => answered.has(question.id) === (known === 'answered'),
  );
  if (same) return 'unchanged';
  const event: EventOf<'answers_seen'> = { type: 'answers_seen', questionIds: [...answered] };
  const at = deps.clock.now().toISOString();
  const onlyAtSeq = state.seq;
  applyAll(state, [event], at);
  const { row, outbox } = announce(state, [event], run.settings);
  if ((await deps.store.observe({ runId, onlyAtSeq, event, at, row, outbox })) === 'passed') return 'passed';
  await deps.queue.wakeDeliveries();
  return 'changed';
}
