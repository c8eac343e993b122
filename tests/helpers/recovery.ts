/** A service of processes on real PostgreSQL and Redis: an API and a second worker live in the test, what is to be killed is a process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from 'pg';
import type { SandboxHandle } from '../../sandbox/server.ts';
import { freePort } from '../../scripts/launch/guarded.ts';
import { openPostgres } from '../../src/adapters/postgres/connect.ts';
import { type Config, loadConfig } from '../../src/config.ts';
import { type Infrastructure, openInfrastructure } from '../../src/wire/infrastructure.ts';
import { startMaintenance } from '../../src/wire/maintenance.ts';
import { type Running, startApi, startDeliveries, startRuns } from '../../src/wire/processes.ts';
import { createMemoryLog } from './fakes/log.ts';
import { patiently } from './scene.ts';
import { testPostgresUrl, testRedis } from './servers.ts';

const root = path.resolve(import.meta.dirname, '../..');
const SIGNING = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** Short enough to wait for, long enough for a machine that is busy. */
const TIMES = { heartbeatMs: 200, takeoverMs: 900, sweepMs: 200, deliveryHoldMs: 900, leaseMs: 3000 };
export type Times = typeof TIMES;

/** What a tests' database has beside the service's tables: who (by application name) claimed under which fence, and who wrote events then. */
const AUDIT = `
create table audit (no bigint generated always as identity, app text, what text, run_id uuid, fence int, seq int, type text);
create function audit_claim() returns trigger language plpgsql as $$ begin
  insert into audit (app, what, run_id, fence) values (current_setting('application_name'), 'claim', new.id, new.fence);
  return null;
end $$;
create function audit_event() returns trigger language plpgsql as $$ begin
  insert into audit (app, what, run_id, fence, seq, type) select current_setting('application_name'), 'event', new.run_id,
    (select fence from runs where id = new.run_id), new.seq, new.type;
  return null;
end $$;
create trigger audit_claim after update of fence on runs for each row when (new.fence > old.fence and new.owner is not null)
  execute function audit_claim();
create trigger audit_event after insert on events for each row execute function audit_event();
`;

export interface Template {
  /** A migrated database with the audit, of one's own until `drop`. */
  database(): Promise<{ url: string; drop(): Promise<void> }>;
  drop(): Promise<void>;
}

