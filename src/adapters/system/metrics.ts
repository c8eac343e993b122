import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ServiceMetrics } from '../../ports/metrics.ts';
import type { Backlog } from '../../ports/upkeep.ts';
import { createRunCounters } from './run-counters.ts';

/** How long a count of what waits is good for several scrapers, milliseconds. */
const FRESH_MS = 5000;

/** Prometheus metrics of this process; what waits is the whole service's. */
export function createMetrics(): ServiceMetrics {
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
  const gitlabRequests = new Counter({
    name: 'planwright_gitlab_requests_total',
    help: 'Requests to GitLab by the status of the answer; none: no answer came',
    labelNames: ['method', 'status'],
    registers,
  });
  const gitlabSeconds = new Histogram({
    name: 'planwright_gitlab_request_seconds',
    help: 'Time of a request to GitLab',
    labelNames: ['method'],
    buckets: [0.02, 0.1, 0.5, 2, 10, 30],
    registers,
  });
  const modelCalls = new Counter({
    name: 'planwright_model_calls_total',
    help: 'Calls of a model by how they ended: ok, cut_off, aborted, or the code of a failure',
    labelNames: ['model', 'outcome'],
    registers,
  });
  const modelSeconds = new Histogram({
    name: 'planwright_model_call_seconds',
    help: 'Time of a call of a model',
    labelNames: ['model'],
    buckets: [0.1, 0.5, 2, 5, 15, 30, 60, 180, 600],
    registers,
  });
  const renewed = new Counter({
    name: 'planwright_queue_listeners_renewed_total',
    help: 'Listeners of a queue that were dead and were made anew',
    labelNames: ['queue'],
    registers,
  });
  return {
    contentType: register.contentType,
    text: () => register.metrics(),
    runs: createRunCounters(register),
    request(answered) {
      const { method, route, status } = answered;
      requests.inc({ method, route, status: String(status) });
      seconds.observe({ route }, answered.seconds);
    },
    gitlab({ method, status, durationMs }) {
      gitlabRequests.inc({ method, status: status === null ? 'none' : String(status) });
      gitlabSeconds.observe({ method }, durationMs / 1000);
    },
    modelCall({ model, outcome, ms }) {
      modelCalls.inc({ model: model === '' ? 'default' : model, outcome });
      modelSeconds.observe({ model: model === '' ? 'default' : model }, ms / 1000);
    },
    backlogFrom: (read) => gaugeBacklog(register, remembered(read)),
    queueSilence(read) {
      new Gauge({
        name: 'planwright_queue_silence_seconds',
        help: 'Time since this process last worked on a job of the queue, canaries included',
        labelNames: ['queue'],
        registers,
        collect() {
          for (const { queue, seconds: silent } of read()) this.set({ queue }, silent);
        },
      });
    },
    tokenExpiryFrom(read) {
      const expiry = remembered(read);
      new Gauge({
        name: 'planwright_gitlab_token_expires_timestamp_seconds',
        help: 'When the GitLab token of the service expires; nothing: GitLab has not told yet, which it does a week before',
        // With a label there is no value until there is one.
        labelNames: ['token'],
        registers,
        async collect() {
          this.reset();
          const day = await expiry();
          if (day !== null) this.set({ token: 'service' }, day.getTime() / 1000);
        },
      });
    },
    listenerRenewed: (queue) => renewed.inc({ queue }),
  };
}

function gaugeBacklog(register: Registry, read: () => Promise<Backlog | null>): void {
  const registers = [register];
  const gauge = (name: string, help: string, label: string, values: (backlog: Backlog) => [string, number][]): void => {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers,
      async collect() {
        this.reset();
        const backlog = await read();
        for (const [value, count] of backlog ? values(backlog) : []) this.set({ [label]: value }, count);
      },
    });
  };
  gauge('planwright_waiting', 'Rows that wait in the inbox and the outbox', 'box', ({ inbox, outbox }) => [
    ['inbox', inbox.open],
    ['outbox', outbox.open],
  ]);
  gauge('planwright_given_up', 'Deliveries that were given up and wait for an operator', 'box', (backlog) => [
    ['inbox', backlog.deliveriesGivenUp],
  ]);
  gauge('planwright_oldest_due_seconds', 'How long the row due longest has been due', 'box', ({ inbox, outbox }) => [
    ['inbox', (inbox.oldestDueMs ?? 0) / 1000],
    ['outbox', (outbox.oldestDueMs ?? 0) / 1000],
  ]);
  gauge('planwright_live_runs', 'Live runs; abandoned: at work but held by nobody', 'state', ({ runs }) => [
    ['generating', runs.generating],
    ['needs_input', runs.needsInput],
    ['abandoned', runs.abandoned],
  ]);
}

/** One read for all gauges and scrapers of a moment; null when it fails: a scraper gets the rest. */
function remembered<T>(read: () => Promise<T>): () => Promise<T | null> {
  let last: { at: number; value: Promise<T | null> } | null = null;
  return () => {
    const now = performance.now();
    if (last === null || now - last.at > FRESH_MS) last = { at: now, value: read().catch(() => null) };
    return last.value;
  };
}
