/** Prometheus metrics of the API process: the process itself and its requests. */
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import type { FastifyInstance } from 'fastify';

export interface Metrics {
  readonly contentType: string;
  text(): Promise<string>;
  /** Counts the requests of this app by route and status. */
  observe(app: FastifyInstance): void;
}

export function createMetrics(): Metrics {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const labelNames = ['method', 'route', 'status'];
  const requests = new Counter({ name: 'planwright_http_requests_total', help: 'HTTP requests answered', labelNames, registers: [register] });
  const seconds = new Histogram({
    name: 'planwright_http_request_seconds',
    help: 'Time to answer an HTTP request',
    labelNames: ['route'],
    buckets: [0.001, 0.005, 0.015, 0.05, 0.2, 1, 5],
    registers: [register],
  });
  return {
    contentType: register.contentType,
    text: () => register.metrics(),
    observe(app) {
      app.addHook('onResponse', async (request, reply) => {
        const route = request.routeOptions.url ?? 'none';
        requests.inc({ method: request.method, route, status: String(reply.statusCode) });
        seconds.observe({ route }, reply.elapsedTime / 1000);
      });
    },
  };
}
