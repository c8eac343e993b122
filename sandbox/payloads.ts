import { projectUrl } from './entities.ts';
import { issueUrl } from './issue-entities.ts';
import type { IssueSnapshot } from './issue-snapshot.ts';
import type { Award, Issue, Label, Note, Project, User } from './model.ts';
import type { SandboxState } from './state.ts';

/** Bodies of webhooks, in the shapes GitLab documents. */
type Json = Record<string, unknown>;

/** A hook to fire: which switch of the hook lets it through, its `X-Gitlab-Event` and its body. */
export interface HookEvent {
  trigger: string;
  event: string;
  body: Json;
}

const VISIBILITY_LEVELS = { private: 0, internal: 10, public: 20 } as const;

/** GitLab writes times in hooks as `2026-01-12 09:00:00 UTC`. */
export function hookTime(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')} UTC`;
}

export function userPayload(user: User): Json {
  return { id: user.id, name: user.name, username: user.username, avatar_url: null, email: '[REDACTED]' };
}

export function projectPayload(state: SandboxState, project: Project): Json {
  const url = projectUrl(state, project);
  const ssh = `git@sandbox.example:${project.path}.git`;
  return {
    id: project.id,
    name: project.name,
    description: project.description,
    web_url: url,
    avatar_url: null,
    git_ssh_url: ssh,
    git_http_url: `${url}.git`,
    namespace: project.path.split('/').at(-2) ?? '',
    visibility_level: VISIBILITY_LEVELS[project.visibility],
    path_with_namespace: project.path,
    default_branch: project.defaultBranch,
    ci_config_path: null,
    homepage: url,
    url: ssh,
    ssh_url: ssh,
    http_url: `${url}.git`,
  };
}

function repositoryPayload(state: SandboxState, project: Project): Json {
  return {
    name: project.name,
    url: `git@sandbox.example:${project.path}.git`,
    description: project.description,
    homepage: projectUrl(state, project),
  };
}

function labelPayload(project: Project, label: Label): Json {
  return {
    id: label.id,
    title: label.name,
    color: label.color,
    project_id: project.id,
    created_at: hookTime(project.createdAt),
    updated_at: hookTime(project.createdAt),
    template: false,
    description: label.description,
    type: 'ProjectLabel',
    group_id: null,
  };
}

export function labelPayloads(project: Project, names: readonly string[]): Json[] {
  return project.labels.filter((label) => names.includes(label.name)).map((label) => labelPayload(project, label));
}

function issuePayload(state: SandboxState, project: Project, issue: Issue): Json {
  return {
    id: issue.id,
    iid: issue.iid,
    project_id: project.id,
    title: issue.title,
    description: issue.description,
    author_id: issue.authorId,
    assignee_ids: issue.assigneeIds,
    assignee_id: issue.assigneeIds[0] ?? null,
    closed_at: issue.closedAt === null ? null : hookTime(issue.closedAt),
    confidential: issue.confidential,
    created_at: hookTime(issue.createdAt),
    updated_at: hookTime(issue.updatedAt),
    updated_by_id: null,
    last_edited_at: null,
    last_edited_by_id: null,
    relative_position: issue.iid * 513,
    discussion_locked: issue.discussionLocked,
    due_date: issue.dueDate,
    milestone_id: null,
    moved_to_id: issue.movedToId,
    duplicated_to_id: null,
    state: issue.state,
    state_id: issue.state === 'opened' ? 1 : 2,
    severity: 'unknown',
    time_estimate: issue.timeEstimate,
    total_time_spent: issue.timeSpent,
    time_change: 0,
    human_total_time_spent: null,
    human_time_estimate: null,
    human_time_change: null,
    weight: issue.weight,
    health_status: null,
    type: issueTypeName(issue),
    url: issueUrl(state, project, issue),
    labels: labelPayloads(project, issue.labels),
  };
}

function issueTypeName(issue: Issue): string {
  return issue.issueType.charAt(0).toUpperCase() + issue.issueType.slice(1);
}

function changesSince(state: SandboxState, project: Project, issue: Issue, before: IssueSnapshot | null): Json {
  if (!before) return {};
  const changes: Json = {};
  const compare = (name: string, previous: unknown, current: unknown): void => {
    if (JSON.stringify(previous) !== JSON.stringify(current)) changes[name] = { previous, current };
  };
  const people = (ids: readonly number[]): Json[] => ids.map((id) => userPayload(state.user(id)));
  compare('title', before.title, issue.title);
  compare('description', before.description, issue.description);
  compare('state_id', before.state === 'opened' ? 1 : 2, issue.state === 'opened' ? 1 : 2);
  compare('confidential', before.confidential, issue.confidential);
  compare('discussion_locked', before.discussionLocked, issue.discussionLocked);
  compare('moved_to_id', before.movedToId, issue.movedToId);
  compare('due_date', before.dueDate, issue.dueDate);
  compare('weight', before.weight, issue.weight);
  compare('time_estimate', before.timeEstimate, issue.timeEstimate);
  compare('total_time_spent', before.timeSpent, issue.timeSpent);
  compare('labels', labelPayloads(project, before.labels), labelPayloads(project, issue.labels));
  compare('assignees', people(before.assigneeIds), people(issue.assigneeIds));
  compare('updated_at', hookTime(before.updatedAt), hookTime(issue.updatedAt));
  return changes;
}

