/** The questions of a pause (spec 1: People; spec 2: Questions and replies). */
import { cleanOutput } from '../piece/output.ts';
import type { Movement } from '../piece/types.ts';
import { Question, Questions } from '../workplan/schema.ts';
import type { AgentResult, RunState } from './state.ts';

/**
 * What the movement asks: its `questions` data without those that were asked before (by id, or word for word under another id), else its
 * output as one open question. Empty when nothing is new.
 */
export function newQuestions(
  state: RunState,
  movement: Movement,
  output: string,
  result: AgentResult | null,
): Question[] {
  const produced = result?.produced?.kind === 'questions' ? Questions.safeParse(result.produced.value) : null;
  if (!produced?.success) return [openQuestion(state, movement.name, cleanOutput(output))];
  const ids = new Set(state.questions.map((known) => known.question.id));
  const texts = new Set(state.questions.map((known) => wording(known.question)));
  return produced.data.questions.filter((question) => !ids.has(question.id) && !texts.has(wording(question)));
}

function wording(question: Question): string {
  return question.question.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

/** One open question of the engine's own, with an id that no question of the run has: asked as often as a piece asks it. */
export function openQuestion(state: RunState, movement: string, said: string): Question {
  const ids = new Set(state.questions.map((known) => known.question.id));
  let number = state.pauses + 1;
  while (ids.has(`open-${number}`)) number += 1;
  const text = said.trim() || `"${movement}" asks for input.`;
  const first = text.split(/[\r\n]/, 1)[0] ?? '';
  return Question.parse({
    id: `open-${number}`,
    type: 'open',
    question: cut(first, 250),
    why: cut(text, 1000),
    multiple: false,
    options: [],
    recommendation: 'No answer was proposed.',
  });
}

/** At most so many characters, none cut in two. */
function cut(text: string, characters: number): string {
  return Array.from(text).slice(0, characters).join('').trim();
}
