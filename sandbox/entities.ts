import { directMembership, effectiveMembership, type Membership } from './members.ts';
import type { Commit, Group, Hook, Label, Project, User } from './model.ts';
import type { SandboxState } from './state.ts';

/** What the REST API answers about users, projects, commits and hooks, with GitLab's field names. */
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

/** A project with what the viewer is in it. */
export function projectWithAccess(state: SandboxState, project: Project, viewer: User): Json {
  const direct = directMembership(project, viewer);
  const effective = effectiveMembership(project, viewer);
  const inherited = effective && effective.level > (direct?.level ?? 0) ? effective : null;
  return {
    ...projectEntity(state, project),
    permissions: {
      project_access: direct ? { access_level: direct.level, notification_level: 3 } : null,
      group_access: inherited ? { access_level: inherited.level, notification_level: 3 } : null,
    },
  };
}

export function projectEntity(state: SandboxState, project: Project): Json {
  const url = projectUrl(state, project);
  const namespace = project.path.split('/').slice(0, -1);
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
      id: project.groups.at(-1)?.id ?? 0,
      name: namespace.at(-1) ?? '',
      path: namespace.at(-1) ?? '',
      kind: 'group',
      full_path: namespace.join('/'),
      parent_id: project.groups.at(-2)?.id ?? null,
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
    shared_with_groups: project.invitations.map(({ group, level, expiresAt }) => ({
      group_id: group.id,
      group_name: group.name,
      group_full_path: group.path,
      group_access_level: level,
      expires_at: expiresAt,
    })),
    open_issues_count: project.issues.filter((issue) => issue.state === 'opened').length,
  };
}

export function groupEntity(state: SandboxState, group: Group): Json {
  return {
    id: group.id,
    name: group.name,
    path: group.path.split('/').at(-1),
    full_name: group.path.replaceAll('/', ' / '),
    full_path: group.path,
    parent_id: group.ancestors.at(-1)?.id ?? null,
    visibility: 'private',
    web_url: `${state.baseUrl}/groups/${group.path}`,
  };
}

export function memberEntity(state: SandboxState, user: User, membership: Membership, createdAt: string): Json {
  return {
    ...userEntity(state, user),
    access_level: membership.level,
    created_at: createdAt,
    expires_at: membership.expiresAt,
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
export function hookEntity(hook: Hook, signs: boolean): Json {
  return {
    id: hook.id,
    url: hook.url,
    name: hook.name,
    description: hook.description,
    created_at: hook.createdAt,
    ...hook.events,
    repository_update_events: false,
    enable_ssl_verification: hook.enableSslVerification,
    alert_status: hook.alertStatus,
    disabled_until: hook.disabledUntil,
    url_variables: [],
    push_events_branch_filter: null,
    branch_filter_strategy: 'wildcard',
    custom_webhook_template: null,
    custom_headers: [],
    project_id: hook.projectId,
    // From 19.0 on, as signing tokens are.
    ...(signs ? { token_present: hook.token !== null, signing_token_present: hook.signingToken !== null } : {}),
  };
}
