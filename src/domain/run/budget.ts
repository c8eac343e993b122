/** Budgets of a run and of a project's day (spec 2: Settings, `budget`; D4). What was used is counted by the driver: usage is no event. */
import { z } from 'zod';

/** Null: no limit. */
export interface SpendingLimits {
  /** Of input and output together. */
  tokens: number | null;
  /** In the currency of the operator's prices. */
  money: number | null;
  /** Milliseconds: of a run its GENERATING time, of a day the time of its model calls. */
  wallTimeMs: number | null;
}

/** What one run, and all runs of the project on one day (UTC), may use. */
export interface RunBudget {
  run: SpendingLimits;
  day: SpendingLimits;
}

export interface Spent {
  tokens: number;
  money: number;
  wallTimeMs: number;
}

export const BudgetReached = z.object({
  scope: z.enum(['run', 'day']),
  what: z.enum(['tokens', 'money', 'wall_time']),
  /** In tokens, money or milliseconds. */
  used: z.number(),
  limit: z.number(),
  /** What the next call was going to use at least; absent: nothing is known of it. */
  next: z.number().optional(),
  /** Of money; absent: it is not known. */
  currency: z.string().optional(),
});
export type BudgetReached = z.infer<typeof BudgetReached>;

export const UNLIMITED: SpendingLimits = { tokens: null, money: null, wallTimeMs: null };

/** The lower one of each limit. */
export function leastOf(...limits: SpendingLimits[]): SpendingLimits {
  const least = (key: keyof SpendingLimits): number | null => {
    const given = limits.map((one) => one[key]).filter((value) => value !== null);
    return given.length === 0 ? null : Math.min(...given);
  };
  return { tokens: least('tokens'), money: least('money'), wallTimeMs: least('wallTimeMs') };
}

export function isLimited(limits: SpendingLimits): boolean {
  return limits.tokens !== null || limits.money !== null || limits.wallTimeMs !== null;
}

/** Which limit leaves no room for `next`, what is about to be used; null: none. A limit that is met exactly is reached. */
export function reachedOf(
  scope: BudgetReached['scope'],
  limits: SpendingLimits,
  spent: Spent,
  next: Spent = { tokens: 0, money: 0, wallTimeMs: 0 },
): BudgetReached | null {
  for (const [key, what] of KINDS) {
    const limit = limits[key];
    if (limit !== null && (spent[key] >= limit || spent[key] + next[key] > limit))
      return { scope, what, used: spent[key], limit, ...(next[key] > 0 ? { next: next[key] } : {}) };
  }
  return null;
}

const KINDS = [
  ['tokens', 'tokens'],
  ['money', 'money'],
  ['wallTimeMs', 'wall_time'],
] as const;

/** `1,200 / 1,000 tokens`, `2.41 / 2.00 USD`, `31 / 30 min`: the same in every language. */
export function amountsOf({ what, used, limit, currency }: BudgetReached): string {
  switch (what) {
    case 'tokens':
      return `${grouped(used)} / ${grouped(limit)} tokens`;
    case 'money':
      return `${used.toFixed(2)} / ${limit.toFixed(2)}${currency === undefined ? '' : ` ${currency}`}`;
    case 'wall_time':
      return `${Math.floor(used / 60_000)} / ${Math.floor(limit / 60_000)} min`;
    default:
      return what satisfies never;
  }
}

function grouped(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',');
}
