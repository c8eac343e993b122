/** The place of a file that is closest to a question: the window of lines with most of its words. */
import { createWordTable } from '../word-table.ts';
import { termsOf, wordsOf } from '../words.ts';
import { phrasesOf } from './question.ts';

export interface Passage {
  /** What the words of the best window weigh together, each once (and a little for more). */
  score: number;
  /** 1-based line in the window with most of them. */
  line: number;
  /** How many of the question's phrases stand in the file. */
  phrases: number;
}

const WINDOW_LINES = 24;
const MAX_CHARACTERS = 400_000;
const MAX_LINE = 500;

/** `weights`: what each term is worth. Phrases are looked for only when there are some. */
export function readPassage(text: string, weights: ReadonlyMap<string, number>, phrases: ReadonlySet<string>): Passage {
  const lines = text.slice(0, MAX_CHARACTERS).split('\n');
  const table = createWordTable((word) => termsOf(word).filter((term) => weights.has(term)));
  const perLine: (readonly string[])[] = [];
  const found = new Set<string>();
  for (const whole of lines) {
    const line = whole.length > MAX_LINE ? whole.slice(0, MAX_LINE) : whole;
    const terms: string[] = [];
    table.scan(line, (wanted) => {
      for (const term of wanted) terms.push(term);
    });
    perLine.push(terms);
    if (phrases.size > 0 && terms.length > 0) {
      for (const phrase of phrasesOf(wordsOf(line))) if (phrases.has(phrase)) found.add(phrase);
    }
  }
  return { ...bestWindow(perLine, weights), phrases: found.size };
}

function bestWindow(
  perLine: readonly (readonly string[])[],
  weights: ReadonlyMap<string, number>,
): { score: number; line: number } {
  const inWindow = new Map<string, number>();
  let score = 0;
  let best = 0;
  let bestEnd = 0;
  perLine.forEach((terms, end) => {
    for (const term of terms) {
      const count = inWindow.get(term) ?? 0;
      if (count === 0) score += weights.get(term) ?? 0;
      inWindow.set(term, count + 1);
    }
    for (const term of perLine[end - WINDOW_LINES] ?? []) {
      const count = (inWindow.get(term) ?? 1) - 1;
      if (count === 0) score -= weights.get(term) ?? 0;
      inWindow.set(term, count);
    }
    if (score > best + 1e-9) {
      best = score;
      bestEnd = end;
    }
  });
  let line = bestEnd;
  let most = -1;
  for (let at = Math.max(0, bestEnd - WINDOW_LINES + 1); at <= bestEnd; at += 1) {
    const worth = [...new Set(perLine[at] ?? [])].reduce((sum, term) => sum + (weights.get(term) ?? 0), 0);
    if (worth > most) {
      most = worth;
      line = at;
    }
  }
  return { score: best, line: line + 1 };
}
