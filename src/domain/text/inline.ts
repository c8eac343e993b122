/** One line of Markdown made harmless: mentions, closing keywords, images, raw HTML, hidden definitions, math, entities. */
import { type BacktickRuns, backtickRuns, runLength } from './backticks.ts';

export interface InlineRules {
  /** Usernames that may be mentioned, lower case. */
  mentions: ReadonlySet<string>;
  /** A `|` may end a table cell, and with it a code span. */
  inTable: boolean;
  /** Escape `|`: the line goes into a table cell or beside one. */
  escapePipes: boolean;
}

/** A zero-width space as an entity: the rendered words look the same, and no reader of the source finds a name or a keyword. */
export const BREAK = '&#8203;';

const SAFE_ENTITY = /&(?:amp|lt|gt|quot|apos|nbsp|copy|times|hellip|mdash|ndash|rarr|larr|#39);/y;
const ENTITY = /&(?:#\d{1,8}|#[xX][0-9a-fA-F]{1,8}|[A-Za-z][A-Za-z0-9]{1,40});/y;
const AUTOLINK = /<((?:https?:\/\/|mailto:)[^\s<>`]*|[\w.+-]+@[\w.-]+)>/iy;
const WWW = /www\./iy;
const NAME = /[A-Za-z0-9_.][A-Za-z0-9_.\-/]*/y;
const PUNCTUATION = /[!-/:-@[-`{-~]/;

const KEYWORD = '\\b(clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?)(:?)';
const CLOSES_REFERENCE = new RegExp(
  `${KEYWORD}(?=[^\\S\\n]+(?:issues?[^\\S\\n]+)?(?:[\\w./-]*(?:#+|&|!)\\d|[<(\\[]*https?:|\\[[a-z_]+:))`,
  'gi',
);
const CLOSES_TICKET = new RegExp(
  `${KEYWORD.replace('clos', '[Cc]los').replace('fix', '[Ff]ix').replace('resolv', '[Rr]esolv').replace('implement', '[Ii]mplement')}(?=[^\\S\\n]+(?:[Ii]ssues?[^\\S\\n]+)?[A-Z][A-Z0-9_]+-\\d)`,
  'g',
);

/** Keywords that close an issue or a ticket, parted from its reference. In code an entity would be read as written, so a dot parts them. */
export function breakClosing(text: string, code: boolean): string {
  const parted = code ? '$1$2 ·' : `$1$2${BREAK}`;
  return text.replace(CLOSES_REFERENCE, parted).replace(CLOSES_TICKET, parted);
}

/** `[TOC]` and `[[_TOC_]]`, which GitLab finds in the rendered words, so that a backslash keeps it from nothing. */
const CONTENTS = /(\[[_*~\\]*)(toc)(?=[_*~\\]*\])/gi;

function breakWords(text: string): string {
  return breakClosing(text, false).replace(CONTENTS, `$1${BREAK}$2`);
}

/** What stands in code is shown as it is, but whoever searches the source for a marker or a payload must not find a forged one. */
export function neutraliseCode(code: string): string {
  return breakClosing(code, true).replaceAll('<!--', '<! --').replaceAll('json:duo-', 'json: duo-');
}

/** The line, harmless. Every backtick of the answer belongs to a code span of this line or is escaped. Linear, idempotent. */
export function neutraliseLine(line: string, rules: InlineRules): string {
  const runs = backtickRuns(line);
  let out = '';
  let text = '';
  let at = 0;
  let inUrl = false;
  let linkEnd = -1;
  while (at < line.length) {
    const char = line.charAt(at);
    const next = line.charAt(at + 1);
    if (char === '`') {
      const length = runLength(line, at);
      if (inUrl) {
        // A bare address swallows backticks: no code span begins in it.
        text += '%60'.repeat(length);
        at += length;
        continue;
      }
      const span = codeSpan(line, at, length, runs, rules);
      if (span === null) {
        text += '\\`'.repeat(length);
        at += length;
      } else {
        out += breakWords(text) + neutraliseCode(span);
        text = '';
        at += span.length;
      }
      continue;
    }
    let taken = 1;
    let piece = '';
    if (char === '\\' && next !== '@' && PUNCTUATION.test(next)) {
      piece = next === '<' ? '&lt;' : char + next;
      taken = 2;
    } else if (char === '<') {
      const link = stickyMatch(AUTOLINK, line, at);
      if (link !== '') linkEnd = at + link.length - 1;
      // The brackets of an address behind it go: it would stand before the address.
      else if (next === '<' && stickyMatch(AUTOLINK, line, at + 1) !== '') piece = '&lt;';
      else piece = /[A-Za-z/!?]/.test(next) ? '&lt;' : '<';
    } else if (char === '>' && at === linkEnd) {
      piece = /^[\s).,;:!?]?$/.test(next) ? '' : ' ';
    } else if (char === '@') {
      piece = mention(line, at, inUrl, rules);
    } else if (char === '&') {
      const known = stickyMatch(SAFE_ENTITY, line, at);
      piece = known === '' && stickyMatch(ENTITY, line, at) !== '' ? '&amp;' : known || char;
      taken = known.length || 1;
    } else {
      piece = opensOddLink(line, at) ? ']\\' : escaped(char, next, rules);
    }
    if ((char === ':' && line.startsWith('//', at + 1)) || stickyMatch(WWW, line, at) !== '') inUrl = true;
    else if (piece === '<' || /\s$/.test(piece)) inUrl = false;
    text += piece;
    at += taken;
  }
  return out + breakWords(text);
}

/** The code span that begins at `at`; null when the backticks are only characters, or might be for a table's reader. */
function codeSpan(line: string, at: number, length: number, runs: BacktickRuns, rules: InlineRules): string | null {
  const close = runs.next(length, at + length, line.length);
  if (close < 0) return null;
  const span = line.slice(at, close + length);
  return rules.inTable && span.includes('|') ? null : span;
}

/** `@`, parted from what follows unless it is an address, a name that may be mentioned, or a link's part. */
function mention(line: string, at: number, inUrl: boolean, rules: InlineRules): string {
  if (/[A-Za-z0-9]/.test(line.charAt(at - 1))) return '@';
  if (/^\s?$/.test(line.charAt(at + 1))) return '@';
  if (inUrl) return '%40';
  const name = stickyMatch(NAME, line, at + 1)
    .replace(/(?<![./-])[./-]+$/, '')
    .toLowerCase();
  return rules.mentions.has(name) && name !== 'all' ? '@' : `@${BREAK}`;
}

const DESTINATION = /\]\(\s*(?:$|(?:(?:<|&lt;)\s*)?([^\s()/?#:]*):)/y;
const PLAIN_SCHEMES: ReadonlySet<string> = new Set(['http', 'https', 'mailto']);

/** Does a link begin behind this bracket that leads neither to a page, an address nor a place beside the item? */
function opensOddLink(line: string, at: number): boolean {
  if (line.charAt(at) !== ']' || line.charAt(at + 1) !== '(') return false;
  DESTINATION.lastIndex = at;
  const found = DESTINATION.exec(line);
  return found !== null && !PLAIN_SCHEMES.has((found[1] ?? '').replaceAll('\\', '').toLowerCase());
}

/** A character that begins an image, a hidden definition, a wiki link or math, with a backslash. */
function escaped(char: string, next: string, rules: InlineRules): string {
  if (char === '!' && next === '[') return '\\!';
  if (char === '[' && next === '[') return '\\[';
  if (char === ']' && next === ':') return ']\\';
  if (char === '$' || (char === '|' && rules.escapePipes)) return `\\${char}`;
  return char;
}

/** What the sticky `pattern` matches at `at`, or nothing. */
function stickyMatch(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
