import type { RateBreaker } from '../../../src/ports/breaker.ts';
import type { FakeClock } from './clock.ts';

const MINUTE_MS = 60_000;

/** The rate breaker in memory; the contract suite holds it to what the database does. */
export function createMemoryBreaker(clock: Pick<FakeClock, 'now'>): RateBreaker {
  const rates = new Map<string, { hits: { key: string; at: number }[]; toldKey: string | null; toldAt: number }>();
  return {
    async hit({ itemGlobalId, personId, key, limit }) {
      const now = clock.now().getTime();
      const place = `${itemGlobalId}/${personId}`;
      const rate = rates.get(place) ?? { hits: [], toldKey: null, toldAt: Number.NEGATIVE_INFINITY };
      rates.set(place, rate);
      rate.hits = rate.hits.filter((hit) => hit.at > now - MINUTE_MS);
      const known = rate.hits.some((hit) => hit.key === key);
      if (!known && rate.hits.length < limit) rate.hits.push({ key, at: now });
      else if (!known && rate.toldAt < now - MINUTE_MS) Object.assign(rate, { toldKey: key, toldAt: now });
      return { allowed: rate.hits.some((hit) => hit.key === key), tell: rate.toldKey === key };
    },
  };
}
