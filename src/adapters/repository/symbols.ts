/**
 * Symbols by patterns: definitions at places where the language's own style puts them. No parser: what is written in an unusual
 * way is missed, and an end is found by indentation or brackets alone. Words that repeat (modifiers) stand on one line: a pattern that
 * runs on over lines would be tried again from each of them.
 */
import type { SymbolHit } from '../../ports/repository.ts';

export interface FoundSymbol {
  name: string;
  kind: SymbolHit['kind'];
  startLine: number;
  endLine: number;
}

interface Pattern {
  kind: SymbolHit['kind'];
  /** With `gm` (`i` where the language does not care) and the group `name`. */
  expression: RegExp;
}

type Ending = 'brackets' | 'indentation' | 'end-word' | 'semicolon' | 'next-heading';

interface Language {
  extensions: readonly string[];
  ending: Ending;
  patterns: readonly Pattern[];
}

const notAMethod = '(?!(?:if|for|while|switch|catch|return|else|do|function|await|new|throw|typeof|super|with)\\b)';

const languages: readonly Language[] = [
  {
    extensions: ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs', 'vue', 'svelte'],
    ending: 'brackets',
    patterns: [
      {
        kind: 'function',
        expression: /^[ \t]*(?:export\s+)?(?:default\s+)?(?:async\s+)?function(?:\s*\*\s*|\s+)(?<name>[\w$]+)/gm,
      },
      { kind: 'class', expression: /^[ \t]*(?:export\s+)?(?:default\s+)?(?:abstract\s+)?class\s+(?<name>[\w$]+)/gm },
      { kind: 'interface', expression: /^[ \t]*(?:export\s+)?(?:declare\s+)?interface\s+(?<name>[\w$]+)/gm },
      {
        kind: 'type',
        expression: /^[ \t]*(?:export\s+)?(?:declare\s+)?(?:const\s+)?(?:type|enum)\s+(?<name>[\w$]+)(?=[\s<={])/gm,
      },
      {
        kind: 'function',
        expression:
          /^(?:export\s+)?(?:const|let|var)\s+(?<name>[\w$]+)[^=\n]{0,120}=\s*(?:async\s*)?(?:function\b|\([^()\n]{0,200}\)[^=\n]{0,80}=>|[\w$]+\s*=>)/gm,
      },
      { kind: 'constant', expression: /^(?:export\s+)?const\s+(?<name>[\w$]+)/gm },
      {
        kind: 'method',
        expression: new RegExp(
          `^[ \\t]+(?:(?:public|private|protected|static|async|override|get|set)[ \\t]+)*\\*?${notAMethod}(?<name>#?[\\w$]+)\\s*(?:<[^>\\n]{0,80}>)?\\([^;\\n]{0,300}\\{[ \\t]*$`,
          'gm',
        ),
      },
    ],
  },
  {
    extensions: ['py', 'pyi'],
    ending: 'indentation',
    patterns: [
      { kind: 'class', expression: /^[ \t]*class\s+(?<name>\w+)/gm },
      { kind: 'function', expression: /^(?:async\s+)?def\s+(?<name>\w+)/gm },
      { kind: 'method', expression: /^[ \t]+(?:async\s+)?def\s+(?<name>\w+)/gm },
      { kind: 'constant', expression: /^(?<name>[A-Z][A-Z0-9_]+)\s*(?::[^=\n]{1,80})?=/gm },
    ],
  },
  {
    extensions: ['go'],
    ending: 'brackets',
    patterns: [
      { kind: 'method', expression: /^func\s+\([^)\n]*\)\s*(?<name>\w+)/gm },
      { kind: 'function', expression: /^func\s+(?<name>\w+)/gm },
      { kind: 'interface', expression: /^type\s+(?<name>\w+)\s+interface\b/gm },
      { kind: 'type', expression: /^type\s+(?<name>\w+)\b(?!\s+interface\b)/gm },
      { kind: 'constant', expression: /^const\s+(?<name>\w+)/gm },
    ],
  },
  {
    extensions: ['rb', 'rake'],
    ending: 'end-word',
    patterns: [
      { kind: 'class', expression: /^[ \t]*(?:class|module)\s+(?<name>[A-Z][\w:]*)/gm },
      { kind: 'method', expression: /^[ \t]*def\s+(?:self\.)?(?<name>\w+[?!=]?)/gm },
      { kind: 'constant', expression: /^[ \t]*(?<name>[A-Z][A-Z0-9_]+)\s*=(?!=)/gm },
    ],
  },
  {
    extensions: ['java', 'kt', 'cs', 'scala'],
    ending: 'brackets',
    patterns: [
      {
        kind: 'class',
        expression:
          /^[ \t]*(?:(?:public|private|protected|internal|static|final|abstract|sealed|data|open)[ \t]+)*(?:class|record|object)\s+(?<name>\w+)/gm,
      },
      {
        kind: 'interface',
        expression: /^[ \t]*(?:(?:public|private|protected|internal|sealed)[ \t]+)*interface\s+(?<name>\w+)/gm,
      },
      {
        kind: 'type',
        expression: /^[ \t]*(?:(?:public|private|protected|internal)[ \t]+)*enum\s+(?:class\s+)?(?<name>\w+)/gm,
      },
      {
        kind: 'method',
        expression:
          /^[ \t]+(?:(?:public|private|protected|internal|static|final|abstract|synchronized|override|async|virtual)[ \t]+)+[\w<>[\],.? ]{1,80}\s(?<name>\w+)\s*\(/gm,
      },
      {
        kind: 'function',
        expression:
          /^[ \t]*(?:(?:public|private|internal|override|suspend|inline)[ \t]+)*fun\s+(?:<[^>\n]{1,40}>\s*)?(?:\w+\.)?(?<name>\w+)\s*\(/gm,
      },
      {
        kind: 'constant',
        expression: /^[ \t]+(?:(?:public|private|protected)\s+)?static\s+final\s+[\w<>[\],]{1,60}\s+(?<name>\w+)/gm,
      },
    ],
  },
  {
    extensions: ['rs', 'php', 'swift'],
    ending: 'brackets',
    patterns: [
      {
        kind: 'function',
        expression:
          /^[ \t]*(?:(?:pub(?:\([^)\n]*\))?|public|private|protected|static|async|const|unsafe)[ \t]+)*(?:fn|func|function)\s+(?<name>\w+)/gm,
      },
      {
        kind: 'class',
        expression: /^[ \t]*(?:(?:pub(?:\([^)\n]*\))?|public|final|abstract)[ \t]+)*(?:struct|class)\s+(?<name>\w+)/gm,
      },
      { kind: 'interface', expression: /^[ \t]*(?:pub\s+)?(?:trait|protocol|interface)\s+(?<name>\w+)/gm },
      { kind: 'type', expression: /^[ \t]*(?:pub(?:\([^)\n]*\))?\s+)?(?:enum|type)\s+(?<name>\w+)/gm },
    ],
  },
  {
    extensions: ['sql'],
    ending: 'semicolon',
    patterns: [
      {
        kind: 'table',
        expression:
          /^[ \t]*create\s+(?:unlogged\s+|temp(?:orary)?\s+)?table\s+(?:if\s+not\s+exists\s+)?["`[]?(?<name>[\w.]+)/gim,
      },
      {
        kind: 'other',
        expression:
          /^[ \t]*create\s+(?:or\s+replace\s+)?(?:materialized\s+)?(?:view|type|trigger)\s+(?:if\s+not\s+exists\s+)?["`[]?(?<name>[\w.]+)/gim,
      },
      {
        kind: 'function',
        expression: /^[ \t]*create\s+(?:or\s+replace\s+)?(?:function|procedure)\s+["`[]?(?<name>[\w.]+)/gim,
      },
    ],
  },
  {
    extensions: ['md', 'markdown', 'mdx'],
    ending: 'next-heading',
    patterns: [{ kind: 'heading', expression: /^#{1,6}[ \t]+(?<name>[^\n]{1,200}?)[ \t]*#*[ \t]*$/gm }],
  },
];

const byExtension = new Map(
  languages.flatMap((language) => language.extensions.map((name) => [name, language] as const)),
);

const MAX_SYMBOLS = 2_000;
/** An end further away than this is not looked for. */
const MAX_LENGTH_LINES = 3_000;
const MAX_LENGTH_CHARACTERS = 100_000;
/** Longer lines on average are written by machines. */
const MAX_AVERAGE_LINE = 400;

/** The symbols of a file, in the order of their lines; none for a language without patterns. */
export function scanSymbols(path: string, text: string, lines: readonly string[]): FoundSymbol[] {
  const language = byExtension.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase());
  if (!language || text.length / Math.max(1, lines.length) > MAX_AVERAGE_LINE) return [];
  const found: { name: string; kind: SymbolHit['kind']; at: number }[] = [];
  const taken = new Set<number>();
  for (const { kind, expression } of language.patterns) {
    for (const match of text.matchAll(expression)) {
      const name = match.groups?.['name'];
      if (name === undefined || found.length >= MAX_SYMBOLS) break;
      const at = match.index + match[0].lastIndexOf(name);
      // The first pattern that takes a place names it.
      if (!taken.has(at)) found.push({ name, kind, at });
      taken.add(at);
    }
  }
  found.sort((a, b) => a.at - b.at);
  let line = 1;
  let position = 0;
  return found.map(({ name, kind, at }) => {
    for (let next = text.indexOf('\n', position); next >= 0 && next < at; next = text.indexOf('\n', position)) {
      line += 1;
      position = next + 1;
    }
    return { name, kind, startLine: line, endLine: endOf(language.ending, lines, line) };
  });
}

function endOf(ending: Ending, lines: readonly string[], startLine: number): number {
  const first = lines[startLine - 1] ?? '';
  const last = Math.min(lines.length, startLine + MAX_LENGTH_LINES);
  if (ending === 'brackets') return closingBracket(lines, startLine, last);
  const indent = indentOf(first);
  const level = /^#*/.exec(first)?.[0].length ?? 0;
  let lastFilled = startLine;
  for (let number = startLine; number <= last; number += 1) {
    const line = lines[number - 1] ?? '';
    if (ending === 'semicolon' && line.includes(';')) return number;
    if (line.trim() === '') continue;
    const later = number > startLine;
    if (later && ending === 'next-heading' && /^#{1,6}[ \t]/.test(line) && line.search(/[^#]/) <= level)
      return lastFilled;
    if (later && ending === 'indentation' && indentOf(line) <= indent && !/^\s*[)\]}]/.test(line)) return lastFilled;
    if (later && ending === 'end-word' && indentOf(line) === indent && /^\s*end\b/.test(line)) return number;
    lastFilled = number;
  }
  return ending === 'end-word' || ending === 'semicolon' ? startLine : lastFilled;
}

/** The line where the brackets opened since `startLine` are closed; a statement without any ends on its own line. */
function closingBracket(lines: readonly string[], startLine: number, last: number): number {
  let depth = 0;
  let opened = false;
  let looked = 0;
  for (let number = startLine; number <= last && looked < MAX_LENGTH_CHARACTERS; number += 1) {
    const line = lines[number - 1] ?? '';
    looked += line.length;
    for (let index = 0; index < line.length; index += 1) {
      const code = line.charCodeAt(index);
      // Compared by code: this loop sees every character of the repository.
      if (code === 0x7b || code === 0x28 || code === 0x5b) {
        depth += 1;
        opened = true;
      } else if (code === 0x7d || code === 0x29 || code === 0x5d) depth -= 1;
    }
    if (depth <= 0 && (opened || /[;,]\s*$/.test(line) || number > startLine + 1)) {
      // A signature's own brackets closed, with the body still to come on the next line.
      if (/^\s*\{/.test(lines[number] ?? '')) continue;
      return number;
    }
  }
  return startLine;
}

function indentOf(line: string): number {
  return line.search(/\S|$/);
}
