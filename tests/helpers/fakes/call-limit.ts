import type { CallLimit } from '../../../src/ports/call-limit.ts';
import type { Clock } from '../../../src/ports/clock.ts';

interface Known {
  pauses: Map<string, number>;
  strikes: Map<string, number>;
  places: Map<string, { owner: string; until: number }>;
  waiting: { urgent: Map<string, number>; background: Map<string, number> };
  budget: { remaining: number; reset: number; reserve: number } | null;
}

/** The gate in memory. */
export function createMemoryCallLimit(clock: Clock): CallLimit {
  const limits = new Map<string, Known>();

  function of(limit: string): Known {
    const known = limits.get(limit) ?? {
      pauses: new Map(),
      strikes: new Map(),
      places: new Map(),
      waiting: { urgent: new Map(), background: new Map() },
      budget: null,
    };
    limits.set(limit, known);
    const now = clock.now().getTime();
    for (const line of [known.waiting.urgent, known.waiting.background])
      for (const [owner, until] of line) if (until <= now) line.delete(owner);
    for (const [place, { until }] of known.places) if (until <= now) known.places.delete(place);
    if (known.budget && known.budget.reset <= now) known.budget = null;
    return known;
  }

  return {
    async enter({ limit, kind, urgent, owner, place, holdMs, places, waitsMs }) {
      const known = of(limit);
      const now = clock.now().getTime();
      const { budget } = known;
      let until = Math.max(known.pauses.get('*') ?? 0, known.pauses.get(kind) ?? 0);
      if (budget && budget.remaining <= (urgent ? 0 : budget.reserve)) until = Math.max(until, budget.reset);
      if (until > now) return { kind: 'paused', ms: until - now };
      const line = urgent ? known.waiting.urgent : known.waiting.background;
      const owners = new Set([owner, ...line.keys(), ...[...known.places.values()].map((held) => held.owner)]);
      const mine = [...known.places.values()].filter((held) => held.owner === owner).length;
      const othersWait = [...line.keys()].some((waiting) => waiting !== owner);
      const full =
        known.places.size >= places ||
        (!urgent && known.waiting.urgent.size > 0) ||
        (othersWait && mine >= Math.ceil(places / owners.size));
      if (full) {
        line.set(owner, now + waitsMs);
        return { kind: 'full' };
      }
      line.delete(owner);
      known.places.set(place, { owner, until: now + holdMs });
      if (budget) budget.remaining -= 1;
      return { kind: 'entered' };
    },
    async leave({ limit, place }) {
      of(limit).places.delete(place);
    },
    async pause({ limit, kind, refused, ms, firstMs, maxMs, stretch }) {
      const known = of(limit);
      const strikes = (known.strikes.get(refused) ?? 0) + 1;
      known.strikes.set(refused, strikes);
      const length = ms ?? Math.min(firstMs * 2 ** (strikes - 1), maxMs);
      const until = clock.now().getTime() + length * stretch;
      const scope = kind ?? '*';
      known.pauses.set(scope, Math.max(known.pauses.get(scope) ?? 0, until));
    },
    async calm(limit, kind) {
      of(limit).strikes.delete(kind);
    },
    async budget({ limit, remaining, resetMs, reserve }) {
      const known = of(limit);
      const reset = clock.now().getTime() + resetMs;
      const before = known.budget;
      if (before && before.reset - reset >= 2000) return;
      const same = before !== null && Math.abs(before.reset - reset) < 2000;
      known.budget = { remaining: same ? Math.min(remaining, before.remaining) : remaining, reset, reserve };
    },
  };
}
