import type { FastifyInstance, FastifyRequest } from 'fastify';
import { maySeeProject } from '../access.ts';
import type { SandboxDeps } from '../deps.ts';
import { groupEntity, memberEntity } from '../entities.ts';
import { forbidden, notFound } from '../errors.ts';
import { directMembership, groupMembership } from '../members.ts';
import type { Group } from '../model.ts';
import { paginate } from '../paging.ts';
import { actorOf, params } from '../request.ts';
import { memberFields, requireMember, userNamedIn } from './members.ts';

const GROUP_SINCE = '2025-11-03T08:00:00.000Z';

/** Groups, the folders of project paths, and their members, who are members of every project below. */
export function groupRoutes(app: FastifyInstance, { state }: SandboxDeps): void {
  function groupOf(request: FastifyRequest): Group {
    const wanted = params(request).part('id');
    const group = state.groups.find((known) => known.path === wanted || String(known.id) === wanted);
    const user = actorOf(request);
    const below = state.projects.filter((project) => group && project.groups.includes(group));
    const visible = group && (groupMembership(group, user) || below.some((project) => maySeeProject(project, user)));
    if (!group || !visible) throw notFound('Group');
    return group;
  }

  function ownedGroup(request: FastifyRequest): Group {
    const group = groupOf(request);
    if ((groupMembership(group, actorOf(request))?.level ?? 0) < 50) throw forbidden();
    return group;
  }

  app.get('/groups/:id', (request) => groupEntity(state, groupOf(request)));
  for (const [list, find] of [
    ['/groups/:id/members', directMembership],
    ['/groups/:id/members/all', groupMembership],
  ] as const) {
    app.get(list, (request, reply) => {
      const group = groupOf(request);
      const members = state.users.filter((user) => find(group, user));
      return paginate(request, reply, members).map((user) =>
        memberEntity(state, user, requireMember(find(group, user)), GROUP_SINCE),
      );
    });
    app.get(`${list}/:userId`, (request) => {
      const group = groupOf(request);
      const user = userNamedIn(state, request);
      return memberEntity(state, user, requireMember(find(group, user)), GROUP_SINCE);
    });
  }

  app.post('/groups/:id/members', (request, reply) => {
    const group = ownedGroup(request);
    const user = memberFields.add(state, request, group);
    return reply.code(201).send(memberEntity(state, user, requireMember(directMembership(group, user)), GROUP_SINCE));
  });
  app.put('/groups/:id/members/:userId', (request) => {
    const group = ownedGroup(request);
    const user = memberFields.change(state, request, group);
    return memberEntity(state, user, requireMember(directMembership(group, user)), GROUP_SINCE);
  });
  app.delete('/groups/:id/members/:userId', (request, reply) => {
    memberFields.remove(state, request, ownedGroup(request));
    return reply.code(204).send();
  });
}
