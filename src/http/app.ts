/** The HTTP app (design: The house): built of its dependencies, it never listens. */
import helmet from '@fastify/helmet';
import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import swagger from '@fastify/swagger';
import Fastify, { type FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { InboxStore } from '../ports/inbox.ts';
import type { Metrics } from '../ports/metrics.ts';
import { healthRoutes } from './health.ts';
import { openApiOptions } from './openapi.ts';
import { createPeople } from './people.ts';
import { answerClientError, answerProblem, installProblems, Problem } from './problem.ts';
import { createVerifier, type WebhookSecrets } from './signature.ts';
import { webhookRoutes } from './webhooks.ts';
import { type WorkplanDeps, workplanRoutes } from './workplan.ts';

export interface HttpDeps extends Omit<WorkplanDeps, 'people'> {
  inbox: Pick<InboxStore, 'put'>;
  secrets: WebhookSecrets;
  allowedBots: readonly number[];
  metrics: Metrics;
  ready(): Promise<void>;
  /** Requests a minute and token; deliveries and health are exempt. */
  requestsPerMinute: number;
}

/** Longest URL-encoded project path that is read: GitLab's longest has 20 names of 255 characters, ours 1,000 in all, encoded. */
const MAX_PARAM = 3000;
const MAX_BODY_BYTES = 1024 * 1024;
/** How long a request may take to arrive. */
const ARRIVAL_MS = 60_000;

/** The app with every route, not listening. Throws when the webhook's signing token cannot be used. */
export async function buildApp(deps: HttpDeps): Promise<FastifyInstance> {
  const app = Fastify({
    routerOptions: { maxParamLength: MAX_PARAM },
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: ARRIVAL_MS,
    // Who stops the app cuts what is left when its grace time is over.
    forceCloseConnections: 'idle',
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      answerProblem(error, request, reply, deps.log);
    },
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  installProblems(app, deps.log);
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    const { method } = request;
    deps.metrics.request({ method, route, status: reply.statusCode, seconds: reply.elapsedTime / 1000 });
    done();
  });
  const headers = await safeHeaders();
  app.addHook('onSend', (_request, reply, payload, done) => {
    // Unchanged: what the client keeps has them, and most answers are of this kind.
    if (reply.statusCode !== 304) reply.headers(headers);
    done(null, payload);
  });
  const people = createPeople(deps);
  await app.register(rateLimit, {
    max: deps.requestsPerMinute,
    timeWindow: '1 minute',
    // A token counts for itself only when GitLab knows it: made-up ones would be a new allowance each, and a call to GitLab.
    keyGenerator: (request) => people.knownKey(request) ?? normalizeIP(request.ip),
    // Only Retry-After, when it is over: three more headers on every answer cost more than they tell.
    addHeadersOnExceeding: OFF,
    addHeaders: { ...OFF, 'retry-after': true },
    errorResponseBuilder: (_request, { after }) =>
      new Problem(429, 'rate_limited', `Too many requests; try again in ${after}.`),
  });
  await app.register(swagger, openApiOptions(deps.gitlab.baseUrl));
  const verify = createVerifier(deps.secrets, deps.clock);
  await app.register(webhookRoutes, { inbox: deps.inbox, queue: deps.queue, verify, log: deps.log });
  await app.register(healthRoutes, { ready: deps.ready, metrics: deps.metrics, log: deps.log });
  await app.register(workplanRoutes({ ...deps, people }), { prefix: '/api/v1' });
  const schema = { tags: ['operating'], summary: 'This description.', security: [] };
  app.get('/openapi.json', { config: { rateLimit: false }, schema }, async () => app.swagger());
  return app;
}

const OFF = { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false };

/**
 * The headers that helmet sets. They do not depend on the request, but the plugin works them out anew for each, which is a
 * good part of what an unchanged status costs: so it is asked once.
 */
async function safeHeaders(): Promise<Record<string, string>> {
  const once = Fastify();
  await once.register(helmet);
  once.get('/', (_request, reply) => reply.send(''));
  const { headers } = await once.inject('/');
  await once.close();
  const own = ['content-length', 'content-type', 'date', 'connection', 'keep-alive'];
  const entries = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return Object.fromEntries(entries.filter(([name]) => !own.includes(name)));
}
