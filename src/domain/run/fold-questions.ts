/** The part of `fold` that keeps questions and answers (spec 2: Questions and replies). */
import type { Answer } from '../workplan/people.ts';
import type { EventOf } from './events.ts';
import type { RunState } from './state.ts';

/** In place of the pause of a question that an earlier run asked. */
export const CARRIED = 'carried';

/** Questions of an earlier run: known from the start, so that they are never asked again. */
export function foldCarried(state: RunState, carried: EventOf<'run_started'>['carried']): void {
  for (const { question, answers } of carried) {
    state.questions.push({
      question,
      pauseId: CARRIED,
      state: answers.length > 0 ? 'answered' : 'open',
      answers,
      assumed: answers.length === 0,
    });
  }
}

/** Answers as they all read now replace what was known (spec 2: a deleted reply does not count); what is open is assumed from now on. */
export function setAnswers(state: RunState, all: readonly Answer[]): void {
  for (const asked of state.questions) {
    const answers = all.filter((answer) => answer.questionId === asked.question.id);
    asked.answers = answers;
    asked.state = answers.length > 0 ? 'answered' : 'open';
    asked.assumed = answers.length === 0;
  }
}

/** What was answered, as read at Continue, and what of it agents are told. */
export function foldAnswers(state: RunState, event: EventOf<'replies_read'>): void {
  setAnswers(state, event.answers);
  state.userInputs.push(...event.inputs);
  state.assume = event.assume;
  if (event.told) state.told = event.told.id === state.startedBy?.id ? null : event.told;
  seeDescription(
    state,
    event.description,
    state.phase.kind === 'collecting' && state.phase.pause.kind === 'context_gate',
  );
}

/** A context gate that is asked again (`askedFor`: it was just continued) says so when nothing was added meanwhile. */
export function seeDescription(state: RunState, digest: string | undefined, askedFor = false): void {
  if (digest === undefined) return;
  state.description = { digest, unchanged: askedFor && state.description?.digest === digest };
}

/** The open-question counter (spec 2). What was answered is read, and handed on, at Continue only. */
export function seeAnswers(state: RunState, questionIds: readonly string[]): void {
  for (const asked of state.questions) asked.state = questionIds.includes(asked.question.id) ? 'answered' : 'open';
}
