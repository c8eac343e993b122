/** What tokens cost. A price that is not known is never zero (spec 2: Settings, `budget`). */

import type { Spent } from '../../domain/run/budget.ts';
import type { ModelFacts, ModelPort, ModelPrice, ModelUsage } from '../../ports/model.ts';
import type { ModelUsageSum } from '../../ports/usage.ts';

/** Of a port that tells nothing of its models: they are made here, have no limit and cost nothing. */
const OWN: ModelFacts = { contextTokens: null, price: { input: 0, output: 0 } };

export function factsOf(model: Pick<ModelPort, 'about'>, name: string): ModelFacts {
  return model.about?.(name) ?? OWN;
}

type Tokens = Pick<ModelUsage, 'inputTokens' | 'outputTokens' | 'cachedTokens' | 'cacheWriteTokens'>;

/** In the operator's currency; null: not known. */
export function costOf(usage: Tokens, price: ModelPrice | null): number | null {
  if (price === null) return null;
  const { inputTokens, outputTokens, cachedTokens: cached = 0, cacheWriteTokens: written = 0 } = usage;
  const plain = Math.max(0, inputTokens - cached - written);
  const input =
    plain * price.input + cached * (price.cached ?? price.input) + written * (price.cacheWrite ?? price.input);
  return (input + outputTokens * price.output) / 1_000_000;
}

/** Sums over models. `unpriced`: models that were used and whose price is not known now either; their money is left out. */
export function totalOf(
  sums: readonly ModelUsageSum[],
  model: Pick<ModelPort, 'about'>,
): Spent & { unpriced: string[] } {
  const total = { tokens: 0, money: 0, wallTimeMs: 0, unpriced: [] as string[] };
  for (const sum of sums) {
    total.tokens += sum.inputTokens + sum.outputTokens;
    total.wallTimeMs += sum.ms;
    total.money += sum.money;
    const { unpriced } = sum;
    if (unpriced.inputTokens + unpriced.outputTokens === 0) continue;
    const late = costOf(unpriced, factsOf(model, sum.model).price);
    if (late === null) total.unpriced.push(sum.model);
    else total.money += late;
  }
  return total;
}
