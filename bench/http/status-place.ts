/** What status polls need: an API process on PostgreSQL and Redis, a GitLab to say who may read, and an item with a run. */
import { type SandboxHandle, startSandbox } from '../../sandbox/server.ts';
import { freePort } from '../../scripts/launch/guarded.ts';
import { createDatabase, ensurePostgres } from '../../scripts/launch/postgres.ts';
import { ensureRedis } from '../../scripts/launch/redis.ts';
import { type Database, openPostgres } from '../../src/adapters/postgres/connect.ts';
import { type ServerProcess, startServer } from './server-process.ts';

export interface StatusPlace {
  api: ServerProcess;
  db: Database;
  settings: NodeJS.ProcessEnv;
  redisUrl: string;
  /** A poll of the item's status as alice, with the ETag that stands. */
  poll(port?: number, etag?: string): Promise<Buffer>;
  close(): Promise<void>;
}

const ITEM = '/api/v1/projects/acme%2Fsample/issues/1/workplan';
const TOKEN = { 'private-token': 'sandbox-alice' };

export async function openStatusPlace(): Promise<StatusPlace> {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const one of closing.splice(0).reverse()) await one();
  };
  try {
    const postgres = await ensurePostgres({ fsync: true });
    closing.push(() => postgres.stop());
    const redis = await ensureRedis();
    closing.push(() => redis.stop());
    const sandbox: SandboxHandle = await startSandbox();
    closing.push(() => sandbox.close());
    const database = await createDatabase(postgres.url, 'bench');
    closing.push(() => database.drop());
    const db = await openPostgres({ url: database.url, poolSize: 1 });
    closing.push(() => db.close());
    await db.migrate();
    const port = await freePort();
    const settings = {
      PORT: String(port),
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      GITLAB_URL: sandbox.url,
      GITLAB_TOKEN: 'sandbox-planwright',
      GITLAB_WEBHOOK_TOKEN: 'secret',
      API_REQUESTS_PER_MINUTE: '1000000',
      LOG_LEVEL: 'warn',
    };
    const api = await startServer(['src/cli.ts', 'api'], port, settings);
    closing.push(() => api.stop());
    const url = `http://127.0.0.1:${port}${ITEM}`;
    const planned = await fetch(`${url}/plan`, { method: 'POST', headers: TOKEN });
    if (planned.status !== 202) throw new Error(`The plan was answered ${planned.status}: ${await planned.text()}`);
    return {
      api,
      db,
      settings,
      redisUrl: redis.url,
      async poll(at = port, given) {
        const etag = given ?? (await fetch(url, { headers: TOKEN })).headers.get('etag');
        const head = `GET ${ITEM} HTTP/1.1\r\nHost: 127.0.0.1:${at}\r\nPRIVATE-TOKEN: ${TOKEN['private-token']}\r\n`;
        return Buffer.from(`${head}If-None-Match: ${etag}\r\n\r\n`);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
