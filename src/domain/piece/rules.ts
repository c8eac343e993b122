/** Which rules are put before an agent or a judge (spec 1: Rules). */
import type { Rule } from './types.ts';

/** Does the rule exist in this run? `interactive_only` rules do not in a run that is not interactive. */
export function existsIn(rule: Rule, interactive: boolean): boolean {
  return interactive || !rule.interactiveOnly;
}

/** The rules offered as tags and to judges: plain text and `ai()`, in file order, with their own numbers. */
export function offeredRules(rules: Rule[], interactive: boolean): Rule[] {
  return rules.filter((rule) => isOffered(rule) && existsIn(rule, interactive));
}

function isOffered(rule: Rule): boolean {
  return rule.condition.kind === 'text' || rule.condition.kind === 'ai';
}
