/** Values of declared variables and of properties: reading them as a piece writes them (spec 1: Extensions, `variables`). */
import type { Literal, Variable } from './types.ts';

/** An allowed value as written, in its type; null when it is none. */
export function readValue(written: unknown, type: string): string | number | boolean | null {
  if (typeof written !== 'string' && typeof written !== 'number' && typeof written !== 'boolean') return null;
  const text = String(written);
  if (type === 'string') return text;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : null;
  if (type !== 'number' && type !== 'integer') return null;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) && (type === 'number' || Number.isSafeInteger(number)) ? number : null;
}

/** Every value that the variable can have; null when they cannot be counted up. */
export function valuesOf(variable: Pick<Variable, 'type' | 'values'>): Exclude<Literal, null>[] | null {
  return variable.values ?? (variable.type === 'boolean' ? [true, false] : null);
}

/** The variable's kind of value in comparisons. */
export function kindOfVariable(variable: Pick<Variable, 'type'>): 'string' | 'number' | 'boolean' {
  return variable.type === 'integer' ? 'number' : variable.type;
}
