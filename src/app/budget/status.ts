/** What a run and its project's day have used, and what they may (spec 2: Settings, `budget`: shown in the status). */
import type { RunBudget, SpendingLimits } from '../../domain/run/budget.ts';
import { UNLIMITED } from '../../domain/run/budget.ts';
import type { RunView } from '../../domain/workplan/view.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ModelPort } from '../../ports/model.ts';
import type { RunRow } from '../../ports/run-store.ts';
import type { ModelUsageSum, UsageStore } from '../../ports/usage.ts';
import { totalOf } from './price.ts';

export interface UsedAnswer {
  /** Of input and output. */
  tokens: number;
  /** Of the input: read from the provider's cache. */
  cachedTokens: number;
  /** Null: a model was used whose price is not known. */
  money: number | null;
  /** Of the run: its time of work as of the last visible change; of the day: the time of its model calls. */
  wallTimeMs: number;
  limits: SpendingLimits;
}

export interface BudgetAnswer {
  currency: string;
  run: UsedAnswer;
  /** All runs of the project on this day (UTC). */
  day: UsedAnswer;
  /** Models that were used and whose price is not known; absent: none. */
  unpriced?: string[];
}

export interface BudgetStatusDeps {
  usage: UsageStore;
  model: Pick<ModelPort, 'about'>;
  clock: Clock;
  currency: string;
}

export async function readBudget(deps: BudgetStatusDeps, run: RunRow): Promise<BudgetAnswer> {
  const { usage, model, clock, currency } = deps;
  const since = `${clock.now().toISOString().slice(0, 10)}T00:00:00.000Z`;
  const [ofRun, ofDay] = await Promise.all([usage.ofRun(run.id), usage.ofProject(run.item.projectId, since)]);
  const { limits, workedMs } = run.view as RunView;
  const budget: RunBudget = limits ?? { run: UNLIMITED, day: UNLIMITED };
  const [own, day] = [usedOf(ofRun, model, budget.run), usedOf(ofDay, model, budget.day)];
  const unpriced = [...new Set([...own.unpriced, ...day.unpriced])];
  return {
    currency,
    run: { ...own.used, wallTimeMs: workedMs ?? 0 },
    day: day.used,
    ...(unpriced.length > 0 ? { unpriced } : {}),
  };
}

function usedOf(
  sums: readonly ModelUsageSum[],
  model: Pick<ModelPort, 'about'>,
  limits: SpendingLimits,
): { used: UsedAnswer; unpriced: string[] } {
  const { tokens, money, wallTimeMs, unpriced } = totalOf(sums, model);
  const cachedTokens = sums.reduce((sum, one) => sum + one.cachedTokens, 0);
  const known = unpriced.length === 0 ? Math.round(money * 1e6) / 1e6 : null;
  return { used: { tokens, cachedTokens, money: known, wallTimeMs, limits }, unpriced };
}
