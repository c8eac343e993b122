/** One `import`, `export … from`, or `import()` with a literal name. */
export interface ImportFound {
  specifier: string;
  line: number;
  /** Everything of the module is exported again (`export * from`), or some of it (`export { … } from`). */
  reexport: 'none' | 'some' | 'all';
}

/** What the rules need to know of a source file. */
export interface ScannedFile {
  /** Relative to the project, with `/`. */
  path: string;
  lines: number;
  imports: ImportFound[];
  /** The source with comments, strings and regular expressions blanked; line breaks stay. */
  code: string;
}

/** Reads a TypeScript source without a parser: blanks what is no code, then finds the import statements. */
export function scan(path: string, source: string): ScannedFile {
  const { code, strings } = blank(source);
  const imports: ImportFound[] = [];
  const statement = /\b(?:import|export)\b(?:[\w\s{},*$]*?\bfrom)?\s*\(?\s*(?=@)/g;
  for (const match of code.matchAll(statement)) {
    const head = match[0];
    const specifier = strings.get(match.index + head.length);
    // `export` needs its `from`, else the string is a value.
    if (specifier === undefined || (head.startsWith('export') && !/\bfrom\s*$/.test(head))) continue;
    // `x.import('…')` is a method.
    if (code[match.index - 1] === '.') continue;
    const reexport = !head.startsWith('export') ? 'none' : /^export\s+(?:type\s+)?\*/.test(head) ? 'all' : 'some';
    imports.push({ specifier, line: lineAt(source, match.index), reexport });
  }
  const lines = source.split('\n').length - (source.endsWith('\n') ? 1 : 0);
  return { path, lines, imports, code: code.replaceAll('@', ' ') };
}

/** The number, from 1, of the line with the character at `index`. */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

/**
 * Comments, texts and regular expressions become spaces; a string literal leaves one `@` where it began, and what it said is
 * found under that index. Code inside `${}` of a template stays.
 */
function blank(source: string): { code: string; strings: Map<number, string> } {
  const out: string[] = [];
  const strings = new Map<number, string>();
  // One entry a template that is open: how many braces are open inside its current `${`.
  const templates: number[] = [];
  let index = 0;
  const hide = (end: number): void => {
    out.push(source.slice(index, end).replaceAll(/[^\n]/g, ' '));
    index = end;
  };
  const template = (from: number): void => {
    const end = templateEnd(source, from);
    if (source[end - 1] === '{') templates.push(0);
    hide(end);
  };
  while (index < source.length) {
    const char = source[index] ?? '';
    const pair = char + (source[index + 1] ?? '');
    const depth = templates.at(-1);
    if (pair === '//') hide(endOf(source, '\n', index));
    else if (pair === '/*') hide(endOf(source, '*/', index + 2) + 2);
    else if (char === "'" || char === '"') {
      const end = quotedEnd(source, index + 1, char);
      strings.set(index, source.slice(index + 1, end - 1));
      const start = out.length;
      hide(end);
      out[start] = `@${(out[start] ?? '').slice(1)}`;
    } else if (char === '`') template(index + 1);
    else if (char === '}' && depth === 0) {
      templates.pop();
      template(index + 1);
    } else if (char === '/' && startsRegex(out)) hide(regexEnd(source, index + 1));
    else {
      if (depth !== undefined && char === '{') templates[templates.length - 1] = depth + 1;
      if (depth !== undefined && char === '}') templates[templates.length - 1] = depth - 1;
      // A decorator's sign is not used in this project; it must not look like a string.
      out.push(char === '@' ? ' ' : char);
      index += 1;
    }
  }
  return { code: out.join(''), strings };
}

function endOf(source: string, mark: string, from: number): number {
  const end = source.indexOf(mark, from);
  return end === -1 ? source.length : end;
}

function quotedEnd(source: string, from: number, quote: string): number {
  let index = from;
  while (index < source.length && source[index] !== quote) index += source[index] === '\\' ? 2 : 1;
  return index + 1;
}

/** The end of a template's text: after its closing quote, or after a `${`. */
function templateEnd(source: string, from: number): number {
  let index = from;
  while (index < source.length) {
    if (source[index] === '`') return index + 1;
    if (source.startsWith('${', index)) return index + 2;
    index += source[index] === '\\' ? 2 : 1;
  }
  return index;
}

function regexEnd(source: string, from: number): number {
  let index = from;
  let inClass = false;
  while (index < source.length && source[index] !== '\n') {
    const char = source[index];
    if (char === '[') inClass = true;
    else if (char === ']') inClass = false;
    else if (char === '/' && !inClass) break;
    index += char === '\\' ? 2 : 1;
  }
  return index + 1;
}

/** A `/` divides after a value, and begins a regular expression after anything else. */
function startsRegex(out: readonly string[]): boolean {
  const before = out.slice(-400).join('').trimEnd();
  const word = /[\w$]+$/.exec(before)?.[0];
  if (word !== undefined) return ['return', 'typeof', 'case', 'in', 'of', 'await', 'yield', 'else'].includes(word);
  return !/[)\]}@]$/.test(before);
}
