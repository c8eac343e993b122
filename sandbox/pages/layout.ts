import { createHash } from 'node:crypto';
import { escapeHtml } from './markdown.ts';
import { STYLE } from './style.ts';

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

// `#L3-9` names no element: this one marks the lines on a file's page, and nothing else runs anywhere.
const MARK_LINES = `
function mark() {
  const range = /^#L(\\d+)(?:-L?(\\d+))?$/.exec(location.hash);
  for (const row of document.querySelectorAll('.marked')) row.classList.remove('marked');
  if (!range) return;
  const from = Number(range[1]);
  const to = Number(range[2] ?? range[1]);
  for (let line = from; line <= to; line += 1) document.getElementById('L' + line)?.classList.add('marked');
  document.getElementById('L' + from)?.scrollIntoView({ block: 'center' });
}
addEventListener('hashchange', mark);
mark();
`;

const BASE_POLICY = `default-src 'none'; img-src data:; style-src ${hashOf(STYLE)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** The policy of a page; only a file's page may run its one script. */
export function policy(withLineScript: boolean): string {
  return withLineScript ? `${BASE_POLICY}; script-src ${hashOf(MARK_LINES)}` : BASE_POLICY;
}

/** A whole page around `content`, which is HTML already. */
export function page(input: { title: string; content: string; lineScript?: boolean; lang?: string }): string {
  return `<!doctype html>
<html lang="${input.lang ?? 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(input.title)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<header><div><a href="/"><strong>GitLab sandbox</strong></a> <span>A stand-in for GitLab with made-up data. Everybody who reaches this address may read these pages, private projects and internal notes included; nothing can be changed here.</span></div></header>
<main>
${input.content}
</main>
<footer>Everything here is kept in memory and gone when the sandbox stops.</footer>
${input.lineScript ? `<script>${MARK_LINES}</script>` : ''}
</body>
</html>
`;
}
