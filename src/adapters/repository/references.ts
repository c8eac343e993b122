import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReferenceHit } from '../../ports/repository.ts';
import { pathKind } from './path-kind.ts';
import { parseReferences } from './symbols/tree.ts';
import { linesOf } from './text.ts';

/** Files looked at for one name; in more of them it is no name that says something. */
const MAX_FILES = 200;
const MAX_MS = 3_000;
const MAX_IN_FILE = 50;
const ORDER: Record<ReferenceHit['kind'], number> = { definition: 0, call: 1, import: 2, use: 3 };

/** Where a name stands in these files: by parsing, in other languages as a word. Definitions first, tests last. */
export async function referencesIn(
  files: Iterable<{ path: string; text: string }>,
  name: string,
  limit: number,
): Promise<{ references: ReferenceHit[]; more: boolean }> {
  const found: ReferenceHit[] = [];
  const started = performance.now();
  let looked = 0;
  let more = false;
  for (const { path, text } of files) {
    if (looked >= MAX_FILES || performance.now() - started > MAX_MS) {
      more = true;
      break;
    }
    looked += 1;
    const lines = linesOf(text);
    const hits = parseReferences(path, text, lines, name) ?? asWord(path, lines, name);
    if (hits.length > MAX_IN_FILE) more = true;
    found.push(...hits.slice(0, MAX_IN_FILE));
    await nextTurn();
  }
  const late = (path: string): number => (pathKind(path) === 'code' ? 0 : 1);
  found.sort((a, b) => ORDER[a.kind] - ORDER[b.kind] || late(a.path) - late(b.path));
  return { references: found.slice(0, limit), more: more || found.length > limit };
}

function asWord(path: string, lines: readonly string[], name: string): ReferenceHit[] {
  const hits: ReferenceHit[] = [];
  for (const [index, line] of lines.entries()) {
    if (hasWord(line, name))
      hits.push({ path, line: index + 1, kind: 'use', text: line.trim().slice(0, 300).toWellFormed() });
  }
  return hits;
}

function hasWord(line: string, name: string): boolean {
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
    if (!/[\w$]/.test(line[at - 1] ?? ' ') && !/[\w$]/.test(line[at + name.length] ?? ' ')) return true;
  }
  return false;
}
