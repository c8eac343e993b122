/**
 * The one gate for text that a model or a person wrote and the service posts (spec 2: Notes on the item). GitLab runs a quick action
 * at a line's first column outside of blocks it takes for code, and reads mentions, references and comments from the same text; what
 * counts as code differs between its versions. So nothing here depends on that: a line never begins with `/`, not even in code.
 */
import { endsFence, fenceStart, safeInfo } from './blocks.ts';
import { visibleText } from './characters.ts';
import { stripComments } from './comments.ts';
import { BREAK, type InlineRules, neutraliseCode, neutraliseLine } from './inline.ts';
import { redactSecrets } from './secrets.ts';

export interface CleanOptions {
  /** The answer is one line that can stand in a list item, a heading or a table cell. */
  inline?: boolean;
  /** Usernames that may be mentioned; `all` never. */
  mentions?: readonly string[];
}

/** Spaces, list markers, quotes, headings, task boxes and emphasis that may stand before a line's first word. */
const LINE_LEAD = /^((?:[\s>*+\-#|:_~=•]|\d{1,9}[.)]|\[[ xX~]?\])*)\//;
const BLOCK_START = /^(?:[#>=|~]|[-+*_](?=[\s\-+*_]|$)|\[[ xX~]?\])/;
/** GitLab's quote or alert over lines, which would swallow what stands below it, wherever a block can begin. */
const QUOTE_FENCE = /^((?:[\s>*+-]|\d{1,9}[.)])*)(?:\[!|$)/;
/** A bracket that begins a paragraph. */
const FIRST_BRACKET = /^((?:[\s>*+-]|\d{1,9}[.)])*)\[/;
/** What begins front matter when it is the first line of all. */
const FRONT_MATTER = /^(?:---|\+\+\+|;;;)/;
const NUMBER_START = /^(\d{1,9})([.)])(?=\s|$)/;

/**
 * Markdown without effect: no secret, quick action, mention, closing keyword, remote image, raw HTML, comment, marker, hidden definition or
 * invisible character; the words stay. Code fences stay and are closed. Idempotent, linear in the length of the text.
 */
export function neutralise(markdown: string, options: CleanOptions = {}): string {
  // Again after comments went: what stood before a selector or joiner may be gone.
  const visible = redactSecrets(visibleText(stripComments(visibleText(markdown).replaceAll(BREAK, ''))));
  const mentions = new Set((options.mentions ?? []).map((name) => name.toLowerCase()));
  if (options.inline) return oneLine(visible, { mentions, inTable: true, escapePipes: true });
  return blocks(visible, { mentions, inTable: visible.split('\n').some(isTableRule), escapePipes: false });
}

function oneLine(text: string, rules: InlineRules): string {
  const joined = text.replace(/\s+/g, ' ').trim();
  const started = joined.replace(BLOCK_START, '\\$&').replace(NUMBER_START, '$1\\$2');
  const line = neutraliseLine(withoutDefinition(started.replace(LINE_LEAD, '$1\\/')), rules);
  const slashes = /(?<!\\)\\*$/.exec(line)?.[0].length ?? 0;
  return slashes % 2 === 0 ? line : `${line}\\`;
}

function blocks(text: string, rules: InlineRules): string {
  const out: string[] = [];
  let fence: string | null = null;
  for (const line of text.split('\n')) {
    if (fence !== null) {
      const ends = endsFence(line, fence);
      out.push(ends ? fence : neutraliseCode(line.startsWith('/') ? ` ${line}` : line));
      if (ends) fence = null;
      continue;
    }
    const start = fenceStart(line);
    if (start === null) {
      out.push(textLine(line, rules));
      continue;
    }
    if (start.lead !== '') out.push(start.lead);
    out.push(start.run + safeInfo(start.info));
    fence = start.run;
  }
  if (fence !== null) out.push(fence);
  // What stood before it may be gone by now.
  return out.join('\n').replace(FRONT_MATTER, '\\$&');
}

/**
 * A definition is read before code is: its label may go on over lines, and may end inside of what is a code span otherwise, where nothing
 * can be escaped. Then its first bracket is.
 */
function withoutDefinition(line: string): string {
  const mayBegin = !line.includes(']') || (line.includes('`') && line.includes(']:'));
  return mayBegin ? line.replace(FIRST_BRACKET, '$1\\[') : line;
}

function textLine(line: string, rules: InlineRules): string {
  if (QUOTE_FENCE.exec(line)?.[1]?.includes('>>>')) return neutraliseLine(line.replace(/>{3,}/, '\\$&'), rules);
  return neutraliseLine(withoutDefinition(line.replace(LINE_LEAD, '$1\\/')), rules);
}

/** May GitLab read this line as the one between a table's head and body? The last quote sign stands before the last dash. */
function isTableRule(line: string): boolean {
  return /^[\s>|:-]*$/.test(line) && line.lastIndexOf('-') > line.lastIndexOf('>');
}
