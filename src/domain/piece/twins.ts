/** Names of other versions of the language, read as their twins here (spec 1: Accepted besides). */
import { type Findings, type Path, report } from './document.ts';
import type { Entry, Located } from './yaml.ts';

/** Twins that get one notice a file. */
const LATER: Record<'piece' | 'movement' | 'judge', Record<string, string>> = {
  piece: {
    workflow: 'name',
    steps: 'movements',
    initial_step: 'initial_movement',
    max_movements: 'max_iterations',
    max_steps: 'max_iterations',
  },
  movement: { step: 'name', persona: 'agent', persona_name: 'agent_name' },
  judge: { persona: 'agent' },
};
/** A short name that is accepted without a word. */
const SHORT: Record<string, string> = { instruction: 'instruction_template' };

/** All other names by the part of a piece that they stand in, with the field that each is read as. */
export const TWINS: Record<string, Record<string, string>> = {
  piece: LATER.piece,
  movement: { ...LATER.movement, ...SHORT },
  judge: { ...LATER.judge, ...SHORT },
};

/** The same tree with the names of this version. Both names at once are an error; one notice names all that were read. */
export function renameTwins(root: Located, findings: Findings): Located {
  const seen = new Map<string, { twin: string; path: Path }>();
  const rename = (node: Located, path: Path, level: keyof typeof LATER): Located => {
    if (node.kind !== 'map') return node;
    const table = level === 'piece' ? LATER.piece : { ...LATER[level], ...SHORT };
    return { ...node, entries: renameEntries(node.entries, table, path, findings, seen) };
  };
  const judged = (node: Located, path: Path): Located =>
    within(node, 'judge', path, (judge, at) => rename(judge, at, 'judge'));
  const movement = (node: Located, path: Path): Located =>
    within(rename(node, path, 'movement'), 'parallel', path, (list, at) =>
      each(list, at, (sub, place) => rename(sub, place, 'movement')),
    );
  let piece = rename(root, [], 'piece');
  piece = within(piece, 'movements', [], (list, at) => each(list, at, movement));
  piece = within(piece, 'loop_monitors', [], (list, at) => each(list, at, judged));
  const [first] = seen.values();
  if (first !== undefined) {
    const names = [...seen].map(([name, { twin }]) => `\`${name}\` as \`${twin}\``).join(', ');
    report(
      findings,
      'notice',
      'twin_names',
      first.path,
      `names of another version are read as their twins: ${names}`,
      'key',
    );
  }
  return piece;
}

function renameEntries(
  entries: Entry[],
  table: Record<string, string>,
  path: Path,
  findings: Findings,
  seen: Map<string, { twin: string; path: Path }>,
): Entry[] {
  const kept = new Map<string, { entry: Entry; written: string }>();
  for (const entry of entries) {
    const twin = Object.hasOwn(table, entry.key) ? table[entry.key] : undefined;
    const name = twin ?? entry.key;
    const other = kept.get(name);
    if (other !== undefined) {
      report(
        findings,
        'error',
        'both_names',
        [...path, entry.key],
        `\`${other.written}\` and \`${entry.key}\` are two names for the same; keep \`${name}\``,
        'key',
      );
      continue;
    }
    kept.set(name, { entry: { ...entry, key: name }, written: entry.key });
    if (twin !== undefined && !Object.hasOwn(SHORT, entry.key) && !seen.has(entry.key))
      seen.set(entry.key, { twin, path: [...path, entry.key] });
  }
  return [...kept.values()].map(({ entry }) => entry);
}

function within(node: Located, key: string, path: Path, change: (value: Located, path: Path) => Located): Located {
  if (node.kind !== 'map') return node;
  return {
    ...node,
    entries: node.entries.map((entry) =>
      entry.key === key ? { ...entry, value: change(entry.value, [...path, key]) } : entry,
    ),
  };
}

function each(node: Located, path: Path, change: (value: Located, path: Path) => Located): Located {
  if (node.kind !== 'list') return node;
  return { ...node, items: node.items.map((item, index) => change(item, [...path, index])) };
}
