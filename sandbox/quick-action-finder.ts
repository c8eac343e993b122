import MarkdownIt from 'markdown-it';
import { COMMAND_NAMES, SUBSTITUTIONS } from './quick-action-names.ts';
import type { SandboxSettings } from './settings.ts';

export interface Command {
  name: string;
  argument: string;
}

export interface Extracted {
  commands: Command[];
  /** What is left of the text. */
  rest: string;
}

type Reading = Exclude<SandboxSettings['quickActions'], 'both'>;

const NAMES = [...COMMAND_NAMES, ...Object.keys(SUBSTITUTIONS)].join('|');
/** Where a line starts and ends: by newlines alone, as GitLab reads, not by the other separators of JavaScript's `m`. */
const START = String.raw`(?<![^\n])`;
const END = String.raw`(?=\n|$)`;
/** A slash at the very start of a line, a name, and after one blank its argument. */
const COMMAND = String.raw`${START}/(?<cmd>${NAMES})(?: (?<arg>[^\n]*))?(?:[ \t\f\v\n]*\n|[ \t\f\v]*$)`;
const HTML_BLOCK = String.raw`${START}<[^>]+?>\n[\s\S]+?\n</[^>]+?>${END}`;

/** What releases before 17 pass over: fences of three backticks, code over lines, HTML blocks, `>>>` quotes. All else is read. */
const PATTERN = new RegExp(
  [
    `${START}\`\`\`[\\s\\S]+?\\n\`\`\`${END}`,
    `${START}[^\\n]*\`\\n*[\\s\\S]+?\\n*\`${END}`,
    HTML_BLOCK,
    `${START}>>>[\\s\\S]+?\\n>>>${END}`,
    COMMAND,
  ].join('|'),
  'gi',
);

/** What later releases pass over inside of a paragraph. */
const IN_PARAGRAPH = new RegExp(['`[\\s\\S]+?`', HTML_BLOCK, COMMAND].join('|'), 'gi');

const markdown = new MarkdownIt({ html: true });

/**
 * Splits a text into the commands GitLab would carry out and what is left of it. Carriage returns are taken out first, as GitLab does.
 * `both`: what either reading finds; what follows from a command is the same.
 */
export function extractCommands(text: string, reading: SandboxSettings['quickActions'] = 'both'): Extracted {
  const plain = text.replaceAll('\r', '');
  if (!/(?<![^\n])\//.test(plain)) return { commands: [], rest: text };
  const readings: Reading[] = reading === 'both' ? ['markdown', 'pattern'] : [reading];
  const commands: Command[] = [];
  let rest = plain;
  for (const one of readings) {
    const found = one === 'pattern' ? take(rest, PATTERN) : fromParagraphs(rest);
    commands.push(...found.commands);
    rest = found.rest;
  }
  return commands.length > 0 ? { commands, rest: rest.trim() } : { commands, rest: text };
}

/** Only paragraphs at the top level are looked at, so nothing in a list, a quote, a table, HTML or code. */
function fromParagraphs(text: string): Extracted {
  const commands: Command[] = [];
  const lines = text.split('\n');
  const quoted = quoteLines(lines);
  for (const token of markdown.parse(withoutFrontMatter(text), {}).toReversed()) {
    if (token.type !== 'paragraph_open' || token.level !== 0 || !token.map) continue;
    const [start, end] = token.map;
    if (quoted.has(start)) continue;
    const found = take(lines.slice(start, end).join('\n'), IN_PARAGRAPH);
    commands.unshift(...found.commands);
    lines.splice(start, end - start, ...found.rest.split('\n'));
  }
  return { commands, rest: lines.join('\n') };
}

/** Front matter at the start is code for GitLab: blanked, so that the lines keep their numbers. */
function withoutFrontMatter(text: string): string {
  return text.replace(/^(---|\+\+\+|;;;)[^\n]*\n[\s\S]*?\n\1[ \t]*(?=\n|$)/, (matter) =>
    matter.replaceAll(/[^\n]+/g, ''),
  );
}

/** The lines between pairs of `>>>`. */
function quoteLines(lines: readonly string[]): Set<number> {
  const marks = lines.flatMap((line, index) => (/^>>>[ \t]*$/.test(line) ? [index] : []));
  const quoted = new Set<number>();
  for (let pair = 0; pair + 1 < marks.length; pair += 2) {
    for (let line = marks[pair] ?? 0; line <= (marks[pair + 1] ?? 0); line += 1) quoted.add(line);
  }
  return quoted;
}

function take(text: string, pattern: RegExp): Extracted {
  const commands: Command[] = [];
  const rest = text.replace(pattern, (whole: string, ...more: unknown[]) => {
    const groups = more.at(-1) as { cmd?: string; arg?: string };
    if (groups.cmd === undefined) return whole;
    const name = groups.cmd.toLowerCase();
    const argument = (groups.arg ?? '').trim();
    commands.push({ name, argument });
    const sign = SUBSTITUTIONS[name];
    return sign === undefined ? '' : `${argument} ${sign}`.trim() + (whole.endsWith('\n') ? '\n' : '');
  });
  return { commands, rest };
}
