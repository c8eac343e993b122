import { setIssueState } from './issue-state.ts';
import type { Issue, Project, User } from './model.ts';
import type { SandboxState } from './state.ts';

/** Copies an issue into a project, its notes and reactions too when wanted; authors stay, ids are new. */
export function copyIssue(
  state: SandboxState,
  issue: Issue,
  target: Project,
  options: { authorId: number; withNotes: boolean },
): Issue {
  const copy = state.addIssue(target, {
    title: issue.title,
    description: issue.description,
    authorId: options.authorId,
    labels: issue.labels,
    assigneeIds: [...issue.assigneeIds],
    confidential: issue.confidential,
    issueType: issue.issueType,
  });
  copy.dueDate = issue.dueDate;
  copy.weight = issue.weight;
  copy.timeEstimate = issue.timeEstimate;
  copy.timeSpent = issue.timeSpent;
  if (!options.withNotes) return copy;
  for (const thread of issue.discussions) {
    let discussion = null as (typeof copy.discussions)[number] | null;
    for (const { authorId, body, internal, system, createdAt, awards } of thread.notes) {
      const note = state.addNote(copy, {
        authorId,
        body,
        internal,
        system,
        createdAt,
        individual: thread.individual,
        ...(discussion ? { discussion } : {}),
      });
      note.awards = awards.map((award) => ({ ...award, id: state.nextId('award', 7001) }));
      discussion ??= copy.discussions.at(-1) ?? null;
    }
    if (discussion) Object.assign(discussion, { resolvedById: thread.resolvedById, resolvedAt: thread.resolvedAt });
  }
  return copy;
}

/** Moves an issue as GitLab does: a copy with all notes in the other project; the old one is closed and points to it. */
export function moveIssue(state: SandboxState, project: Project, issue: Issue, target: Project, user: User): Issue {
  const moved = copyIssue(state, issue, target, { authorId: issue.authorId, withNotes: true });
  issue.movedToId = moved.id;
  setIssueState(state, issue, 'closed', user);
  issue.updatedAt = state.timestamp();
  const told = { authorId: user.id, system: true };
  state.addNote(issue, { ...told, body: `moved to ${target.path}#${moved.iid}` });
  state.addNote(moved, { ...told, body: `moved from ${project.path}#${issue.iid}` });
  return moved;
}
