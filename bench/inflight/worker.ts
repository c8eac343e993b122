/**
 * One runs worker with thousands of runs in flight, a process of its own: `node --expose-gc bench/inflight/worker.ts POSTGRES_URL REDIS_URL
 * RUNS MOVEMENT_MS`. Store, queue, lease and runner as in production; GitLab costs nothing and every answer of the model takes its time.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createBullConsumer } from '../../src/adapters/bullmq/consumer.ts';
import { createBullProducer } from '../../src/adapters/bullmq/producer.ts';
import { openPostgres } from '../../src/adapters/postgres/connect.ts';
import { createOutboxStore } from '../../src/adapters/postgres/outbox-store.ts';
import { createRunStore } from '../../src/adapters/postgres/run-store.ts';
import { connectRedis } from '../../src/adapters/redis/connect.ts';
import { createRedisLease } from '../../src/adapters/redis/lease.ts';
import { createSystemClock } from '../../src/adapters/system/clock.ts';
import { createIds } from '../../src/adapters/system/ids.ts';
import { act } from '../../src/app/actions/act.ts';
import type { ActDeps } from '../../src/app/actions/types.ts';
import { createPerformer } from '../../src/app/effects/perform.ts';
import { createPieceCache } from '../../src/app/runner/piece-cache.ts';
import { createRunner } from '../../src/app/runner/runner.ts';
import type { ModelPort } from '../../src/ports/model.ts';
import type { RunStore } from '../../src/ports/run-store.ts';
import { alice, createCostlessGitLab, issueOf } from '../runs/costless-gitlab.ts';
import { OUTPUT, piece } from '../runs/work.ts';

const [postgres = '', redisUrl = '', runs = '', movementMs = ''] = process.argv.slice(2);
const count = Number(runs);
const quiet = { debug: () => undefined, info: () => undefined, warn: console.error, error: console.error };
const prefix = `bench-${randomUUID().slice(0, 8)}`;
const db = await openPostgres({ url: postgres });
await db.migrate();
const store = createRunStore(db);
const redis = connectRedis({ url: redisUrl, name: 'bench', log: quiet });
const queueSettings = { url: redisUrl, prefix, log: quiet };
const queue = createBullProducer(queueSettings);
const clock = createSystemClock();
const gitlab = createCostlessGitLab();
const lease = createRedisLease({ redis, prefix, log: quiet });

/** Answers after its time, as a model that thinks; gives up at once when it is told to. */
const slowModel: ModelPort = {
  label: 'slow',
  async complete({ signal }) {
    await delay(Number(movementMs), undefined, signal ? { signal } : {});
    return {
      text: `${OUTPUT}\n\n[STEP:0]`,
      toolCalls: [],
      usage: { inputTokens: 500, outputTokens: 500, estimated: true },
    };
  },
};

const deps: ActDeps = {
  store,
  gitlab,
  lease,
  // Nobody is woken before all are there.
  queue: { wakeRuns: async () => undefined, wakeDeliveries: async () => undefined },
  pieces: { load: async () => piece },
  pieceOf: createPieceCache(),
  clock,
  ids: createIds(),
  log: quiet,
  operator: { provider: 'slow', models: {}, runTimeoutMs: 3_600_000, leaseMs: 30_000 },
};

const ids: string[] = [];
const project = await gitlab.project(1);
if (!project) throw new Error('The project is gone.');
const numbers = Array.from({ length: count }, (_, index) => index + 1).values();
const starter = async (): Promise<void> => {
  for (const number of numbers) {
    const result = await act(deps, {
      action: 'plan',
      project,
      issue: issueOf(number),
      person: alice,
      via: 'api',
      argument: '',
      pauseId: null,
      noteId: null,
      cause: { actionKey: null, deliveryId: null },
    });
    if (result.kind !== 'accepted') throw new Error(`plan was ${JSON.stringify(result)}`);
    ids.push(result.run.id);
  }
};
await Promise.all(Array.from({ length: 64 }, starter));

let ended = 0;
const allEnded = Promise.withResolvers<void>();
const watched: RunStore = {
  ...store,
  async append(input) {
    const outcome = await store.append(input);
    const { status } = input.row;
    if (outcome.kind === 'appended' && status !== undefined && status !== 'GENERATING') {
      if (status !== 'COMPLETED') allEnded.reject(new Error(`A run ended ${status}.`));
      ended += 1;
      if (ended === count) allEnded.resolve();
    }
    return outcome;
  },
};

const runner = createRunner({
  store: watched,
  lease,
  perform: createPerformer({
    gitlab,
    repository: { snapshot: () => Promise.reject(new Error('There is no repository.')) },
    outbox: createOutboxStore(db),
    model: slowModel,
    clock,
    log: quiet,
    allowedBots: [],
    limits: { agentSteps: 10, agentTimeoutMs: 600_000 },
  }),
  pieceOf: deps.pieceOf,
  clock,
  log: quiet,
  onOutbox: () => undefined,
  settings: { worker: 'bench', maxRuns: count, holdMs: 15_000, heartbeatMs: 5000, leaseMs: 30_000, watchMs: 1000 },
});
runner.start();
const consuming = await createBullConsumer(queueSettings).onRuns((runIds) => runner.take(runIds));

const memory = (): { heap: number; rss: number } => {
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, rss };
};
const before = memory();
const started = performance.now();
const idealMs = 6 * Number(movementMs);
let inFlight = { heap: 0, rss: 0 };
// In the middle of it, when all are in flight.
const look = delay(idealMs * 0.6).then(() => {
  inFlight = memory();
});
await queue.wakeRuns(ids);
await Promise.all([allEnded.promise, look]);
const ms = performance.now() - started;
process.stdout.write(
  `${JSON.stringify({
    ms,
    idealMs,
    heapPerRun: (inFlight.heap - before.heap) / count,
    rssPerRun: (inFlight.rss - before.rss) / count,
    cpuMs: process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000,
  })}\n`,
);
await consuming.close();
await runner.stop();
await Promise.all([queue.close(), redis.close()]);
await db.close();
process.exit(0);
