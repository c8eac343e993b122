/** The check "budget left" of `plan` and `continue`, and the models of a run (spec 2: Actions; Settings, `budget`, `models`). */
import type { Budget } from '../../domain/piece/types.ts';
import {
  amountsOf,
  type BudgetReached,
  isLimited,
  leastOf,
  type RunBudget,
  reachedOf,
  type Spent,
  UNLIMITED,
} from '../../domain/run/budget.ts';
import { fold } from '../../domain/run/fold.ts';
import type { RunView } from '../../domain/workplan/view.ts';
import type { ModelPort } from '../../ports/model.ts';
import { withProvider } from '../../ports/model-ref.ts';
import type { RunRow } from '../../ports/run-store.ts';
import type { UsageStore } from '../../ports/usage.ts';
import { factsOf, totalOf } from '../budget/price.ts';
import type { ProjectSettings } from '../project-settings.ts';
import { type ActDeps, type ActionResult, type OperatorSettings, refuse } from './types.ts';

/** The project's budget within the operator's. */
export function budgetOf(operator: Pick<OperatorSettings, 'budget'>, settings: ProjectSettings): RunBudget {
  const { budget } = settings;
  return {
    run: leastOf(budget.run, operator.budget?.run ?? UNLIMITED),
    day: leastOf(budget.day, operator.budget?.day ?? UNLIMITED),
  };
}

type ModelSettings = Pick<OperatorSettings, 'models' | 'offered'>;

/** The operator's models with those that the project chose in their place. */
export function modelsOf({ models, offered }: ModelSettings, settings: ProjectSettings): Record<string, string> {
  // Without models of a provider there is nothing to choose.
  if (!offered) return models;
  const own = Object.entries(settings.models).flatMap(([role, name]) =>
    name === null ? [] : [[role, withProvider(name, offered.provider)] as const],
  );
  return { ...models, ...Object.fromEntries(own) };
}

type Deps = Pick<ActDeps, 'usage' | 'model' | 'operator' | 'clock' | 'store' | 'pieceOf'>;

/** Null: a run may begin in this project. */
export async function checkPlanBudget(
  deps: Deps,
  projectId: number,
  settings: ProjectSettings,
): Promise<ActionResult | null> {
  const { operator } = deps;
  const models = modelsOf(operator, settings);
  const { offered } = operator;
  for (const [role, name] of Object.entries(settings.models)) {
    const full = models[role] ?? '';
    if (name !== null && offered && !offered.models.includes(full))
      return refuse(
        'model_not_offered',
        `models.${role}: ${full} is not offered here. Offered: ${offered.models.join(', ')}.`,
      );
  }
  const budget = budgetOf(operator, settings);
  return unpriced(deps, budget, Object.values(models)) ?? (await checkDay(deps, projectId, budget));
}

/** Null: the run may go on. `budget`: what holds from then on, where anything limits it or did. */
export async function checkContinueBudget(
  deps: Deps,
  run: RunRow,
  settings: ProjectSettings,
): Promise<{ refused: ActionResult | null; budget: RunBudget | null }> {
  const budget = budgetOf(deps.operator, settings);
  const limited = isLimited(budget.run) || isLimited(budget.day);
  if (!limited && run.pause?.kind !== 'budget') return { refused: null, budget: null };
  const loaded = await deps.store.load(run.id);
  const ofPiece = toLimits((loaded && deps.pieceOf(loaded))?.budget);
  const limits = leastOf(budget.run, ofPiece);
  if (loaded && isLimited(limits) && deps.usage) {
    const spent: Spent = totalOf(await deps.usage.ofRun(run.id), deps.model ?? {});
    const { worked } = fold(run.id, loaded.events);
    const reached = reachedOf('run', limits, { ...spent, wallTimeMs: worked.ms }, nextOf(run, 'run'));
    const hint =
      reached && reached.limit === ofPiece[reached.what === 'tokens' ? 'tokens' : 'money']
        ? 'The piece itself limits it: cancel the run, and plan anew when the piece allows more.'
        : "Raise `budget` in the project's settings as far as the operator allows, or cancel the run.";
    if (reached) return { refused: exhausted(deps, reached, hint, run), budget };
  }
  return { refused: await checkDay(deps, run.item.projectId, budget, run), budget };
}

async function checkDay(
  deps: Deps,
  projectId: number,
  { day }: RunBudget,
  run: RunRow | null = null,
): Promise<ActionResult | null> {
  if (!isLimited(day) || !deps.usage) return null;
  const spent = await spentToday(deps.usage, deps.model ?? {}, projectId, deps.clock.now());
  if (day.money !== null && spent.unpriced.length > 0) return priceless(spent.unpriced.join(', '));
  const reached = reachedOf('day', day, spent, nextOf(run, 'day'));
  return reached && exhausted(deps, reached, 'There is budget again on the next day (UTC).', run);
}

/** What the call was going to use that a run waits for: a Continue without room for it would only lead back here. */
function nextOf(run: RunRow | null, scope: BudgetReached['scope']): Spent {
  const waited = (run?.view as RunView | undefined)?.budget;
  const next = waited?.scope === scope ? (waited.next ?? 0) : 0;
  return {
    tokens: waited?.what === 'tokens' ? next : 0,
    money: waited?.what === 'money' ? next : 0,
    wallTimeMs: 0,
  };
}

/** Of all runs of the project, on this day (UTC). */
export async function spentToday(
  usage: UsageStore,
  model: Pick<ModelPort, 'about'>,
  projectId: number,
  now: Date,
): Promise<ReturnType<typeof totalOf>> {
  return totalOf(await usage.ofProject(projectId, `${now.toISOString().slice(0, 10)}T00:00:00.000Z`), model);
}

function exhausted(deps: Deps, reached: BudgetReached, hint: string, run: RunRow | null): ActionResult {
  const whose = reached.scope === 'run' ? 'of this run' : "of the project's day";
  const { currency } = deps.operator;
  const amounts = amountsOf({ ...reached, ...(currency === undefined ? {} : { currency }) });
  return refuse('budget_exhausted', `The budget ${whose} is used up: ${amounts}. ${hint}`, run);
}

/** A limit of money can only be kept where all that is used has a price. */
function unpriced(deps: Deps, { run, day }: RunBudget, models: readonly string[]): ActionResult | null {
  if (run.money === null && day.money === null) return null;
  const unknown = models.find((name) => factsOf(deps.model ?? {}, name).price === null);
  return unknown === undefined ? null : priceless(unknown);
}

function priceless(name: string): ActionResult {
  return refuse(
    'price_unknown',
    `The budget limits money, but the price of ${name} is not known: the operator has to name it in MODEL_TABLE.`,
  );
}

function toLimits(budget: Budget | undefined): RunBudget['run'] {
  return { tokens: budget?.tokens ?? null, money: budget?.money ?? null, wallTimeMs: null };
}
