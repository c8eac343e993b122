/** Definitions and uses of names by parsing: exact where patterns guess. Bounded in size and time a file. */
import { type Node, Parser, type Tree } from 'web-tree-sitter';
import type { ReferenceHit, SymbolHit } from '../../../ports/repository.ts';
import type { FoundSymbol } from '../symbols.ts';
import { type Grammar, grammarOf } from './grammars.ts';

const MAX_CHARACTERS = 512 * 1024;
/** Longer lines on average are written by machines. */
const MAX_AVERAGE_LINE = 400;
const MAX_PARSE_MS = 250;
const MAX_SYMBOLS = 2_000;
/** Scopes in which a function is a method. */
const CLASS_SCOPES = new Set(['class_definition', 'impl_item', 'trait_item', 'class_specifier', 'struct_specifier']);
const IMPORTS = /^(?:import|use_declaration|namespace_use|using_directive|preproc_include|require|export_clause)/;
const CALLS =
  /(?:^|_)(?:call|invocation|new)(?:_expression)?$|^(?:call|method_invocation|object_creation_expression|macro_invocation)$/;

/** The definitions of a file in the order of their lines; null when it cannot be parsed (language, size, time). */
export function parseSymbols(path: string, text: string, lineCount: number): FoundSymbol[] | null {
  return withTree(path, text, lineCount, (tree, grammar) => {
    const found = new Map<number, FoundSymbol & { at: number; pattern: number }>();
    for (const match of grammar.definitions.matches(tree.rootNode)) {
      const name = match.captures.find((capture) => capture.name === 'name')?.node;
      const whole = match.captures.find((capture) => capture.name !== 'name');
      if (!name || !whole || found.size >= MAX_SYMBOLS) continue;
      // The more telling pattern comes first and keeps the name.
      const pattern = match.patternIndex;
      if ((found.get(name.startIndex)?.pattern ?? Number.POSITIVE_INFINITY) <= pattern) continue;
      const kind = whole.name as SymbolHit['kind'];
      found.set(name.startIndex, {
        name: name.text,
        kind: kind === 'function' && isInClass(whole.node) ? 'method' : kind,
        startLine: whole.node.startPosition.row + 1,
        endLine: endRow(whole.node) + 1,
        at: name.startIndex,
        pattern,
      });
    }
    return [...found.values()]
      .sort((a, b) => a.at - b.at)
      .map(({ name, kind, startLine, endLine }) => ({ name, kind, startLine, endLine }));
  });
}

/** Where a file uses or defines a name, outside of comments and strings; null when it cannot be parsed. */
export function parseReferences(
  path: string,
  text: string,
  lines: readonly string[],
  name: string,
): ReferenceHit[] | null {
  return withTree(path, text, lines.length, (tree, grammar) => {
    const defined = new Set<number>();
    for (const match of grammar.definitions.matches(tree.rootNode)) {
      for (const capture of match.captures) if (capture.name === 'name') defined.add(capture.node.startIndex);
    }
    const hits: ReferenceHit[] = [];
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
      const node = tree.rootNode.descendantForIndex(at, at + name.length - 1);
      if (!node || node.text !== name || !isName(node)) continue;
      const line = node.startPosition.row + 1;
      if (hits.at(-1)?.line === line) continue;
      const kind = defined.has(node.startIndex) ? 'definition' : useOf(node);
      hits.push({ path, line, kind, text: (lines[line - 1] ?? '').trim().slice(0, 300).toWellFormed() });
    }
    return hits;
  });
}

function withTree<T>(
  path: string,
  text: string,
  lineCount: number,
  read: (tree: Tree, grammar: Grammar) => T,
): T | null {
  const grammar = grammarOf(path);
  if (!grammar || text.length > MAX_CHARACTERS || text.length / Math.max(1, lineCount) > MAX_AVERAGE_LINE) return null;
  const parser = new Parser();
  let tree: Tree | null = null;
  try {
    parser.setLanguage(grammar.language);
    const until = performance.now() + MAX_PARSE_MS;
    tree = parser.parse(text, null, { progressCallback: () => performance.now() > until });
    return tree ? read(tree, grammar) : null;
  } finally {
    tree?.delete();
    parser.delete();
  }
}

function isInClass(node: Node): boolean {
  for (let above = node.parent; above; above = above.parent) {
    if (CLASS_SCOPES.has(above.type)) return true;
    if (/^function/.test(above.type)) return false;
  }
  return false;
}

/** A statement that ends with a line break ends on the line before. */
function endRow(node: Node): number {
  const { row, column } = node.endPosition;
  return column === 0 && row > node.startPosition.row ? row - 1 : row;
}

function isName(node: Node): boolean {
  return /identifier|constant|^name$|property|field|^word$/.test(node.type) && !/comment|string/.test(node.type);
}

function useOf(node: Node): ReferenceHit['kind'] {
  let depth = 0;
  for (let above = node.parent; above && depth < 4; above = above.parent) {
    if (IMPORTS.test(above.type)) return 'import';
    if (CALLS.test(above.type)) return isCallee(node, above) ? 'call' : 'use';
    depth += 1;
  }
  return 'use';
}

/** The name is what is called, not an argument. */
function isCallee(node: Node, call: Node): boolean {
  const callee =
    call.childForFieldName('function') ??
    call.childForFieldName('name') ??
    call.childForFieldName('method') ??
    call.childForFieldName('constructor') ??
    call.childForFieldName('type') ??
    call.firstNamedChild;
  return callee !== null && node.endIndex === callee.endIndex;
}
