import type { FastifyInstance, FastifyRequest } from 'fastify';
import { levelOf, requireLevel } from '../access.ts';
import type { SandboxDeps } from '../deps.ts';
import { memberEntity } from '../entities.ts';
import { ApiError, forbidden, notFound, notGiven } from '../errors.ts';
import { directMembership, effectiveMembership, type Membership, ROLES, type Roster } from '../members.ts';
import type { AccessLevel, Project, User } from '../model.ts';
import { paginate } from '../paging.ts';
import { actorOf, params, projectOf } from '../request.ts';
import type { SandboxState } from '../state.ts';

/** The user of a route's `:userId`; 404 for none. */
export function userNamedIn(state: SandboxState, request: FastifyRequest): User {
  const user = state.users.find((known) => String(known.id) === params(request).part('userId'));
  if (!user) throw notFound('User');
  return user;
}

export function requireMember(membership: Membership | null): Membership {
  if (!membership) throw notFound();
  return membership;
}

export function levelIn(request: FastifyRequest, name: string): AccessLevel {
  const text = params(request).text(name);
  if (text === undefined) throw new ApiError(400, { error: `${name} is missing` });
  const level = Object.values(ROLES).find((known) => String(known) === text);
  if (!level) throw new ApiError(400, { error: `${name} does not have a valid value` });
  return level;
}

/** A day in the future, null for none, undefined when nothing is said of it. */
export function expiryIn(state: SandboxState, request: FastifyRequest): string | null | undefined {
  if (!params(request).has('expires_at')) return undefined;
  const day = params(request).text('expires_at');
  if (!day) return null;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new ApiError(400, { error: 'expires_at is invalid' });
  if (day <= state.timestamp().slice(0, 10)) {
    throw new ApiError(400, { message: { expires_at: ['cannot be a date in the past'] } });
  }
  return day;
}

function setExpiry(place: Roster, user: User, day: string | null | undefined): void {
  if (day === null) place.expiries.delete(user.id);
  else if (day !== undefined) place.expiries.set(user.id, day);
}

/** Adding, changing and removing members, the same for projects and groups. Each answers the member. */
export const memberFields = {
  add(state: SandboxState, request: FastifyRequest, place: Roster): User {
    const wanted = params(request).text('user_id');
    const username = params(request).text('username');
    if (wanted === undefined && username === undefined) throw notGiven('user_id');
    const user = state.users.find((known) => String(known.id) === wanted || known.username === username);
    if (!user) throw notFound('User');
    const level = levelIn(request, 'access_level');
    if (place.members.has(user.id)) throw new ApiError(409, { message: 'Member already exists' });
    const day = expiryIn(state, request);
    place.members.set(user.id, level);
    setExpiry(place, user, day);
    request.sandbox.changedId = user.id;
    return user;
  },
  change(state: SandboxState, request: FastifyRequest, place: Roster): User {
    const user = userNamedIn(state, request);
    if (!place.members.has(user.id)) throw notFound();
    const level = levelIn(request, 'access_level');
    const day = expiryIn(state, request);
    place.members.set(user.id, level);
    setExpiry(place, user, day);
    request.sandbox.changedId = user.id;
    return user;
  },
  remove(state: SandboxState, request: FastifyRequest, place: Roster): void {
    const user = userNamedIn(state, request);
    if (!place.members.delete(user.id)) throw notFound();
    place.expiries.delete(user.id);
    request.sandbox.changedId = user.id;
  },
};

/** Members of projects: the project's own (`members`), and all, by groups too (`members/all`); groups invited to a project. */
export function memberRoutes(app: FastifyInstance, { state }: SandboxDeps): void {
  for (const [list, find] of [
    ['/projects/:id/members', directMembership],
    ['/projects/:id/members/all', effectiveMembership],
  ] as const) {
    app.get(list, (request, reply) => {
      const project = projectOf(state, request);
      const query = params(request).text('query')?.toLowerCase() ?? '';
      const ids = params(request).list('user_ids');
      const members = state.users.filter(
        (user) =>
          find(project, user) &&
          (user.username.toLowerCase().includes(query) || user.name.toLowerCase().includes(query)) &&
          (!ids || ids.includes(String(user.id))),
      );
      return paginate(request, reply, members).map((user) =>
        memberEntity(state, user, requireMember(find(project, user)), project.createdAt),
      );
    });
    app.get(`${list}/:userId`, (request) => {
      const project = projectOf(state, request);
      const user = userNamedIn(state, request);
      return memberEntity(state, user, requireMember(find(project, user)), project.createdAt);
    });
  }

  /** Maintainers manage members, up to their own level. */
  function managed(request: FastifyRequest, given: string | null): Project {
    const project = projectOf(state, request);
    requireLevel(project, actorOf(request), 40);
    const level = given !== null && params(request).has(given) ? levelIn(request, given) : 0;
    if (level > levelOf(project, actorOf(request))) throw forbidden();
    return project;
  }

  app.post('/projects/:id/members', (request, reply) => {
    const project = managed(request, 'access_level');
    const user = memberFields.add(state, request, project);
    const membership = requireMember(directMembership(project, user));
    return reply.code(201).send(memberEntity(state, user, membership, state.timestamp()));
  });
  app.put('/projects/:id/members/:userId', (request) => {
    const project = managed(request, 'access_level');
    const user = memberFields.change(state, request, project);
    return memberEntity(state, user, requireMember(directMembership(project, user)), project.createdAt);
  });
  app.delete('/projects/:id/members/:userId', (request, reply) => {
    const own = params(request).part('userId') === String(actorOf(request).id);
    memberFields.remove(state, request, own ? projectOf(state, request) : managed(request, null));
    return reply.code(204).send();
  });

  app.post('/projects/:id/share', (request, reply) => {
    const project = managed(request, 'group_access');
    const group = state.groups.find((known) => String(known.id) === params(request).text('group_id'));
    if (!group) throw notFound('Group');
    const level = levelIn(request, 'group_access');
    const expiresAt = expiryIn(state, request) ?? null;
    if (project.invitations.some((known) => known.group === group)) {
      throw new ApiError(409, { message: 'The group has already been shared with this project' });
    }
    project.invitations.push({ group, level, expiresAt });
    request.sandbox.changedId = group.id;
    return reply
      .code(201)
      .send({ id: group.id, project_id: project.id, group_id: group.id, group_access: level, expires_at: expiresAt });
  });
  app.delete('/projects/:id/share/:groupId', (request, reply) => {
    const project = managed(request, null);
    const kept = project.invitations.filter(({ group }) => String(group.id) !== params(request).part('groupId'));
    if (kept.length === project.invitations.length) throw notFound('Group Link');
    project.invitations = kept;
    return reply.code(204).send();
  });
}