/** Databases are copies of one that was migrated once. */
export async function openTemplate(): Promise<Template> {
  const admin = await testPostgresUrl();
  const name = `recovery_${randomBytes(6).toString('hex')}`;
  const urlOf = (database: string): string => Object.assign(new URL(admin), { pathname: `/${database}` }).href;
  await administer(admin, `create database ${name} template template0`);
  const db = await openPostgres({ url: urlOf(name), poolSize: 1 });
  await db.migrate();
  await db.close();
  await administer(urlOf(name), AUDIT);
  let copies = 0;
  return {
    async database() {
      copies += 1;
      const copy = `${name}_${copies}`;
      await administer(admin, `create database ${copy} template ${name}`);
      return { url: urlOf(copy), drop: () => administer(admin, `drop database if exists ${copy} with (force)`) };
    },
    drop: () => administer(admin, `drop database if exists ${name} with (force)`),
  };
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

export interface Worker {
  readonly process: ChildProcess;
  /** Everything it logged, one object a line. */
  readonly lines: { msg?: string; [field: string]: unknown }[];
  /** Null while it lives. */
  ended(): { code: number | null; signal: NodeJS.Signals | null } | null;
  exit: Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

export interface Station {
  sandbox: SandboxHandle;
  infra: Infrastructure;
  config: Config;
  apiUrl: string;
  /** Starts a worker process with the preload `kill-at.ts`; `env` names the point to stop at. */
  worker(env?: NodeJS.ProcessEnv): Worker;
  /** Starts an API process with the same preload, and waits until it serves. */
  api(env?: NodeJS.ProcessEnv): Promise<{ url: string; process: Worker }>;
  /** Starts a worker in this process; it has another name in the audit than the processes. */
  survivor(): Promise<Running>;
  audit(): Promise<
    { app: string; what: string; run_id: string; fence: number; seq: number | null; type: string | null }[]
  >;
  stop(): Promise<void>;
}

export interface StationOptions {
  template: Template;
  sandbox: SandboxHandle;
  times?: Partial<Times>;
  /** Another address for Redis, e.g. a proxy that can be cut. */
  redisUrl?: string;
}

export async function openStation(options: StationOptions): Promise<Station> {
  const { template, sandbox } = options;
  const database = await template.database();
  const redis = await testRedis();
  const config: Config = {
    ...loadConfig({}),
    ...TIMES,
    ...options.times,
    port: 0,
    databaseUrl: `${database.url}?application_name=survivor`,
    redisUrl: options.redisUrl ?? redis.url,
    redisPrefix: redis.prefix,
    gitlabUrl: sandbox.url,
    gitlabToken: 'sandbox-planwright',
    webhookSigningToken: SIGNING,
  };
  const infra = await openInfrastructure(config, createMemoryLog());
  const api = await startApi(infra);
  const workers: Worker[] = [];
  const start = (command: 'api' | 'worker', env: NodeJS.ProcessEnv): Worker => {
    const databaseUrl = `${database.url}?application_name=process`;
    const started = startProcess(command, { ...environmentOf(config, databaseUrl), ...env });
    workers.push(started);
    return started;
  };
  const running: Running[] = [];

  return {
    sandbox,
    infra,
    config,
    apiUrl: api.url,
    worker: (env = {}) => start('worker', env),
    async api(env = {}) {
      const port = await freePort();
      const process = start('api', { ...env, PORT: String(port) });
      await patiently(async () => ({
        done: process.lines.some((line) => line.msg === 'started'),
        value: process.lines.slice(-2),
      }));
      return { url: `http://127.0.0.1:${port}`, process };
    },
    async survivor() {
      const parts = [await startRuns(infra), await startDeliveries(infra), await startMaintenance(infra)];
      const all = { stop: async () => void (await Promise.all(parts.map((part) => part.stop()))) };
      running.push(all);
      return all;
    },
    audit: () => infra.db.execute('select app, what, run_id, fence, seq, type from audit order by no'),
    async stop() {
      for (const worker of workers) worker.kill('SIGKILL');
      await Promise.all(workers.map((worker) => worker.exit));
      for (const part of running) await part.stop();
      await api.stop();
      await infra.close();
      await database.drop();
    },
  };
}

function environmentOf(config: Config, databaseUrl: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? path.join(root, 'node_modules', '.cache', 'compile'),
    DATABASE_URL: databaseUrl,
    REDIS_URL: config.redisUrl ?? '',
    REDIS_PREFIX: config.redisPrefix,
    GITLAB_URL: config.gitlabUrl ?? '',
    GITLAB_TOKEN: config.gitlabToken ?? '',
    GITLAB_WEBHOOK_SIGNING_TOKEN: SIGNING,
    HEARTBEAT_MS: String(config.heartbeatMs),
    TAKEOVER_MS: String(config.takeoverMs),
    SWEEP_MS: String(config.sweepMs),
    DELIVERY_HOLD_MS: String(config.deliveryHoldMs),
    LEASE_MS: String(config.leaseMs),
    LOG_LEVEL: 'debug',
  };
}

function startProcess(command: 'api' | 'worker', env: NodeJS.ProcessEnv): Worker {
  const args = ['--import', './tests/helpers/kill-at.ts', 'src/cli.ts', command];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: Worker['lines'] = [];
  let rest = '';
  const read = (data: Buffer): void => {
    const parts = (rest + data.toString('utf8')).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) lines.push(parseLine(part));
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  let ended: ReturnType<Worker['ended']> = null;
  const exit = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      ended = { code, signal };
      resolve();
    });
  });
  return { process: child, lines, ended: () => ended, exit, kill: (signal) => void child.kill(signal) };
}

function parseLine(text: string): Worker['lines'][number] {
  try {
    return JSON.parse(text);
  } catch {
    return { msg: text };
  }
}

/** Has the kernel stopped the process? */
export async function isStopped(worker: Worker): Promise<boolean> {
  const stat = await readFile(`/proc/${worker.process.pid}/stat`, 'utf8').catch(() => '');
  return /^\d+ \(.*\) T /.test(stat);
}
