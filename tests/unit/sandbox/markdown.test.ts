import { expect, test } from 'vitest';
import { renderMarkdown } from '../../../sandbox/pages/markdown.ts';

test.each([
  ['a script', '<script>alert(1)</script>'],
  ['a script inside a table', '| a |\n|---|\n| <script>alert(1)</script> |'],
  ['a picture with a handler', '<img src=x onerror=alert(1)>'],
  ['a frame', '<iframe src="https://evil.example"></iframe>'],
  ['a style', '<style>body{display:none}</style>'],
  ['a form', '<form action="https://evil.example"><button>x</button></form>'],
  ['a script in a drawing', '<svg><script>alert(1)</script></svg>'],
  ['a script split by a comment', '<scr<!-- -->ipt>alert(1)</scr<!-- -->ipt>'],
])('%s is shown as text or not at all', (_what, text) => {
  expect(renderMarkdown(text)).not.toMatch(/<(script|img|iframe|style|form|button|svg)/i);
});

test.each([
  ['a handler on an allowed tag', '<details open ontoggle=alert(1)>x</details>'],
  ['a style on an allowed tag', '<p style="position:fixed">x</p>'],
])('%s loses its attributes', (_what, text) => {
  expect(renderMarkdown(text)).not.toMatch(/ontoggle|style=/);
});

test('a link that would run something is no link', () => {
  expect(renderMarkdown('[x](javascript:alert(1))')).not.toContain('<a ');
});

test('a remote picture becomes a link', () => {
  const html = renderMarkdown('![pic](https://pictures.example/p.png)');

  expect(html).not.toContain('<img');
  expect(html).toContain('<a class="image" href="https://pictures.example/p.png"');
});

test.each([
  ['of one line', 'a <!-- secret --> b'],
  ['of many lines', '<!--\nsecret\n\nsecret\n-->\n\nb'],
  ['that never ends', 'b\n\n<!-- secret'],
])('a comment %s is invisible', (_what, text) => {
  const html = renderMarkdown(text);

  expect(html).not.toContain('secret');
  expect(html).toContain('b');
});

test('details and their Markdown are rendered', () => {
  const html = renderMarkdown('<details><summary>More</summary>\n\n**bold**\n\n</details>');

  expect(html).toContain('<details><summary>More</summary>');
  expect(html).toContain('<strong>bold</strong>');
});

test('what raw HTML leaves open is closed at the end of the text', () => {
  expect(renderMarkdown('<details><summary>More')).toMatch(/<\/summary><\/details>\s*$/);
});

test('task lists have boxes', () => {
  const html = renderMarkdown('- [ ] open\n- [x] done\n- none');

  expect(html.match(/<input type="checkbox" disabled>/g)).toHaveLength(1);
  expect(html.match(/<input type="checkbox" disabled checked>/g)).toHaveLength(1);
});

test('a fence is shown as it stands, with its language', () => {
  const html = renderMarkdown('```mermaid\nA --> B\n@alice <b>\n```');

  expect(html).toContain('<span class="language">mermaid</span>');
  expect(html).toContain('A --&gt; B\n@alice &lt;b&gt;');
});

test('mentions stand out, e-mail addresses do not', () => {
  const html = renderMarkdown('@alice, write to x@alice.example');

  expect(html.match(/class="mention"/g)).toHaveLength(1);
});
