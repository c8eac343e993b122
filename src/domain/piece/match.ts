/**
 * Which rule wins (spec 1): pure, and asked again after each judge's answer. A judge's answer that is absent has not
 * been asked for yet; null means that it found nothing or failed, and the next stage is tried.
 */
import { aggregateHolds, type SubResult } from './aggregate.ts';
import { existsIn, offeredRules, type ReadVariable, whenRule } from './rules.ts';
import { readTags } from './tags.ts';
import type { Rule } from './types.ts';

export interface Judged {
  ai?: number | null;
  fallback?: number | null;
}

export type Match =
  | { kind: 'matched'; rule: Rule; method: 'when' | 'tag' | 'ai' | 'judge' | 'aggregate' }
  | { kind: 'judge'; stage: 'ai' | 'fallback'; conditions: { index: number; text: string }[] }
  | { kind: 'none' };

const unwritten: ReadVariable = () => null;

/**
 * Matches an agent movement's or sub-movement's output: `when` rules by the variables, then its last tag, the `ai()` rules,
 * and the fallback judge.
 */
export function matchAgent(input: {
  rules: Rule[];
  interactive: boolean;
  output: string;
  judged: Judged;
  read?: ReadVariable;
}): Match {
  const when = whenRule(input.rules, input.interactive, input.read ?? unwritten);
  if (when !== null) return { kind: 'matched', rule: when, method: 'when' };
  const offered = offeredRules(input.rules, input.interactive);
  if (offered.length === 0) return { kind: 'none' };
  const { plain, fenced } = readTags(input.output);
  const tagged = ruleAt(offered, plain ?? fenced);
  if (tagged !== null) return { kind: 'matched', rule: tagged, method: 'tag' };
  const ai = offered.filter((rule) => rule.condition.kind === 'ai');
  if (ai.length > 0) {
    if (input.judged.ai === undefined) return askJudge('ai', ai);
    const judged = ruleAt(ai, input.judged.ai);
    if (judged !== null) return { kind: 'matched', rule: judged, method: 'ai' };
  }
  return matchFallback(offered, input.judged);
}

export interface MatchSub extends SubResult {
  name: string;
  output: string;
  hasRules: boolean;
}

/**
 * Matches a parallel movement's rules: `when` rules first, then from top to bottom aggregates from the sub-movements' results, plain conditions
 * from a tag of a sub-movement without rules (the others' tags name their own rules), `ai()` by one judge over all
 * of them, asked for when the walk reaches the first; at last the fallback judge.
 */
export function matchParallel(input: {
  rules: Rule[];
  interactive: boolean;
  subs: MatchSub[];
  judged: Judged;
  read?: ReadVariable;
}): Match {
  const { judged, subs } = input;
  const when = whenRule(input.rules, input.interactive, input.read ?? unwritten);
  if (when !== null) return { kind: 'matched', rule: when, method: 'when' };
  const offered = offeredRules(input.rules, input.interactive);
  let tag: number | null | undefined;
  for (const rule of input.rules) {
    if (!existsIn(rule, input.interactive)) continue;
    const { condition } = rule;
    switch (condition.kind) {
      case 'all':
      case 'any':
        if (aggregateHolds(condition, subs)) return { kind: 'matched', rule, method: 'aggregate' };
        break;
      case 'text':
        if (tag === undefined) tag = parentTag(subs);
        if (tag === rule.index) return { kind: 'matched', rule, method: 'tag' };
        break;
      case 'ai':
        if (judged.ai === undefined) {
          return askJudge(
            'ai',
            offered.filter((other) => other.condition.kind === 'ai'),
          );
        }
        if (judged.ai === rule.index) return { kind: 'matched', rule, method: 'ai' };
        break;
      case 'when':
        break;
    }
  }
  return matchFallback(offered, judged);
}

function matchFallback(offered: Rule[], judged: Judged): Match {
  if (offered.length === 0) return { kind: 'none' };
  if (judged.fallback === undefined) return askJudge('fallback', offered);
  const rule = ruleAt(offered, judged.fallback);
  return rule === null ? { kind: 'none' } : { kind: 'matched', rule, method: 'judge' };
}

function askJudge(stage: 'ai' | 'fallback', rules: Rule[]): Match {
  return { kind: 'judge', stage, conditions: rules.map((rule) => ({ index: rule.index, text: plainText(rule) })) };
}

function plainText(rule: Rule): string {
  return rule.condition.kind === 'ai' ? rule.condition.text : rule.text;
}

function ruleAt(rules: Rule[], index: number | null | undefined): Rule | null {
  if (index === null || index === undefined) return null;
  return rules.find((rule) => rule.index === index) ?? null;
}

/** The last tag of the sub-movements without rules; as within one output, plain tags come before fenced ones. */
function parentTag(subs: MatchSub[]): number | null {
  let plain: number | null = null;
  let fenced: number | null = null;
  for (const sub of subs) {
    if (sub.hasRules) continue;
    const tags = readTags(sub.output);
    plain = tags.plain ?? plain;
    fenced = tags.fenced ?? fenced;
  }
  return plain ?? fenced;
}
