import type { FastifyInstance } from 'fastify';
import { mayTriage, requireProject } from '../access.ts';
import type { SandboxDeps } from '../deps.ts';
import { badRequest, forbidden } from '../errors.ts';
import { issueEntity } from '../issue-entities.ts';
import { snapshotOf } from '../issue-snapshot.ts';
import { copyIssue, moveIssue } from '../moves.ts';
import { issueEvent } from '../payloads.ts';
import { actorOf, issueOf, params } from '../request.ts';

/** Moving and cloning issues. */
export function moveRoutes(app: FastifyInstance, { state, sender }: SandboxDeps): void {
  app.post('/projects/:id/issues/:iid/move', (request, reply) => {
    const { project, issue } = issueOf(state, request);
    const user = actorOf(request);
    const target = requireProject(state, user, params(request).text('to_project_id') ?? '');
    if (!mayTriage(project, user) || !mayTriage(target, user)) throw forbidden();
    if (issue.movedToId !== null || target === project) throw badRequest('Cannot move issue');
    const before = snapshotOf(issue);
    const moved = moveIssue(state, project, issue, target, user);
    request.sandbox.changedId = moved.id;
    sender.fire(project, issueEvent(state, project, issue, user, before));
    sender.fire(target, issueEvent(state, target, moved, user, null));
    return reply.code(201).send(issueEntity(state, target, moved));
  });

  app.post('/projects/:id/issues/:iid/clone', (request, reply) => {
    const { project, issue } = issueOf(state, request);
    const user = actorOf(request);
    const target = requireProject(state, user, params(request).text('to_project_id') ?? '');
    if (!mayTriage(project, user) || !mayTriage(target, user)) throw forbidden();
    const withNotes = params(request).flag('with_notes') ?? false;
    const copy = copyIssue(state, issue, target, { authorId: user.id, withNotes });
    request.sandbox.changedId = copy.id;
    sender.fire(target, issueEvent(state, target, copy, user, null));
    return reply.code(201).send(issueEntity(state, target, copy));
  });
}
