import { projectUrl, userEntity } from './entities.ts';
import type { MergeRequest, Project, User } from './model.ts';
import { type HookEvent, hookTime, labelPayloads, projectPayload, userPayload } from './payloads.ts';
import type { SandboxState } from './state.ts';

type Json = Record<string, unknown>;

function requestUrl(state: SandboxState, project: Project, request: MergeRequest): string {
  return `${projectUrl(state, project)}/-/merge_requests/${request.iid}`;
}

const MERGE_STATUS = { opened: 'mergeable', closed: 'not_open', merged: 'not_open' } as const;

/** What the REST API answers about a merge request. */
export function mergeRequestEntity(state: SandboxState, project: Project, request: MergeRequest): Json {
  const person = (id: number | null): Json | null => (id === null ? null : userEntity(state, state.user(id)));
  return {
    id: request.id,
    iid: request.iid,
    project_id: project.id,
    title: request.title,
    description: request.description,
    state: request.state,
    created_at: request.createdAt,
    updated_at: request.updatedAt,
    merged_by: person(request.mergedById),
    merge_user: person(request.mergedById),
    merged_at: request.mergedAt,
    closed_by: null,
    closed_at: request.closedAt,
    target_branch: request.targetBranch,
    source_branch: request.sourceBranch,
    user_notes_count: 0,
    upvotes: 0,
    downvotes: 0,
    author: person(request.authorId),
    assignees: [],
    assignee: null,
    reviewers: [],
    source_project_id: project.id,
    target_project_id: project.id,
    labels: request.labels,
    draft: /^draft:/i.test(request.title),
    work_in_progress: /^draft:/i.test(request.title),
    milestone: null,
    merge_when_pipeline_succeeds: false,
    merge_status: 'can_be_merged',
    detailed_merge_status: MERGE_STATUS[request.state],
    sha: project.branches.get(request.sourceBranch) ?? null,
    merge_commit_sha: null,
    squash_commit_sha: null,
    discussion_locked: null,
    reference: `!${request.iid}`,
    references: { short: `!${request.iid}`, relative: `!${request.iid}`, full: `${project.path}!${request.iid}` },
    web_url: requestUrl(state, project, request),
    squash: false,
    has_conflicts: false,
    blocking_discussions_resolved: true,
  };
}

const ACTIONS = { opened: 'reopen', closed: 'close', merged: 'merge' } as const;

/** `open` when `before` is null; else what became of it, or `update`. */
export function mergeRequestEvent(
  state: SandboxState,
  project: Project,
  request: MergeRequest,
  actor: User,
  before: MergeRequest | null,
): HookEvent {
  const action = before === null ? 'open' : before.state === request.state ? 'update' : ACTIONS[request.state];
  const { homepage: _homepage, url: _url, ssh_url: _ssh, http_url: _http, ...place } = projectPayload(state, project);
  const changes: Json = {};
  for (const [name, previous, current] of [
    ['title', before?.title, request.title],
    ['description', before?.description, request.description],
    ['updated_at', before && hookTime(before.updatedAt), hookTime(request.updatedAt)],
  ]) {
    if (before !== null && previous !== current) changes[String(name)] = { previous, current };
  }
  const states = { opened: 1, closed: 2, merged: 3 };
  const head = project.commits.get(project.branches.get(request.sourceBranch) ?? '');
  return {
    trigger: 'merge_requests_events',
    event: 'Merge Request Hook',
    body: {
      object_kind: 'merge_request',
      event_type: 'merge_request',
      user: userPayload(actor),
      project: place,
      object_attributes: {
        author_id: request.authorId,
        created_at: hookTime(request.createdAt),
        description: request.description,
        draft: /^draft:/i.test(request.title),
        id: request.id,
        iid: request.iid,
        merge_status: 'can_be_merged',
        detailed_merge_status: MERGE_STATUS[request.state],
        source_branch: request.sourceBranch,
        source_project_id: project.id,
        state_id: states[request.state],
        target_branch: request.targetBranch,
        target_project_id: project.id,
        title: request.title,
        updated_at: hookTime(request.updatedAt),
        assignee_ids: [],
        blocking_discussions_resolved: true,
        labels: labelPayloads(project, request.labels),
        last_commit: head
          ? {
              id: head.id,
              message: head.message,
              title: head.message.split('\n')[0],
              timestamp: head.date,
              url: `${projectUrl(state, project)}/-/commit/${head.id}`,
              author: { name: head.authorName, email: head.authorEmail },
            }
          : null,
        reviewer_ids: [],
        source: place,
        state: request.state,
        system: false,
        target: place,
        url: requestUrl(state, project, request),
        action,
      },
      labels: labelPayloads(project, request.labels),
      changes,
    },
  };
}

/** A token of the project ends soon: 7 days before, and 1 day before. */
export function tokenExpiryEvent(state: SandboxState, project: Project, user: User, expiresAt: string): HookEvent {
  const at = hookTime(state.timestamp());
  return {
    trigger: 'resource_access_token_events',
    event: 'Resource Access Token Hook',
    body: {
      object_kind: 'access_token',
      project: projectPayload(state, project),
      object_attributes: {
        user_id: user.id,
        created_at: at,
        id: state.nextId('token', 4001),
        name: `token of ${user.username}`,
        expires_at: expiresAt,
        last_used_at: at,
      },
      event_name: 'expiring_access_token',
    },
  };
}
