/** Words by their root, as users and code write them differently: parse, parser, parsing, parsed. */

/** The longest first; what is left must keep at least the number's characters. */
const ENDINGS: readonly (readonly [string, number])[] = [
  ['izations', 4],
  ['isations', 4],
  ['ization', 4],
  ['isation', 4],
  ['ations', 4],
  ['ation', 4],
  ['ators', 4],
  ['ating', 4],
  ['ated', 4],
  ['ates', 4],
  ['ator', 4],
  ['izers', 4],
  ['izing', 4],
  ['ising', 4],
  ['ized', 4],
  ['ises', 4],
  ['izes', 4],
  ['ised', 4],
  ['izer', 4],
  ['iser', 4],
  ['ible', 4],
  ['able', 4],
  ['ings', 4],
  ['ions', 4],
  ['ment', 4],
  ['ness', 4],
  ['ate', 4],
  ['ize', 4],
  ['ise', 4],
  ['ing', 3],
  ['ion', 4],
  ['ies', 3],
  ['ers', 4],
  ['ors', 4],
  ['ed', 3],
  ['er', 4],
  ['or', 4],
  ['es', 3],
  ['ly', 4],
  ['al', 5],
  ['s', 3],
  ['e', 3],
  ['y', 3],
];
const ASCII_WORD = /^[a-z]+$/;
const DOUBLED = /([bdfgmnprt])\1$/;
const SIBILANT = /ss$/;

/** The root of a lower-case word; short words and what is no plain ASCII word stay as they are. */
export function stemOf(word: string): string {
  if (word.length < 4 || !ASCII_WORD.test(word)) return word;
  for (const [ending, keep] of ENDINGS) {
    if (!word.endsWith(ending) || word.length - ending.length < keep) continue;
    if (ending === 's' && SIBILANT.test(word)) return word;
    const root = word.slice(0, -ending.length);
    // `stopped` and `stop`, `mapping` and `map`.
    return ending.length > 1 && DOUBLED.test(root) && root.length > 3 ? root.slice(0, -1) : settled(root);
  }
  return word;
}

/** What another form of the word loses next: `rendering` must arrive where `renderer` and `render` do. */
function settled(root: string): string {
  if (root.length > 5 && /[eo]r$/.test(root)) return root.slice(0, -2);
  return root.length > 4 && /[ey]$/.test(root) ? root.slice(0, -1) : root;
}

/** Words that code and people use for one another: each group's roots stand for each other. */
const GROUPS: readonly string[] = [
  'config configuration configure settings',
  'auth authentication authorization authenticate',
  'param parameter',
  'arg argument',
  'dir directory folder',
  'doc document documentation',
  'init initialize',
  'env environment',
  'num number',
  'str string',
  'msg message',
  'req request',
  'res response',
  'err error exception',
  'db database',
  'img image',
  'btn button',
  'ctx context',
  'fn func function',
  'elem element',
  'attr attribute',
  'prop property',
  'repo repository',
  'regex regexp',
  'url uri',
  'delete remove',
  'lang language locale',
  'tmp temp temporary',
  'ref reference',
  'exec execute',
  'cmd command',
  'opt option',
  'pkg package',
  'lib library',
  'async asynchronous',
  'sync synchronize',
  'spec specification',
  'char character',
  'len length',
  'max maximum',
  'min minimum',
  'val value',
  'var variable',
  'obj object',
  'impl implementation implement',
  'info information',
  'conn connection',
  'dep dependency',
  'ext extension',
  'fmt format',
  'iter iterate',
  'mod module',
  'op operation operator',
  'perm permission',
  'pos position',
  'proc process',
  'src source',
  'stmt statement',
  'expr expression',
  'decl declaration',
  'tbl table',
  'tx transaction',
  'usr user',
  'ws websocket',
  'serialize marshal',
  'deserialize unmarshal',
  'buf buffer',
  'addr address',
  'cert certificate',
  'cfg config',
  'seq sequence',
  'sep separator',
  'idx index',
  'ns namespace',
  'alloc allocate',
  'ptr pointer',
];

const related = new Map<string, Set<string>>();
for (const group of GROUPS) {
  const roots = group.split(' ').map(stemOf);
  for (const root of roots) {
    const others = related.get(root) ?? new Set<string>();
    for (const other of roots) if (other !== root) others.add(other);
    related.set(root, others);
  }
}

/** Roots of words that mean the same in code; none for most. */
export function relatedRoots(root: string): readonly string[] {
  return [...(related.get(root) ?? [])];
}
