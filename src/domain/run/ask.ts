/** The questions of a pause (spec 1: People; spec 2: Questions and replies). */
import { cleanOutput } from '../piece/output.ts';
import type { Movement } from '../piece/types.ts';
import { Question, Questions } from '../workplan/schema.ts';
import type { AgentResult, RunState } from './state.ts';

/**
 * What the movement asks: its `questions` data without those that were asked before (by id, or word for word under another id), else its
 * output as one open question. Empty when nothing is new. Of a parallel movement `results` are its sub-movements', in file order.
 */
export function newQuestions(state: RunState, movement: Movement, output: string, results: AgentResult[]): Question[] {
  const produced = results.flatMap((result) => {
    const data = result.produced?.kind === 'questions' ? Questions.safeParse(result.produced.value) : null;
    return data?.success ? [data.data.questions] : [];
  });
  if (produced.length === 0) return [openQuestion(state, movement.name, cleanOutput(output))];
  const texts = new Set<string>();
  const fresh: Question[] = [];
  for (const question of produced.flat()) {
    if (wasAsked(state, question) || texts.has(wording(question))) continue;
    // Sub-movements do not know of each other: two of them may ask the same, or take the same id for something else.
    texts.add(wording(question));
    fresh.push({ ...question, id: freeId(question.id, fresh) });
  }
  return fresh.slice(0, MAX_QUESTIONS);
}

/** Was it asked before in this run or carried into it, by its id or word for word under another? */
export function wasAsked(state: RunState, question: Question): boolean {
  const own = wording(question);
  return state.questions.some((known) => known.question.id === question.id || wording(known.question) === own);
}

/** At a time (spec 2: Questions and replies); what is left out can be asked after the answers. */
const MAX_QUESTIONS = 5;

function freeId(id: string, taken: Question[]): string {
  let free = id;
  for (let number = 2; taken.some((question) => question.id === free); number += 1) free = `${id}-${number}`;
  return free;
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
  // No character has more than two units.
  return Array.from(text.slice(0, 2 * characters))
    .slice(0, characters)
    .join('')
    .trim();
}
