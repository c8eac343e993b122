/** Values that a movement hands over: a fence with the info string `json:inputs` (spec 1: Extensions, `inputSchema`). */
import { dataFences } from './data.ts';
import type { InputSchema, PropertyShape, Variable } from './types.ts';
import { kindOfVariable } from './variables.ts';

/** What was handed over: variables are written for the whole run, properties stay with the movement. */
export interface Inputs {
  variables: Record<string, string | number | boolean>;
  properties: Record<string, unknown>;
}

type ExtractedInputs = { ok: true; inputs: Inputs } | { ok: false; problems: string[] };

const MAX_TEXT = 256 * 1024;
/** Characters of a variable's text. */
const MAX_VALUE = 10_000;
const MAX_PROBLEMS = 20;
const MAX_DEPTH = 20;

/**
 * Takes the inputs out of an output: of several fences the last, one JSON object that holds what is required and nothing
 * that is not declared. Without a fence nothing is written, which is wrong only where something is required. Problems are
 * sentences that the agent can act on. Never throws.
 */
export function extractInputs(output: string, schema: InputSchema): ExtractedInputs {
  const fence = dataFences(output).findLast(({ kind }) => kind === 'inputs');
  if (fence === undefined) {
    if (schema.required.length === 0) return { ok: true, inputs: { variables: {}, properties: {} } };
    const problem = `The output must hold one fenced block that begins with a line \`\`\`json:inputs, with ${schema.required.join(', ')}; there is none.`;
    return { ok: false, problems: [problem] };
  }
  const read = readObject(fence.text);
  if (typeof read === 'string') return { ok: false, problems: [read] };
  const problems = schema.required
    .filter((name) => !Object.hasOwn(read, name))
    .map((name) => `json:inputs: \`${name}\` is missing.`);
  const variables: [string, string | number | boolean][] = [];
  const properties: [string, unknown][] = [];
  for (const [name, value] of Object.entries(read)) {
    const variable = schema.globals.find((candidate) => candidate.name === name);
    const property = schema.properties.find((candidate) => candidate.name === name);
    const problem =
      variable === undefined && property === undefined
        ? unknownName(schema)
        : ((variable && variableProblem(variable, value)) ?? (property && shapeProblem(property.shape, value)) ?? null);
    if (problem !== null) problems.push(`json:inputs: \`${name.slice(0, 80)}\` ${problem}.`);
    else if (variable === undefined) properties.push([name, value]);
    else variables.push([name, value as string | number | boolean]);
  }
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, MAX_PROBLEMS) };
  return { ok: true, inputs: { variables: Object.fromEntries(variables), properties: Object.fromEntries(properties) } };
}

function unknownName(schema: InputSchema): string {
  const names = new Set([...schema.globals, ...schema.properties].map(({ name }) => name));
  return `cannot be written here; this movement hands over ${[...names].join(', ') || 'nothing'}`;
}

/** The object in the fence, or what is wrong with it. */
function readObject(text: string): Record<string, unknown> | string {
  if (text.length > MAX_TEXT) return `The block json:inputs is too long: at most ${MAX_TEXT} characters.`;
  let value: unknown;
  try {
    // What no store takes is taken out of texts.
    value = JSON.parse(text, (_key, part) => (typeof part === 'string' ? storable(part) : part));
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 300) : 'it cannot be read';
    return `The block json:inputs is no valid JSON: ${reason}. Write one JSON object and nothing else in it.`;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'The block json:inputs must hold one JSON object, e.g. {"name": "value"}.';
  if (!isPlain(value, 0)) return 'The block json:inputs is nested too deep, or has a name with a control character.';
  return value as Record<string, unknown>;
}

function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= MAX_DEPTH) return false;
  return Object.entries(value).every(
    ([key, part]) => key !== '__proto__' && storable(key) === key && isPlain(part, depth + 1),
  );
}

function variableProblem(variable: Variable, value: unknown): string | null {
  const wrong = typeProblem(variable.type, value);
  if (wrong !== null) return wrong;
  if (variable.values !== undefined && !variable.values.includes(value as string))
    return `must be one of ${listed(variable.values)}, got ${shown(value)}`;
  if (kindOfVariable(variable) === 'string' && String(value).length > MAX_VALUE)
    return `must have at most ${MAX_VALUE} characters`;
  return null;
}

function shapeProblem(shape: PropertyShape, value: unknown): string | null {
  const wrong = typeProblem(shape.type, value);
  if (wrong !== null) return wrong;
  const { enum: allowed, items, maximum, maxLength, minimum, minLength } = shape;
  if (allowed !== undefined && !allowed.includes(value as string))
    return `must be one of ${listed(allowed)}, got ${shown(value)}`;
  if (typeof value === 'number') {
    if (minimum !== undefined && value < minimum) return `must be at least ${minimum}, got ${value}`;
    if (maximum !== undefined && value > maximum) return `must be at most ${maximum}, got ${value}`;
  }
  if (typeof value === 'string' || Array.isArray(value)) {
    const what = typeof value === 'string' ? 'characters' : 'entries';
    if (minLength !== undefined && value.length < minLength) return `must have at least ${minLength} ${what}`;
    if (maxLength !== undefined && value.length > maxLength) return `must have at most ${maxLength} ${what}`;
  }
  if (items !== undefined && Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const problem = shapeProblem(items, item);
      if (problem !== null) return `entry ${index + 1} ${problem}`;
    }
  }
  return null;
}

const TYPE_NAMES: Record<PropertyShape['type'], string> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function typeProblem(type: PropertyShape['type'], value: unknown): string | null {
  return isOfType(type, value) ? null : `must be ${TYPE_NAMES[type]}, got ${shown(value)}`;
}

function isOfType(type: PropertyShape['type'], value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isSafeInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}

function listed(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(', ');
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
