import { levelOf } from '../access.ts';
import type { Award, Commit, Discussion, Issue, Note, Project } from '../model.ts';
import { historyOf, resolveRef } from '../repository.ts';
import type { SandboxState } from '../state.ts';
import { page } from './layout.ts';
import { emojiSign, escapeHtml, renderMarkdown } from './markdown.ts';

/** `2026-01-12 09:07` in UTC. */
function time(iso: string, href?: string): string {
  const text = `${iso.slice(0, 16).replace('T', ' ')} UTC`;
  const inner = href === undefined ? text : `<a href="${escapeHtml(href)}">${text}</a>`;
  return `<time datetime="${escapeHtml(iso)}">${inner}</time>`;
}

function author(state: SandboxState, project: Project, id: number): string {
  const user = state.user(id);
  const level = levelOf(project, user);
  const roles: Record<number, string> = {
    10: 'Guest',
    15: 'Planner',
    20: 'Reporter',
    30: 'Developer',
    40: 'Maintainer',
    50: 'Owner',
  };
  const role = user.bot ? 'Bot' : (roles[level] ?? 'no member');
  const initial = escapeHtml(user.name.charAt(0).toUpperCase());
  return `<span class="avatar" aria-hidden="true">${initial}</span><strong>${escapeHtml(user.name)}</strong> <span>@${escapeHtml(user.username)}</span> <span class="badge">${role}</span>`;
}

function awards(state: SandboxState, list: readonly Award[]): string {
  if (list.length === 0) return '';
  const byName = Map.groupBy(list, (award) => award.name);
  const chips = [...byName].map(([name, given]) => {
    const who = given.map((award) => state.user(award.userId).username).join(', ');
    return `<span title="${escapeHtml(`:${name}: ${who}`)}">${escapeHtml(emojiSign(name))} ${given.length}</span>`;
  });
  return `<div class="awards">${chips.join('')}</div>`;
}

function noteView(state: SandboxState, project: Project, note: Note, resolved: boolean): string {
  const badges = [
    note.internal ? '<span class="badge warn">Internal note</span>' : '',
    note.lastEditedById === null
      ? ''
      : `<span class="badge">edited by @${escapeHtml(state.user(note.lastEditedById).username)}</span>`,
    resolved ? '<span class="badge">Resolved thread</span>' : '',
  ].join('');
  return `<section class="note${note.internal ? ' internal' : ''}${note.system ? ' system' : ''}" id="note_${note.id}">
<header>${author(state, project, note.authorId)} ${time(note.createdAt, `#note_${note.id}`)} ${badges}</header>
<div class="md">${renderMarkdown(note.body)}</div>
${awards(state, note.awards)}</section>`;
}

function discussionView(state: SandboxState, project: Project, discussion: Discussion): string {
  const notes = discussion.notes.map((note, index) =>
    noteView(state, project, note, index === 0 && discussion.resolvedById !== null),
  );
  return `<article class="thread">${notes.join('\n')}</article>`;
}

function labels(_project: Project, issue: Issue): string {
  return issue.labels.map((name) => `<span class="label">${escapeHtml(name)}</span>`).join(' ');
}

/** The language of a text as far as a reader's browser cares. */
function languageOf(text: string): string {
  return /[\u3040-\u30ff]/.test(text) ? 'ja' : 'en';
}

export function issuePage(state: SandboxState, project: Project, issue: Issue): string {
  const closed = issue.state === 'closed';
  const threads = issue.discussions.map((discussion) => discussionView(state, project, discussion)).join('\n');
  const content = `
<p class="crumbs"><a href="/${escapeHtml(project.path)}">${escapeHtml(project.path)}</a> / issue #${issue.iid}</p>
<h1>${escapeHtml(issue.title)}</h1>
<div class="meta"><span class="state ${issue.state}">${closed ? 'Closed' : 'Open'}</span>
${author(state, project, issue.authorId)} ${time(issue.createdAt)}
${issue.confidential ? '<span class="badge warn">Confidential</span>' : ''} ${labels(project, issue)}</div>
<article class="card md" id="description">${renderMarkdown(issue.description ?? '') || '<p><em>No description</em></p>'}</article>
${awards(state, issue.awards)}
<h2>Activity</h2>
${threads === '' ? '<p class="meta">Nobody has written anything yet.</p>' : threads}`;
  return page({
    title: `${issue.title} (#${issue.iid}) · ${project.path}`,
    content,
    lang: languageOf(issue.title),
  });
}

