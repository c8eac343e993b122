/** Composition: the only place that knows which adapter serves which port (design: The house). */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { createBullConsumer } from '../adapters/bullmq/consumer.ts';
import { createBullProducer } from '../adapters/bullmq/producer.ts';
import { createGitLab } from '../adapters/gitlab/client.ts';
import { type Database, openPglite, openPostgres } from '../adapters/postgres/connect.ts';
import { createInboxStore } from '../adapters/postgres/inbox-store.ts';
import { createOutboxStore } from '../adapters/postgres/outbox-store.ts';
import { createRunStore } from '../adapters/postgres/run-store.ts';
import { connectRedis } from '../adapters/redis/connect.ts';
import { createRedisLease } from '../adapters/redis/lease.ts';
import { createRepository } from '../adapters/repository/repository.ts';
import { createSystemClock } from '../adapters/system/clock.ts';
import { createIds } from '../adapters/system/ids.ts';
import { createMetrics } from '../adapters/system/metrics.ts';
import { createPieceFolder } from '../adapters/system/piece-folder.ts';
import type { ActDeps } from '../app/actions/types.ts';
import { createPieceCache } from '../app/runner/piece-cache.ts';
import type { Config } from '../config.ts';
import type { Log } from '../ports/log.ts';
import { openModel } from './model.ts';

export type Infrastructure = Awaited<ReturnType<typeof openInfrastructure>>;

/** Connects what a process needs. `databaseDir`: where the embedded database lives (`memory` keeps nothing). */
export async function openInfrastructure(config: Config, log: Log, options: { databaseDir?: string } = {}) {
  const { redisUrl } = config;
  if (redisUrl === null) throw new Error('REDIS_URL must be known before the service is composed.');
  const clock = createSystemClock();
  const ids = createIds();
  const model = await openModel(config);
  const db = await openDatabase(config, options.databaseDir ?? 'memory');
  const redis = connectRedis({ url: redisUrl, name: 'planwright', log });
  const queueSettings = { url: redisUrl, prefix: config.redisPrefix, log };
  const queue = createBullProducer(queueSettings);
  const gitlab = openGitLab(config, log);
  const repository = createRepository({
    archive: (projectId, sha, signal) => gitlab.archive(projectId, sha, signal),
    folder: config.snapshotDir,
    clock,
    log,
  });
  const act: ActDeps = {
    store: createRunStore(db),
    gitlab,
    lease: createRedisLease({ redis, prefix: config.redisPrefix, log }),
    queue,
    pieces: createPieceFolder(config.piecesDir),
    pieceOf: createPieceCache(),
    clock,
    ids,
    log,
    operator: {
      provider: model.label,
      models: { default: config.modelId },
      runTimeoutMs: config.runTimeoutMs,
      leaseMs: config.leaseMs,
    },
  };
  return {
    config,
    log,
    db,
    model,
    repository,
    consumer: createBullConsumer(queueSettings),
    outbox: createOutboxStore(db),
    inbox: createInboxStore(db),
    metrics: createMetrics(),
    act,
    /** Names this process as an owner of holds. */
    owner: `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`,
    async close() {
      await Promise.allSettled([queue.close(), redis.close(), gitlab.close(), repository.close()]);
      await db.close();
    },
  };
}

export function openGitLab(config: Config, log: Log): ReturnType<typeof createGitLab> {
  const { gitlabUrl, gitlabToken } = config;
  if (gitlabUrl === null || gitlabToken === null) throw new Error('GITLAB_URL and GITLAB_TOKEN must be known.');
  const clock = createSystemClock();
  return createGitLab({ baseUrl: gitlabUrl, token: gitlabToken, timeoutMs: config.gitlabTimeoutMs, clock, log });
}

export function openDatabase(config: Config, databaseDir: string): Promise<Database> {
  return config.databaseUrl === null
    ? openPglite({ dataDir: databaseDir })
    : openPostgres({ url: config.databaseUrl, applicationName: 'planwright' });
}
