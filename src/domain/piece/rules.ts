/** Which rules exist in a run, and which are put before an agent or a judge (spec 1: Rules, `when`). */
import { holds } from './expression.ts';
import type { AgentMovement, Literal, Rule } from './types.ts';

/** Reads a variable; `null` for one that was never written. */
export type ReadVariable = (name: string) => Literal;

/** Does the rule exist in this run? `interactive_only` rules do not in a run that is not interactive. */
export function existsIn(rule: Pick<Rule, 'interactiveOnly'>, interactive: boolean): boolean {
  return interactive || !rule.interactiveOnly;
}

/** The rules offered as tags and to judges: plain text and `ai()`, in file order, with their own numbers. */
export function offeredRules(rules: Rule[], interactive: boolean): Rule[] {
  return rules.filter((rule) => isOffered(rule) && existsIn(rule, interactive));
}

function isOffered(rule: Rule): boolean {
  return rule.condition.kind === 'text' || rule.condition.kind === 'ai';
}

/** The first `when` rule that holds: they are tried before all others, in file order, and cost no model. */
export function whenRule(rules: Rule[], interactive: boolean, read: ReadVariable): Rule | null {
  return (
    rules.find(
      (rule) => rule.condition.kind === 'when' && existsIn(rule, interactive) && holds(rule.condition.expression, read),
    ) ?? null
  );
}

/** The rule of a gate's or an action's fixed word, among those that exist in this run. */
export function wordRule(rules: Rule[], interactive: boolean, word: string): Rule | undefined {
  return rules.find((rule) => rule.condition.kind !== 'when' && rule.text === word && existsIn(rule, interactive));
}

/** A movement with `when` rules alone and no template runs no agent: it only decides where to go. */
export function runsNoAgent(movement: Pick<AgentMovement, 'rules' | 'instructionTemplate'>): boolean {
  const { instructionTemplate, rules } = movement;
  return (
    (instructionTemplate ?? '').trim() === '' &&
    rules.length > 0 &&
    rules.every((rule) => rule.condition.kind === 'when')
  );
}
