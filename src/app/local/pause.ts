/** Pauses of a local run: what the person at the terminal, or the script, says (spec 1: People). */
import type { PauseKind, RunEventBody, UserInput } from '../../domain/run/events.ts';
import type { RunState } from '../../domain/run/state.ts';
import { readAnswers, toInputs } from '../../domain/workplan/answers.ts';
import type { Answer, Person } from '../../domain/workplan/people.ts';
import type { Question } from '../../domain/workplan/schema.ts';

/** Who speaks in a local run: there is no account to name. */
export const LOCAL_PERSON: Person = { id: 0, username: 'local' };

export interface LocalPause {
  id: string;
  kind: PauseKind;
  movement: string;
  questions: Question[];
  /** Of a context gate: what is missing. */
  missing: string[];
  /** Answers to the run's other questions: `replies_read` holds all that are known. */
  known?: Answer[];
}

/** What was said: one text for the whole pause, or one a question in their order. Empty texts: the recommendations stand. */
export type Said = string[];

/** The run's open pause; null when it does not wait. */
export function openPause(state: RunState): LocalPause | null {
  if (state.phase.kind !== 'paused') return null;
  const { id, kind, movement, missing } = state.phase.pause;
  const questions = state.questions.filter((asked) => asked.pauseId === id).map((asked) => asked.question);
  const known = state.questions.flatMap((asked) => (asked.pauseId === id ? [] : asked.answers));
  return { id, kind, movement, questions, missing, known };
}

/** `approve`, `approve REASON` or `reject REASON`; null for anything else. */
export function readApproval(text: string): { decision: 'approve' | 'reject'; reason: string } | null {
  const match = /^\s*(approve|reject)(?:[\s:,]+([\s\S]*))?$/i.exec(text);
  if (!match) return null;
  const decision = match[1]?.toLowerCase() === 'reject' ? 'reject' : 'approve';
  return { decision, reason: (match[2] ?? '').trim() };
}

/** The event that ends a pause; null when the text decides nothing at an approval. */
export function resumedBy(pause: LocalPause, said: Said): RunEventBody | null {
  const base = { type: 'resumed', pauseId: pause.id, by: LOCAL_PERSON, via: 'terminal' } as const;
  if (pause.kind !== 'approval') return { ...base, decision: 'continue', reason: '' };
  const approval = readApproval(said.join('\n'));
  return approval && { ...base, ...approval };
}

/** What was said as answers to the pause's questions and as entries of `{user_inputs}`. */
export function repliesOf(
  effectId: string,
  pause: LocalPause,
  said: Said,
  at: string,
): Extract<RunEventBody, { type: 'replies_read' }> {
  const base = { type: 'replies_read', effectId, pauseId: pause.id } as const;
  const whole = said.join('\n').trim();
  const { questions, known = [] } = pause;
  if (pause.kind === 'approval') return { ...base, answers: known, inputs: [], assume: false };
  if (questions.length === 0) {
    const inputs = whole === '' ? [] : [{ question: pause.missing.join(' ') || pause.movement, answer: whole }];
    return { ...base, answers: known, inputs, assume: false };
  }
  const each = said.length === questions.length;
  const answers = questions.flatMap((question, index) => answerTo(question, (each ? said[index] : whole) ?? '', at));
  const inputs = each ? questions.flatMap((question) => inputsOf(question, answers)) : jointInput(questions, whole);
  return { ...base, answers: [...known, ...answers], inputs, assume: answers.length === 0 };
}

function answerTo(question: Question, text: string, at: string): Answer[] {
  if (text.trim() === '') return [];
  const reply = { author: LOCAL_PERSON, text, createdAt: at, noteId: 1 };
  const read = readAnswers({ question, replies: [reply], awards: [] });
  // What would be no answer in a discussion (only a quote, only a command) is one here: nobody else speaks.
  return read.length > 0 ? read : [{ questionId: question.id, by: LOCAL_PERSON, optionIds: [], text, via: 'reply' }];
}

/** A question with options is told with what was chosen, an open one with the words as they are. */
function inputsOf(question: Question, answers: Answer[]): UserInput[] {
  const own = answers.filter((answer) => answer.questionId === question.id);
  const [answer] = own;
  if (answer && answer.optionIds.length === 0) return [{ question: question.question, answer: answer.text }];
  return toInputs({ questions: [question], answers: own });
}

/** One text for several questions stands as one entry. */
function jointInput(questions: Question[], text: string): UserInput[] {
  if (text === '') return toInputs({ questions, answers: [] });
  return [{ question: questions.map((question) => question.question).join('\n  '), answer: text }];
}
