import type { FastifyInstance, FastifyRequest } from 'fastify';
import { maySeeIssue, mayTriage, mayUpdateIssue, requireLevel, requireProject } from '../access.ts';
import type { SandboxDeps } from '../deps.ts';
import { userEntity } from '../entities.ts';
import { badRequest, forbidden, notFound, notGiven } from '../errors.ts';
import { issueBasicEntity, issueEntity, labelEventEntity } from '../issue-entities.ts';
import { hasChanged, snapshotOf } from '../issue-snapshot.ts';
import { setIssueState } from '../issue-state.ts';
import type { Issue, IssueLink, Project, User } from '../model.ts';
import { paginate } from '../paging.ts';
import { issueEvent } from '../payloads.ts';
import { extractCommands } from '../quick-action-finder.ts';
import { runCommands } from '../quick-actions.ts';
import { actorOf, issueOf, type Params, params, projectOf } from '../request.ts';

const MAX_TEXT = 1_000_000;

/** Issues with their links, label events and moves. */
export function issueRoutes(app: FastifyInstance, deps: SandboxDeps): void {
  const { state, sender } = deps;

  app.get('/projects/:id/issues', (request, reply) => {
    const project = projectOf(state, request);
    const user = actorOf(request);
    const details = params(request).flag('with_labels_details') ?? false;
    const visible = project.issues.filter((issue) => maySeeIssue(project, issue, user));
    const page = paginate(request, reply, sortIssues(filterIssues(deps, visible, params(request)), params(request)));
    return page.map((issue) => issueEntity(state, project, issue, details));
  });

  app.post('/projects/:id/issues', (request, reply) => {
    const project = projectOf(state, request);
    const user = actorOf(request);
    const fields = params(request);
    if (project.archived || project.issuesAccess === 'disabled') throw forbidden();
    const title = fields.text('title');
    if (!title?.trim()) throw notGiven('title');
    const { commands, rest } = extractCommands(
      checkedText(fields.text('description') ?? ''),
      state.settings.quickActions,
    );
    const triage = mayTriage(project, user);
    const issue = state.addIssue(project, {
      title,
      description: fields.has('description') ? rest : null,
      authorId: user.id,
      confidential: fields.flag('confidential') ?? false,
      issueType: fields.text('issue_type') ?? 'issue',
      labels: triage ? (fields.list('labels') ?? []) : [],
      assigneeIds: triage ? (fields.list('assignee_ids') ?? []).map(Number) : [],
    });
    runCommands(state, project, issue, user, commands);
    request.sandbox.changedId = issue.id;
    sender.fire(project, issueEvent(state, project, issue, user, null));
    return reply.code(201).send(issueEntity(state, project, issue));
  });

  app.get('/projects/:id/issues/:iid', (request) => {
    const { project, issue } = issueOf(state, request);
    return { ...issueEntity(state, project, issue), subscribed: false };
  });

  app.put('/projects/:id/issues/:iid', (request) => {
    const { project, issue } = issueOf(state, request);
    const user = actorOf(request);
    if (!mayUpdateIssue(project, issue, user)) throw forbidden();
    const before = snapshotOf(issue);
    updateIssue(deps, project, issue, user, params(request));
    request.sandbox.changedId = issue.id;
    if (hasChanged(issue, before)) {
      issue.updatedAt = state.timestamp();
      sender.fire(project, issueEvent(state, project, issue, user, before));
    }
    return issueEntity(state, project, issue);
  });

  // Not paged.
  app.get('/projects/:id/issues/:iid/links', (request) => {
    const { issue } = issueOf(state, request);
    const user = actorOf(request);
    const linked = issue.links.flatMap((link) => {
      const target = state.issue(link.targetIssueId);
      const project = state.project(target.projectId);
      if (!maySeeIssue(project, target, user)) return [];
      return [{ ...issueEntity(state, project, target), issue_link_id: link.id, link_type: link.linkType }];
    });
    return linked;
  });
  app.post('/projects/:id/issues/:iid/links', (request, reply) => {
    const { project, issue } = issueOf(state, request);
    const user = actorOf(request);
    if (!mayUpdateIssue(project, issue, user)) throw forbidden();
    const targetProject = requireProject(state, user, params(request).text('target_project_id') ?? '');
    const target = targetProject.issues.find((known) => String(known.iid) === params(request).text('target_issue_iid'));
    if (!target || !maySeeIssue(targetProject, target, user)) throw notFound('Issue');
    const linkType = params(request).text('link_type') ?? 'relates_to';
    const id = state.nextId('link', 6001);
    issue.links.push({ id, targetIssueId: target.id, linkType });
    target.links.push({ id, targetIssueId: issue.id, linkType });
    request.sandbox.changedId = id;
    return reply.code(201).send({
      source_issue: issueBasicEntity(state, project, issue),
      target_issue: issueBasicEntity(state, targetProject, target),
      link_type: linkType,
    });
  });

  function linkOf(request: FastifyRequest): { link: IssueLink; source: Issue; target: Issue } {
    const { issue } = issueOf(state, request);
    const link = issue.links.find((known) => String(known.id) === params(request).part('linkId'));
    const target = link && state.issue(link.targetIssueId);
    if (!link || !target || !maySeeIssue(state.project(target.projectId), target, actorOf(request))) {
      throw notFound('IssueLink');
    }
    return { link, source: issue, target };
  }
  function linkEntity({ link, source, target }: ReturnType<typeof linkOf>): object {
    return {
      id: link.id,
      source_issue: issueBasicEntity(state, state.project(source.projectId), source),
      target_issue: issueBasicEntity(state, state.project(target.projectId), target),
      link_type: link.linkType,
    };
  }
  app.delete('/projects/:id/issues/:iid', (request, reply) => {
    const { project, issue } = issueOf(state, request);
    requireLevel(project, actorOf(request), 50);
    project.issues = project.issues.filter((known) => known !== issue);
    for (const other of state.projects.flatMap((known) => known.issues))
      other.links = other.links.filter((link) => link.targetIssueId !== issue.id);
    request.sandbox.changedId = issue.id;
    return reply.code(204).send();
  });
  app.get('/projects/:id/issues/:iid/links/:linkId', (request) => linkEntity(linkOf(request)));
  app.delete('/projects/:id/issues/:iid/links/:linkId', (request, reply) => {
    const found = linkOf(request);
    const { project, issue } = issueOf(state, request);
    if (!mayUpdateIssue(project, issue, actorOf(request))) throw forbidden();
    for (const side of [found.source, found.target]) side.links = side.links.filter(({ id }) => id !== found.link.id);
    request.sandbox.changedId = found.link.id;
    return reply.code(204).send();
  });

  app.get('/projects/:id/issues/:iid/participants', (request, reply) => {
    const { issue } = issueOf(state, request);
    const ids = new Set([issue.authorId, ...issue.assigneeIds, ...state.notesOf(issue).map((note) => note.authorId)]);
    return paginate(request, reply, [...ids]).map((id) => userEntity(state, state.user(id)));
  });
  app.get('/projects/:id/issues/:iid/resource_label_events', (request, reply) => {
    const { issue } = issueOf(state, request);
    return paginate(request, reply, issue.labelEvents).map((event) => labelEventEntity(state, issue, event));
  });
  app.get('/projects/:id/issues/:iid/resource_label_events/:eventId', (request) => {
    const { issue } = issueOf(state, request);
    const event = issue.labelEvents.find((known) => String(known.id) === params(request).part('eventId'));
    if (!event) throw notFound('ResourceLabelEvent');
    return labelEventEntity(state, issue, event);
  });
}

