/** The note of a run that waits because a budget is used up (spec 2: Settings, `budget`). */
import { amountsOf, type BudgetReached } from '../run/budget.ts';
import { sayIn } from './locale.ts';
import { line, mentionOf } from './markdown.ts';

export interface BudgetNote {
  reached: BudgetReached;
  language: string;
  /** Username of who started the run. */
  mention: string | null;
  provider: string;
}

export function renderBudget({ reached, language, mention, provider }: BudgetNote): string {
  const say = sayIn(language);
  const who = mention === null ? '' : `${mentionOf(mention)} — `;
  const text = say(reached.scope === 'run' ? 'budgetRun' : 'budgetDay', { amounts: amountsOf(reached) });
  const by = `<sub>${say('providedBy', { provider: line(provider) })}</sub>`;
  return [`#### 🪫 ${say('budgetTitle')}`, `${who}${text}`, say('hintBudget'), by].join('\n\n');
}
