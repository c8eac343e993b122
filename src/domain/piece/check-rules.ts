/** Checks of rules: conditions, where they lead, and what can never match (spec 1: Rules, Extensions). */
import { parseCondition } from './condition.ts';
import { type Findings, type Path, report } from './document.ts';
import { asList, asMap, asText } from './loose.ts';
import { didYouMean } from './nearest.ts';

/** The names of a piece: movements, and sub-movements with the movement they belong to. */
export interface Names {
  movements: ReadonlySet<string>;
  subs: ReadonlyMap<string, string>;
}

/** What sort of rules they are. `subs`: how many sub-movements a parallel movement has. */
export type RulesOf =
  | { kind: 'agent' | 'sub' | 'judge' | 'action' }
  | { kind: 'gate'; gate: string }
  | { kind: 'parallel'; subs: number };

/** Checks a list of rules; `path` is the list's. */
export function checkRules(rules: unknown, path: Path, of: RulesOf, names: Names, findings: Findings): void {
  const texts: string[] = [];
  for (const [index, item] of asList(rules).entries()) {
    const rule = asMap(item);
    const condition = asText(rule['condition']);
    if (condition !== null) {
      texts.push(condition);
      checkCondition(condition, [...path, index, 'condition'], of, findings);
    }
    const next = asText(rule['next']);
    if (next !== null && of.kind !== 'sub') checkNext(next, [...path, index, 'next'], names, findings);
    if (rule['requires_user_input'] === true && of.kind !== 'agent' && of.kind !== 'parallel') {
      const message = `\`requires_user_input\` does nothing on a rule of ${described(of)}`;
      report(findings, 'warning', 'ignored_key', [...path, index, 'requires_user_input'], message, 'key');
    }
  }
  if (Array.isArray(rules) && rules.length > 0) checkFixed(texts, path, of, findings);
}

/** Reports a target that is no movement, COMPLETE or ABORT. */
function checkNext(next: string, path: Path, names: Names, findings: Findings): void {
  if (next === 'COMPLETE' || next === 'ABORT' || names.movements.has(next)) return;
  report(findings, 'error', 'unknown_next', path, `${quote(next)} ${notMovement(next, names)}`);
}

/** Why a name is no movement, with the nearest one. */
export function notMovement(name: string, names: Names): string {
  const parent = names.subs.get(name);
  if (parent !== undefined) return `is a sub-movement of ${quote(parent)}; only whole movements can be named here`;
  return `names no movement${didYouMean(name, [...names.movements, 'COMPLETE', 'ABORT'])}`;
}

function checkCondition(text: string, path: Path, of: RulesOf, findings: Findings): void {
  const parsed = parseCondition(text);
  if (!parsed.ok) {
    report(findings, 'error', 'bad_condition', path, parsed.message);
    return;
  }
  const { condition } = parsed;
  if (condition.kind !== 'all' && condition.kind !== 'any') return;
  if (of.kind !== 'parallel') {
    report(
      findings,
      'warning',
      'aggregate_without_parallel',
      path,
      `\`${condition.kind}()\` is always false on ${described(of)}: it needs sub-movements`,
    );
  } else if (
    condition.kind === 'all' &&
    condition.args.length > 1 &&
    of.subs > 0 &&
    condition.args.length !== of.subs
  ) {
    const message = `\`all()\` with several texts needs one for each sub-movement: expected ${of.subs}, got ${condition.args.length}`;
    report(findings, 'error', 'argument_count', path, message);
  }
}

/** Gates and actions answer with fixed words. */
function checkFixed(texts: string[], path: Path, of: RulesOf, findings: Findings): void {
  const fixed = fixedWords(of);
  if (fixed === null) return;
  for (const word of fixed.needed) {
    if (!texts.includes(word))
      report(findings, 'error', 'missing_rule', path, `${described(of)} needs a rule with the condition \`${word}\``);
  }
  for (const [index, text] of texts.entries()) {
    if (!fixed.known.includes(text)) {
      report(
        findings,
        'warning',
        'never_matches',
        [...path, index, 'condition'],
        `${described(of)} answers ${fixed.known.map((word) => `\`${word}\``).join(' or ')} only: this rule never matches`,
      );
    }
  }
}

function fixedWords(of: RulesOf): { needed: string[]; known: string[] } | null {
  if (of.kind === 'action') return { needed: ['done'], known: ['done', 'failed'] };
  if (of.kind !== 'gate') return null;
  const words = of.gate === 'approval' ? ['approved', 'rejected'] : ['continued'];
  return { needed: words, known: words };
}

function described(of: RulesOf): string {
  switch (of.kind) {
    case 'agent':
      return 'a movement without `parallel`';
    case 'sub':
      return 'a sub-movement';
    case 'judge':
      return "a loop monitor's judge";
    case 'action':
      return 'an action';
    case 'gate':
      return of.gate === 'approval' ? 'an approval gate' : 'a gate';
    case 'parallel':
      return 'a parallel movement';
  }
}

function quote(name: string): string {
  return `\`${name.length > 80 ? `${name.slice(0, 80)}…` : name}\``;
}
