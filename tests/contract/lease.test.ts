import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectRedis } from '../../src/adapters/redis/connect.ts';
import { createRedisLease } from '../../src/adapters/redis/lease.ts';
import type { Lease, LeasePort } from '../../src/ports/lease.ts';
import { createFakeClock } from '../helpers/fakes/clock.ts';
import { createMemoryLease } from '../helpers/fakes/lease.ts';
import { createMemoryLog } from '../helpers/fakes/log.ts';
import { testRedis } from '../helpers/servers.ts';

interface Harness {
  port: LeasePort;
  ttl(key: string): Promise<number | null>;
  lapse(key: string): Promise<void>;
  close(): Promise<void>;
}

async function memoryHarness(): Promise<Harness> {
  const port = createMemoryLease(createFakeClock());
  return {
    port,
    ttl: async (key) => port.ttl(key),
    lapse: async (key) => port.lapse(key),
    close: async () => undefined,
  };
}

async function redisHarness(): Promise<Harness> {
  const { url, prefix } = await testRedis();
  const log = createMemoryLog();
  const redis = connectRedis({ url, name: 'test', log });
  const direct = new Redis(url);
  return {
    port: createRedisLease({ redis, prefix, log }),
    ttl: async (key) => {
      const left = await direct.pttl(key);
      return left < 0 ? null : left;
    },
    lapse: async (key) => void (await direct.pexpire(key, 0)),
    close: async () => {
      await redis.close();
      direct.disconnect();
    },
  };
}

let nextItem = 0;

async function acquired(port: LeasePort, ttlMs = 30_000): Promise<{ item: number; lease: Lease }> {
  nextItem += 1;
  const outcome = await port.acquire(nextItem, ttlMs);
  if (outcome.kind !== 'acquired') throw new Error(`expected a lease, got ${outcome.kind}`);
  return { item: nextItem, lease: outcome.lease };
}

describe.each([
  ['memory', memoryHarness],
  ['Redis', redisHarness],
])('the lease in %s', (_name, open) => {
  let harness: Harness;

  beforeAll(async () => {
    harness = await open();
  });
  afterAll(() => harness.close());

  test('one of many at the same moment gets it', async () => {
    nextItem += 1;

    const outcomes = await Promise.all(Array.from({ length: 20 }, () => harness.port.acquire(nextItem, 30_000)));

    expect(outcomes.filter((outcome) => outcome.kind === 'acquired')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome.kind === 'held')).toHaveLength(19);
  });

  test('it stands for the time that was asked for', async () => {
    const { lease } = await acquired(harness.port, 20_000);

    const left = await harness.ttl(lease.key);

    expect(left).toBeGreaterThan(10_000);
    expect(left).toBeLessThanOrEqual(20_000);
  });

  test('leases of different items do not touch each other, tokens differ', async () => {
    const [one, other] = [await acquired(harness.port), await acquired(harness.port)];

    expect(other.lease.key).not.toBe(one.lease.key);
    expect(other.lease.token).not.toBe(one.lease.token);
  });

  test('after its release the next one gets it', async () => {
    const { item, lease } = await acquired(harness.port);

    await harness.port.release(lease);

    expect((await harness.port.acquire(item, 30_000)).kind).toBe('acquired');
  });

  test('a release with another token changes nothing', async () => {
    const { item, lease } = await acquired(harness.port);

    await harness.port.release({ ...lease, token: 'another' });

    expect((await harness.port.acquire(item, 30_000)).kind).toBe('held');
  });

  test('a lapsed lease goes to the next one, and the late release of the first does not take it away', async () => {
    const { item, lease } = await acquired(harness.port);
    await harness.lapse(lease.key);

    const second = await harness.port.acquire(item, 30_000);
    await harness.port.release(lease);

    expect(second.kind).toBe('acquired');
    expect(await harness.ttl(lease.key)).not.toBeNull();
  });

  test('renewing extends those that stand and names the lost ones', async () => {
    const [stands, lapsed, taken] = [
      await acquired(harness.port, 1000),
      await acquired(harness.port, 1000),
      await acquired(harness.port, 1000),
    ];
    await harness.lapse(lapsed.lease.key);
    const stolen = { ...taken.lease, token: 'another' };

    const lost = await harness.port.renew([lapsed.lease, stands.lease, stolen], 60_000);

    expect(lost).toEqual([lapsed.lease.key, stolen.key]);
    expect(await harness.ttl(stands.lease.key)).toBeGreaterThan(30_000);
    expect(await harness.ttl(lapsed.lease.key)).toBeNull();
    expect(await harness.ttl(taken.lease.key)).toBeLessThanOrEqual(1000);
  });

  test('thousands are renewed in one call', async () => {
    const leases = await Promise.all(Array.from({ length: 2500 }, () => acquired(harness.port, 5000)));
    const last = leases.at(-1);
    if (last) await harness.lapse(last.lease.key);

    const lost = await harness.port.renew(
      leases.map(({ lease }) => lease),
      60_000,
    );

    expect(lost).toEqual([last?.lease.key]);
  });

  test('renewing nothing loses nothing', async () => {
    expect(await harness.port.renew([], 1000)).toEqual([]);
  });
});

describe('the lease without Redis', () => {
  test('acquire says unavailable, renew and release do not throw', async () => {
    const log = createMemoryLog();
    const redis = connectRedis({ url: 'redis://127.0.0.1:1', name: 'test', log });
    const port = createRedisLease({ redis, prefix: 'test', log });
    const lease = { key: 'test:lease:1', token: 'token' };

    const outcome = await port.acquire(1, 1000);
    const lost = await port.renew([lease], 1000);
    await port.release(lease);
    await redis.close();

    expect(outcome).toEqual({ kind: 'unavailable' });
    expect(lost).toEqual([]);
    expect(log.lines.filter((line) => line.message === 'Redis cannot be reached')).toHaveLength(1);
  });
});
