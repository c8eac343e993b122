import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { SandboxDeps } from '../deps.ts';
import { groupEntity } from '../entities.ts';
import { badRequest, notFound } from '../errors.ts';
import { roleLevel } from '../members.ts';
import { tokenExpiryEvent } from '../merge-request-entities.ts';
import type { Project } from '../model.ts';
import { renameProject } from '../projects.ts';
import { RateLimitPatch } from '../rate-limits.ts';
import { params } from '../request.ts';
import { SettingsPatch } from '../settings.ts';
import { orBadRequest, parseBody } from './control.ts';

const Access = z.enum(['enabled', 'private', 'disabled']);
const ProjectBody = z.strictObject({
  path: z.string().optional(),
  name: z.string().optional(),
  visibility: z.enum(['private', 'internal', 'public']).optional(),
  issuesAccess: Access.optional(),
  repositoryAccess: Access.optional(),
  archived: z.boolean().optional(),
});
const GroupBody = z.strictObject({
  path: z.string().regex(/^[^\s/]+(\/[^\s/]+)*$/, 'expected group or group/subgroup'),
  /** Takes the place of the group's list of members. */
  members: z.record(z.string(), z.string()).default({}),
});
const TokenBody = z.strictObject({
  username: z.string(),
  scopes: z.array(z.string()).min(1),
  name: z.string().default('token'),
  expiresAt: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, 'expected a day like 2026-01-31')
    .nullable()
    .default(null),
});
const ExpiryBody = z.strictObject({
  username: z.string().default('planwright'),
  expiresAt: z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'expected a day like 2026-01-31'),
});
const UserBody = z.strictObject({
  username: z.string().regex(/^[\w.-]+$/, 'expected letters, digits, ".", "_" and "-"'),
  name: z.string().optional(),
  bot: z.boolean().default(false),
});

/** Levers of the whole instance: switches, limits, users, tokens, groups, and what only an owner may do to a project. */
export function instanceRoutes(app: FastifyInstance, { state, sender, limiter }: SandboxDeps): void {
  app.get('/settings', () => state.settings);
  app.put('/settings', (request) => Object.assign(state.settings, parseBody(SettingsPatch, request.body)));

  app.get('/rate-limits', () => limiter.get());
  app.put('/rate-limits', (request) => limiter.set(parseBody(RateLimitPatch, request.body)));
  app.delete('/rate-limits', (_request, reply) => {
    limiter.clear();
    return reply.code(204).send();
  });

  app.post('/users', (request, reply) => {
    const { username, name = username, bot } = parseBody(UserBody, request.body);
    if (state.users.some((known) => known.username === username)) throw badRequest(`${username} exists already`);
    const user = { id: state.nextId('user', 101), username, name, bot, state: 'active' as const };
    state.users.push(user);
    return reply.code(201).send(user);
  });

  app.post('/tokens', (request, reply) => {
    const { username, ...rest } = parseBody(TokenBody, request.body);
    const user = orBadRequest(() => state.userNamed(username));
    const token = {
      ...rest,
      id: state.nextId('token', 4001),
      userId: user.id,
      value: `glpat-${randomBytes(15).toString('base64url')}`,
      revoked: false,
      createdAt: state.timestamp(),
    };
    state.tokens.push(token);
    return reply.code(201).send({ id: token.id, token: token.value, scopes: token.scopes });
  });
  app.delete('/tokens/:tokenId', (request, reply) => {
    const token = state.tokens.find((known) => String(known.id) === params(request).part('tokenId'));
    if (!token) throw notFound('Token');
    token.revoked = true;
    return reply.code(204).send();
  });

  app.post('/groups', (request, reply) => {
    const body = parseBody(GroupBody, request.body);
    const group = state.groupsAbove(`${body.path}/x`).at(-1);
    if (!group) throw badRequest(`${body.path} is no path of a group`);
    const members = orBadRequest(() =>
      Object.entries(body.members).map(([name, role]) => [state.userNamed(name).id, roleLevel(role)] as const),
    );
    group.members = new Map(members);
    group.expiries.clear();
    return reply.code(201).send(groupEntity(state, group));
  });

  function projectIn(request: FastifyRequest): Project {
    const wanted = params(request).part('id');
    const project = state.projects.find((known) => String(known.id) === wanted || known.path === wanted);
    if (!project) throw notFound('Project');
    return project;
  }

  app.post('/projects/:id/token-expiry', (request, reply) => {
    const { username, expiresAt } = parseBody(ExpiryBody, request.body);
    const user = orBadRequest(() => state.userNamed(username));
    const project = projectIn(request);
    sender.fire(project, tokenExpiryEvent(state, project, user, expiresAt));
    return reply.code(202).send({ username, expiresAt });
  });

  app.put('/projects/:id', (request) => {
    const project = projectIn(request);
    const { path, ...rest } = parseBody(ProjectBody, request.body);
    if (path !== undefined) orBadRequest(() => renameProject(state, project, path));
    for (const [name, value] of Object.entries(rest))
      if (value !== undefined) Object.assign(project, { [name]: value });
    return { id: project.id, path_with_namespace: project.path, archived: project.archived };
  });
}
