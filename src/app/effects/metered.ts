/** What the model calls of an effect are made with, besides the model itself. */
import type { Budget } from '../../domain/piece/types.ts';
import type { RunSettings } from '../../ports/run-store.ts';
import type { CallDeps } from '../agent/call.ts';
import { createBudgets, type Meter } from '../budget/keeper.ts';
import type { EffectContext } from '../runner/advance.ts';
import type { AgentDeps } from './deps.ts';

/** `limits`: of the movement itself. */
export function openMeter(deps: AgentDeps, context: EffectContext, limits: Budget | undefined): Meter {
  const budgets = deps.budgets ?? createBudgets({ usage: null, model: deps.model, clock: deps.clock });
  return budgets.open(context, limits);
}

export function callSettings(deps: AgentDeps, { models }: RunSettings): Pick<CallDeps, 'observe' | 'fallback'> {
  const fallback = models['fallback'];
  return {
    ...(deps.observe === undefined ? {} : { observe: deps.observe }),
    ...(fallback === undefined ? {} : { fallback }),
  };
}
