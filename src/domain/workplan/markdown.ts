/** Pieces of Markdown that notes are built of; all of them take untrusted text. */

import { visibleText } from '../text/characters.ts';
import { neutralise } from '../text/clean.ts';
import { neutraliseCode } from '../text/inline.ts';
import { redactSecrets } from '../text/secrets.ts';

/** One harmless line, cut at `max` characters. */
export function line(text: string, max = Number.POSITIVE_INFINITY): string {
  return neutralise(clip(text, max), { inline: true });
}

/** A harmless block, cut at `max` characters; its headings become bold lines, so that the note keeps its outline. */
export function block(text: string, max = Number.POSITIVE_INFINITY): string {
  let fence = '';
  return neutralise(clip(text, max))
    .split('\n')
    .map((one) => {
      const run = /^(?:`{3,}|~{3,})/.exec(one)?.[0] ?? '';
      if (fence === '') fence = run;
      else if (one === fence) fence = '';
      if (fence !== '' || run !== '') return one;
      // A line of - or = would make a heading of the line above.
      if (/^ {0,3}(?:-+|=+)[ \t]*$/.test(one)) return `\\${one.trim()}`;
      return one.replace(/^ {0,3}#{1,6}[ \t]+(.*?)[ \t#]*$/, (_all, title: string) =>
        title === '' ? '' : `**${title.replaceAll('*', '')}**`,
      );
    })
    .join('\n')
    .trim();
}

/** Text as code, on one line; a `|` is escaped for a table's sake. */
export function code(text: string, options: { inTable?: boolean } = {}): string {
  const shown = neutraliseCode(redactSecrets(visibleText(text)).replace(/\s+/g, ' ').trim()) || '?';
  const longest = [...shown.matchAll(/`+/g)].reduce((length, run) => Math.max(length, run[0].length), 0);
  const fence = '`'.repeat(longest + 1);
  const padded = shown.startsWith('`') || shown.endsWith('`') ? ` ${shown} ` : shown;
  return fence + (options.inTable ? padded.replaceAll('|', '\\|') : padded) + fence;
}

/** A link when the address is one of http(s) or an anchor of the page, else the label alone. `label` is Markdown already. */
export function link(label: string, url: string | null | undefined): string {
  const address = visibleText(url ?? '');
  if (!/^(?:https?:\/\/|#)[^\s]+$/.test(address)) return label;
  return `[${label}](${address.replace(/[<>()\\`|@[\]"']/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)})`;
}

/** `@username` when it is one; anything else as a harmless line. */
export function mentionOf(username: string): string {
  return /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?$/.test(username) && username.toLowerCase() !== 'all'
    ? `@${username}`
    : line(username);
}

/** A list, each item one line. */
export function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

/** A table; cells are Markdown already, with `|` escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** A folded part. The blank lines let Markdown work inside. */
export function details(summary: string, body: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

/** At most `max` characters, whole ones, with a sign where it was cut. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text
    .slice(0, max)
    .toWellFormed()
    .replace(/\ufffd$/, '')
    .trimEnd()}…`;
}
