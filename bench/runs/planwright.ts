/** Durable runs of Planwright: actions, queue, worker, store and outbox as in production; only GitLab and the model cost nothing. */
import { randomUUID } from 'node:crypto';
import { createBullConsumer } from '../../src/adapters/bullmq/consumer.ts';
import { createBullProducer } from '../../src/adapters/bullmq/producer.ts';
import { openPglite, openPostgres } from '../../src/adapters/postgres/connect.ts';
import { createOutboxStore } from '../../src/adapters/postgres/outbox-store.ts';
import { createRunStore } from '../../src/adapters/postgres/run-store.ts';
import { connectRedis } from '../../src/adapters/redis/connect.ts';
import { createRedisLease } from '../../src/adapters/redis/lease.ts';
import { createSystemClock } from '../../src/adapters/system/clock.ts';
import { createIds } from '../../src/adapters/system/ids.ts';
import { act } from '../../src/app/actions/act.ts';
import type { ActDeps, ActionName } from '../../src/app/actions/types.ts';
import { createAudience } from '../../src/app/delivery/audience.ts';
import { deliverOutbox, OUTBOX_PACE_MS } from '../../src/app/delivery/outbox.ts';
import { createPerformer } from '../../src/app/effects/perform.ts';
import { startLoop } from '../../src/app/loop.ts';
import { READS_WAIT_MS } from '../../src/app/runner/advance.ts';
import { createPieceCache } from '../../src/app/runner/piece-cache.ts';
import { createRunner } from '../../src/app/runner/runner.ts';
import type { RunStore } from '../../src/ports/run-store.ts';
import { alice, createCostlessGitLab, issueOf } from './costless-gitlab.ts';
import { createCostlessModel, piece } from './work.ts';

export interface Contestant {
  name: string;
  /** One whole run: start, pause, Continue, end. */
  run(number: number): Promise<void>;
  close(): Promise<void>;
}

const quiet = { debug: () => undefined, info: () => undefined, warn: console.error, error: console.error };

export async function createPlanwright(servers: { postgres: string | null; redis: string }): Promise<Contestant> {
  const db = servers.postgres === null ? await openPglite() : await openPostgres({ url: servers.postgres });
  await db.migrate();
  const store = createRunStore(db);
  const outbox = createOutboxStore(db);
  const prefix = `bench-${randomUUID().slice(0, 8)}`;
  const redis = connectRedis({ url: servers.redis, name: 'bench', log: quiet });
  const queueSettings = { url: servers.redis, prefix, log: quiet };
  const queue = createBullProducer(queueSettings);
  const clock = createSystemClock();
  const gitlab = createCostlessGitLab();
  const lease = createRedisLease({ redis, prefix, log: quiet });
  const waiters = new Map<string, (status: string) => void>();
  const watched = watch(store, waiters);
  const deps: ActDeps = {
    store: watched,
    gitlab,
    lease,
    queue,
    pieces: { load: async () => piece },
    pieceOf: createPieceCache(),
    clock,
    ids: createIds(),
    log: quiet,
    operator: { provider: 'costless', models: {}, runTimeoutMs: 3_600_000, leaseMs: 30_000 },
  };
  const runner = createRunner({
    store: watched,
    lease,
    perform: createPerformer({
      gitlab,
      repository: { snapshot: () => Promise.reject(new Error('There is no repository.')) },
      outbox,
      model: createCostlessModel(),
      clock,
      log: quiet,
      allowedBots: [],
      limits: { agentSteps: 10, agentTimeoutMs: 60_000 },
    }),
    pieceOf: deps.pieceOf,
    clock,
    log: quiet,
    onOutbox: () => deliveries.wake(),
    readsWaitMs: READS_WAIT_MS,
    settings: { worker: 'bench', maxRuns: 10_000, holdMs: 15_000, heartbeatMs: 5000, leaseMs: 30_000, watchMs: 1000 },
  });
  const audience = createAudience({ gitlab, clock });
  const deliveries = startLoop({
    name: 'outbox',
    idleMs: 1000,
    paceMs: OUTBOX_PACE_MS,
    clock,
    log: quiet,
    work: (signal, draining, woken) =>
      deliverOutbox(
        {
          outbox,
          gitlab,
          audience,
          clock,
          log: quiet,
          owner: 'bench',
          limit: 200,
          holdMs: 60_000,
          paceMs: OUTBOX_PACE_MS,
        },
        signal,
        draining,
        woken,
      ),
  });
  runner.start();
  const consuming = await createBullConsumer(queueSettings).onRuns((runIds) => runner.take(runIds));

  async function take(action: ActionName, number: number): Promise<void> {
    const issue = issueOf(number);
    const project = await gitlab.project(1);
    if (!project) throw new Error('The project is gone.');
    const settled = Promise.withResolvers<string>();
    waiters.set(`${issue.id}`, settled.resolve);
    const result = await act(deps, {
      action,
      project,
      issue,
      person: alice,
      via: 'api',
      argument: '',
      pauseId: null,
      noteId: null,
      cause: { actionKey: null, deliveryId: null },
    });
    if (result.kind !== 'accepted') throw new Error(`${action} was ${JSON.stringify(result)}`);
    const status = await settled.promise;
    const wanted = action === 'plan' ? 'NEEDS_INPUT' : 'COMPLETED';
    if (status !== wanted) throw new Error(`Expected ${wanted}, got ${status}`);
  }

  return {
    name: servers.postgres === null ? 'planwright (PGlite)' : 'planwright',
    async run(number) {
      await take('plan', number);
      await take('continue', number);
    },
    async close() {
      await deliveries.stop();
      await consuming.close();
      await runner.stop();
      await Promise.all([queue.close(), redis.close()]);
      await db.close();
    },
  };
}

/** Tells who waits when a run's status was appended: committed, not only decided. */
function watch(store: RunStore, waiters: Map<string, (status: string) => void>): RunStore {
  const items = new Map<string, number>();
  return {
    ...store,
    async start(input) {
      items.set(input.id, input.item.globalId);
      return store.start(input);
    },
    async append(input) {
      const outcome = await store.append(input);
      const { status } = input.row;
      if (outcome.kind === 'appended' && status !== undefined && status !== 'GENERATING')
        waiters.get(`${items.get(input.runId)}`)?.(status);
      return outcome;
    },
  };
}
