/** Checks of rules: conditions, where they lead, and what can never match (spec 1: Rules, Extensions). */
import { whenProblems } from './check-when.ts';
import { parseCondition } from './condition.ts';
import { type Findings, type Path, report } from './document.ts';
import { asList, asMap, asText } from './loose.ts';
import { didYouMean } from './nearest.ts';
import type { Variable } from './types.ts';

/** The names of a piece: movements, sub-movements with the movement they belong to, entries from outside, and variables. */
export interface Names {
  movements: ReadonlySet<string>;
  subs: ReadonlyMap<string, string>;
  teleports: ReadonlySet<string>;
  /** Null: declared, but in a wrong way. */
  variables: ReadonlyMap<string, Variable | null>;
}

/** What sort of rules they are. `subs`: how many sub-movements a parallel movement has. */
export type RulesOf =
  | { kind: 'agent' | 'sub'; produces: string[]; runsNoAgent: boolean }
  | { kind: 'judge' | 'action' }
  | { kind: 'gate'; gate: string }
  | { kind: 'parallel'; subs: number };

/** Checks a list of rules; `path` is the list's. */
export function checkRules(rules: unknown, path: Path, of: RulesOf, names: Names, findings: Findings): void {
  const texts: Written[] = [];
  for (const [index, item] of asList(rules).entries()) {
    const rule = asMap(item);
    const place = [...path, index];
    const condition = asText(rule['condition']);
    checkEither(item, place, findings);
    if (condition !== null) {
      texts.push({ text: condition, index });
      checkCondition(condition, [...place, 'condition'], of, findings);
    }
    checkWhen(rule['when'], [...place, 'when'], of, names, findings);
    const next = asText(rule['next']);
    if (next !== null && of.kind !== 'sub') checkNext(next, [...place, 'next'], names, findings);
    if (rule['requires_user_input'] === true && of.kind !== 'agent' && of.kind !== 'parallel') {
      const message = `\`requires_user_input\` does nothing on a rule of ${described(of)}`;
      const hint = of.kind === 'sub' ? ': put it on a rule of the parallel movement, which decides' : '';
      report(findings, 'warning', 'ignored_key', [...place, 'requires_user_input'], `${message}${hint}`, 'key');
    }
  }
  if (Array.isArray(rules) && rules.length > 0) checkFixed(texts, path, of, findings);
}

/** A condition as written, and the number of its rule. */
interface Written {
  text: string;
  index: number;
}

/** A rule has a `condition` or a `when`, and not both. */
function checkEither(item: unknown, path: Path, findings: Findings): void {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return;
  const rule = asMap(item);
  if (rule['condition'] === undefined && rule['when'] === undefined) {
    const message = '`condition` is missing: every rule needs a `condition`, or a `when` over variables in its place';
    report(findings, 'error', 'missing_key', [...path, 'condition'], message);
  } else if (rule['condition'] !== undefined && rule['when'] !== undefined) {
    const message = '`when` stands in place of `condition`; make it two rules, or keep one';
    report(findings, 'error', 'conflicting_keys', [...path, 'when'], message, 'key');
  }
}

function checkWhen(value: unknown, path: Path, of: RulesOf, names: Names, findings: Findings): void {
  const text = asText(value);
  if (text === null) return;
  const produces = of.kind === 'agent' || of.kind === 'sub' ? (of.runsNoAgent ? [] : of.produces) : [];
  for (const { code, message } of whenProblems(text, { variables: names.variables, produces }))
    report(findings, 'error', code, path, message);
}

/** Reports a target that is no movement, COMPLETE or ABORT. */
function checkNext(next: string, path: Path, names: Names, findings: Findings): void {
  if (next === 'COMPLETE' || next === 'ABORT' || names.movements.has(next)) return;
  if (names.teleports.has(next)) {
    const message = `${quote(next)} is a teleport: it is entered from outside alone, no rule can lead to it`;
    report(findings, 'error', 'teleport_edge', path, message);
    return;
  }
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
function checkFixed(texts: Written[], path: Path, of: RulesOf, findings: Findings): void {
  const fixed = fixedWords(of);
  if (fixed === null) return;
  for (const word of fixed.needed) {
    if (!texts.some(({ text }) => text === word))
      report(findings, 'error', 'missing_rule', path, `${described(of)} needs a rule with the condition \`${word}\``);
  }
  for (const { index, text } of texts) {
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
