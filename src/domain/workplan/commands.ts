/** Actions given by comment (spec 2: Actions): `/workplan ACTION` on a line of its own, or `@BOT ACTION`. */
import { endsFence, fenceStart } from '../text/blocks.ts';
import { visibleText } from '../text/characters.ts';

export const ACTIONS = ['plan', 'continue', 'cancel', 'replan', 'approve', 'reject'] as const;
export type Action = (typeof ACTIONS)[number];

/** A command, or the word that is no action, so that the person can be told. */
export type Command = { action: Action; argument: string } | { unknown: string };

/**
 * The first command of a note; null: it carries none. Lines in code fences, quotes and HTML comments do not count. A line that begins with `/workplan`
 * always means a command; after `@BOT` only a known action, or a single word, does — people also talk to a bot.
 */
export function parseCommand(noteBody: string, botUsername: string): Command | null {
  for (const line of shownLines(proseLines(noteBody))) {
    const command = lineCommand(line, botUsername);
    if (command) return command;
  }
  return null;
}

/** Is this line a command, known or not? */
export function isCommandLine(line: string, botUsername: string): boolean {
  return lineCommand(line, botUsername) !== null;
}

/** The lines of a note outside code fences, quotes and indented code. */
export function proseLines(body: string): string[] {
  const lines: string[] = [];
  let fence: string | null = null;
  let quoted = false;
  for (const line of visibleText(body).split('\n')) {
    if (fence !== null) {
      if (endsFence(line, fence)) fence = null;
      continue;
    }
    if (/^ {0,3}>>>\s*$/.test(line)) {
      quoted = !quoted;
      continue;
    }
    fence = quoted ? null : (fenceStart(line)?.run ?? null);
    if (fence !== null || quoted || /^\s*>/.test(line)) continue;
    lines.push(line);
  }
  return lines;
}

/**
 * Those of the lines that begin outside of an HTML comment: what nobody can see asks for nothing. A comment that begins a line goes on to its
 * end, or to the end of the text; one within a line only where it ends in the same paragraph.
 */
function shownLines(lines: readonly string[]): string[] {
  const [inText, inParagraph] = [closings(lines, 'text'), closings(lines, 'paragraph')];
  const shown: string[] = [];
  /** The line in which the comment ends; null: none is open. */
  let until: number | null = null;
  for (const [index, line] of lines.entries()) {
    const hidden = until !== null && index <= until;
    if (!hidden) shown.push(line);
    if (until !== null && index < until) continue;
    const rest: string = hidden ? line.slice(line.indexOf('-->') + 3) : line;
    const open = rest.lastIndexOf('<!--');
    if (open < 0 || rest.includes('-->', open)) until = null;
    else if (!hidden && /^ {0,3}<!--/.test(rest)) until = inText[index + 1] ?? lines.length;
    else until = inParagraph[index + 1] ?? null;
  }
  return shown;
}

/** For each line the next, itself included, in which a comment ends; null: none does. `within`: of the same paragraph only. */
function closings(lines: readonly string[], within: 'paragraph' | 'text'): (number | null)[] {
  const ends: (number | null)[] = [];
  let next: number | null = null;
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const line = lines[index] ?? '';
    if (line.includes('-->')) next = index;
    else if (within === 'paragraph' && line.trim() === '') next = null;
    ends[index] = next;
  }
  return ends;
}

function lineCommand(line: string, botUsername: string): Command | null {
  const slash = /^ {0,3}\/workplan(?![\w-])[^\S\n]*(.*)$/i.exec(line);
  if (slash) return read(slash[1] ?? '') ?? { unknown: '' };
  const name = botUsername.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const mention =
    botUsername === '' ? null : new RegExp(`^ {0,3}@${name}(?![\\w./-]*\\w)[,:]?[^\\S\\n]+(.*)$`, 'i').exec(line);
  if (!mention) return null;
  const command = read(mention[1] ?? '');
  if (!command || 'action' in command) return command;
  return /^\s*[\p{L}-]+[.!]?\s*$/u.test(mention[1] ?? '') ? command : null;
}

function read(text: string): Command | null {
  const [, word = '', argument = ''] = /^\s*(\S+)\s*(.*)$/.exec(text) ?? [];
  if (word === '') return null;
  const action = ACTIONS.find((known) => known === word.toLowerCase().replace(/(?<![.!,:;])[.!,:;]+$/, ''));
  return action ? { action, argument: argument.trim() } : { unknown: word.slice(0, 40).toWellFormed() };
}
