/** Composition: the only place that knows which adapter serves which port (design: The house). */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { createBullConsumer } from '../adapters/bullmq/consumer.ts';
import { createBullProducer } from '../adapters/bullmq/producer.ts';
import { createGitLab, type GitLabOptions } from '../adapters/gitlab/client.ts';
import { createRateBreaker } from '../adapters/postgres/breaker.ts';
import { type Database, openPglite, openPostgres } from '../adapters/postgres/connect.ts';
import { createInboxStore } from '../adapters/postgres/inbox-store.ts';
import { createItemVersions } from '../adapters/postgres/item-versions.ts';
import { createOutboxStore } from '../adapters/postgres/outbox-store.ts';
import { createProjectWarnings } from '../adapters/postgres/project-warnings.ts';
import { createProjectWatch } from '../adapters/postgres/project-watch.ts';
import { createRetentionStore } from '../adapters/postgres/retention-store.ts';
import { createRunStore } from '../adapters/postgres/run-store.ts';
import { createTakeoverStore } from '../adapters/postgres/takeover-store.ts';
import { createTurnStore } from '../adapters/postgres/turn-store.ts';
import { createUpkeepStore } from '../adapters/postgres/upkeep-store.ts';
import { createUsageStore } from '../adapters/postgres/usage-store.ts';
import { createRedisCallLimit } from '../adapters/redis/call-limit.ts';
import { checkRedis } from '../adapters/redis/check.ts';
import { connectRedis } from '../adapters/redis/connect.ts';
import { createRedisLease } from '../adapters/redis/lease.ts';
import { createRepository } from '../adapters/repository/repository.ts';
import { createSystemClock } from '../adapters/system/clock.ts';
import { createIds } from '../adapters/system/ids.ts';
import { makeFolder } from '../adapters/system/make-folder.ts';
import { createMetrics } from '../adapters/system/metrics.ts';
import { createPieceFolder } from '../adapters/system/piece-folder.ts';
import type { ActDeps } from '../app/actions/types.ts';
import { countRuns } from '../app/counted-store.ts';
import { createPieceCache } from '../app/runner/piece-cache.ts';
import { takeTurns } from '../app/turns.ts';
import { tokenExpiry } from '../app/warnings.ts';
import type { Config } from '../config.ts';
import type { Log } from '../ports/log.ts';
import type { ModelPort } from '../ports/model.ts';
import { EVERY_PROJECT } from '../ports/project-warnings.ts';
import { modelsOffered, openModel } from './model.ts';

export type Infrastructure = Awaited<ReturnType<typeof openInfrastructure>>;

export interface OpenOptions {
  /** Where the embedded database lives (`memory` keeps nothing). */
  databaseDir?: string;
  /** Stands around the model, e.g. to see what it is asked. */
  aroundModel?: ((model: ModelPort) => ModelPort) | undefined;
}

/** Connects what a process needs. */
export async function openInfrastructure(config: Config, log: Log, options: OpenOptions = {}) {
  const { redisUrl } = config;
  if (redisUrl === null) throw new Error('REDIS_URL must be known before the service is composed.');
  const clock = createSystemClock();
  const ids = createIds();
  const opened = await openModel(config);
  const model = options.aroundModel?.(opened) ?? opened;
  const db = await openDatabase(config, options.databaseDir ?? 'memory');
  const redis = connectRedis({ url: redisUrl, name: 'planwright', log });
  const queueSettings = { url: redisUrl, prefix: config.redisPrefix, log };
  const queue = createBullProducer(queueSettings);
  const metrics = createMetrics();
  const gitlab = openGitLab(config, log, {
    observe: (call) => metrics.gitlab(call),
    gate: createRedisCallLimit({ redis, prefix: config.redisPrefix }),
  });
  const repository = createRepository({
    archive: (projectId, sha, signal) => gitlab.archive(projectId, sha, signal),
    folder: config.snapshotDir,
    makeFolder,
    clock,
    log,
  });
  const turns = createTurnStore(db);
  const usage = createUsageStore(db);
  const act: ActDeps = {
    store: countRuns(takeTurns(createRunStore(db), { turns, queue, log }), metrics.runs),
    gitlab,
    lease: createRedisLease({ redis, prefix: config.redisPrefix, log }),
    queue,
    pieces: createPieceFolder(config.piecesDir),
    pieceOf: createPieceCache(),
    clock,
    ids,
    log,
    usage,
    model,
    operator: {
      provider: model.label,
      ...modelsOffered(config),
      runTimeoutMs: config.runTimeoutMs,
      leaseMs: config.leaseMs,
      agent: { steps: config.agentMaxSteps, timeoutMs: config.agentTimeoutMs },
      allowedBots: config.allowedBots,
      publicUrl: config.publicUrl,
      maxLiveRuns: config.maxLiveRuns,
    },
  };
  const consumer = createBullConsumer({
    ...queueSettings,
    canaryMs: config.canaryMs,
    renewed: (name) => metrics.listenerRenewed(name),
  });
  const upkeep = createUpkeepStore(db);
  metrics.backlogFrom(() => upkeep.backlog());
  const warnings = createProjectWarnings(db);
  metrics.tokenExpiryFrom(async () => tokenExpiry(await warnings.of(EVERY_PROJECT)));
  metrics.queueSilence(() =>
    consumer.health().map(({ queue: name, silentMs }) => ({ queue: name, seconds: silentMs / 1000 })),
  );
  return {
    config,
    log,
    db,
    model,
    repository,
    consumer,
    upkeep,
    turns,
    usage,
    watch: createProjectWatch(db),
    warnings,
    breaker: createRateBreaker(db),
    retention: createRetentionStore(db),
    versions: createItemVersions(db),
    takeovers: createTakeoverStore(db),
    outbox: createOutboxStore(db),
    inbox: createInboxStore(db),
    metrics,
    act,
    /** `act` for what a person waits for: its calls to GitLab go before those of the background. */
    actNow: { ...act, gitlab: gitlab.urgent } satisfies ActDeps,
    /** What should be known about Redis's settings. */
    checkRedis: () => checkRedis(redis),
    /** Names this process as an owner of holds. */
    owner: `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`,
    async close() {
      await Promise.allSettled([queue.close(), redis.close(), gitlab.close(), repository.close()]);
      await db.close();
    },
  };
}

/** Without a gate the process goes by what it knows itself of GitLab's limits. */
export function openGitLab(
  config: Config,
  log: Log,
  shared: Pick<GitLabOptions, 'observe' | 'gate'> = {},
): ReturnType<typeof createGitLab> {
  const { gitlabUrl, gitlabToken, gitlabProxy, gitlabCaFile, gitlabTimeoutMs: timeoutMs } = config;
  if (gitlabUrl === null || gitlabToken === null) throw new Error('GITLAB_URL and GITLAB_TOKEN must be known.');
  return createGitLab({
    baseUrl: gitlabUrl,
    token: gitlabToken,
    timeoutMs,
    clock: createSystemClock(),
    log,
    ...(gitlabProxy === null ? {} : { proxy: gitlabProxy }),
    ...(gitlabCaFile === null ? {} : { caFile: gitlabCaFile }),
    ...shared,
  });
}

export function openDatabase(config: Config, databaseDir: string): Promise<Database> {
  return config.databaseUrl === null
    ? openPglite({ dataDir: databaseDir, makeFolder })
    : openPostgres({ url: config.databaseUrl, applicationName: 'planwright' });
}
