import { maySeeNote } from './access.ts';
import { labelEntity, projectUrl, userEntity } from './entities.ts';
import type { Award, Discussion, Issue, LabelEvent, Note, Project, User } from './model.ts';
import type { SandboxState } from './state.ts';

/** What the REST API answers about issues and what hangs on them, with GitLab's field names. */
type Json = Record<string, unknown>;

export function issueUrl(state: SandboxState, project: Project, issue: Issue): string {
  return `${projectUrl(state, project)}/-/issues/${issue.iid}`;
}

export function labelEventEntity(state: SandboxState, issue: Issue, event: LabelEvent): Json {
  const { id, name, color, description } = event.label;
  const known = state.project(issue.projectId).labels.includes(event.label);
  return {
    id: event.id,
    user: userEntity(state, state.user(event.userId)),
    created_at: event.createdAt,
    resource_type: 'Issue',
    resource_id: issue.id,
    // A label that was deleted since is no label any more.
    label: known ? { id, name, color, description } : null,
    action: event.action,
  };
}

function taskCounts(text: string): { count: number; completed_count: number } {
  const boxes = text.match(/^\s*(?:[-*+]|\d+\.)\s+\[[ xX]\]\s/gm) ?? [];
  return { count: boxes.length, completed_count: boxes.filter((box) => /\[x\]/i.test(box)).length };
}

/** `1h 30m`; null for none. */
function humanTime(seconds: number): string | null {
  if (seconds === 0) return null;
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.round((seconds % 3600) / 60);
  return [hours > 0 ? `${hours}h` : '', minutes > 0 ? `${minutes}m` : ''].filter((part) => part !== '').join(' ');
}

export function issueEntity(state: SandboxState, project: Project, issue: Issue, withLabelDetails = false): Json {
  const api = `${state.baseUrl}/api/v4/projects/${project.id}`;
  const assignees = issue.assigneeIds.map((id) => userEntity(state, state.user(id)));
  const tasks = taskCounts(issue.description ?? '');
  const url = issueUrl(state, project, issue);
  return {
    id: issue.id,
    iid: issue.iid,
    project_id: project.id,
    title: issue.title,
    description: issue.description,
    state: issue.state,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt,
    closed_by: issue.closedById === null ? null : userEntity(state, state.user(issue.closedById)),
    labels: withLabelDetails
      ? project.labels.filter((label) => issue.labels.includes(label.name)).map(labelEntity)
      : issue.labels,
    milestone: null,
    assignees,
    author: userEntity(state, state.user(issue.authorId)),
    type: issue.issueType.toUpperCase(),
    assignee: assignees[0] ?? null,
    user_notes_count: state.notesOf(issue).filter((note) => !note.system).length,
    merge_requests_count: 0,
    upvotes: issue.awards.filter((award) => award.name === 'thumbsup').length,
    downvotes: issue.awards.filter((award) => award.name === 'thumbsdown').length,
    due_date: issue.dueDate,
    confidential: issue.confidential,
    discussion_locked: issue.discussionLocked,
    issue_type: issue.issueType,
    web_url: url,
    time_stats: {
      time_estimate: issue.timeEstimate,
      total_time_spent: issue.timeSpent,
      human_time_estimate: humanTime(issue.timeEstimate),
      human_total_time_spent: humanTime(issue.timeSpent),
    },
    task_completion_status: tasks,
    weight: issue.weight,
    blocking_issues_count: 0,
    has_tasks: tasks.count > 0,
    _links: {
      self: `${api}/issues/${issue.iid}`,
      notes: `${api}/issues/${issue.iid}/notes`,
      award_emoji: `${api}/issues/${issue.iid}/award_emoji`,
      project: api,
      closed_as_duplicate_of: null,
    },
    references: {
      short: `#${issue.iid}`,
      relative: `#${issue.iid}`,
      full: `${project.path}#${issue.iid}`,
    },
    severity: 'UNKNOWN',
    moved_to_id: issue.movedToId,
    imported: false,
    imported_from: 'none',
    service_desk_reply_to: null,
  };
}

const NOT_BASIC = new Set(
  'has_tasks _links references severity moved_to_id imported imported_from service_desk_reply_to'.split(' '),
);

/** An issue as a link names it. */
export function issueBasicEntity(state: SandboxState, project: Project, issue: Issue): Json {
  return Object.fromEntries(
    Object.entries(issueEntity(state, project, issue)).filter(([name]) => !NOT_BASIC.has(name)),
  );
}

export function noteEntity(state: SandboxState, project: Project, issue: Issue, note: Note): Json {
  const discussion = issue.discussions.find((candidate) => candidate.id === note.discussionId);
  const thread = discussion !== undefined && !discussion.individual;
  const resolvable = thread && !note.system;
  const resolver = discussion?.resolvedById ?? null;
  return {
    id: note.id,
    type: thread ? 'DiscussionNote' : null,
    body: note.body,
    author: userEntity(state, state.user(note.authorId)),
    created_at: note.createdAt,
    updated_at: note.updatedAt,
    system: note.system,
    noteable_id: issue.id,
    noteable_type: 'Issue',
    project_id: project.id,
    resolvable,
    ...(resolvable
      ? {
          resolved: resolver !== null,
          resolved_by: resolver === null ? null : userEntity(state, state.user(resolver)),
          resolved_at: discussion?.resolvedAt ?? null,
        }
      : {}),
    confidential: note.internal,
    internal: note.internal,
    imported: false,
    imported_from: 'none',
    noteable_iid: issue.iid,
    commands_changes: {},
  };
}

export function discussionEntity(
  state: SandboxState,
  project: Project,
  issue: Issue,
  discussion: Discussion,
  viewer: User,
): Json {
  return {
    id: discussion.id,
    individual_note: discussion.individual,
    notes: discussion.notes
      .filter((note) => maySeeNote(project, note, viewer))
      .map((note) => noteEntity(state, project, issue, note)),
  };
}

export function awardEntity(state: SandboxState, award: Award, type: 'Issue' | 'Note', awardableId: number): Json {
  return {
    id: award.id,
    name: award.name,
    user: userEntity(state, state.user(award.userId)),
    created_at: award.createdAt,
    updated_at: award.createdAt,
    awardable_id: awardableId,
    awardable_type: type,
    url: null,
  };
}
