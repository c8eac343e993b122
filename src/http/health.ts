/** Liveness, readiness and metrics (design: HTTP). The API is ready when it can store a delivery. */
import type { FastifyInstance } from 'fastify';
import type { Log } from '../ports/log.ts';
import type { Metrics } from '../ports/metrics.ts';
import { Problem } from './problem.ts';
import { Healthy, problemsOf } from './schemas.ts';

export interface HealthDeps {
  /** Rejects when the store cannot take a delivery, or migrations are pending. */
  ready(): Promise<void>;
  metrics: Metrics;
  log: Log;
  /** What it means not to be ready; absent: of the API. */
  notReady?: string;
}

const NOT_READY = 'Deliveries cannot be stored now: the database cannot be reached or is not migrated.';

export async function healthRoutes(app: FastifyInstance, deps: HealthDeps): Promise<void> {
  const config = { rateLimit: false } as const;
  const common = { tags: ['operating'], security: [] };
  app.get(
    '/healthz',
    { config, schema: { ...common, summary: 'The process answers.', response: { 200: Healthy } } },
    async () => ({ status: 'ok' }),
  );
  const response = { 200: Healthy, ...problemsOf(503) };
  app.get('/readyz', { config, schema: { ...common, summary: 'Deliveries can be stored.', response } }, async () => {
    try {
      await deps.ready();
    } catch (error) {
      deps.log.warn({ error }, 'not ready');
      throw new Problem(503, 'not_ready', deps.notReady ?? NOT_READY);
    }
    return { status: 'ready' };
  });
  app.get('/metrics', { config, schema: { ...common, summary: 'Metrics for a scraper.' } }, async (_request, reply) => {
    reply.type(deps.metrics.contentType);
    return deps.metrics.text();
  });
}
