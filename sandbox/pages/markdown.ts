import MarkdownIt from 'markdown-it';

/** Tags that may stand in a text as raw HTML, always without attributes (but `open` on `details`). All else is shown as text. */
const ALLOWED = new Set([
  'b',
  'blockquote',
  'br',
  'code',
  'dd',
  'del',
  'details',
  'dl',
  'dt',
  'em',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'i',
  'ins',
  'kbd',
  'li',
  'ol',
  'p',
  'pre',
  's',
  'samp',
  'strong',
  'sub',
  'summary',
  'sup',
  'table',
  'tbody',
  'td',
  'th',
  'thead',
  'tr',
  'ul',
  'var',
]);
const VOID = new Set(['br', 'hr']);

const md = new MarkdownIt({ html: true, linkify: true, breaks: false });

export function escapeHtml(text: string): string {
  return md.utils.escapeHtml(text);
}

/** What raw HTML left open so far in one text, so that nothing leaks out of it. */
interface RenderEnv {
  open: string[];
}

/** Keeps allowed tags, drops comments, shows everything else as the text it is. */
function sanitize(html: string, env: RenderEnv): string {
  let out = '';
  let at = 0;
  for (const match of html.matchAll(/<!--[\s\S]*?(?:-->|$)|<(\/?)([a-zA-Z][a-zA-Z0-9]*)((?:\s[^<>]*)?)\/?>/g)) {
    out += escapeHtml(html.slice(at, match.index));
    at = match.index + match[0].length;
    if (match[0].startsWith('<!--')) continue;
    const tag = (match[2] ?? '').toLowerCase();
    if (!ALLOWED.has(tag)) out += escapeHtml(match[0]);
    else if (match[1] === '/') out += closeTag(tag, env);
    else {
      if (!VOID.has(tag)) env.open.push(tag);
      out += tag === 'details' && /\sopen\b/.test(match[3] ?? '') ? '<details open>' : `<${tag}>`;
    }
  }
  return out + escapeHtml(html.slice(at));
}

/** Closes down to the tag; one that was never opened is dropped. */
function closeTag(tag: string, env: RenderEnv): string {
  const from = env.open.lastIndexOf(tag);
  if (from < 0) return '';
  return env.open
    .splice(from)
    .reverse()
    .map((open) => `</${open}>`)
    .join('');
}

md.renderer.rules['html_block'] = (tokens, index, _options, env: RenderEnv) =>
  sanitize(tokens[index]?.content ?? '', env);
md.renderer.rules['html_inline'] = (tokens, index, _options, env: RenderEnv) =>
  sanitize(tokens[index]?.content ?? '', env);

// A picture would be a request to somebody else's server: it becomes a link.
md.renderer.rules['image'] = (tokens, index) => {
  const token = tokens[index];
  const label = escapeHtml(token?.content || 'image');
  return `<a class="image" href="${escapeHtml(String(token?.attrGet('src') ?? ''))}" rel="nofollow noreferrer">${label}</a>`;
};

md.renderer.rules['fence'] = (tokens, index) => {
  const token = tokens[index];
  const language = token?.info.trim().split(/\s+/)[0] ?? '';
  const caption = language === '' ? '' : `<span class="language">${escapeHtml(language)}</span>`;
  return `<div class="fence">${caption}<pre><code>${escapeHtml(token?.content ?? '')}</code></pre></div>\n`;
};

md.renderer.rules['table_open'] = () => '<div class="scroll"><table>';
md.renderer.rules['table_close'] = () => '</table></div>';

md.renderer.rules['link_open'] = (tokens, index, options, _env, self) => {
  tokens[index]?.attrSet('rel', 'nofollow noreferrer');
  return self.renderToken(tokens, index, options);
};

// `[ ]` and `[x]` at the start of a list item are boxes; @name at a word's start is a person.
md.core.ruler.push('gitlab', (state) => {
  state.tokens.forEach((token, index) => {
    if (token.type !== 'inline' || !token.children) return;
    const first = token.children[0];
    const box = /^\[([ xX~])\]\s+/.exec(first?.content ?? '');
    const item = state.tokens[index - 2];
    if (first?.type === 'text' && box && item?.type === 'list_item_open') {
      item.attrJoin('class', 'task');
      first.content = first.content.slice(box[0].length);
      const input = new state.Token('task_box', '', 0);
      input.meta = box[1] !== ' ';
      token.children.unshift(input);
    }
    let depth = 0;
    token.children = token.children.flatMap((child) => {
      depth += child.type === 'link_open' ? 1 : child.type === 'link_close' ? -1 : 0;
      if (child.type !== 'text' || depth > 0) return [child];
      return child.content.split(/((?<![\w@])@[A-Za-z0-9_][\w.-]*\w)/).map((part, place) => {
        const piece = new state.Token(place % 2 === 1 ? 'mention' : 'text', '', 0);
        piece.content = part;
        return piece;
      });
    });
  });
});
md.renderer.rules['task_box'] = (tokens, index) =>
  `<input type="checkbox" disabled${tokens[index]?.meta === true ? ' checked' : ''}> `;
md.renderer.rules['mention'] = (tokens, index) =>
  `<span class="mention">${escapeHtml(tokens[index]?.content ?? '')}</span>`;

const EMOJI: Record<string, string> = {
  slight_smile: '🙂',
  thumbsup: '👍',
  thumbsdown: '👎',
  tada: '🎉',
  eyes: '👀',
  white_check_mark: '✅',
  warning: '⚠️',
  heart: '❤️',
  rocket: '🚀',
  arrow_forward: '▶️',
  stop_button: '⏹️',
  repeat: '🔁',
  one: '1️⃣',
  two: '2️⃣',
  three: '3️⃣',
  four: '4️⃣',
  five: '5️⃣',
  six: '6️⃣',
  seven: '7️⃣',
  eight: '8️⃣',
  nine: '9️⃣',
  ten: '🔟',
  question: '❓',
  memo: '📝',
};

/** The sign of an emoji's name; an unknown one stays as `:name:`. */
export function emojiSign(name: string): string {
  return EMOJI[name] ?? `:${name}:`;
}

md.core.ruler.push('emoji', (state) => {
  for (const token of state.tokens) {
    for (const child of token.children ?? []) {
      if (child.type === 'text') child.content = child.content.replace(/:([a-z_]+):/g, (_all, name) => emojiSign(name));
    }
  }
});

/** Renders GitLab-flavoured Markdown to HTML that holds no script, style, form, frame or picture. */
export function renderMarkdown(text: string): string {
  const env: RenderEnv = { open: [] };
  const html = md.render(text, env);
  return (
    html +
    env.open
      .reverse()
      .map((tag) => `</${tag}>`)
      .join('')
  );
}
