import type { FastifyInstance } from 'fastify';
import { levelOf, maySeeProject, mayTriage } from '../access.ts';
import type { SandboxDeps } from '../deps.ts';
import {
  groupsOf,
  labelEntity,
  memberEntity,
  namespaceId,
  projectEntity,
  userDetail,
  userEntity,
} from '../entities.ts';
import { ApiError, forbidden, notFound, notGiven } from '../errors.ts';
import { paginate } from '../paging.ts';
import { actorOf, params, projectOf } from '../request.ts';

const VERSION = '18.9.0';

/** Version, users, projects, groups, members and labels. */
export function coreRoutes(app: FastifyInstance, { state }: SandboxDeps): void {
  app.get('/version', () => ({ version: VERSION, revision: 'sandbox' }));
  app.get('/metadata', () => ({
    version: VERSION,
    revision: 'sandbox',
    kas: { enabled: false, externalUrl: null, externalK8sProxyUrl: null, version: null },
    enterprise: false,
  }));

  app.get('/user', (request) => {
    const user = actorOf(request);
    return {
      ...userDetail(state, user),
      email: `${user.username}@sandbox.example`,
      commit_email: `${user.username}@sandbox.example`,
      is_admin: false,
      two_factor_enabled: false,
      external: false,
      private_profile: false,
      can_create_project: false,
    };
  });
  app.get('/users', (request, reply) => {
    const username = params(request).text('username');
    const users = username === undefined ? state.users : state.users.filter((user) => user.username === username);
    return paginate(request, reply, users).map((user) => userEntity(state, user));
  });
  app.get('/users/:id', (request) => {
    const user = state.users.find((known) => String(known.id) === params(request).part('id'));
    if (!user) throw notFound('User');
    return userDetail(state, user);
  });

  app.get('/projects', (request, reply) => {
    const user = actorOf(request);
    const membership = params(request).flag('membership') ?? false;
    const visible = state.projects.filter(
      (project) => levelOf(project, user) > 0 || (!membership && project.visibility !== 'private'),
    );
    return paginate(request, reply, visible).map((project) => projectEntity(state, project, user));
  });
  app.get('/projects/:id', (request) => projectEntity(state, projectOf(state, request), actorOf(request)));
  // Groups exist only as the folders of project paths; they are seen by who sees a project in them.
  app.get('/groups/:id', (request) => {
    const wanted = params(request).part('id');
    const visible = state.projects.filter((project) => maySeeProject(project, actorOf(request)));
    const group = visible
      .flatMap((project) => groupsOf(project.path))
      .find((path) => path === wanted || String(namespaceId(state, path)) === wanted);
    if (group === undefined) throw notFound('Group');
    const name = group.split('/').at(-1);
    return {
      id: namespaceId(state, group),
      name,
      path: name,
      full_name: group.replaceAll('/', ' / '),
      full_path: group,
      visibility: 'private',
      web_url: `${state.baseUrl}/groups/${group}`,
    };
  });

  for (const list of ['/projects/:id/members', '/projects/:id/members/all']) {
    app.get(list, (request, reply) => {
      const project = projectOf(state, request);
      const members = state.users.filter((user) => project.members.has(user.id));
      return paginate(request, reply, members).map((user) => memberEntity(state, project, user));
    });
    app.get(`${list}/:userId`, (request) => {
      const project = projectOf(state, request);
      const user = state.users.find((known) => String(known.id) === params(request).part('userId'));
      if (!user || levelOf(project, user) === 0) throw notFound();
      return memberEntity(state, project, user);
    });
  }

  app.get('/projects/:id/labels', (request, reply) => {
    const project = projectOf(state, request);
    const search = params(request).text('search')?.toLowerCase() ?? '';
    const found = project.labels.filter((label) => label.name.toLowerCase().includes(search));
    return paginate(
      request,
      reply,
      found.toSorted((a, b) => a.name.localeCompare(b.name)),
    ).map(labelEntity);
  });
  app.get('/projects/:id/labels/:name', (request) => {
    const name = params(request).part('name');
    const label = projectOf(state, request).labels.find((known) => known.name === name || String(known.id) === name);
    if (!label) throw notFound('Label');
    return labelEntity(label);
  });
  app.post('/projects/:id/labels', (request, reply) => {
    const project = projectOf(state, request);
    if (!mayTriage(project, actorOf(request))) throw forbidden();
    const name = params(request).text('name');
    const color = params(request).text('color');
    if (!name) throw notGiven('name');
    if (!color) throw notGiven('color');
    if (project.labels.some((label) => label.name === name)) {
      throw new ApiError(409, { message: 'Label already exists' });
    }
    const label = state.ensureLabel(project, name, color, params(request).text('description') ?? null);
    request.sandbox.changedId = label.id;
    return reply.code(201).send(labelEntity(label));
  });
}
