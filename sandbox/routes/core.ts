import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SandboxDeps } from '../deps.ts';
import { userDetail, userEntity } from '../entities.ts';
import { forbidden, notFound } from '../errors.ts';
import { issueEntity, issueUrl } from '../issue-entities.ts';
import type { User } from '../model.ts';
import { paginate } from '../paging.ts';
import { actorOf, params } from '../request.ts';

const REVISION = 'sandbox';

/** Version, users, and the token one calls with. */
export function coreRoutes(app: FastifyInstance, { state }: SandboxDeps): void {
  const versionText = (): string => `${state.settings.version}${state.settings.enterprise ? '-ee' : ''}`;
  app.get('/version', () => ({ version: versionText(), revision: REVISION }));
  app.get('/metadata', () => ({
    version: versionText(),
    revision: REVISION,
    kas: { enabled: false, externalUrl: null, externalK8sProxyUrl: null, version: null },
    enterprise: state.settings.enterprise,
  }));

  app.get('/user', (request) => {
    const user = actorOf(request);
    return {
      ...userDetail(state, user),
      email: `${user.username}@sandbox.example`,
      commit_email: `${user.username}@sandbox.example`,
      ...(user.admin ? { is_admin: true } : {}),
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

  function userOf(request: FastifyRequest): User {
    const user = state.users.find((known) => String(known.id) === params(request).part('id'));
    if (!user) throw notFound('User');
    return user;
  }
  app.get('/users/:id', (request) => userDetail(state, userOf(request)));

  // For administrators; `/_sandbox/users` makes one.
  const acts = { block: 'blocked', unblock: 'active', deactivate: 'deactivated', activate: 'active', ban: 'banned' };
  for (const [act, wanted] of Object.entries({ ...acts, unban: 'active' } as Record<string, User['state']>)) {
    app.post(`/users/:id/${act}`, (request, reply) => {
      if (!actorOf(request).admin) throw forbidden();
      const user = userOf(request);
      user.state = wanted;
      request.sandbox.changedId = user.id;
      return reply.code(201).send(true);
    });
  }

  app.get('/todos', (request, reply) => {
    const mine = state.todos.filter((todo) => todo.userId === actorOf(request).id).toReversed();
    return paginate(request, reply, mine).map((todo) => {
      const project = state.project(todo.projectId);
      const issue = state.issue(todo.issueId);
      return {
        id: todo.id,
        project: { id: project.id, name: project.name, path_with_namespace: project.path },
        author: userEntity(state, state.user(todo.authorId)),
        action_name: 'mentioned',
        target_type: 'Issue',
        target: issueEntity(state, project, issue),
        target_url: `${issueUrl(state, project, issue)}#note_${todo.noteId}`,
        body: state.notesOf(issue).find((note) => note.id === todo.noteId)?.body ?? '',
        state: 'pending',
        created_at: todo.createdAt,
        updated_at: todo.createdAt,
      };
    });
  });

  app.get('/personal_access_tokens/self', (request) => {
    const { token } = request.sandbox;
    const user = actorOf(request);
    return {
      id: token?.id ?? user.id,
      name: token?.name ?? 'sandbox',
      revoked: false,
      created_at: token?.createdAt ?? '2025-11-03T08:00:00.000Z',
      description: null,
      scopes: token?.scopes ?? ['api'],
      user_id: user.id,
      last_used_at: state.timestamp(),
      active: true,
      expires_at: token?.expiresAt ?? null,
    };
  });
}
