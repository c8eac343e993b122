/** Aggregates that can never hold, and rules that can never win (spec 1: What the linter says besides). */
import { isResult } from './aggregate.ts';
import { type Findings, type Path, report } from './document.ts';
import { didYouMean } from './nearest.ts';
import type { AgentMovement, ParallelMovement, Piece, Rule } from './types.ts';

export function lintAggregates(piece: Piece, findings: Findings): void {
  for (const [index, movement] of piece.movements.entries()) {
    const path = ['movements', index, 'rules'];
    if (movement.kind === 'parallel' && movement.subs.length > 0) {
      for (const rule of movement.rules) lintAggregate(rule, movement, [...path, rule.index, 'condition'], findings);
      lintShadowed(movement.rules, covers, path, findings);
    } else if (movement.kind === 'gate' || movement.kind === 'action') {
      lintShadowed(movement.rules, (first, later) => first.text === later.text, path, findings);
    }
  }
}

type Aggregate = { kind: 'all' | 'any'; args: string[] };

function aggregateOf(rule: Rule): Aggregate | null {
  const { condition } = rule;
  return condition.kind === 'all' || condition.kind === 'any' ? condition : null;
}

function lintAggregate(rule: Rule, movement: ParallelMovement, path: Path, findings: Findings): void {
  const aggregate = aggregateOf(rule);
  if (aggregate === null) return;
  const { args, kind } = aggregate;
  const mute = movement.subs.filter((sub) => sub.rules.length === 0);
  if (mute.length === movement.subs.length || (kind === 'all' && mute.length > 0)) {
    const names = mute.map((sub) => `\`${sub.name}\``).join(', ');
    report(
      findings,
      'warning',
      'aggregate_without_rules',
      path,
      `\`${kind}()\` can never hold: ${names} without rules has no result`,
    );
    return;
  }
  if (kind === 'all' && args.length > 1) lintPositions(args, movement.subs, path, findings);
  else lintTexts(kind, args, movement.subs, path, findings);
}

/** `any` and single `all`: the text must be a condition of some sub-movement, of `all` of every one. */
function lintTexts(kind: 'all' | 'any', args: string[], subs: AgentMovement[], path: Path, findings: Findings): void {
  for (const arg of args) {
    const without = subs.filter((sub) => !knows(sub, arg));
    if (without.length === subs.length) {
      const near = didYouMean(
        arg,
        subs.flatMap((sub) => sub.rules.map((rule) => rule.text)),
      );
      report(findings, 'warning', 'unknown_argument', path, `"${arg}" is no condition of any sub-movement${near}`);
    } else if (kind === 'all' && without.length > 0) {
      const names = without.map((sub) => `\`${sub.name}\``).join(', ');
      report(
        findings,
        'warning',
        'unknown_argument',
        path,
        `\`all("${arg}")\` can never hold: it is no condition of ${names}`,
      );
    }
  }
}

/** `all` by position: each text must be a condition of the sub-movement at its place. */
function lintPositions(args: string[], subs: AgentMovement[], path: Path, findings: Findings): void {
  const wrong = args.flatMap((arg, index) => {
    const sub = subs[index];
    return sub === undefined || knows(sub, arg) ? [] : [{ arg, sub, index }];
  });
  if (wrong.length === 0) return;
  const order = fittingOrder(args, subs);
  const hint = order === null ? '' : `; the texts fit as all(${order.map((arg) => `"${arg}"`).join(', ')})`;
  for (const { arg, index, sub } of wrong) {
    const near =
      order === null
        ? didYouMean(
            arg,
            sub.rules.map((rule) => rule.text),
          )
        : hint;
    const message = `"${arg}" is no condition of sub-movement ${index + 1}, \`${sub.name}\`${near}`;
    report(findings, 'warning', 'unknown_argument', path, message);
  }
}

/** An order of the texts in which each is a condition at its place, found by augmenting paths; null when there is none. */
function fittingOrder(args: string[], subs: AgentMovement[]): string[] | null {
  if (args.length !== subs.length || args.length > 50) return null;
  const argOf = new Array<number>(subs.length).fill(-1);
  const place = (arg: number, tried: Set<number>): boolean => {
    for (const [index, sub] of subs.entries()) {
      if (tried.has(index) || !knows(sub, args[arg] ?? '')) continue;
      tried.add(index);
      const other = argOf[index] ?? -1;
      if (other < 0 || place(other, tried)) {
        argOf[index] = arg;
        return true;
      }
    }
    return false;
  };
  if (!args.every((_, index) => place(index, new Set()))) return null;
  return argOf.map((arg) => args[arg] ?? '');
}

function knows(sub: AgentMovement, arg: string): boolean {
  return sub.rules.some((rule) => isResult(arg, { condition: rule.text }));
}

/** Reports each rule that a rule before it always wins against. */
function lintShadowed(
  rules: Rule[],
  wins: (first: Rule, later: Rule) => boolean,
  path: Path,
  findings: Findings,
): void {
  for (const later of rules.slice(0, 500)) {
    const first = rules
      .slice(0, later.index)
      .find((rule) => (!rule.interactiveOnly || later.interactiveOnly) && wins(rule, later));
    if (first === undefined) continue;
    const message = `this rule never wins: rule ${first.index}, \`${first.text.slice(0, 80)}\`, holds whenever it does`;
    report(findings, 'warning', 'shadowed_rule', [...path, later.index, 'condition'], message);
  }
}

/** Does `first` hold whenever `later` does? */
function covers(first: Rule, later: Rule): boolean {
  const a = aggregateOf(first);
  const b = aggregateOf(later);
  if (a === null || b === null) return false;
  if (a.kind === 'any') {
    // Any one of its texts holds when some sub-movement has it: `all` needs one of them, `any` may only ask for them.
    return b.kind === 'all' ? b.args.some((arg) => a.args.includes(arg)) : b.args.every((arg) => a.args.includes(arg));
  }
  if (b.kind === 'any') return false;
  if (a.args.length === 1) return b.args.every((arg) => arg === a.args[0]);
  return b.args.length === 1
    ? a.args.every((arg) => arg === b.args[0])
    : a.args.length === b.args.length && a.args.every((arg, index) => arg === b.args[index]);
}
