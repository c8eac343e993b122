/**
 * YAML with places (spec 1: File): core schema, anchors and merges; alias bombs, depth over 100 and files over 1 MiB are
 * refused. Aliases share their node, so that a bomb costs nothing until it is refused by its expanded size.
 */
import { isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, type Node, parseDocument, type Scalar } from 'yaml';

const MAX_FILE_BYTES = 1024 * 1024;
const MAX_DEPTH = 100;
/** Nodes after the expansion of aliases and merges. */
const MAX_NODES = 100_000;
/** Marks, words, line breaks and comments of the text: each can be an error of its own, and errors are what costs. */
const MAX_TOKENS = 80_000;
const MAX_FINDINGS = 50;

/** Line and column count from 1. */
export interface Place {
  line: number;
  column: number;
}

export type Located =
  | { kind: 'scalar'; value: string | number | boolean | null; source: string; place: Place; size: 1; height: 1 }
  | { kind: 'list'; items: Located[]; place: Place; size: number; height: number }
  | { kind: 'map'; entries: Entry[]; place: Place; size: number; height: number };

export interface Entry {
  key: string;
  keyPlace: Place;
  value: Located;
}

export interface Finding extends Place {
  code: string;
  message: string;
}

/** Reads a YAML document. `root` is null when there is none that could be used. Never throws. */
export function readYaml(text: string): { root: Located | null; findings: Finding[] } {
  const start = { line: 1, column: 1 };
  if (text.length > MAX_FILE_BYTES || new TextEncoder().encode(text).length > MAX_FILE_BYTES) {
    return {
      root: null,
      findings: [
        { ...start, code: 'too_large', message: 'the file is over 1 MiB; split the piece or shorten its texts' },
      ],
    };
  }
  const steep = tooDeep(text);
  if (steep !== null) return { root: null, findings: [steep] };
  try {
    if (!tokensWithin(text, MAX_TOKENS)) {
      const message = `the file has more than ${MAX_TOKENS} words and marks; split the piece`;
      return { root: null, findings: [{ ...start, code: 'too_large', message }] };
    }
    return compose(text);
  } catch (error) {
    // The parser is recursive: what it cannot walk is too deep for us as well.
    const message =
      error instanceof RangeError
        ? `the file is nested too deep, at most ${MAX_DEPTH} levels`
        : 'the file cannot be read as YAML';
    return {
      root: null,
      findings: [{ ...start, code: error instanceof RangeError ? 'too_deep' : 'yaml_syntax', message }],
    };
  }
}

function compose(text: string): { root: Located | null; findings: Finding[] } {
  const lines = new LineCounter();
  // Its check for unique keys compares each key with all others; ours is below.
  const document = parseQuietly(text, {
    version: '1.2',
    schema: 'core',
    merge: true,
    uniqueKeys: false,
    prettyErrors: false,
    lineCounter: lines,
    // `silent` would also hide a second document.
    logLevel: 'error',
  });
  const findings: Finding[] = [...document.errors, ...document.warnings].slice(0, MAX_FINDINGS).map((error) => {
    const { line, col } = lines.linePos(error.pos[0]);
    const hint = flowHint(text, lines, line);
    return {
      line: Math.max(1, line),
      column: Math.max(1, col),
      code: 'yaml_syntax',
      message: `${error.message.split('\n', 1)[0]}${hint}`,
    };
  });
  const builder = new Builder(lines, findings);
  const root = document.contents === null ? null : builder.build(document.contents as Node, 1);
  if (root === null && findings.length === 0)
    findings.push({
      line: 1,
      column: 1,
      code: 'empty_file',
      message: 'the file is empty; a piece needs `name` and `movements`',
    });
  if (root !== null && root.size > MAX_NODES) {
    findings.push({
      ...root.place,
      code: 'alias_bomb',
      message: `the file's aliases expand to more than ${MAX_NODES} values`,
    });
    return { root: null, findings };
  }
  if (root !== null && root.height > MAX_DEPTH) {
    findings.push({
      ...root.place,
      code: 'too_deep',
      message: `the file is nested too deep, at most ${MAX_DEPTH} levels`,
    });
    return { root: null, findings };
  }
  return { root, findings };
}

/** The parser makes an error object a finding, tens of thousands in noise: without their stacks it takes a third of the time. */
function parseQuietly(text: string, options: Parameters<typeof parseDocument>[1]): ReturnType<typeof parseDocument> {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return parseDocument(text, options);
  } finally {
    Error.stackTraceLimit = before;
  }
}

