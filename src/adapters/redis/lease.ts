import { randomUUID } from 'node:crypto';
import type { Lease, LeasePort } from '../../ports/lease.ts';
import type { Log } from '../../ports/log.ts';
import type { RedisConnection } from './connect.ts';

/** KEYS[i] is extended by ARGV[1] ms if it holds ARGV[i + 1]; answers the numbers of those that do not. */
const compareAndExtend = `
local lost = {}
for i, key in ipairs(KEYS) do
  if redis.call('get', key) == ARGV[i + 1] then
    redis.call('pexpire', key, ARGV[1])
  else
    table.insert(lost, i)
  end
end
return lost`;

const compareAndDelete = `
if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end
return 0`;

// A script blocks the server while it runs.
const renewedAtOnce = 1000;

/** The lease of work items in Redis (spec 2: One flow an item): random token, compare-and-extend, compare-and-delete. */
export function createRedisLease(options: { redis: RedisConnection; prefix: string; log: Log }): LeasePort {
  const { redis, log } = options;

  function handedOn(itemGlobalId: number, token: string): Lease {
    return { key: `${options.prefix}:lease:${itemGlobalId}`, token };
  }

  async function acquire(itemGlobalId: number, ttlMs: number): ReturnType<LeasePort['acquire']> {
    const lease = handedOn(itemGlobalId, randomUUID());
    try {
      const set = await redis.run((client) => client.set(lease.key, lease.token, 'PX', ttlMs, 'NX'));
      return set === 'OK' ? { kind: 'acquired', lease } : { kind: 'held' };
    } catch (error) {
      log.warn({ key: lease.key, error }, 'lease store unavailable');
      // It may have been set all the same: then nobody would know its token.
      void release(lease);
      return { kind: 'unavailable' };
    }
  }

  async function renew(leases: Lease[], ttlMs: number): Promise<string[]> {
    const parts = Array.from({ length: Math.ceil(leases.length / renewedAtOnce) }, (_, part) =>
      leases.slice(part * renewedAtOnce, (part + 1) * renewedAtOnce),
    );
    const lost = await Promise.all(parts.map((part) => renewPart(part, ttlMs)));
    return lost.flat();
  }

  async function renewPart(leases: Lease[], ttlMs: number): Promise<string[]> {
    const keys = leases.map((lease) => lease.key);
    const tokens = leases.map((lease) => lease.token);
    try {
      const lost = await redis.run((client) => client.eval(compareAndExtend, keys.length, ...keys, ttlMs, ...tokens));
      return Array.isArray(lost) ? lost.flatMap((number) => keys[Number(number) - 1] ?? []) : [];
    } catch (error) {
      // Whether they stand is not known; the fence in PostgreSQL decides, so that nothing is given up for an outage of Redis.
      log.warn({ leases: keys.length, error }, 'leases not renewed');
      return [];
    }
  }

  async function release(lease: Lease): Promise<void> {
    try {
      await redis.run((client) => client.eval(compareAndDelete, 1, lease.key, lease.token));
    } catch (error) {
      log.warn({ key: lease.key, error }, 'lease not released; it lapses by itself');
    }
  }

  return { handedOn, acquire, renew, release };
}
