import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { authenticate } from './access.ts';
import type { SandboxDeps } from './deps.ts';
import { ApiError } from './errors.ts';
import { type Fault, FaultList, faultAnswer, faultStatus } from './faults.ts';
import { HookSender } from './hooks.ts';
import { pageRoutes } from './pages/routes.ts';
import { awardRoutes } from './routes/awards.ts';
import { controlRoutes } from './routes/control.ts';
import { coreRoutes } from './routes/core.ts';
import { graphqlRoutes } from './routes/graphql.ts';
import { hookRoutes } from './routes/hooks.ts';
import { issueRoutes } from './routes/issues.ts';
import { noteRoutes } from './routes/notes.ts';
import { repositoryRoutes } from './routes/repository.ts';
import { loadSeed } from './seed.ts';
import { SandboxState } from './state.ts';

export interface SandboxOptions {
  /** A folder of `NAMESPACE/PROJECT/{repo,project.yaml}`; the own samples when not given. */
  seedDir?: string;
  /** Where the pages and links say they are, without a trailing slash. */
  baseUrl?: string;
  now?: () => Date;
  /** Requests a minute and token that the headers speak of; nobody is refused. GitLab's default when not given. */
  rateLimit?: number;
}

export interface Sandbox extends SandboxDeps {
  app: FastifyInstance;
}

const BODY_LIMIT = 32 * 1024 * 1024;
const RATE_LIMIT = 2000;

/** Builds the GitLab stand-in with its seed loaded. It never listens: `server.ts` does, tests may use `app.inject`. */
export async function buildSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const state = new SandboxState({
    baseUrl: options.baseUrl ?? 'http://127.0.0.1',
    now: options.now ?? (() => new Date()),
  });
  await loadSeed(state, options.seedDir);
  const deps: SandboxDeps = { state, sender: new HookSender(state), faults: new FaultList() };
  const app = fastify({
    forceCloseConnections: true,
    bodyLimit: BODY_LIMIT,
    routerOptions: { maxParamLength: 4000 },
  });
  app.decorateRequest('sandbox', null as never);
  app.addHook('onRequest', async (request) => {
    request.sandbox = { actor: null, changedId: null };
  });
  parseBodies(app);
  answerErrors(app);
  const closing = new AbortController();
  app.addHook('preClose', async () => {
    closing.abort();
    await deps.sender.close();
  });
  app.register(
    async (api) => {
      apiHooks(api, deps, closing.signal, options.rateLimit ?? RATE_LIMIT);
      coreRoutes(api, deps);
      issueRoutes(api, deps);
      noteRoutes(api, deps);
      awardRoutes(api, deps);
      repositoryRoutes(api, deps);
      hookRoutes(api, deps);
      // Else the pages' wildcard would answer for what the API does not know.
      api.all('/*', (_request, reply) => reply.code(404).send({ error: '404 Not Found' }));
    },
    { prefix: '/api/v4' },
  );
  app.register(
    async (api) => {
      apiHooks(api, deps, closing.signal, options.rateLimit ?? RATE_LIMIT);
      graphqlRoutes(api, deps);
    },
    { prefix: '/api' },
  );
  app.register(async (control) => controlRoutes(control, deps), { prefix: '/_sandbox' });
  app.register(async (pages) => pageRoutes(pages, deps));
  await app.ready();
  return { ...deps, app };
}

/** JSON and form bodies; an empty body is one without fields, as GitLab takes it. */
function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, undefined);
    try {
      done(null, JSON.parse(String(body)));
    } catch {
      done(new ApiError(400, { error: 'The request body could not be parsed: expected JSON' }));
    }
  });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    const fields: Record<string, unknown> = {};
    for (const [name, value] of new URLSearchParams(String(body))) {
      const list = name.endsWith('[]');
      fields[name] = list ? [...((fields[name] as string[] | undefined) ?? []), value] : value;
    }
    done(null, fields);
  });
  // curl -X POST without a body, and whatever else: the fields then come from the query.
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null, undefined));
}

function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof ApiError) return reply.code(error.status).send(error.body);
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
    const message = error instanceof Error ? error.message : String(error);
    return reply.code(status).send({ message: status >= 500 ? `500 Internal Server Error (${message})` : message });
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: '404 Not Found' }));
}

function apiPath(request: FastifyRequest): string {
  return (request.url.split('?')[0] ?? '').replace(/^\/api(?:\/v4)?/, '');
}

/** Who asks, the faults asked for, rate limit headers, and the journal of every API call. */
function apiHooks(api: FastifyInstance, { state, faults }: SandboxDeps, closing: AbortSignal, rateLimit: number): void {
  const pending = new WeakMap<FastifyRequest, Fault>();
  const seen = new Map<string, { minute: number; count: number }>();

  api.addHook('onRequest', async (request, reply) => {
    const minute = Math.floor(state.now().getTime() / 60_000);
    const key = String(request.headers['private-token'] ?? request.headers.authorization ?? '');
    const known = seen.get(key);
    const count = known?.minute === minute ? known.count + 1 : 1;
    seen.set(key, { minute, count });
    reply.headers({
      'ratelimit-limit': String(rateLimit),
      'ratelimit-name': 'throttle_authenticated_api',
      'ratelimit-observed': String(count),
      'ratelimit-remaining': String(Math.max(0, rateLimit - count)),
      'ratelimit-reset': String((minute + 1) * 60),
    });
    request.sandbox.actor = authenticate(state, request.headers);
    const fault = faults.take(request.method, apiPath(request));
    const status = fault ? faultStatus(fault) : null;
    if (fault && !fault.afterCommit) {
      await pause(fault.delayMs, closing);
      if (status !== null) return playFault(reply, fault, status);
    }
    if (fault?.afterCommit) pending.set(request, fault);
    return undefined;
  });

  function playFault(reply: FastifyReply, fault: Fault, status: number): FastifyReply {
    const answer = faultAnswer(status, state.now());
    return reply
      .code(status)
      .headers({ ...answer.headers, ...fault.headers })
      .send(answer.body);
  }

  api.addHook('onSend', async (request, reply, payload) => {
    const fault = pending.get(request);
    let body = payload;
    if (fault) {
      pending.delete(request);
      const status = faultStatus(fault) ?? 502;
      const answer = faultAnswer(status, state.now());
      await pause(fault.delayMs, closing);
      reply
        .code(status)
        .headers({ ...answer.headers, ...fault.headers })
        .removeHeader('content-length');
      body = answer.body;
    }
    state.journal.push({
      seq: state.journal.length + 1,
      at: state.timestamp(),
      actor: request.sandbox.actor?.username ?? null,
      method: request.method,
      path: apiPath(request),
      status: reply.statusCode,
      id: request.sandbox.changedId,
    });
    return body;
  });
}

/** Waits, but not beyond the sandbox's end. */
async function pause(ms: number, closing: AbortSignal): Promise<void> {
  if (ms === 0 || closing.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  closing.addEventListener('abort', () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
}
