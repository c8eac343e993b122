import type { FastifyInstance, InjectOptions } from 'fastify';
import { onTestFinished } from 'vitest';
import { createPieceCache } from '../../../src/app/runner/piece-cache.ts';
import { buildApp, type HttpDeps } from '../../../src/http/app.ts';
import type { GitLabIssue, GitLabPort } from '../../../src/ports/gitlab.ts';
import type { Delivery } from '../../../src/ports/inbox.ts';
import type { Metrics } from '../../../src/ports/metrics.ts';
import type { DeliveredNote } from '../../../src/ports/outbox.ts';
import { createFakeClock } from '../../helpers/fakes/clock.ts';
import { createFakeGitLab } from '../../helpers/fakes/gitlab.ts';
import { sampleWorld } from '../../helpers/fakes/gitlab-world.ts';
import { createMemoryLease } from '../../helpers/fakes/lease.ts';
import { createMemoryLog } from '../../helpers/fakes/log.ts';
import { createFakeRuns } from './fake-runs.ts';

export const WEBHOOK_TOKEN = 'hook-secret-1';
export const SIGNING_TOKEN = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
export const ITEM = '/api/v1/projects/1/issues/1/workplan';

const PIECE = `name: workplan
initial_movement: write
max_iterations: 3
movements:
  - name: write
    action: publish_workplan
    rules:
      - condition: done
        next: COMPLETE
      - condition: failed
        next: ABORT
`;

export type Http = Awaited<ReturnType<typeof createHttp>>;

export interface HttpOptions {
  deps?: Partial<HttpDeps>;
  issue?: Partial<GitLabIssue>;
  /** The project's settings file. */
  settings?: string;
  pieces?: Record<string, string>;
}

/** The app over fakes. Closed when the test is over. Tokens are `token-NAME`. */
export async function createHttp(options: HttpOptions = {}) {
  const clock = createFakeClock();
  const log = createMemoryLog();
  const world = sampleWorld(options.issue);
  if (options.settings !== undefined) world.files['.gitlab/planwright.yml'] = options.settings;
  const gitlab = createFakeGitLab(world);
  const calls: (keyof GitLabPort)[] = [];
  const runs = createFakeRuns();
  const inbox = createFakeInbox();
  const wakes = { runs: [] as string[][], deliveries: 0 };
  const requests: Parameters<Metrics['request']>[0][] = [];
  const notes: DeliveredNote[] = [];
  const failures: { marker: string; kind: DeliveredNote['kind']; error: string }[] = [];
  const pieces = options.pieces ?? { workplan: PIECE };
  let ids = 0;
  const deps: HttpDeps = {
    store: runs,
    versions: { newest: (item) => runs.latestForItem(item) },
    gitlab: recorded(gitlab, calls),
    lease: createMemoryLease(clock),
    queue: {
      wakeRuns: async (runIds) => void wakes.runs.push(runIds),
      wakeDeliveries: async () => {
        wakes.deliveries += 1;
      },
    },
    pieces: {
      load: async (name) => {
        const text = pieces[name];
        return text === undefined ? null : { name, file: `${name}.yaml`, text, files: {} };
      },
    },
    clock,
    ids: {
      next: () => {
        ids += 1;
        return `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`;
      },
    },
    log,
    pieceOf: createPieceCache(),
    operator: { provider: 'scripted', models: {}, runTimeoutMs: 600_000, leaseMs: 30_000 },
    inbox,
    outbox: { notesOfRun: async () => notes, failures: async () => failures },
    secrets: { token: WEBHOOK_TOKEN, signingToken: SIGNING_TOKEN },
    allowedBots: [],
    metrics: {
      contentType: 'text/plain; version=0.0.4',
      text: async () => '# none\n',
      request: (r) => void requests.push(r),
    },
    ready: async () => undefined,
    requestsPerMinute: 1_000_000,
    publicUrl: 'https://plan.example/base',
    ...options.deps,
  };
  const app = await buildApp(deps);
  onTestFinished(() => app.close());
  return {
    app,
    clock,
    log,
    gitlab,
    calls,
    runs,
    inbox,
    wakes,
    requests,
    notes,
    failures,
    send: (request: InjectOptions) => answer(app, request),
    get: (url: string, user: string | null = 'alice', headers: Record<string, string> = {}) =>
      answer(app, { method: 'GET', url, headers: { ...as(user), ...headers } }),
    post: (
      url: string,
      user: string | null = 'alice',
      payload?: object | string,
      headers: Record<string, string> = {},
    ) =>
      answer(app, {
        method: 'POST',
        url,
        headers: { ...as(user), ...headers },
        ...(payload === undefined ? {} : { payload }),
      }),
  };
}

function as(user: string | null): Record<string, string> {
  return user === null ? {} : { authorization: `Bearer token-${user}` };
}

async function answer(app: FastifyInstance, request: InjectOptions) {
  const response = await app.inject(request);
  const { headers, body, statusCode: status } = response;
  const json = String(headers['content-type']).includes('json')
    ? (JSON.parse(body || 'null') as Record<string, unknown>)
    : null;
  return { status, headers, body, json };
}

export interface FakeInbox {
  readonly stored: Delivery[];
  put(delivery: Delivery): Promise<'stored' | 'known'>;
  /** Every `put` from now on waits for this first. */
  before(wait: () => Promise<void>): void;
}

function createFakeInbox(): FakeInbox {
  const stored: Delivery[] = [];
  let wait = async (): Promise<void> => undefined;
  return {
    stored,
    before(next) {
      wait = next;
    },
    async put(delivery) {
      await wait();
      if (stored.some(({ id }) => id === delivery.id)) return 'known';
      stored.push(delivery);
      return 'stored';
    },
  };
}

function recorded(gitlab: GitLabPort, calls: (keyof GitLabPort)[]): GitLabPort {
  return new Proxy(gitlab, {
    get: (target, name: keyof GitLabPort) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        calls.push(name);
        return value.apply(target, given);
      };
    },
  });
}
