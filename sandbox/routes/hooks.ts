import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireLevel } from '../access.ts';
import type { SandboxDeps } from '../deps.ts';
import { hookEntity } from '../entities.ts';
import { ApiError, badRequest, notFound, notGiven } from '../errors.ts';
import type { Hook, Project } from '../model.ts';
import { paginate } from '../paging.ts';
import { actorOf, type Params, params, projectOf } from '../request.ts';

const EVENTS = [
  'push_events',
  'tag_push_events',
  'merge_requests_events',
  'repository_update_events',
  'issues_events',
  'confidential_issues_events',
  'note_events',
  'confidential_note_events',
  'pipeline_events',
  'wiki_page_events',
  'deployment_events',
  'feature_flag_events',
  'job_events',
  'releases_events',
  'milestone_events',
  'emoji_events',
  'resource_access_token_events',
  'vulnerability_events',
];

const SIGNING_KEY_BYTES = 32;

function checkSigningToken(token: string): string {
  const key = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(token)?.[1];
  if (key === undefined || Buffer.from(key, 'base64').length !== SIGNING_KEY_BYTES) {
    throw new ApiError(422, {
      message: { signing_token: [`must be whsec_ and the base64 of a ${SIGNING_KEY_BYTES}-byte key`] },
    });
  }
  return token;
}

function applyFields(hook: Hook, fields: Params): void {
  const url = fields.text('url') ?? hook.url;
  if (!/^https?:\/\/[^\s]+$/.test(url))
    throw new ApiError(422, { message: { url: ['is invalid: expected http(s)://…'] } });
  const token = fields.text('token');
  const signing = fields.text('signing_token');
  const signingToken = signing === undefined ? hook.signingToken : signing === '' ? null : checkSigningToken(signing);
  const events = { ...hook.events };
  for (const name of EVENTS) events[name] = fields.flag(name) ?? events[name] ?? false;
  hook.url = url;
  hook.name = fields.text('name') ?? hook.name;
  hook.description = fields.text('description') ?? hook.description;
  hook.token = token === undefined ? hook.token : token === '' ? null : token;
  hook.signingToken = signingToken;
  hook.events = events;
  hook.enableSslVerification = fields.flag('enable_ssl_verification') ?? hook.enableSslVerification;
}

/** Project hooks, for Maintainers. */
export function hookRoutes(app: FastifyInstance, { state }: SandboxDeps): void {
  function projectFor(request: FastifyRequest): Project {
    const project = projectOf(state, request);
    requireLevel(project, actorOf(request), 40);
    return project;
  }

  function hookOf(request: FastifyRequest): { project: Project; hook: Hook } {
    const project = projectFor(request);
    const hook = project.hooks.find((known) => String(known.id) === params(request).part('hookId'));
    if (!hook) throw notFound('Hook');
    return { project, hook };
  }

  app.get('/projects/:id/hooks', (request, reply) =>
    paginate(request, reply, projectFor(request).hooks).map(hookEntity),
  );
  app.get('/projects/:id/hooks/:hookId', (request) => hookEntity(hookOf(request).hook));

  app.post('/projects/:id/hooks', (request, reply) => {
    const project = projectFor(request);
    if (!params(request).text('url')) throw notGiven('url');
    const hook: Hook = {
      id: 0,
      projectId: project.id,
      url: '',
      name: '',
      description: '',
      token: null,
      signingToken: null,
      // GitLab switches on pushes when nothing is said.
      events: { push_events: true },
      enableSslVerification: true,
      alertStatus: 'executable',
      createdAt: state.timestamp(),
    };
    applyFields(hook, params(request));
    hook.id = state.nextId('hook', 801);
    project.hooks.push(hook);
    request.sandbox.changedId = hook.id;
    return reply.code(201).send(hookEntity(hook));
  });

  app.put('/projects/:id/hooks/:hookId', (request) => {
    const { hook } = hookOf(request);
    if (params(request).text('url') === '') throw badRequest('url is empty');
    applyFields(hook, params(request));
    request.sandbox.changedId = hook.id;
    return hookEntity(hook);
  });

  app.delete('/projects/:id/hooks/:hookId', (request, reply) => {
    const { project, hook } = hookOf(request);
    project.hooks.splice(project.hooks.indexOf(hook), 1);
    request.sandbox.changedId = hook.id;
    return reply.code(204).send();
  });
}
