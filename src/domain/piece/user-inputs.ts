/** What people said at the pauses, as it stands in prompts (spec 1: People). */
import { visibleText } from '../text/characters.ts';
import type { EngineTexts } from './texts.ts';

const MAX_ENTRY = 10_000;
const MAX_ALL = 65_536;

/**
 * The entries, oldest first: a question-and-answer pair of at most 10,000 characters each, 65,536 in all. Where it is too
 * much the oldest are dropped, since the newest is what the run waited for. A cut is said. Empty without entries.
 */
export function renderUserInputs(
  inputs: { question: string; answer: string }[],
  assume: boolean,
  texts: EngineTexts,
): string {
  const kept: string[] = assume ? [texts.assume] : [];
  let room = MAX_ALL - texts.cut.length - 2 - (kept[0]?.length ?? 0);
  for (let index = inputs.length - 1; index >= 0; index -= 1) {
    const input = inputs[index];
    if (input === undefined) continue;
    const entry = renderEntry(input, texts);
    if (entry.length + 2 > room) {
      kept.push(texts.cut);
      break;
    }
    room -= entry.length + 2;
    kept.push(entry);
  }
  return kept.reverse().join('\n\n');
}

/** What people wrote stays inside its entry: none of its lines begins where the prompt's own headings, fences and tags do. */
function within(text: string): string {
  return visibleText(text).replaceAll('\n', '\n    ');
}

function renderEntry(input: { question: string; answer: string }, texts: EngineTexts): string {
  const full = `- ${texts.question}: ${within(input.question)}\n  ${texts.answer}: ${within(input.answer)}`;
  if (full.length <= MAX_ENTRY) return full;
  return `${full.slice(0, MAX_ENTRY - texts.cut.length - 1).toWellFormed()} ${texts.cut}`;
}
