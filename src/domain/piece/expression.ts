/**
 * The expressions of `when` rules (spec 1: Extensions): what they read, and whether they hold. A variable that was never
 * written is `null`: it equals nothing but `null`, no order holds for it, and by itself it is false.
 */
import type { Expression, Literal } from './types.ts';

/** Names that an expression reads as something else than a variable of the piece. */
export const EXPRESSION_WORDS: ReadonlySet<string> = new Set([
  'and',
  'or',
  'not',
  'in',
  'true',
  'false',
  'null',
  'produced',
  // Readers of JSON leave it out of records.
  '__proto__',
]);
const VARIABLE_NAME = /^[\p{L}_][\p{L}\p{M}\p{N}_-]{0,79}$/u;

/** Can a variable have this name? */
export function isVariableName(name: string): boolean {
  return VARIABLE_NAME.test(name) && !EXPRESSION_WORDS.has(name);
}

/** The expression's value; `read` gives a variable's. */
export function evaluate(expression: Expression, read: (name: string) => Literal): Literal {
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'variable':
      return read(expression.name);
    case 'not':
      return evaluate(expression.operand, read) !== true;
    case 'and':
      return expression.terms.every((term) => evaluate(term, read) === true);
    case 'or':
      return expression.terms.some((term) => evaluate(term, read) === true);
    case 'in': {
      const value = evaluate(expression.value, read);
      return expression.options.some((option) => evaluate(option, read) === value);
    }
    case 'compare':
      return compare(expression.operator, evaluate(expression.left, read), evaluate(expression.right, read));
    default:
      return expression satisfies never;
  }
}

/** Does the expression hold? Anything but `true` does not. */
export function holds(expression: Expression, read: (name: string) => Literal): boolean {
  return evaluate(expression, read) === true;
}

/** The names that an expression reads, each once, in order. */
export function readNames(expression: Expression): string[] {
  const found = new Set<string>();
  walk(expression, (part) => {
    if (part.kind === 'variable') found.add(part.name);
  });
  return [...found];
}

/** Visits an expression and all its parts, from the outside in. */
export function walk(expression: Expression, visit: (part: Expression) => void): void {
  visit(expression);
  for (const part of partsOf(expression)) walk(part, visit);
}

function partsOf(expression: Expression): Expression[] {
  switch (expression.kind) {
    case 'literal':
    case 'variable':
      return [];
    case 'not':
      return [expression.operand];
    case 'and':
    case 'or':
      return expression.terms;
    case 'in':
      return [expression.value, ...expression.options];
    case 'compare':
      return [expression.left, expression.right];
    default:
      return expression satisfies never;
  }
}

type Operator = Extract<Expression, { kind: 'compare' }>['operator'];

function compare(operator: Operator, left: Literal, right: Literal): boolean {
  if (operator === '==') return left === right;
  if (operator === '!=') return left !== right;
  if (typeof left !== 'number' || typeof right !== 'number') return false;
  if (operator === '<') return left < right;
  if (operator === '<=') return left <= right;
  return operator === '>' ? left > right : left >= right;
}
