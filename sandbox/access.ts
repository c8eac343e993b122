import { forbidden, notFound } from './errors.ts';
import { effectiveMembership } from './members.ts';
import type { Discussion, Issue, Note, Project, User } from './model.ts';
import type { SandboxState } from './state.ts';

/** The user's access level on the project, by its own list or a group's: 0 when not a member. */
export function levelOf(project: Project, user: User): number {
  return effectiveMembership(project, user)?.level ?? 0;
}

/** Minimal Access is below it: its members see nothing of a private project. */
const GUEST = 10;

export function maySeeProject(project: Project, user: User): boolean {
  return project.visibility !== 'private' || levelOf(project, user) >= GUEST;
}

/** Finds a project by number or full path for this user; one that may not be seen is the same 404 as none. */
export function requireProject(state: SandboxState, user: User, idOrPath: string): Project {
  const project =
    state.projects.find((known) => String(known.id) === idOrPath || known.path === idOrPath) ??
    state.projects.find((known) => known.formerPaths.includes(idOrPath));
  if (!project || !maySeeProject(project, user)) throw notFound('Project');
  return project;
}

/** Code is read by everyone who sees a public project, in a private one from Reporter up. */
export function requireCode(project: Project, user: User): void {
  const level = levelOf(project, user);
  const open = project.repositoryAccess === 'enabled' && project.visibility !== 'private';
  const member = project.repositoryAccess !== 'disabled' && level >= 20;
  if (!open && !member) throw forbidden();
}

export function requireLevel(project: Project, user: User, level: number): void {
  if (levelOf(project, user) < level) throw forbidden();
}

function maySeeIssues(project: Project, user: User): boolean {
  if (project.issuesAccess === 'disabled') return false;
  return project.issuesAccess === 'enabled' || levelOf(project, user) >= GUEST;
}

/** May the user read this issue? Confidential ones are for Planners and up, their author and assignees. */
export function maySeeIssue(project: Project, issue: Issue, user: User): boolean {
  if (!maySeeIssues(project, user)) return false;
  if (!issue.confidential) return true;
  return levelOf(project, user) >= 15 || issue.authorId === user.id || issue.assigneeIds.includes(user.id);
}

export function requireIssue(project: Project, user: User, iid: string): Issue {
  const issue = project.issues.find((candidate) => String(candidate.iid) === iid);
  if (!issue || !maySeeIssue(project, issue, user)) throw notFound('Issue');
  return issue;
}

/** May the user change title, description and state? Guests only for what they wrote or are assigned to. */
export function mayUpdateIssue(project: Project, issue: Issue, user: User): boolean {
  if (project.archived) return false;
  return levelOf(project, user) >= 15 || issue.authorId === user.id || issue.assigneeIds.includes(user.id);
}

/** May the user set labels, assignees and confidentiality? */
export function mayTriage(project: Project, user: User): boolean {
  return !project.archived && levelOf(project, user) >= 15;
}

export function requireComment(project: Project, issue: Issue, user: User): void {
  if (project.archived) throw forbidden();
  if (isLockedFor(project, issue, user)) throw forbidden();
}

/** A locked discussion is for members only: others neither comment nor react nor change what they wrote. */
export function isLockedFor(project: Project, issue: Issue, user: User): boolean {
  return issue.discussionLocked === true && levelOf(project, user) === 0;
}

/** Internal notes are for Planners and up, and for their own author. */
export function maySeeNote(project: Project, note: Note, user: User): boolean {
  return !note.internal || levelOf(project, user) >= 15 || note.authorId === user.id;
}

export function requireNote(state: SandboxState, project: Project, issue: Issue, user: User, id: string): Note {
  const note = state.notesOf(issue).find((candidate) => String(candidate.id) === id);
  if (!note || !maySeeNote(project, note, user)) throw notFound('Note');
  return note;
}

export function requireDiscussion(project: Project, issue: Issue, user: User, id: string): Discussion {
  const discussion = issue.discussions.find((candidate) => candidate.id === id);
  if (!discussion?.notes.some((note) => maySeeNote(project, note, user))) throw notFound('Discussion');
  return discussion;
}

/** A note is changed by its author, or by Maintainers; system notes by nobody. */
export function requireNoteEditor(project: Project, issue: Issue, note: Note, user: User): void {
  if (project.archived || isLockedFor(project, issue, user)) throw forbidden();
  if (note.system || (note.authorId !== user.id && levelOf(project, user) < 40)) throw forbidden();
}
