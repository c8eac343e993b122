/** Refusals of what has no thread to answer in, a label or a reaction: lines of the status note (spec 2: Actions). */
import { sayIn } from './locale.ts';
import { reasonText } from './locales/reasons.ts';
import { code, line, list, mentionOf } from './markdown.ts';

export interface Notice {
  language: string;
  /** Username of who asked. */
  who: string;
  /** What was given: the label's name, or the reaction as `:NAME:`. */
  given: string;
  /** The refusal, as in `renderRefusal`. */
  code: string;
  message: string;
}

/** One line of Markdown. */
export function renderNotice(notice: Notice): string {
  const { text, detail } = reasonText(notice.language, notice.code, notice.message);
  const said = [text, detail].filter((part) => part !== '').map((part) => line(part));
  const head = `${mentionOf(notice.who)} ${code(notice.given)}: ${sayIn(notice.language)('refused')} (${code(notice.code)})`;
  return [head, ...said].join(' — ');
}

/** A note with these lines below its first paragraph. */
export function withNotices(body: string, notices: readonly string[]): string {
  if (notices.length === 0) return body;
  const [head = '', ...rest] = body.split('\n\n');
  return [head, list(notices.map((text) => `⚠️ ${text}`)), ...rest].join('\n\n');
}

/** What `withNotices` was given, whatever lines it put there. */
export function withoutNotices(body: string): string {
  const [head = '', second = '', ...rest] = body.split('\n\n');
  const isLines = second !== '' && second.split('\n').every((told) => told.startsWith('- ⚠️ '));
  return isLines ? [head, ...rest].join('\n\n') : body;
}

/** Of an item that was never planned, and so has no status note: the note that the lines are put into. */
export function renderNoticesOnly(language: string): string {
  return `⚠️ **${sayIn(language)('refused')}**`;
}
