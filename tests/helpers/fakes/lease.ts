import type { Lease, LeasePort } from '../../../src/ports/lease.ts';
import type { FakeClock } from './clock.ts';

export interface MemoryLease extends LeasePort {
  /** Milliseconds the lease still stands; null: there is none. */
  ttl(key: string): number | null;
  /** Lets the lease lapse now. */
  lapse(key: string): void;
  /** From now on the store cannot be reached (or can again). */
  down(isDown: boolean): void;
}

/** The lease in memory, on the fake clock; the contract suite holds it to what Redis does. */
export function createMemoryLease(clock: FakeClock): MemoryLease {
  const held = new Map<string, { token: string; until: number }>();
  let isDown = false;
  let tokens = 0;

  function standing(key: string): { token: string; until: number } | undefined {
    const lease = held.get(key);
    return lease !== undefined && lease.until > clock.now().getTime() ? lease : undefined;
  }

  function acquireNow(itemGlobalId: number, ttlMs: number): Awaited<ReturnType<LeasePort['acquire']>> {
    const key = `lease:${itemGlobalId}`;
    if (isDown) return { kind: 'unavailable' };
    if (standing(key)) return { kind: 'held' };
    tokens += 1;
    const lease: Lease = { key, token: `token-${tokens}` };
    held.set(key, { token: lease.token, until: clock.now().getTime() + ttlMs });
    return { kind: 'acquired', lease };
  }

  return {
    handedOn: (itemGlobalId, token) => ({ key: `lease:${itemGlobalId}`, token }),
    acquire: async (itemGlobalId, ttlMs) => acquireNow(itemGlobalId, ttlMs),
    renew: async (leases, ttlMs) => {
      if (isDown) return [];
      const lost: string[] = [];
      for (const lease of leases) {
        const current = standing(lease.key);
        if (current?.token === lease.token) current.until = clock.now().getTime() + ttlMs;
        else lost.push(lease.key);
      }
      return lost;
    },
    release: async (lease) => {
      if (!isDown && standing(lease.key)?.token === lease.token) held.delete(lease.key);
    },
    ttl: (key) => {
      const lease = standing(key);
      return lease === undefined ? null : lease.until - clock.now().getTime();
    },
    lapse: (key) => void held.delete(key),
    down: (value) => {
      isDown = value;
    },
  };
}
