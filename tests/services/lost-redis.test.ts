import { Redis } from 'ioredis';
import { expect, test, vi } from 'vitest';
import { ensureRedis } from '../../scripts/launch/redis.ts';
import { createBullConsumer } from '../../src/adapters/bullmq/consumer.ts';
import { createBullProducer } from '../../src/adapters/bullmq/producer.ts';
import { connectRedis } from '../../src/adapters/redis/connect.ts';
import { createRedisLease } from '../../src/adapters/redis/lease.ts';
import { createMemoryLog } from '../helpers/fakes/log.ts';

function ownRedis() {
  const { REDIS_URL: _, ...env } = process.env;
  return ensureRedis({ env });
}

test('a Redis that goes away ends neither the wakes nor the process', async () => {
  const server = await ownRedis();
  const log = createMemoryLog();
  const settings = { url: server.url, prefix: 'test', log };
  const producer = createBullProducer(settings);
  const jobs: string[][] = [];
  const listener = await createBullConsumer(settings).onRuns(async (runIds) => void jobs.push(runIds));
  await producer.wakeRuns(['run-1']);
  await vi.waitFor(() => expect(jobs).toEqual([['run-1']]));

  await server.stop();
  await producer.wakeRuns(['run-2']);
  await producer.wakeDeliveries();
  await vi.waitFor(() => expect(log.lines.map((line) => line.message)).toContain('runs not woken; the sweeper will'));
  await listener.close();
  await producer.close();

  expect(jobs).toEqual([['run-1']]);
});

test('after a connection was cut wakes, leases and consumers go on', async () => {
  const server = await ownRedis();
  const log = createMemoryLog();
  const settings = { url: server.url, prefix: 'test', log };
  const producer = createBullProducer(settings);
  const redis = connectRedis({ url: server.url, name: 'test', log });
  const leases = createRedisLease({ redis, prefix: 'test', log });
  const jobs: string[][] = [];
  const listener = await createBullConsumer(settings).onRuns(async (runIds) => void jobs.push(runIds));
  await producer.wakeRuns(['run-1']);
  await vi.waitFor(() => expect(jobs).toEqual([['run-1']]));
  const direct = new Redis(server.url);

  await direct.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
  direct.disconnect();

  await vi.waitFor(
    async () => {
      await producer.wakeRuns(['run-2']);
      expect(jobs.flat()).toContain('run-2');
    },
    { timeout: 20_000, interval: 200 },
  );
  await vi.waitFor(async () => expect((await leases.acquire(1, 1000)).kind).not.toBe('unavailable'), {
    timeout: 20_000,
  });
  await Promise.all([listener.close(), producer.close(), redis.close()]);
  await server.stop();
});

test('a queue that never reached Redis answers and closes', async () => {
  const settings = { url: 'redis://127.0.0.1:1', prefix: 'test', log: createMemoryLog() };
  const producer = createBullProducer(settings);
  const listener = await createBullConsumer(settings).onRuns(async () => {
    throw new Error('nobody was woken');
  });

  await producer.wakeRuns(['run-1']);
  await listener.close();

  await expect(producer.close()).resolves.toBeUndefined();
});

test('a lease store that goes away is unavailable', async () => {
  const server = await ownRedis();
  const log = createMemoryLog();
  const redis = connectRedis({ url: server.url, name: 'test', log });
  const leases = createRedisLease({ redis, prefix: 'test', log });
  const before = await leases.acquire(1, 1000);

  await server.stop();
  const after = await leases.acquire(2, 1000);
  await redis.close();

  expect([before.kind, after.kind]).toEqual(['acquired', 'unavailable']);
});
