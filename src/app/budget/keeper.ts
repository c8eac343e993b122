/** Watches over what runs use: before every model call, for the run and its project's day (spec 2: Settings, `budget`; D4). */

import type { Budget, Piece } from '../../domain/piece/types.ts';
import {
  type BudgetReached,
  isLimited,
  leastOf,
  type RunBudget,
  reachedOf,
  type SpendingLimits,
  type Spent,
  UNLIMITED,
} from '../../domain/run/budget.ts';
import { workedMs } from '../../domain/run/fold-budget.ts';
import type { RunState } from '../../domain/run/state.ts';
import type { Clock } from '../../ports/clock.ts';
import { PermanentFailure } from '../../ports/failures.ts';
import type { ModelPort, ModelUsage } from '../../ports/model.ts';
import type { ClaimedRun, UsageRow } from '../../ports/run-store.ts';
import type { UsageStore } from '../../ports/usage.ts';
import { costOf, factsOf, totalOf } from './price.ts';

/** No call may begin: the budget is reached. It is no failure of the model, and nothing is repeated. */
export class BudgetSpent extends Error {
  readonly reached: BudgetReached;
  constructor(reached: BudgetReached) {
    super(`The budget is reached: ${reached.scope} ${reached.what}.`);
    this.name = 'BudgetSpent';
    this.reached = reached;
  }
}

/** Counts the calls of one effect. */
export interface Meter {
  /**
   * Before each call. @throws BudgetSpent; `PermanentFailure`: `budget_exceeded` of the movement, `price_unknown` where money is limited and
   * the model's price is not known.
   */
  before(model: string, inputTokens: number): Promise<void>;
  after(model: string, usage: ModelUsage, ms: number): void;
  /** What was used, a row a model. */
  rows(effectId: string): UsageRow[];
  /** Its rows are on their way to the store. */
  close(): void;
}

export interface Budgets {
  /** `limits`: of the movement itself. */
  open(context: { run: ClaimedRun; state: RunState; piece: Piece }, limits?: Budget): Meter;
}

export interface BudgetsDeps {
  /** Null: nothing is stored (a piece run locally). */
  usage: UsageStore | null;
  model: Pick<ModelPort, 'about'>;
  clock: Clock;
  /** Of money, for people. */
  currency?: string;
}

/** How old a sum over the project's day may be: other processes' calls are seen by then. */
const FRESH_MS = 5000;

const NOTHING: Spent = { tokens: 0, money: 0, wallTimeMs: 0 };

interface Day {
  readAt: number;
  date: string;
  spent: Promise<Total>;
}

