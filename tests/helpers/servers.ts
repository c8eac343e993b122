import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { createDatabase, ensurePostgres, type OwnDatabase } from '../../scripts/launch/postgres.ts';
import { ensureRedis } from '../../scripts/launch/redis.ts';

let redisUrl: Promise<string> | undefined;
let postgresUrl: Promise<string> | undefined;

/**
 * The Redis of the test run. Under `npm test` one serves all files; a file run alone by vitest gets one of its own, which ends
 * with the process. Shared: use `testRedis()` for keys of one's own, and never flush it.
 */
export function testRedisUrl(): Promise<string> {
  const given = process.env['TEST_REDIS_URL'];
  redisUrl ??= given ? Promise.resolve(given) : ensureRedis().then((server) => server.url);
  return redisUrl;
}

/** The PostgreSQL of the test run; its account may create databases. Use `testDatabase()` for tables. */
export function testPostgresUrl(): Promise<string> {
  const given = process.env['TEST_POSTGRES_URL'];
  postgresUrl ??= given ? Promise.resolve(given) : ensurePostgres().then((server) => server.url);
  return postgresUrl;
}

/** An empty database of one's own on the test run's PostgreSQL; `drop()` it at the end of the test or file. */
export async function testDatabase(): Promise<OwnDatabase> {
  return createDatabase(await testPostgresUrl(), 'test');
}

/**
 * A place of one's own on the test run's Redis: `url` names a database number nobody else gets (where the server has enough of
 * them: the private one does), `prefix` is a fresh key prefix.
 */
export async function testRedis(): Promise<{ url: string; prefix: string }> {
  const url = new URL(await testRedisUrl());
  const client = new Redis(url.href, { lazyConnect: true });
  try {
    await client.connect();
    const [, databases] = await client.config('GET', 'databases').then((pair) => (Array.isArray(pair) ? pair : []));
    // A server of the person's own has 16, and theirs may be in use: there the prefix alone separates.
    if (Number(databases) > 16) url.pathname = `/${await client.incr('planwright:test:databases')}`;
  } finally {
    client.disconnect();
  }
  return { url: url.href, prefix: `test-${randomBytes(8).toString('hex')}` };
}
