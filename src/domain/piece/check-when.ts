/** Checks of a `when` expression against the declared variables: names, kinds of values, values that can never be (spec 1: Extensions). */
import { DATA_SCHEMAS } from '../workplan/data-kinds.ts';
import { walk } from './expression.ts';
import { didYouMean } from './nearest.ts';
import { parseExpression } from './parse-expression.ts';
import type { Expression, Literal, Variable } from './types.ts';
import { kindOfVariable, valuesOf } from './variables.ts';

/** What an expression may read. A variable whose declaration is wrong is null: nothing more is said about it. */
export interface Readable {
  variables: ReadonlyMap<string, Variable | null>;
  /** Kinds of data of the movement whose rule it is; empty: any that a movement before may have given. */
  produces: readonly string[];
}

export interface WhenProblem {
  code: 'bad_condition' | 'unknown_variable' | 'impossible_value';
  message: string;
}

type Kind = 'string' | 'number' | 'boolean' | 'null';

/** The problems of an expression, in order; empty when it can be used. */
export function whenProblems(text: string, readable: Readable): WhenProblem[] {
  const parsed = parseExpression(text);
  if (!parsed.ok) return [{ code: 'bad_condition', message: parsed.message }];
  const problems = unknownNames(parsed.expression, readable);
  if (problems.length > 0) return problems;
  const checks = new Checks(readable);
  const kind = checks.kindOf(parsed.expression);
  if (kind !== null && kind !== 'boolean')
    checks.say(
      'bad_condition',
      `a rule's expression must be true or false, got ${KINDS[kind]}; compare it with \`==\``,
    );
  return checks.problems;
}

/** The variable of this name, `produced` among them; null when nothing is known of it. */
export function variableOf(name: string, readable: Readable): Variable | null {
  if (name !== 'produced') return readable.variables.get(name) ?? null;
  const values = readable.produces.length > 0 ? [...readable.produces] : Object.keys(DATA_SCHEMAS);
  return { name, type: 'string', values };
}

const KINDS: Record<Kind, string> = { string: 'a text', number: 'a number', boolean: 'true or false', null: 'null' };

function unknownNames(expression: Expression, readable: Readable): WhenProblem[] {
  const known = [...readable.variables.keys(), 'produced'];
  const seen = new Set<string>();
  const problems: WhenProblem[] = [];
  walk(expression, (part) => {
    if (part.kind !== 'variable' || known.includes(part.name) || seen.has(part.name)) return;
    seen.add(part.name);
    const near = didYouMean(part.name, known);
    const hint = near === '' ? `; declare it under \`variables\`, or write "${part.name}" for a text` : near;
    problems.push({
      code: 'unknown_variable',
      message: `there is no variable \`${part.name}\` (character ${part.at + 1})${hint}`,
    });
  });
  return problems;
}

class Checks {
  readonly problems: WhenProblem[] = [];
  private readonly readable: Readable;

  constructor(readable: Readable) {
    this.readable = readable;
  }

  say(code: WhenProblem['code'], message: string): void {
    this.problems.push({ code, message });
  }

  /** The kind of value, null when it is not known. */
  kindOf(expression: Expression): Kind | null {
    switch (expression.kind) {
      case 'literal':
        return kindOfLiteral(expression.value);
      case 'variable': {
        const variable = variableOf(expression.name, this.readable);
        return variable === null ? null : kindOfVariable(variable);
      }
      case 'not':
        this.mustBeTruth(expression.operand, 'not');
        return 'boolean';
      case 'and':
      case 'or':
        for (const term of expression.terms) this.mustBeTruth(term, expression.kind);
        return 'boolean';
      case 'in':
        for (const option of expression.options) this.mustFit(expression.value, option, 'in', expression.at);
        return 'boolean';
      case 'compare':
        this.mustFit(expression.left, expression.right, expression.operator, expression.at);
        return 'boolean';
      default:
        return expression satisfies never;
    }
  }

  private mustBeTruth(part: Expression, word: string): void {
    const kind = this.kindOf(part);
    if (kind !== null && kind !== 'boolean')
      this.say('bad_condition', `\`${word}\` needs true or false on its sides, got ${KINDS[kind]}`);
  }

  private mustFit(left: Expression, right: Expression, operator: string, at: number): void {
    const [one, other] = [this.kindOf(left), this.kindOf(right)];
    const place = `at character ${at + 1}`;
    const ordered = operator.startsWith('<') || operator.startsWith('>');
    const wrong = [one, other].find((kind) => kind !== null && kind !== 'number');
    if (ordered && wrong !== undefined) {
      this.say('bad_condition', `\`${operator}\` ${place} compares numbers, got ${KINDS[wrong ?? 'null']}`);
      return;
    }
    if (one === null || other === null) return;
    if (one !== other && one !== 'null' && other !== 'null') {
      this.say('impossible_value', `\`${operator}\` ${place} compares ${KINDS[one]} with ${KINDS[other]}: never equal`);
      return;
    }
    if (ordered) return;
    this.mustBeAllowed(left, right);
    this.mustBeAllowed(right, left);
  }

  private mustBeAllowed(holder: Expression, given: Expression): void {
    if (holder.kind !== 'variable' || given.kind !== 'literal' || given.value === null) return;
    const variable = variableOf(holder.name, this.readable);
    const allowed = variable === null ? null : valuesOf(variable);
    if (allowed === null || allowed.includes(given.value)) return;
    const near = typeof given.value === 'string' ? didYouMean(given.value, allowed.map(String)) : '';
    const list = allowed
      .slice(0, 20)
      .map((value) => JSON.stringify(value))
      .join(', ');
    this.say(
      'impossible_value',
      `\`${holder.name}\` is never ${JSON.stringify(given.value)} (character ${given.at + 1}); it can be ${list}${near}`,
    );
  }
}

function kindOfLiteral(value: Literal): Kind {
  if (value === null) return 'null';
  return typeof value === 'string' ? 'string' : typeof value === 'number' ? 'number' : 'boolean';
}