export function createBudgets(deps: BudgetsDeps): Budgets {
  /** What a run had used when it was claimed, and has since; gone with the claim. */
  const runs = new WeakMap<ClaimedRun, { before: Promise<Total>; since: Spent }>();
  const days = new Map<number, Day>();
  /** Calls of effects at work, which the store does not know yet. */
  const pending = new Map<number, Set<Spent>>();

  function spentByRun(run: ClaimedRun) {
    const known = runs.get(run) ?? { before: readRun(deps, run.row.id), since: { ...NOTHING } };
    runs.set(run, known);
    return known;
  }

  function spentToday(projectId: number): Promise<Total> {
    const now = deps.clock.now();
    const date = now.toISOString().slice(0, 10);
    const known = days.get(projectId);
    if (known && known.date === date && now.getTime() - known.readAt < FRESH_MS) return known.spent;
    const spent = readDay(deps, projectId, date);
    days.set(projectId, { readAt: now.getTime(), date, spent });
    spent.catch(() => days.delete(projectId));
    return spent;
  }

  return {
    open({ run, state, piece }, limits = {}) {
      const own: Spent = { ...NOTHING };
      const rows = new Map<string, Omit<UsageRow, 'effectId'>>();
      const projectId = state.item?.projectId ?? null;
      const counted = projectId === null ? null : (pending.get(projectId) ?? new Set<Spent>());
      if (projectId !== null && counted) pending.set(projectId, counted.add(own));
      const { run: runLimits, day: dayLimits } = limitsOf(run, state, piece);

      async function reached(next: Spent): Promise<BudgetReached | null> {
        if (isLimited(runLimits)) {
          const { before, since } = spentByRun(run);
          const spent = add(priced(await before, runLimits), since);
          const wallTimeMs = workedMs(state, deps.clock.now().getTime());
          const found = reachedOf('run', runLimits, { ...spent, wallTimeMs }, next);
          if (found) return found;
        }
        if (projectId === null || !isLimited(dayLimits)) return null;
        const spent = [...(counted ?? [])].reduce(add, priced(await spentToday(projectId), dayLimits));
        return reachedOf('day', dayLimits, spent, next);
      }

      return {
        async before(model, inputTokens) {
          const { price } = factsOf(deps.model, model);
          const limited = runLimits.money !== null || dayLimits.money !== null || limits.money !== undefined;
          if (limited && price === null)
            throw new PermanentFailure(
              'price_unknown',
              `A budget limits money, but the price of ${model} is not known.`,
            );
          if (own.tokens >= (limits.tokens ?? Number.POSITIVE_INFINITY))
            throw new PermanentFailure(
              'budget_exceeded',
              `The movement used up its budget of ${limits.tokens} tokens.`,
            );
          if (own.money >= (limits.money ?? Number.POSITIVE_INFINITY))
            throw new PermanentFailure('budget_exceeded', `The movement used up its budget of ${limits.money}.`);
          const money = costOf({ inputTokens, outputTokens: 0 }, price) ?? 0;
          const found = await reached({ tokens: inputTokens, money, wallTimeMs: 0 });
          if (!found) return;
          const currency = found.what === 'money' && deps.currency !== undefined ? { currency: deps.currency } : {};
          throw new BudgetSpent({ ...found, ...currency });
        },
        after(model, usage, ms) {
          const money = costOf(usage, factsOf(deps.model, model).price);
          const used = { tokens: usage.inputTokens + usage.outputTokens, money: money ?? 0, wallTimeMs: ms };
          Object.assign(own, add(own, used));
          const ofRun = runs.get(run);
          if (ofRun) ofRun.since = add(ofRun.since, used);
          else if (isLimited(runLimits)) spentByRun(run).since = used;
          rows.set(model, addRow(rows.get(model), { model, projectId, usage, money, ms }));
        },
        rows: (effectId) =>
          [...rows.values()]
            .filter((row) => row.inputTokens + row.outputTokens > 0)
            .map((row) => ({ effectId, ...row })),
        close() {
          counted?.delete(own);
          if (projectId !== null && counted?.size === 0) pending.delete(projectId);
        },
      };
    },
  };
}

/** What the piece, the run's settings and the last Continue allow together. */
function limitsOf(run: ClaimedRun, state: RunState, piece: Piece): RunBudget {
  const budget = state.budget ?? run.settings.budget;
  const ofPiece = { tokens: piece.budget?.tokens ?? null, money: piece.budget?.money ?? null, wallTimeMs: null };
  return { run: leastOf(budget?.run ?? UNLIMITED, ofPiece), day: budget?.day ?? UNLIMITED };
}

type Total = ReturnType<typeof totalOf>;

/** @throws PermanentFailure `price_unknown`: what was used cannot be counted in money, and is not nothing. */
function priced(total: Total, { money }: SpendingLimits): Spent {
  if (money === null || total.unpriced.length === 0) return total;
  const models = total.unpriced.join(', ');
  throw new PermanentFailure('price_unknown', `A budget limits money, but the price of ${models} is not known.`);
}

async function readRun({ usage, model }: BudgetsDeps, runId: string): Promise<Total> {
  return totalOf(usage ? await usage.ofRun(runId) : [], model);
}

async function readDay({ usage, model }: BudgetsDeps, projectId: number, date: string): Promise<Total> {
  return totalOf(usage ? await usage.ofProject(projectId, `${date}T00:00:00.000Z`) : [], model);
}

function add(sum: Spent, more: Spent): Spent {
  return {
    tokens: sum.tokens + more.tokens,
    money: sum.money + more.money,
    wallTimeMs: sum.wallTimeMs + more.wallTimeMs,
  };
}

interface Call {
  model: string;
  projectId: number | null;
  usage: ModelUsage;
  money: number | null;
  ms: number;
}

function addRow(row: Omit<UsageRow, 'effectId'> | undefined, call: Call): Omit<UsageRow, 'effectId'> {
  const { model, projectId, usage, money, ms } = call;
  const unknown = money === null || row?.money === null;
  return {
    model,
    projectId,
    inputTokens: (row?.inputTokens ?? 0) + usage.inputTokens,
    outputTokens: (row?.outputTokens ?? 0) + usage.outputTokens,
    estimated: (row?.estimated ?? false) || usage.estimated,
    cachedTokens: (row?.cachedTokens ?? 0) + (usage.cachedTokens ?? 0),
    cacheWriteTokens: (row?.cacheWriteTokens ?? 0) + (usage.cacheWriteTokens ?? 0),
    money: unknown ? null : (row?.money ?? 0) + money,
    ms: (row?.ms ?? 0) + Math.round(ms),
  };
}
