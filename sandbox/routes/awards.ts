import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLockedFor, levelOf, requireNote } from '../access.ts';
import type { SandboxDeps } from '../deps.ts';
import { ApiError, forbidden, notFound, notGiven } from '../errors.ts';
import { awardEntity } from '../issue-entities.ts';
import type { Award, Issue, Note, Project } from '../model.ts';
import { paginate } from '../paging.ts';
import { emojiEvent } from '../payloads.ts';
import { actorOf, issueOf, params } from '../request.ts';

interface Awarded {
  project: Project;
  issue: Issue;
  note: Note | null;
  awards: Award[];
}

/** Emoji reactions on issues and on their notes. */
export function awardRoutes(app: FastifyInstance, { state, sender }: SandboxDeps): void {
  function onIssue(request: FastifyRequest): Awarded {
    const { project, issue } = issueOf(state, request);
    return { project, issue, note: null, awards: issue.awards };
  }

  function onNote(request: FastifyRequest): Awarded {
    const { project, issue } = issueOf(state, request);
    const note = requireNote(state, project, issue, actorOf(request), params(request).part('noteId'));
    return { project, issue, note, awards: note.awards };
  }

  function entity(target: Awarded, award: Award): object {
    return awardEntity(state, award, target.note ? 'Note' : 'Issue', target.note?.id ?? target.issue.id);
  }

  function register(base: string, find: (request: FastifyRequest) => Awarded): void {
    const one = (request: FastifyRequest, target: Awarded): Award => {
      const award = target.awards.find((known) => String(known.id) === params(request).part('awardId'));
      if (!award) throw notFound('Award Emoji');
      return award;
    };
    app.get(base, (request, reply) => {
      const target = find(request);
      return paginate(request, reply, target.awards).map((award) => entity(target, award));
    });
    app.get(`${base}/:awardId`, (request) => {
      const target = find(request);
      return entity(target, one(request, target));
    });
    app.post(base, (request, reply) => {
      const target = find(request);
      const name = params(request).text('name')?.replaceAll(':', '');
      if (!name) throw notGiven('name');
      const userId = actorOf(request).id;
      const closed = target.project.archived || isLockedFor(target.project, target.issue, actorOf(request));
      if (closed) throw notFound('Award Emoji');
      if (target.awards.some((award) => award.name === name && award.userId === userId)) {
        throw new ApiError(404, { message: '404 Award Emoji Name has already been taken Not Found' });
      }
      const award = { id: state.nextId('award', 7001), name, userId, createdAt: state.timestamp() };
      target.awards.push(award);
      request.sandbox.changedId = award.id;
      sender.fire(target.project, emojiEvent(state, target.project, target.issue, target.note, award, 'award'));
      return reply.code(201).send(entity(target, award));
    });
    app.delete(`${base}/:awardId`, (request, reply) => {
      const target = find(request);
      const award = one(request, target);
      if (award.userId !== actorOf(request).id && levelOf(target.project, actorOf(request)) < 50) throw forbidden();
      target.awards.splice(target.awards.indexOf(award), 1);
      request.sandbox.changedId = award.id;
      sender.fire(target.project, emojiEvent(state, target.project, target.issue, target.note, award, 'revoke'));
      return reply.code(204).send();
    });
  }

  register('/projects/:id/issues/:iid/award_emoji', onIssue);
  register('/projects/:id/issues/:iid/notes/:noteId/award_emoji', onNote);
}
