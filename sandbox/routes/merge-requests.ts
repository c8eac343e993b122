import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireCode, requireLevel } from '../access.ts';
import type { SandboxDeps } from '../deps.ts';
import { ApiError, badRequest, notFound, notGiven } from '../errors.ts';
import { snapshotOf } from '../issue-snapshot.ts';
import { mergeRequestEntity, mergeRequestEvent } from '../merge-request-entities.ts';
import { merge, requestsNaming } from '../merge-requests.ts';
import type { MergeRequest, Project } from '../model.ts';
import { paginate } from '../paging.ts';
import { issueEvent } from '../payloads.ts';
import { actorOf, issueOf, params, projectOf } from '../request.ts';

const DEVELOPER = 30;

/** Merge requests inside of a project: opened, changed, merged; those that name an issue. They have no notes. */
export function mergeRequestRoutes(app: FastifyInstance, { state, sender }: SandboxDeps): void {
  const base = '/projects/:id/merge_requests';

  function readable(request: FastifyRequest): Project {
    const project = projectOf(state, request);
    requireCode(project, actorOf(request));
    return project;
  }

  function writable(request: FastifyRequest): Project {
    const project = projectOf(state, request);
    requireLevel(project, actorOf(request), DEVELOPER);
    if (project.archived) throw new ApiError(403, { message: '403 Forbidden' });
    return project;
  }

  function one(request: FastifyRequest, project: Project): MergeRequest {
    const found = project.mergeRequests.find((known) => String(known.iid) === params(request).part('requestIid'));
    if (!found) throw notFound();
    return found;
  }

  app.get(base, (request, reply) => {
    const project = readable(request);
    const fields = params(request);
    const wanted = fields.text('state') ?? 'all';
    const search = fields.text('search')?.toLowerCase() ?? '';
    const source = fields.text('source_branch');
    const found = project.mergeRequests.filter(
      (known) =>
        (wanted === 'all' || known.state === wanted) &&
        `${known.title}\n${known.description ?? ''}`.toLowerCase().includes(search) &&
        (source === undefined || known.sourceBranch === source),
    );
    return paginate(request, reply, found.toReversed()).map((known) => mergeRequestEntity(state, project, known));
  });
  app.get(`${base}/:requestIid`, (request) => {
    const project = readable(request);
    return mergeRequestEntity(state, project, one(request, project));
  });

  app.post(base, (request, reply) => {
    const project = writable(request);
    const fields = params(request);
    const [title, sourceBranch, targetBranch] = ['title', 'source_branch', 'target_branch'].map((name) => {
      const value = fields.text(name)?.trim();
      if (!value) throw notGiven(name);
      return value;
    }) as [string, string, string];
    if (!project.branches.has(sourceBranch)) {
      throw new ApiError(422, { message: [`Source branch "${sourceBranch}" does not exist`] });
    }
    const same = project.mergeRequests.find(
      (known) => known.state === 'opened' && known.sourceBranch === sourceBranch && known.targetBranch === targetBranch,
    );
    if (same) {
      const message = [`Another open merge request already exists for this source branch: !${same.iid}`];
      throw new ApiError(409, { message });
    }
    const made: MergeRequest = {
      id: state.nextId('merge_request', 12_001),
      iid: Math.max(0, ...project.mergeRequests.map((known) => known.iid)) + 1,
      title,
      description: fields.text('description') ?? null,
      state: 'opened',
      sourceBranch,
      targetBranch,
      labels: fields.list('labels') ?? [],
      authorId: actorOf(request).id,
      createdAt: state.timestamp(),
      updatedAt: state.timestamp(),
      closedAt: null,
      mergedAt: null,
      mergedById: null,
    };
    for (const name of made.labels) state.ensureLabel(project, name);
    project.mergeRequests.push(made);
    request.sandbox.changedId = made.id;
    sender.fire(project, mergeRequestEvent(state, project, made, actorOf(request), null));
    return reply.code(201).send(mergeRequestEntity(state, project, made));
  });

  app.put(`${base}/:requestIid`, (request) => {
    const project = writable(request);
    const known = one(request, project);
    const fields = params(request);
    const event = fields.text('state_event');
    if (event !== undefined && event !== 'close' && event !== 'reopen') {
      throw badRequest('state_event does not have a valid value: expected close or reopen');
    }
    const before = { ...known };
    known.title = fields.text('title') ?? known.title;
    known.description = fields.text('description') ?? known.description;
    if (event !== undefined && known.state !== 'merged') {
      known.state = event === 'close' ? 'closed' : 'opened';
      known.closedAt = event === 'close' ? state.timestamp() : null;
    }
    known.updatedAt = state.timestamp();
    request.sandbox.changedId = known.id;
    sender.fire(project, mergeRequestEvent(state, project, known, actorOf(request), before));
    return mergeRequestEntity(state, project, known);
  });

  app.put(`${base}/:requestIid/merge`, (request) => {
    const project = writable(request);
    const known = one(request, project);
    if (known.state !== 'opened') throw new ApiError(405, { message: '405 Method Not Allowed' });
    const user = actorOf(request);
    const before = { ...known };
    const issues = state.projects.flatMap((place) =>
      place.issues.map((issue) => ({ place, issue, was: snapshotOf(issue) })),
    );
    const closed = new Set(merge(state, project, known, user));
    request.sandbox.changedId = known.id;
    sender.fire(project, mergeRequestEvent(state, project, known, user, before));
    for (const { place, issue, was } of issues) {
      if (closed.has(issue)) sender.fire(place, issueEvent(state, place, issue, user, was));
    }
    return mergeRequestEntity(state, project, known);
  });

  for (const [list, closing] of [
    ['related_merge_requests', false],
    ['closed_by', true],
  ] as const) {
    app.get(`/projects/:id/issues/:iid/${list}`, (request, reply) => {
      const { issue } = issueOf(state, request);
      const found = requestsNaming(state, issue, actorOf(request), closing);
      return paginate(request, reply, found).map(([project, known]) => mergeRequestEntity(state, project, known));
    });
  }

  app.post('/projects/:id/repository/branches', (request, reply) => {
    const project = writable(request);
    const branch = params(request).text('branch');
    const ref = params(request).text('ref');
    if (!branch) throw notGiven('branch');
    if (!ref) throw notGiven('ref');
    const id = project.branches.get(ref) ?? (project.commits.has(ref) ? ref : undefined);
    if (project.branches.has(branch)) throw new ApiError(400, { message: 'Branch already exists' });
    if (id === undefined) throw new ApiError(400, { message: `Invalid reference name: ${ref}` });
    project.branches.set(branch, id);
    return reply.code(201).send({ name: branch, merged: false, protected: false, default: false, can_push: true });
  });
}
