/** Everything in one process (demo, dev, tests): Redis, the embedded database, the sandbox GitLab, API and workers. */
import { randomBytes } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import { type SandboxHandle, startSandbox } from '../sandbox/server.ts';
import { ensureHook } from '../src/app/connect.ts';
import { type Config, loadConfig } from '../src/config.ts';
import type { Log } from '../src/ports/log.ts';
import { type Infrastructure, type OpenOptions, openGitLab, openInfrastructure } from '../src/wire/infrastructure.ts';
import { startMaintenance } from '../src/wire/maintenance.ts';
import { type Running, startApi, startDeliveries, startRuns } from '../src/wire/processes.ts';
import { ensureRedis } from './launch/redis.ts';

export interface EmbeddedOptions {
  log: Log;
  /** Folder of the embedded database; `memory` keeps nothing. */
  databaseDir: string;
  /** 0: any free one. */
  port: number;
  sandboxPort?: number;
  /** Settings that stand over the defaults; `redisUrl` and `databaseUrl` name servers that are there already. */
  config?: Partial<Config>;
  /** Stands around the model, e.g. to see what it is asked. */
  aroundModel?: OpenOptions['aroundModel'];
  /** Workers of this process; false: they run elsewhere. */
  workers?: boolean;
  /** Told what is being started. */
  progress?: (what: string) => void;
}

export interface Embedded {
  infra: Infrastructure;
  sandbox: SandboxHandle;
  config: Config;
  apiUrl: string;
  /** Stops everything that was started, in order. */
  stop(): Promise<void>;
}

export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const started: Running[] = [];
  const stop = async () => {
    for (const part of started.splice(0).reverse()) await part.stop();
  };
  const say = options.progress ?? (() => undefined);
  try {
    say('Redis');
    const redisUrl = options.config?.redisUrl ?? (await launchRedis(started));
    say('sandbox GitLab');
    const sandbox = await startSandbox({ port: options.sandboxPort ?? 0 });
    started.push({ stop: () => sandbox.close() });
    const place = await holdPort(options.port);
    started.push({ stop: place.release });
    const config = { ...embeddedConfig(redisUrl, sandbox.url, place.port), ...options.config };
    say('embedded PostgreSQL');
    const infra = await openInfrastructure(config, options.log, options);
    started.push({ stop: () => infra.close() });
    await infra.db.migrate();
    say('API and workers');
    await place.release();
    const api = await startApi(infra);
    started.push(api);
    if (options.workers !== false)
      started.push(await startRuns(infra), await startDeliveries(infra), await startMaintenance(infra));
    await connectAll(config, sandbox, api.url, options.log);
    return { infra, sandbox, config, apiUrl: api.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Keeps a port from others until the API listens there: its address is in what runs are started with. 0: any free one. */
async function holdPort(wanted: number): Promise<{ port: number; release(): Promise<void> }> {
  if (wanted !== 0) return { port: wanted, release: async () => undefined };
  const holder = createServer();
  await new Promise<void>((resolve, reject) => {
    holder.once('error', reject);
    holder.listen(0, '127.0.0.1', resolve);
  });
  const { port } = holder.address() as AddressInfo;
  return { port, release: () => new Promise((resolve) => holder.close(() => resolve())) };
}

async function launchRedis(started: Running[]): Promise<string> {
  const redis = await ensureRedis();
  started.push(redis);
  return redis.url;
}

/** Hooks are a Maintainer's business; the bot is a Developer. */
async function connectAll(config: Config, sandbox: SandboxHandle, apiUrl: string, log: Log): Promise<void> {
  const maria = openGitLab({ ...config, gitlabToken: 'sandbox-maria' }, log);
  const hook = {
    url: `${apiUrl}/webhooks/gitlab`,
    token: config.webhookToken,
    signingToken: config.webhookSigningToken,
  };
  for (const project of sandbox.state.projects.values()) await ensureHook(maria, project.id, hook);
  await maria.close();
}

/**
 * The sandbox stands for GitLab, and nothing of the person's environment counts but where Redis is: no setting can point the demo at a
 * real GitLab, another provider or folders of their own.
 */
function embeddedConfig(redisUrl: string, gitlabUrl: string, port: number): Config {
  const config = loadConfig({});
  return {
    ...config,
    port,
    publicUrl: `http://${config.host}:${port}`,
    // One person's script asks more often here than people do.
    requestsPerMinute: 1_000_000,
    databaseUrl: null,
    redisUrl,
    redisPrefix: `planwright-${randomBytes(4).toString('hex')}`,
    gitlabUrl,
    gitlabProxy: null,
    gitlabCaFile: null,
    // Its hooks are never lost.
    reconcileMs: 0,
    gitlabToken: 'sandbox-planwright',
    webhookToken: null,
    webhookSigningToken: `whsec_${randomBytes(32).toString('base64')}`,
  };
}
