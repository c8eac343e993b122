/** The HTTP app (design: The house): built of its dependencies, it never listens. */
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import swagger from '@fastify/swagger';
import Fastify, { type FastifyInstance } from 'fastify';
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { InboxStore } from '../ports/inbox.ts';
import type { Metrics } from '../ports/metrics.ts';
import { healthRoutes } from './health.ts';
import { createPeople } from './people.ts';
import { installProblems } from './problem.ts';
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

export async function buildApp(deps: HttpDeps): Promise<FastifyInstance> {
  const app = Fastify({ routerOptions: { maxParamLength: 1000 }, bodyLimit: 1024 * 1024, forceCloseConnections: true });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  installProblems(app, deps.log);
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    deps.metrics.request({
      method: request.method,
      route,
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    });
  });
  await app.register(helmet);
  await app.register(rateLimit, {
    max: deps.requestsPerMinute,
    timeWindow: '1 minute',
    keyGenerator: (request) => String(request.headers.authorization ?? request.headers['private-token'] ?? request.ip),
  });
  await app.register(swagger, {
    openapi: {
      info: { title: 'Planwright', version: '1', description: 'Asynchronous planning for GitLab work items.' },
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'A GitLab token' } } },
      security: [{ token: [] }],
    },
    transform: jsonSchemaTransform,
  });
  await app.register(webhookRoutes, { ...deps, verify: createVerifier(deps.secrets) });
  await app.register(healthRoutes, { ready: deps.ready, metrics: deps.metrics });
  const people = createPeople(deps);
  await app.register(workplanRoutes({ ...deps, people }), { prefix: '/api/v1' });
  app.get('/openapi.json', { config: { rateLimit: false } }, async () => app.swagger());
  return app;
}
