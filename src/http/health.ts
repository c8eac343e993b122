/** Liveness, readiness and metrics (design: HTTP). The API is ready when it can store a delivery. */
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../ports/metrics.ts';
import { Problem } from './problem.ts';

export interface HealthDeps {
  /** Rejects when the store cannot take a delivery, or migrations are pending. */
  ready(): Promise<void>;
  metrics: Metrics;
}

export async function healthRoutes(app: FastifyInstance, deps: HealthDeps): Promise<void> {
  const open = { config: { rateLimit: false }, logLevel: 'silent' } as const;
  app.get('/healthz', open, async () => ({ status: 'ok' }));
  app.get('/readyz', open, async () => {
    try {
      await deps.ready();
    } catch {
      throw new Problem(
        503,
        'not_ready',
        'Deliveries cannot be stored now: the database cannot be reached or is not migrated.',
      );
    }
    return { status: 'ready' };
  });
  app.get('/metrics', open, async (_request, reply) => {
    reply.type(deps.metrics.contentType);
    return deps.metrics.text();
  });
}