function issueList(project: Project): string {
  if (project.issues.length === 0) return '<p class="meta">No issues</p>';
  const rows = project.issues.map(
    (issue) =>
      `<li><a href="/${escapeHtml(project.path)}/-/issues/${issue.iid}">#${issue.iid} ${escapeHtml(issue.title)}</a> <small>${issue.state === 'closed' ? 'closed · ' : ''}${issue.discussions.length} discussion${issue.discussions.length === 1 ? '' : 's'}</small></li>`,
  );
  return `<ul class="list">${rows.join('')}</ul>`;
}

export function homePage(state: SandboxState): string {
  const projects = state.projects.map(
    (
      project,
    ) => `<article class="card"><h2><a href="/${escapeHtml(project.path)}">${escapeHtml(project.path)}</a> <span class="badge">${project.visibility}</span></h2>
<p>${escapeHtml(project.description)}</p>${issueList(project)}</article>`,
  );
  return page({ title: 'GitLab sandbox', content: `<h1>Projects</h1>${projects.join('\n')}` });
}

export function projectPage(project: Project): string {
  const commit = resolveRef(project, 'HEAD');
  const files = [...(commit?.files.keys() ?? [])].map(
    (path) => `<li><a href="${blobLink(project, commit, path)}">${escapeHtml(path)}</a></li>`,
  );
  const history = commit ? historyOf(project, commit) : [];
  const content = `
<p class="crumbs"><a href="/">Projects</a></p>
<h1>${escapeHtml(project.path)} <span class="badge">${project.visibility}</span></h1>
<p>${escapeHtml(project.description)}</p>
<h2>Issues</h2><article class="card">${issueList(project)}</article>
<h2>Commits</h2><article class="card"><ul class="list">${history
    .map(
      (entry) =>
        `<li>${escapeHtml(entry.message.split('\n')[0] ?? '')} <small>${entry.id.slice(0, 8)} · ${time(entry.date)}</small></li>`,
    )
    .join('')}</ul></article>
<h2>Files</h2><article class="card"><ul class="list">${files.join('')}</ul></article>`;
  return page({ title: project.path, content });
}

function blobLink(project: Project, commit: Commit | null, path: string): string {
  const parts = path.split('/').map(encodeURIComponent).join('/');
  return `/${escapeHtml(project.path)}/-/blob/${commit?.id ?? 'HEAD'}/${parts}`;
}

export function blobPage(project: Project, commit: Commit, path: string, text: string): string {
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
  const rows = lines.map(
    (line, index) =>
      `<tr id="L${index + 1}"><td><a href="#L${index + 1}">${index + 1}</a></td><td>${escapeHtml(line)}</td></tr>`,
  );
  const content = `
<p class="crumbs"><a href="/${escapeHtml(project.path)}">${escapeHtml(project.path)}</a> at ${commit.id.slice(0, 8)}</p>
<h1>${escapeHtml(path)}</h1>
<div class="blob"><table><tbody>${rows.join('')}</tbody></table></div>`;
  return page({ title: `${path} · ${project.path}`, content, lineScript: true });
}

export function missingPage(): string {
  return page({
    title: 'Not found',
    content: '<h1>Nothing is here</h1><p>The sandbox has no such page. <a href="/">All projects and issues</a></p>',
  });
}
