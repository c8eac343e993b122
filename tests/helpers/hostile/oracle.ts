/** What GitLab would do with a text, as strictly as any of its versions: used to judge cleaned text, never to clean it. */

import type { Token } from 'markdown-it';
import MarkdownIt from 'markdown-it';

const markdown = new MarkdownIt({ html: true, linkify: true });
// It refuses links that run; to see one it must not.
markdown.validateLink = () => true;

/** Everything that would act, be embedded, or be hidden in this text, in words; empty when it is harmless. */
export function effects(text: string): string[] {
  return [...lineEffects(text), ...sourceEffects(text), ...renderedEffects(text)];
}

function lineEffects(text: string): string[] {
  const found: string[] = [];
  let fence = '';
  for (const line of text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)) {
    if (/^\//.test(line)) found.push(`quick action at the first column: ${line}`);
    const run = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence === '') {
      if (/^(?:[\s>*+#-]|\d+[.)]|\[[ x]\])*\/[a-z]/i.test(line)) found.push(`quick action after a marker: ${line}`);
      fence = run;
    } else if (run.startsWith(fence) && line.trim() === run) fence = '';
  }
  return found;
}

function sourceEffects(text: string): string[] {
  const found: string[] = [];
  if (/<!--/.test(text)) found.push('a comment');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: controls must not be there
  if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text)) found.push('a control character');
  if (/[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad\u{e0000}-\u{e007f}]/u.test(text))
    found.push('an invisible character');
  if (/^(?: |>|[*+-] |\d{1,9}[.)] )*>{3,}[ \t]*(?:\[!|$)/m.test(outsideOfFences(text)))
    found.push('a quote over lines');
  if (/^(?:---|\+\+\+|;;;)[^\n]*\n[\s\S]*?\n(?:---|\+\+\+|;;;)[ \t]*(?:\n|$)/.test(text)) found.push('front matter');
  if (/\$\S/.test(plainText(text))) found.push('math');
  if (!text.isWellFormed()) found.push('a lone surrogate');
  const closing =
    /\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?):? +(?:issues? +)?(?:[\w./-]*#\d|https?:\/\/)/i.exec(
      text,
    );
  if (closing) found.push(`closing keyword: ${closing[0]}`);
  if (/json:duo-question|planwright:.*-->|duo-answer:.*-->/.test(text) && /^ {0,3}(?:```json:duo|<!--)/m.test(text))
    found.push('a forged payload');
  return found;
}

function renderedEffects(text: string): string[] {
  const environment: { references?: Record<string, unknown> } = {};
  const found: string[] = [];
  const walk = (tokens: Token[]) => {
    let inLink = 0;
    for (const token of tokens) {
      if (token.type === 'html_inline' || token.type === 'html_block') found.push(`raw HTML: ${token.content}`);
      if (token.type === 'image') found.push(`image: ${token.attrGet('src')}`);
      if (token.type === 'link_open') {
        inLink += 1;
        if (/^(?:javascript|vbscript|data|file):/i.test(token.attrGet('href') ?? '')) found.push('a link that runs');
      }
      if (token.type === 'fence' && ACTIVE.test(token.info) && !isOurDiagram(token))
        found.push(`a drawn block: ${token.info}`);
      // GitLab looks at the rendered words: a backslash before a bracket changes nothing for it.
      if (token.type === 'inline' && /^\[(?:toc|\[_toc_\])\]$/i.test(renderedWords(token)))
        found.push('a table of contents');
      if (token.type === 'link_close') inLink -= 1;
      if (token.type === 'text') {
        const mention = /(?<![A-Za-z0-9_])@[A-Za-z0-9_.]/.exec(token.content);
        if (mention && inLink === 0) found.push(`mention: ${token.content}`);
      }
      if (token.children) walk(token.children);
    }
  };
  walk(markdown.parse(text, environment));
  if (Object.keys(environment.references ?? {}).length > 0) found.push('a hidden definition');
  return found;
}

/** Code blocks that GitLab draws, computes or applies. */
const ACTIVE =
  /^\s*(?:mermaid|plantuml|kroki|graphviz|dot|ditaa|d2|vega|vegalite|math|latex|suggestion|glql|json:|duo|.*frontmatter)/i;

/** The plan's own: nodes whose labels hold nothing that Mermaid reads and no mention, and arrows between them. */
function isOurDiagram({ info, content }: Token): boolean {
  return info === 'mermaid' && /^flowchart LR\n(?: {2}u\d+(?:\["[^"`<>;[\]{}|\\$@\n]*"\]| --> u\d+)\n)+$/.test(content);
}

/** One paragraph's words; emphasis as it is written. */
function renderedWords(token: Token): string {
  const marks: Record<string, string> = { em_open: '_', em_close: '_' };
  return (token.children ?? []).map((child) => marks[child.type] ?? child.content).join('');
}

/** The lines that stand in no fence, whoever closes it. */
function outsideOfFences(text: string): string {
  const fenced = markdown.parse(text, {}).flatMap(({ type, map }) => (type === 'fence' && map ? [map] : []));
  return text
    .split('\n')
    .filter((_line, index) => !fenced.some(([start, end]) => index >= start && index < end))
    .join('\n');
}

/** Characters that were written with a backslash stay apart from the others. */
const apart = new MarkdownIt({ html: true });
apart.core.ruler.disable('text_join');

/** The text of paragraphs, headings and cells that is not escaped; code is only said to be there. */
function plainText(text: string): string {
  return apart
    .parse(text, {})
    .flatMap(({ children }) => children ?? [])
    .map(({ type, content }) => (type === 'text' ? content : type === 'code_inline' ? 'code' : '\n'))
    .join('');
}

/** The words a reader sees: text and code of the rendered Markdown. */
export function visibleWords(text: string): string {
  const words: string[] = [];
  const walk = (tokens: Token[]) => {
    for (const token of tokens) {
      if (token.children) walk(token.children);
      else if (token.content !== '') words.push(token.content);
      else if (token.type === 'softbreak' || token.type === 'hardbreak') words.push('\n');
    }
  };
  walk(markdown.parse(text, {}));
  return words.join('');
}