/** Conditions with brackets, commas and quotes are the commonest mistakes that YAML reports in words nobody understands. */
function flowHint(text: string, lines: LineCounter, line: number): string {
  const from = lines.lineStarts[line - 1];
  if (from === undefined) return '';
  const written = text.slice(from, Math.min(lines.lineStarts[line] ?? text.length, from + 500));
  if (/\bwhen:[ \t]/.test(written))
    return `; put the whole expression in single quotes, e.g. when: 'scope in ("step", "plan")'`;
  return /[{,].*\b(?:all|any|ai)\(/.test(written)
    ? `; inside { } put the whole condition in single quotes, e.g. 'all("a", "b")'`
    : '';
}

/**
 * A cheap look before the recursive parser: brackets that stay open and indicators stacked on one line. It counts too much
 * (brackets in texts), so its bound is far above the real one, which is checked on the parsed tree.
 */
function tooDeep(text: string): Finding | null {
  const bound = 2000;
  let open = 0;
  let stacked = 0;
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === 10) {
      line += 1;
      lineStart = at + 1;
      stacked = 0;
    } else if (sign === 91 || sign === 123) open += 1;
    else if ((sign === 93 || sign === 125) && open > 0) open -= 1;
    else if ((sign === 45 || sign === 63 || sign === 58) && text.charCodeAt(at + 1) <= 32) stacked += 1;
    if (open > bound || stacked > bound) {
      return {
        line,
        column: at - lineStart + 1,
        code: 'too_deep',
        message: `the file is nested too deep, at most ${MAX_DEPTH} levels`,
      };
    }
  }
  return null;
}

function tokensWithin(text: string, bound: number): boolean {
  let count = 0;
  for (const _ of new Lexer().lex(text)) {
    count += 1;
    if (count > bound) return false;
  }
  return true;
}

class Builder {
  private readonly anchors = new Map<string, Located | null>();
  private readonly lines: LineCounter;
  private readonly findings: Finding[];

  constructor(lines: LineCounter, findings: Finding[]) {
    this.lines = lines;
    this.findings = findings;
  }

  build(node: Node, depth: number): Located {
    const place = this.placeOf(node);
    if (depth > MAX_DEPTH + 1) return { kind: 'list', items: [], place, size: 1, height: MAX_DEPTH + 1 };
    if (isAlias(node)) {
      const target = this.anchors.get(node.source);
      if (target) return target;
      const what =
        target === null
          ? `the alias *${node.source} stands inside its own anchor`
          : `there is no anchor &${node.source} before this alias`;
      return this.fail(place, 'bad_alias', what);
    }
    const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
    if (anchor !== undefined) this.anchors.set(anchor, null);
    const built = this.content(node, place, depth);
    if (anchor !== undefined) this.anchors.set(anchor, built);
    return built;
  }

  private content(node: Node, place: Place, depth: number): Located {
    if (isSeq(node)) {
      const items = node.items.map((item) => this.build(item as Node, depth + 1));
      return { kind: 'list', items, place, ...extent(items) };
    }
    if (isMap(node)) {
      const entries = this.entries(node.items as { key: unknown; value: unknown }[], place, depth);
      return { kind: 'map', entries, place, ...extent(entries.map((entry) => entry.value)) };
    }
    return this.scalar(node as Scalar, place);
  }

  private entries(pairs: { key: unknown; value: unknown }[], place: Place, depth: number): Entry[] {
    const own = new Map<string, Entry>();
    const merged: Located[] = [];
    for (const pair of pairs) {
      if (!isScalar(pair.key)) {
        this.fail(isNode(pair.key) ? this.placeOf(pair.key) : place, 'bad_key', 'a key must be a plain text');
        continue;
      }
      const keyPlace = this.placeOf(pair.key);
      const value = isNode(pair.value) ? this.build(pair.value, depth + 1) : nothing(keyPlace);
      const key = typeof pair.key.value === 'string' ? pair.key.value : (pair.key.source ?? String(pair.key.value));
      if (pair.key.anchor !== undefined) this.anchors.set(pair.key.anchor, this.scalar(pair.key, keyPlace));
      // With merges on, the parser gives the key of `<<:` a symbol of its own.
      if (key === '<<' || typeof pair.key.value === 'symbol') merged.push(value);
      else if (own.has(key))
        this.fail(keyPlace, 'duplicate_key', `the key \`${shorten(key)}\` stands here twice; keep one`);
      else if (key === '__proto__') this.fail(keyPlace, 'unknown_key', 'unknown key `__proto__`');
      else own.set(key, { key, keyPlace, value });
    }
    for (const source of merged.flatMap((value) => (value.kind === 'list' ? value.items : [value]))) {
      if (source.kind !== 'map')
        this.fail(source.place, 'bad_merge', 'only a map, or a list of maps, can be merged with <<');
      else for (const entry of source.entries) if (!own.has(entry.key)) own.set(entry.key, entry);
    }
    return [...own.values()];
  }

  private scalar(node: Scalar, place: Place): Located {
    const { value } = node;
    const source = node.source ?? (typeof value === 'string' ? value : '');
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      return { kind: 'scalar', value, source, place, size: 1, height: 1 };
    }
    return { kind: 'scalar', value: source, source, place, size: 1, height: 1 };
  }

  private fail(place: Place, code: string, message: string): Located {
    if (this.findings.length < MAX_FINDINGS) this.findings.push({ ...place, code, message });
    return nothing(place);
  }

  private placeOf(node: Node): Place {
    const { line, col } = this.lines.linePos(node.range?.[0] ?? 0);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  }
}

function extent(children: Located[]): { size: number; height: number } {
  let size = 1;
  let height = 0;
  for (const child of children) {
    size += child.size;
    height = Math.max(height, child.height);
  }
  return { size, height: height + 1 };
}

function nothing(place: Place): Located {
  return { kind: 'scalar', value: null, source: '', place, size: 1, height: 1 };
}

function isNode(value: unknown): value is Node {
  return isScalar(value) || isMap(value) || isSeq(value) || isAlias(value);
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
