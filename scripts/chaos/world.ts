/** Everything the chaos suite runs: servers that can be killed, the sandbox, API and worker processes, and where the items stand. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { type SandboxHandle, startSandbox } from '../../sandbox/server.ts';
import { type Database, openPostgres } from '../../src/adapters/postgres/connect.ts';
import { createRandom } from '../fuzz/random.ts';
import { freePort } from '../launch/guarded.ts';
import { createDatabase } from '../launch/postgres.ts';
import { type RestartableServer, startRestartablePostgres, startRestartableRedis } from '../launch/restartable.ts';
import { type Apis, startApis } from './apis.ts';
import { AUDIT } from './audit.ts';
import { writePieces } from './pieces.ts';
import { type PostOffice, startPostOffice } from './post-office.ts';
import { type ServiceProcess, startProcess } from './processes.ts';

const SIGNING = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** Short enough that much is taken over, long enough for a machine that is busy. */
const TIMES = {
  HEARTBEAT_MS: '300',
  TAKEOVER_MS: '1200',
  SWEEP_MS: '300',
  DELIVERY_HOLD_MS: '5000',
  LEASE_MS: '2000',
  GITLAB_TIMEOUT_MS: '1500',
  CANARY_MS: '1000',
  RECONCILE_MS: '5000',
};

export interface World {
  sandbox: SandboxHandle;
  postgres: RestartableServer;
  redis: RestartableServer;
  db: Database;
  post: PostOffice;
  apis: Apis;
  signingToken: string;
  /** Starts another worker process. */
  startWorker(env?: NodeJS.ProcessEnv): ServiceProcess;
  close(): Promise<void>;
}

export async function openWorld(seed: number, say: (line: string) => void): Promise<World> {
  const opened: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const one of opened.splice(0).reverse())
      await one().catch((error: unknown) => say(`closing: ${String(error)}`));
  };
  const keep = <T>(value: T, end: (value: T) => Promise<unknown>): T => {
    opened.push(() => end(value));
    return value;
  };
  try {
    const folder = keep(await mkdtemp(path.join(tmpdir(), 'planwright-chaos-')), (made) =>
      rm(made, { recursive: true }),
    );
    const postgres = keep(await startRestartablePostgres(say), (server) => server.close());
    const redis = keep(await startRestartableRedis(say), (server) => server.close());
    const sandbox = keep(await startSandbox({ rateLimit: 10_000_000 }), (handle) => handle.close());
    const database = await createDatabase(postgres.url, 'chaos');
    const db = keep(await openPostgres({ url: database.url, poolSize: 2 }), (pool) => pool.close());
    await db.migrate();
    await administer(database.url, AUDIT);
    const apiUrls: string[] = [];
    const post = keep(await startPostOffice({ random: createRandom(seed + 1), targets: () => apiUrls }), (office) =>
      office.close(),
    );
    const { piecesDir, modelScript } = await writePieces(folder);
    const shared = {
      ...TIMES,
      REDIS_URL: redis.url,
      GITLAB_URL: sandbox.url,
      GITLAB_TOKEN: 'sandbox-planwright',
      GITLAB_WEBHOOK_SIGNING_TOKEN: SIGNING,
      PUBLIC_URL: post.url,
      PIECES_DIR: piecesDir,
      MODEL_PROVIDER: 'scripted',
      MODEL_SCRIPT: modelScript,
      API_REQUESTS_PER_MINUTE: '1000000',
      LOG_LEVEL: 'info',
    };
    const processes: ServiceProcess[] = [];
    opened.push(async () => {
      for (const one of processes) one.kill('SIGKILL');
      await Promise.all(processes.map((one) => one.exit));
    });
    const start = (name: string, command: 'api' | 'worker', env: NodeJS.ProcessEnv): ServiceProcess => {
      const stopsItself = env['KILL_AT'] !== undefined;
      const started = startProcess({
        name,
        command,
        env: { ...shared, ...env },
        databaseUrl: database.url,
        stopsItself,
      });
      processes.push(started);
      return started;
    };
    const apis = await startApis([await freePort(), await freePort()], (name, port, env) =>
      start(name, 'api', { ...env, PORT: String(port) }),
    );
    apiUrls.push(...apis.urls);
    let workers = 0;
    return {
      sandbox,
      postgres,
      redis,
      db,
      post,
      apis,
      signingToken: SIGNING,
      startWorker(env = {}) {
        workers += 1;
        return start(`worker-${workers}`, 'worker', env);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function administer(url: string, statements: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}
