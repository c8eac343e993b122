/** A map of the repository: the files that matter most, with what they define, within a number of tokens. */
import { pathKind } from './path-kind.ts';
import { WEIGHTS } from './ranking/weights.ts';

export interface MapSymbol {
  file: number;
  name: string;
  kind: string;
  startLine: number;
  /** In how many files the name stands. */
  known: number;
}

/** A careful guess: code has about three characters a token. */
const CHARACTERS_A_TOKEN = 3;
const MAX_SYMBOLS_A_FILE = 12;

/** Files by how much of what they define is used elsewhere, tests and texts behind. */
export function importance(paths: readonly string[], symbols: readonly MapSymbol[]): Map<number, number> {
  const worth = new Map<number, number>();
  for (const { file, known } of symbols) worth.set(file, (worth.get(file) ?? 0) + Math.log(Math.max(1, known)));
  for (const [file, sum] of worth) worth.set(file, Math.sqrt(sum) * WEIGHTS.kinds[pathKind(paths[file] ?? '')]);
  return worth;
}

/** The text: folders' files in order, under each what it defines; of the most important as much as fits. */
export function drawMap(
  paths: readonly string[],
  ranked: readonly number[],
  symbolsOf: (file: number) => readonly MapSymbol[],
  tokens: number,
): { text: string; files: number } {
  let room = Math.max(0, Math.floor(tokens * CHARACTERS_A_TOKEN));
  const drawn: { path: string; text: string }[] = [];
  for (const file of ranked) {
    const path = paths[file] ?? '';
    const lines = [path];
    const known = symbolsOf(file);
    const telling = known
      .toSorted((a, b) => b.known - a.known)
      .slice(0, MAX_SYMBOLS_A_FILE)
      .sort((a, b) => a.startLine - b.startLine);
    for (const { kind, name, startLine } of telling) lines.push(`  ${startLine}: ${kind} ${name}`);
    if (known.length > telling.length) lines.push(`  … ${known.length - telling.length} more`);
    const whole = lines.join('\n');
    // The path alone still says something.
    const text = whole.length + 1 <= room ? whole : path;
    if (text.length + 1 > room) break;
    room -= text.length + 1;
    drawn.push({ path, text });
  }
  drawn.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { text: drawn.map(({ text }) => text).join('\n'), files: drawn.length };
}
