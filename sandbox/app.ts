import fastify, { type FastifyInstance } from 'fastify';
import { apiHooks } from './api-hooks.ts';
import type { SandboxDeps } from './deps.ts';
import { ApiError, ProjectMoved } from './errors.ts';
import { FaultList } from './faults.ts';
import { HookSender } from './hooks.ts';
import { pageRoutes } from './pages/routes.ts';
import { RateLimiter } from './rate-limits.ts';
import { awardRoutes } from './routes/awards.ts';
import { controlRoutes } from './routes/control.ts';
import { coreRoutes } from './routes/core.ts';
import { graphqlRoutes } from './routes/graphql.ts';
import { groupRoutes } from './routes/groups.ts';
import { hookRoutes } from './routes/hooks.ts';
import { instanceRoutes } from './routes/instance.ts';
import { issueRoutes } from './routes/issues.ts';
import { labelRoutes } from './routes/labels.ts';
import { memberRoutes } from './routes/members.ts';
import { mergeRequestRoutes } from './routes/merge-requests.ts';
import { moveRoutes } from './routes/moves.ts';
import { noteRoutes } from './routes/notes.ts';
import { projectRoutes } from './routes/projects.ts';
import { repositoryRoutes } from './routes/repository.ts';
import { loadSeed } from './seed.ts';
import { SandboxState } from './state.ts';

export interface SandboxOptions {
  /** A folder of `NAMESPACE/PROJECT/{repo,project.yaml}`; the own samples when not given. */
  seedDir?: string;
  /** Where the pages and links say they are, without a trailing slash. */
  baseUrl?: string;
  now?: () => Date;
  /** Requests a minute and token that the headers speak of while nobody is refused. GitLab's default when not given. */
  rateLimit?: number;
}

export interface Sandbox extends SandboxDeps {
  app: FastifyInstance;
  /** Every call of the REST API it serves, e.g. `GET /projects/:id`; HEAD beside GET is left out. */
  calls: string[];
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
  const deps: SandboxDeps = {
    state,
    sender: new HookSender(state),
    faults: new FaultList(),
    limiter: new RateLimiter(options.rateLimit ?? RATE_LIMIT),
  };
  const app = fastify({
    forceCloseConnections: true,
    bodyLimit: BODY_LIMIT,
    routerOptions: { maxParamLength: 4000 },
  });
  const calls: string[] = [];
  app.decorateRequest('sandbox', null as never);
  app.addHook('onRequest', async (request) => {
    request.sandbox = { actor: null, token: null, changedId: null };
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
      api.addHook('onRoute', ({ method, url, prefix }) => {
        for (const one of [method].flat()) {
          if (one !== 'HEAD' && !url.endsWith('/*')) calls.push(`${one} ${url.slice(prefix.length)}`);
        }
      });
      apiHooks(api, deps, closing.signal);
      coreRoutes(api, deps);
      groupRoutes(api, deps);
      projectRoutes(api, deps);
      memberRoutes(api, deps);
      labelRoutes(api, deps);
      issueRoutes(api, deps);
      moveRoutes(api, deps);
      mergeRequestRoutes(api, deps);
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
      apiHooks(api, deps, closing.signal);
      graphqlRoutes(api, deps);
    },
    { prefix: '/api' },
  );
  app.register(
    async (control) => {
      controlRoutes(control, deps);
      instanceRoutes(control, deps);
    },
    { prefix: '/_sandbox' },
  );
  app.register(async (pages) => pageRoutes(pages, deps));
  await app.ready();
  return { ...deps, app, calls };
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
    if (error instanceof ProjectMoved) reply.header('location', error.location);
    if (error instanceof ApiError) return reply.code(error.status).send(error.body);
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
    const message = error instanceof Error ? error.message : String(error);
    return reply.code(status).send({ message: status >= 500 ? `500 Internal Server Error (${message})` : message });
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: '404 Not Found' }));
}
