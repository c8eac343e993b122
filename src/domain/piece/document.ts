/** A piece file as a plain value, and where each part of it stands. */
import { TYPED_KEYS } from './schema.ts';
import type { Diagnostic } from './types.ts';
import type { Located, Place } from './yaml.ts';

export type Path = readonly (string | number)[];

/** Collects findings of one file. */
export interface Findings {
  file: string;
  root: Located | null;
  list: Diagnostic[];
  /** Were there more than are kept? */
  cut: boolean;
}

/** Errors and others are counted apart: many warnings never hide an error. */
const MAX_FINDINGS = 200;

/** Reports a finding at a value, or at its key where `at` is `key`. What does not exist is reported at what holds it. */
export function report(
  findings: Findings,
  level: Diagnostic['level'],
  code: string,
  path: Path,
  message: string,
  at: 'value' | 'key' = 'value',
): void {
  const alike = findings.list.filter((finding) => (finding.level === 'error') === (level === 'error'));
  if (alike.length >= MAX_FINDINGS) {
    findings.cut = true;
    return;
  }
  const place = findings.root === null ? { line: 1, column: 1 } : placeOf(findings.root, path, at);
  findings.list.push({ file: findings.file, line: place.line, column: place.column, level, code, message });
}

/** The plain value of a node; scalars under keys that want text keep what is written (`name: 007`). */
export function plainValue(node: Located, key = ''): unknown {
  switch (node.kind) {
    case 'scalar':
      if (typeof node.value === 'string' || node.value === null || TYPED_KEYS.has(key)) return node.value;
      return node.source;
    case 'list':
      return node.items.map((item) => plainValue(item, key));
    case 'map':
      return Object.fromEntries(node.entries.map((entry) => [entry.key, plainValue(entry.value, entry.key)]));
  }
}

/** Where the value (or its key) at a path stands; of what does not exist, what would hold it. */
export function placeOf(root: Located, path: Path, at: 'value' | 'key'): Place {
  let node = root;
  let place = root.place;
  for (const [index, part] of path.entries()) {
    if (node.kind === 'list' && typeof part === 'number') {
      const item = node.items[part];
      if (item === undefined) return place;
      node = item;
      place = item.place;
    } else if (node.kind === 'map') {
      const entry = node.entries.find((candidate) => candidate.key === String(part));
      if (entry === undefined) return place;
      node = entry.value;
      // Of a map or list under a key the key is what people look for.
      place = node.kind === 'scalar' && !(at === 'key' && index === path.length - 1) ? node.place : entry.keyPlace;
    } else return place;
  }
  return place;
}
