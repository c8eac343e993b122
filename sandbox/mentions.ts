import MarkdownIt, { type Token } from 'markdown-it';
import { groupMembership } from './members.ts';
import type { Issue, Note, Project, User } from './model.ts';
import type { SandboxState } from './state.ts';

const markdown = new MarkdownIt({ html: true, linkify: true });
const MENTION = /(?<![A-Za-z0-9_@/.])@([A-Za-z0-9_.][A-Za-z0-9_.\-/]*)/g;

/** Names that a text mentions, `all` and paths of groups too, as GitLab finds them: in the rendered words, not in code and not in links. */
export function mentionsIn(text: string): string[] {
  if (!/@|&/.test(text)) return [];
  const names = new Set<string>();
  const walk = (tokens: readonly Token[]): void => {
    let links = 0;
    for (const token of tokens) {
      if (token.type === 'link_open') links += 1;
      if (token.type === 'link_close') links -= 1;
      if (token.children) walk(token.children);
      if (token.type !== 'text' || links > 0) continue;
      for (const [, name = ''] of token.content.matchAll(MENTION)) names.add(name.replace(/[./-]+$/, ''));
    }
  };
  walk(markdown.parse(text, {}));
  return [...names];
}

/** Gives everyone whom a new note mentions, and who may see it, a to-do; `@all` is the whole project. */
export function remindMentioned(
  state: SandboxState,
  project: Project,
  issue: Issue,
  note: Note,
  maySee: (user: User) => boolean,
): void {
  const names = new Set(mentionsIn(note.body).map((name) => name.toLowerCase()));
  if (names.size === 0) return;
  const groups = state.groups.filter((group) => names.has(group.path.toLowerCase()));
  for (const user of state.users) {
    const named = names.has(user.username.toLowerCase()) || (names.has('all') && project.members.has(user.id));
    const grouped = groups.some((group) => groupMembership(group, user) !== null);
    if (!(named || grouped) || user.id === note.authorId || !maySee(user)) continue;
    const id = state.nextId('todo', 11_001);
    state.todos.push({
      id,
      userId: user.id,
      authorId: note.authorId,
      projectId: project.id,
      issueId: issue.id,
      noteId: note.id,
      createdAt: state.timestamp(),
    });
  }
}