function checkedText(text: string): string {
  if (text.length > MAX_TEXT) throw badRequest(`description is too long (maximum is ${MAX_TEXT} characters)`);
  return text;
}

function filterIssues({ state }: SandboxDeps, issues: readonly Issue[], fields: Params): Issue[] {
  const wantedState = fields.text('state') ?? 'all';
  const labels = fields.list('labels') ?? [];
  const iids = fields.list('iids');
  const search = fields.text('search')?.toLowerCase();
  const author = fields.text('author_username');
  const updatedAfter = Date.parse(fields.text('updated_after') ?? '');
  return issues.filter(
    (issue) =>
      (wantedState === 'all' || issue.state === wantedState) &&
      labels.every((label) => issue.labels.includes(label)) &&
      (!iids || iids.includes(String(issue.iid))) &&
      (!search || `${issue.title}\n${issue.description ?? ''}`.toLowerCase().includes(search)) &&
      (!author || state.user(issue.authorId).username === author) &&
      (Number.isNaN(updatedAfter) || Date.parse(issue.updatedAt) > updatedAfter),
  );
}

function sortIssues(issues: Issue[], fields: Params): Issue[] {
  const byUpdate = fields.text('order_by') === 'updated_at';
  const key = (issue: Issue): string => (byUpdate ? issue.updatedAt : issue.createdAt);
  const sorted = issues.toSorted((a, b) => key(a).localeCompare(key(b)) || a.id - b.id);
  return fields.text('sort') === 'asc' ? sorted : sorted.reverse();
}

function updateIssue({ state }: SandboxDeps, project: Project, issue: Issue, user: User, fields: Params): void {
  const title = fields.text('title');
  const stateEvent = fields.text('state_event');
  if (title !== undefined && !title.trim()) throw badRequest("title can't be blank");
  if (stateEvent !== undefined && stateEvent !== 'close' && stateEvent !== 'reopen') {
    throw badRequest('state_event does not have a valid value: expected close or reopen');
  }
  const { commands, rest } = extractCommands(
    checkedText(fields.text('description') ?? ''),
    state.settings.quickActions,
  );
  const assignees = fields.list('assignee_ids')?.map(Number);
  if (title !== undefined) issue.title = title;
  if (fields.has('description')) issue.description = rest;
  if (stateEvent !== undefined) setIssueState(state, issue, stateEvent === 'close' ? 'closed' : 'opened', user);
  // Like GitLab: what needs triage rights is left out in silence for who has none.
  if (mayTriage(project, user)) {
    const removed = fields.list('remove_labels') ?? [];
    const kept = (fields.list('labels') ?? issue.labels).concat(fields.list('add_labels') ?? []);
    state.setLabels(
      project,
      issue,
      kept.filter((name) => !removed.includes(name)),
      user.id,
      state.timestamp(),
    );
    issue.confidential = fields.flag('confidential') ?? issue.confidential;
    issue.discussionLocked = fields.flag('discussion_locked') ?? issue.discussionLocked;
    issue.issueType = fields.text('issue_type') ?? issue.issueType;
    if (assignees) issue.assigneeIds = state.users.map((known) => known.id).filter((id) => assignees.includes(id));
  }
  runCommands(state, project, issue, user, commands);
}
