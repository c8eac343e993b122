import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireLevel } from '../access.ts';
import type { SandboxDeps } from '../deps.ts';
import { hookEntity } from '../entities.ts';
import { ApiError, badRequest, notFound, notGiven } from '../errors.ts';
import type { Hook, Project } from '../model.ts';
import { paginate } from '../paging.ts';
import { issueEvent, noteEvent } from '../payloads.ts';
import { actorOf, type Params, params, projectOf } from '../request.ts';

/** Switches one can set. */
const EVENTS = [
  'push_events',
  'tag_push_events',
  'merge_requests_events',
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

/** Samples the stand-in has. */
const TESTABLE = new Set(['issues_events', 'note_events']);

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

/** `signs`: does this instance know signing tokens? One that does not ignores them, as it ignores every field it does not know. */
function applyFields(hook: Hook, fields: Params, signs: boolean): void {
  const url = fields.text('url') ?? hook.url;
  if (!/^https?:\/\/[^\s]+$/.test(url))
    throw new ApiError(422, { message: { url: ['is invalid: expected http(s)://…'] } });
  const token = fields.text('token');
  const signing = signs ? fields.text('signing_token') : undefined;
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
export function hookRoutes(app: FastifyInstance, { state, sender }: SandboxDeps): void {
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

  const entity = (hook: Hook): object => hookEntity(hook, state.settings.webhookSigning);
  app.get('/projects/:id/hooks', (request, reply) => paginate(request, reply, projectFor(request).hooks).map(entity));
  app.get('/projects/:id/hooks/:hookId', (request) => entity(hookOf(request).hook));

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
      failures: 0,
      disabledUntil: null,
      createdAt: state.timestamp(),
    };
    applyFields(hook, params(request), state.settings.webhookSigning);
    hook.id = state.nextId('hook', 801);
    project.hooks.push(hook);
    request.sandbox.changedId = hook.id;
    return reply.code(201).send(entity(hook));
  });

  app.put('/projects/:id/hooks/:hookId', (request) => {
    const { hook } = hookOf(request);
    if (params(request).text('url') === '') throw badRequest('url is empty');
    applyFields(hook, params(request), state.settings.webhookSigning);
    request.sandbox.changedId = hook.id;
    return entity(hook);
  });

  app.delete('/projects/:id/hooks/:hookId', (request, reply) => {
    const { project, hook } = hookOf(request);
    project.hooks.splice(project.hooks.indexOf(hook), 1);
    request.sandbox.changedId = hook.id;
    return reply.code(204).send();
  });

  // Sends a sample whatever the hook is set to. One that is answered with 2xx brings a disabled hook back.
  app.post('/projects/:id/hooks/:hookId/test/:trigger', async (request, reply) => {
    const { project, hook } = hookOf(request);
    const trigger = params(request).part('trigger');
    const issue = project.issues.find((known) => !known.confidential);
    const user = actorOf(request);
    if (!TESTABLE.has(trigger)) throw new ApiError(400, { error: 'trigger does not have a valid value' });
    const note = issue && state.notesOf(issue).find((known) => !known.internal && !known.system);
    if (!issue || (trigger === 'note_events' && !note)) {
      throw new ApiError(422, { message: `Ensure the project has ${issue ? 'notes' : 'issues'}.` });
    }
    const event =
      trigger === 'note_events' && note
        ? noteEvent(state, project, issue, note, user, 'create')
        : issueEvent(state, project, issue, user, null);
    const { status, error } = await sender.test(hook, event);
    if (status === null || status >= 300) throw new ApiError(422, { message: error ?? `Hook answered ${status}` });
    return reply.code(201).send({ message: '201 Created' });
  });
}