/** `open` when `before` is null, else `close`, `reopen` or `update` with the changes since. */
export function issueEvent(
  state: SandboxState,
  project: Project,
  issue: Issue,
  actor: User,
  before: IssueSnapshot | null,
): HookEvent {
  const stateChange = issue.state === 'closed' ? 'close' : 'reopen';
  const action = before === null ? 'open' : before.state === issue.state ? 'update' : stateChange;
  const kind = issue.issueType === 'issue' && !state.settings.workItemHooks ? 'issue' : 'work_item';
  const assignees = issue.assigneeIds.map((id) => userPayload(state.user(id)));
  return {
    trigger: issue.confidential ? 'confidential_issues_events' : 'issues_events',
    event: issue.confidential ? 'Confidential Issue Hook' : 'Issue Hook',
    body: {
      object_kind: kind,
      event_type: issue.confidential ? `confidential_${kind}` : kind,
      user: userPayload(actor),
      project: projectPayload(state, project),
      object_attributes: { ...issuePayload(state, project, issue), action },
      repository: repositoryPayload(state, project),
      ...(assignees.length > 0 ? { assignees } : {}),
      labels: labelPayloads(project, issue.labels),
      changes: changesSince(state, project, issue, before),
    },
  };
}

function notePayload(state: SandboxState, project: Project, issue: Issue, note: Note): Json {
  const thread = issue.discussions.find((discussion) => discussion.id === note.discussionId)?.individual === false;
  return {
    attachment: null,
    author_id: note.authorId,
    change_position: null,
    commit_id: null,
    created_at: hookTime(note.createdAt),
    discussion_id: note.discussionId,
    id: note.id,
    internal: note.internal,
    line_code: null,
    note: note.body,
    noteable_id: issue.id,
    noteable_type: 'Issue',
    original_position: null,
    position: null,
    project_id: project.id,
    resolved_at: null,
    resolved_by_id: null,
    resolved_by_push: null,
    st_diff: null,
    system: note.system,
    type: thread ? 'DiscussionNote' : null,
    updated_at: hookTime(note.updatedAt),
    updated_by_id: note.lastEditedById,
    description: note.body,
    url: `${issueUrl(state, project, issue)}#note_${note.id}`,
  };
}

export function noteEvent(
  state: SandboxState,
  project: Project,
  issue: Issue,
  note: Note,
  actor: User,
  action: 'create' | 'update',
): HookEvent {
  const hidden = issue.confidential || note.internal;
  return {
    trigger: hidden ? 'confidential_note_events' : 'note_events',
    event: hidden ? 'Confidential Note Hook' : 'Note Hook',
    body: {
      object_kind: 'note',
      event_type: hidden ? 'confidential_note' : 'note',
      user: userPayload(actor),
      project_id: project.id,
      project: projectPayload(state, project),
      object_attributes: { ...notePayload(state, project, issue, note), action },
      repository: repositoryPayload(state, project),
      issue: issuePayload(state, project, issue),
    },
  };
}

export function emojiEvent(
  state: SandboxState,
  project: Project,
  issue: Issue,
  note: Note | null,
  award: Award,
  action: 'award' | 'revoke',
): HookEvent {
  const url = issueUrl(state, project, issue);
  return {
    trigger: 'emoji_events',
    event: 'Emoji Hook',
    body: {
      object_kind: 'emoji',
      event_type: action,
      user: userPayload(state.user(award.userId)),
      project_id: project.id,
      project: projectPayload(state, project),
      object_attributes: {
        user_id: award.userId,
        created_at: hookTime(award.createdAt),
        id: award.id,
        name: award.name,
        awardable_type: note ? 'Note' : 'Issue',
        awardable_id: note ? note.id : issue.id,
        updated_at: hookTime(award.createdAt),
        action,
        awarded_on_url: note ? `${url}#note_${note.id}` : url,
      },
      ...(note ? { note: notePayload(state, project, issue, note) } : {}),
      issue: issuePayload(state, project, issue),
    },
  };
}
