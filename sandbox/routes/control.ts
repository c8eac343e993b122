import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { SandboxDeps } from '../deps.ts';
import { projectUrl } from '../entities.ts';
import { ApiError, badRequest, notFound } from '../errors.ts';
import { issueEntity } from '../issue-entities.ts';
import { effectiveMembership, roleLevel } from '../members.ts';
import type { Project, RepoFile } from '../model.ts';
import { issueEvent } from '../payloads.ts';
import { params } from '../request.ts';

const Access = z.enum(['enabled', 'private', 'disabled']);
const NewProjectBody = z.strictObject({
  path: z.string().regex(/^[^\s/]+(\/[^\s/]+)+$/, 'expected namespace/project'),
  name: z.string().optional(),
  description: z.string().optional(),
  visibility: z.enum(['private', 'internal', 'public']).optional(),
  issuesAccess: Access.optional(),
  repositoryAccess: Access.optional(),
  files: z.record(z.string(), z.string()).default({}),
  members: z.record(z.string(), z.string()).default({}),
  issues: z
    .array(
      z.strictObject({
        title: z.string(),
        description: z.string().default(''),
        author: z.string().optional(),
        labels: z.array(z.string()).optional(),
        confidential: z.boolean().optional(),
      }),
    )
    .default([]),
});
const CommitBody = z.strictObject({ message: z.string().min(1), files: z.record(z.string(), z.string().nullable()) });
const MemberBody = z.strictObject({
  username: z.string(),
  role: z.string().nullable(),
  /** A day, `2026-01-31`, also one that is over. */
  expiresAt: z.string().optional(),
});
const RedeliverBody = z.strictObject({ deliveryId: z.string() });
const UserBody = z.strictObject({
  state: z.enum(['active', 'blocked', 'deactivated', 'banned']).optional(),
  admin: z.boolean().optional(),
});
const HookBody = z.strictObject({
  alertStatus: z.enum(['executable', 'disabled', 'temporarily_disabled']),
  disabledUntil: z.string().nullable().default(null),
});

/** The body as the schema has it; else a 400 that says what was expected. */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body ?? {});
  if (!parsed.success) throw badRequest(z.prettifyError(parsed.error));
  return parsed.data;
}

/** What in plain functions is an Error with a text for people becomes a 400 here. */
export function orBadRequest<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof ApiError ? error : badRequest(error instanceof Error ? error.message : String(error));
  }
}

function textFile(text: string): RepoFile {
  return { bytes: Buffer.from(text), executable: false };
}

/** The levers for tests and demos under `/_sandbox`. They need no token and are not in the journal. */
export function controlRoutes(app: FastifyInstance, deps: SandboxDeps): void {
  const { state, sender, faults } = deps;

  function projectBy(idOrPath: string): Project {
    const project = state.projects.find((known) => String(known.id) === idOrPath || known.path === idOrPath);
    if (!project) throw notFound('Project');
    return project;
  }

  app.get('/journal', () => state.journal);
  app.get('/faults', () => faults.list());
  app.post('/faults', (request, reply) => reply.code(201).send(orBadRequest(() => faults.add(request.body))));
  app.delete('/faults', (_request, reply) => {
    faults.clear();
    return reply.code(204).send();
  });

  app.get('/hooks/deliveries', () => state.deliveries);
  app.post('/hooks/redeliver', async (request) => {
    const { deliveryId } = parseBody(RedeliverBody, request.body);
    const delivery = state.deliveries.find((known) => known.id === deliveryId);
    if (!delivery) throw notFound('Delivery');
    await sender.resend(delivery);
    return delivery;
  });
  app.put('/hooks/:hookId', (request) => {
    const { alertStatus, disabledUntil } = parseBody(HookBody, request.body);
    const hooks = state.projects.flatMap((project) => project.hooks);
    const hook = hooks.find((known) => String(known.id) === params(request).part('hookId'));
    if (!hook) throw notFound('Hook');
    hook.alertStatus = alertStatus;
    hook.disabledUntil = disabledUntil;
    if (alertStatus === 'executable') hook.failures = 0;
    return { id: hook.id, alert_status: hook.alertStatus };
  });

  app.put('/users/:username', (request) => {
    const wanted = parseBody(UserBody, request.body);
    const user = orBadRequest(() => state.userNamed(params(request).part('username')));
    user.state = wanted.state ?? user.state;
    user.admin = wanted.admin ?? user.admin ?? false;
    return user;
  });

  app.post('/projects', (request, reply) => {
    const body = parseBody(NewProjectBody, request.body);
    if (state.projects.some((known) => known.path === body.path)) throw badRequest(`${body.path} exists already`);
    const project = orBadRequest(() => {
      for (const issue of body.issues) state.userNamed(issue.author ?? 'alice');
      return state.addProject({
        path: body.path,
        ...(body.name === undefined ? {} : { name: body.name }),
        ...(body.description === undefined ? {} : { description: body.description }),
        ...(body.visibility === undefined ? {} : { visibility: body.visibility }),
        ...(body.issuesAccess === undefined ? {} : { issuesAccess: body.issuesAccess }),
        ...(body.repositoryAccess === undefined ? {} : { repositoryAccess: body.repositoryAccess }),
        files: new Map(Object.entries(body.files).map(([path, text]) => [path, textFile(text)])),
        members: body.members,
      });
    });
    for (const issue of body.issues) {
      const author = state.userNamed(issue.author ?? 'alice');
      const added = state.addIssue(project, {
        title: issue.title,
        description: issue.description,
        authorId: author.id,
        labels: issue.labels ?? [],
        confidential: issue.confidential ?? false,
      });
      sender.fire(project, issueEvent(state, project, added, author, null));
    }
    return reply.code(201).send({
      id: project.id,
      path_with_namespace: project.path,
      web_url: projectUrl(state, project),
      default_branch: project.defaultBranch,
      commit_id: project.branches.get(project.defaultBranch) ?? null,
      issues: project.issues.map((issue) => issueEntity(state, project, issue)),
    });
  });

  app.post('/projects/:id/commits', (request, reply) => {
    const project = projectBy(params(request).part('id'));
    const { message, files } = parseBody(CommitBody, request.body);
    const head = project.commits.get(project.branches.get(project.defaultBranch) ?? '');
    const next = new Map(head?.files ?? []);
    for (const [path, text] of Object.entries(files)) {
      if (text === null) next.delete(path);
      else next.set(path, { ...(next.get(path) ?? textFile('')), bytes: Buffer.from(text) });
    }
    const commit = orBadRequest(() => state.addCommit(project, { files: next, message, date: state.timestamp() }));
    return reply.code(201).send({ id: commit.id, tree_id: commit.treeId, parent_ids: commit.parentIds });
  });

  app.post('/projects/:id/members', (request) => {
    const project = projectBy(params(request).part('id'));
    const { username, role, expiresAt } = parseBody(MemberBody, request.body);
    return orBadRequest(() => {
      const user = state.userNamed(username);
      if (role === null) project.members.delete(user.id);
      else project.members.set(user.id, roleLevel(role));
      if (role === null || expiresAt === undefined) project.expiries.delete(user.id);
      else project.expiries.set(user.id, expiresAt);
      return { id: user.id, username, access_level: effectiveMembership(project, user)?.level ?? 0 };
    });
  });
}
