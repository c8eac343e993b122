import { linesOf } from './text.ts';

const MAX_LINE = 200;

/** A line (1-based) with one before and after, as `N: text`. */
export function excerptAt(text: string, line: number): string {
  const lines = linesOf(text);
  const first = Math.max(0, line - 2);
  return lines
    .slice(first, line + 1)
    .map((shown, offset) => `${first + offset + 1}: ${cut(shown)}`)
    .join('\n');
}

function cut(line: string): string {
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE).toWellFormed()}…` : line;
}
