import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureRedis } from '../../scripts/launch/redis.ts';
import { checkRedis } from '../../src/adapters/redis/check.ts';
import { connectRedis } from '../../src/adapters/redis/connect.ts';
import { createMemoryLog } from '../helpers/fakes/log.ts';

let server: Awaited<ReturnType<typeof ensureRedis>>;
let admin: Redis;

beforeAll(async () => {
  const { REDIS_URL: _, ...env } = process.env;
  server = await ensureRedis({ env });
  admin = new Redis(server.url);
});
afterAll(async () => {
  admin.disconnect();
  await server.stop();
});

async function findings(url = server.url): Promise<[string, string][]> {
  const redis = connectRedis({ url, name: 'check', log: createMemoryLog() });
  try {
    return (await checkRedis(redis)).map(({ level, code }) => [level, code]);
  } finally {
    await redis.close();
  }
}

test('a server that keeps everything is as it should be', async () => {
  await admin.config('SET', 'appendonly', 'yes');

  expect(await findings()).toEqual([]);
});

test('one without an append-only file is told of', async () => {
  await admin.config('SET', 'appendonly', 'no');

  expect(await findings()).toEqual([['info', 'redis_not_durable']]);
});

test('one that evicts is warned of', async () => {
  await admin.config('SET', 'appendonly', 'yes');
  await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');

  expect(await findings()).toEqual([['warn', 'redis_evicts']]);
  await admin.config('SET', 'maxmemory-policy', 'noeviction');
});

test('a managed one that does not tell its settings is warned of', async () => {
  await admin.call('ACL', 'SETUSER', 'app', 'on', '>secret', '~*', '+@all', '-config');
  const url = new URL(server.url);
  url.username = 'app';
  url.password = 'secret';

  expect(await findings(url.href)).toEqual([['warn', 'redis_policy_unknown']]);
});

test('one that cannot be reached is warned of', async () => {
  expect(await findings('redis://127.0.0.1:1')).toEqual([['warn', 'redis_unreachable']]);
});
