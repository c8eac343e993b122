import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Metrics } from '../../ports/metrics.ts';

/** Prometheus metrics of this process. */
export function createMetrics(): Metrics {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  const requests = new Counter({
    name: 'planwright_http_requests_total',
    help: 'HTTP requests answered',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'planwright_http_request_seconds',
    help: 'Time to answer an HTTP request',
    labelNames: ['route'],
    buckets: [0.001, 0.005, 0.015, 0.05, 0.2, 1, 5],
    registers,
  });
  return {
    contentType: register.contentType,
    text: () => register.metrics(),
    request(answered) {
      const { method, route, status } = answered;
      requests.inc({ method, route, status: String(status) });
      seconds.observe({ route }, answered.seconds);
    },
  };
}
