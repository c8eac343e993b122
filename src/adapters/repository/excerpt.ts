import { linesOf } from './text.ts';
import { rootOf } from './words.ts';

const MAX_LINE = 200;
const COVERED_CHARACTERS = 64 * 1024;
/** Lines that define something say more than those that use it. */
const DEFINES = /\b(?:function|class|interface|type|enum|def|func|fn|struct|trait|module|create|const)\b|^#{1,6}\s/i;

/** The line of a file with most of the terms, and it with one before and after as `N: text`. Line 1 when no line has any. */
export function bestLine(text: string, terms: readonly string[]): { line: number; excerpt: string } {
  const lines = linesOf(text);
  const roots = terms.map(rootOf);
  let best = 0;
  let bestScore = 0;
  lines.forEach((line, index) => {
    const folded = line.normalize('NFKC').toLowerCase();
    let score = 0;
    for (const root of roots) if (folded.includes(root)) score += 1;
    if (score > 0 && DEFINES.test(line)) score += 0.5;
    if (score > bestScore) {
      best = index;
      bestScore = score;
    }
  });
  const around = lines.slice(Math.max(0, best - 1), best + 2);
  const first = Math.max(0, best - 1) + 1;
  return { line: best + 1, excerpt: around.map((line, offset) => `${first + offset}: ${cut(line)}`).join('\n') };
}

/**
 * What a file gets for having many of the terms, most for those in its path. The index counts a word that half of the files have
 * as nothing, which in a small repository are the words of its own subject.
 */
export function coverage(path: string, text: string, terms: readonly string[]): number {
  const foldedPath = path.toLowerCase();
  const folded = text.slice(0, COVERED_CHARACTERS).toLowerCase();
  let score = 0;
  for (const root of terms.map(rootOf)) {
    if (foldedPath.includes(root)) score += 0.6;
    else if (folded.includes(root)) score += 0.2;
  }
  return score;
}

function cut(line: string): string {
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE).toWellFormed()}…` : line;
}
