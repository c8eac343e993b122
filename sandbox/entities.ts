import { levelOf, maySeeNote } from './access.ts';
import type { Award, Commit, Discussion, Hook, Issue, Label, LabelEvent, Note, Project, User } from './model.ts';
import type { SandboxState } from './state.ts';

/** What the REST API answers, with GitLab's field names. */
type Json = Record<string, unknown>;

export function userEntity(state: SandboxState, user: User): Json {
  return {
    id: user.id,
    username: user.username,
    public_email: '',
    name: user.name,
    state: user.state,
    locked: false,
    avatar_url: null,
    web_url: `${state.baseUrl}/${user.username}`,
  };
}

export function userDetail(state: SandboxState, user: User): Json {
  return {
    ...userEntity(state, user),
    created_at: '2025-11-03T08:00:00.000Z',
    bio: '',
    location: '',
    bot: user.bot,
    organization: '',
    job_title: '',
    pronouns: null,
    followers: 0,
    following: 0,
  };
}

export function projectUrl(state: SandboxState, project: Project): string {
  return `${state.baseUrl}/${project.path}`;
}

export function issueUrl(state: SandboxState, project: Project, issue: Issue): string {
  return `${projectUrl(state, project)}/-/issues/${issue.iid}`;
}

export function projectEntity(state: SandboxState, project: Project, viewer: User): Json {
  const url = projectUrl(state, project);
  const namespace = project.path.split('/').slice(0, -1);
  const level = levelOf(project, viewer);
  return {
    id: project.id,
    description: project.description,
    name: project.name,
    name_with_namespace: [...namespace, project.name].join(' / '),
    path: project.path.split('/').at(-1),
    path_with_namespace: project.path,
    created_at: project.createdAt,
    default_branch: project.branches.size > 0 ? project.defaultBranch : null,
    tag_list: [],
    topics: [],
    ssh_url_to_repo: `git@sandbox.example:${project.path}.git`,
    http_url_to_repo: `${url}.git`,
    web_url: url,
    avatar_url: null,
    star_count: 0,
    forks_count: 0,
    last_activity_at: project.createdAt,
    namespace: {
      id: namespaceId(state, namespace.join('/')),
      name: namespace.at(-1) ?? '',
      path: namespace.at(-1) ?? '',
      kind: 'group',
      full_path: namespace.join('/'),
      parent_id: null,
      avatar_url: null,
      web_url: `${state.baseUrl}/groups/${namespace.join('/')}`,
    },
    empty_repo: project.branches.size === 0,
    archived: project.archived,
    visibility: project.visibility,
    issues_enabled: project.issuesAccess !== 'disabled',
    issues_access_level: project.issuesAccess,
    repository_access_level: project.repositoryAccess,
    merge_requests_access_level: 'enabled',
    open_issues_count: project.issues.filter((issue) => issue.state === 'opened').length,
    permissions: {
      project_access: level > 0 ? { access_level: level, notification_level: 3 } : null,
      group_access: null,
    },
  };
}

/** Stable number of a group's path: groups exist only as the folders of project paths. */
export function namespaceId(state: SandboxState, path: string): number {
  const paths = new Set(state.projects.flatMap((project) => ancestors(project.path)));
  return 1001 + [...paths].indexOf(path);
}

function ancestors(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

export function memberEntity(state: SandboxState, project: Project, user: User): Json {
  return {
    ...userEntity(state, user),
    access_level: levelOf(project, user),
    created_at: project.createdAt,
    expires_at: null,
    membership_state: 'active',
  };
}

export function labelEntity(label: Label): Json {
  return {
    id: label.id,
    name: label.name,
    description: label.description,
    description_html: label.description ?? '',
    text_color: '#FFFFFF',
    color: label.color,
    archived: false,
    subscribed: false,
    priority: null,
    is_project_label: true,
  };
}

export function labelEventEntity(state: SandboxState, issue: Issue, event: LabelEvent): Json {
  const { id, name, color, description } = event.label;
  return {
    id: event.id,
    user: userEntity(state, state.user(event.userId)),
    created_at: event.createdAt,
    resource_type: 'Issue',
    resource_id: issue.id,
    label: { id, name, color, description },
    action: event.action,
  };
}

function taskCounts(text: string): { count: number; completed_count: number } {
  const boxes = text.match(/^\s*(?:[-*+]|\d+\.)\s+\[[ xX]\]\s/gm) ?? [];
  return { count: boxes.length, completed_count: boxes.filter((box) => /\[x\]/i.test(box)).length };
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
    due_date: null,
    confidential: issue.confidential,
    discussion_locked: issue.discussionLocked,
    issue_type: issue.issueType,
    web_url: url,
    time_stats: { time_estimate: 0, total_time_spent: 0, human_time_estimate: null, human_total_time_spent: null },
    task_completion_status: tasks,
    weight: null,
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

export function commitEntity(state: SandboxState, project: Project, commit: Commit): Json {
  const date = commit.date.replace('Z', '+00:00');
  return {
    id: commit.id,
    short_id: commit.id.slice(0, 8),
    created_at: date,
    parent_ids: commit.parentIds,
    title: commit.message.split('\n')[0],
    message: commit.message,
    author_name: commit.authorName,
    author_email: commit.authorEmail,
    authored_date: date,
    committer_name: commit.authorName,
    committer_email: commit.authorEmail,
    committed_date: date,
    trailers: {},
    extended_trailers: {},
    web_url: `${projectUrl(state, project)}/-/commit/${commit.id}`,
  };
}

/** A hook as listed: neither token ever leaves, only whether it is set. */
export function hookEntity(hook: Hook): Json {
  return {
    id: hook.id,
    url: hook.url,
    name: hook.name,
    description: hook.description,
    created_at: hook.createdAt,
    ...hook.events,
    enable_ssl_verification: hook.enableSslVerification,
    alert_status: hook.alertStatus,
    disabled_until: null,
    url_variables: [],
    push_events_branch_filter: null,
    branch_filter_strategy: 'wildcard',
    custom_webhook_template: null,
    custom_headers: [],
    project_id: hook.projectId,
    token_present: hook.token !== null,
    signing_token_present: hook.signingToken !== null,
  };
}
