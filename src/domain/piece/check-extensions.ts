/** Checks of variables, inputs and teleports beyond their shape (spec 1: Extensions; spec 3: The three routes). */
import type { Names } from './check-rules.ts';
import { type Declaration, declarations } from './declarations.ts';
import { type Findings, type Path, report } from './document.ts';
import { EXPRESSION_WORDS, isVariableName } from './expression.ts';
import { asList, asMap, asText } from './loose.ts';
import { didYouMean } from './nearest.ts';
import { readValue } from './variables.ts';

/** Reports what is wrong with the declared variables, and returns them by name. */
export function checkVariables(value: unknown, findings: Findings): Names['variables'] {
  const found = new Map<string, Declaration['variable']>();
  for (const { name, namePath, path, variable, wrongValues } of declarations(value)) {
    if (!isVariableName(name)) {
      const why = EXPRESSION_WORDS.has(name)
        ? 'it means something else in expressions'
        : 'a name begins with a letter and holds letters, digits, `_` and `-`, at most 80';
      report(findings, 'error', 'bad_name', namePath, `the variable ${quote(name)} cannot be named so: ${why}`, 'key');
    }
    if (found.has(name))
      report(findings, 'error', 'duplicate_name', namePath, `the variable ${quote(name)} is declared twice`, 'key');
    found.set(name, variable);
    for (const index of wrongValues) {
      const message = `entry ${index + 1} of \`values\` is no ${variable?.type ?? 'value'}`;
      report(findings, 'error', 'wrong_value', [...path, 'values', index], message);
    }
  }
  return found;
}

/** Reports names under `globalInputs` and `required` that are not declared, and properties that contradict themselves. */
export function checkInputs(value: unknown, path: Path, names: Names, findings: Findings): void {
  const schema = asMap(value);
  const properties = asMap(schema['properties']);
  const globals = asList(schema['globalInputs']);
  const seen = new Set<string>();
  for (const [index, item] of globals.entries()) {
    const name = asText(item);
    if (name === null) continue;
    const place = [...path, 'globalInputs', index];
    if (!names.variables.has(name)) {
      const near = didYouMean(name, names.variables.keys()) || '; declare it under `variables`';
      report(findings, 'error', 'unknown_variable', place, `${quote(name)} is no declared variable${near}`);
    }
    if (seen.has(name)) report(findings, 'error', 'duplicate_name', place, `${quote(name)} stands here twice`);
    seen.add(name);
  }
  const known = [...seen, ...Object.keys(properties)];
  for (const [index, item] of asList(schema['required']).entries()) {
    const name = asText(item);
    if (name === null || known.includes(name)) continue;
    const message = `${quote(name)} stands neither under \`globalInputs\` nor under \`properties\`${didYouMean(name, known)}`;
    report(findings, 'error', 'unknown_variable', [...path, 'required', index], message);
  }
  for (const [name, property] of Object.entries(properties))
    checkProperty(asMap(property), [...path, 'properties', name], findings);
}

function checkProperty(property: Record<string, unknown>, path: Path, findings: Findings): void {
  const type = asText(property['type']) ?? '';
  for (const [index, written] of asList(property['enum']).entries()) {
    if (type === '' || readValue(written, type) !== null) continue;
    report(findings, 'error', 'wrong_value', [...path, 'enum', index], `entry ${index + 1} of \`enum\` is no ${type}`);
  }
  for (const [least, most] of [
    ['minimum', 'maximum'],
    ['minLength', 'maxLength'],
  ] as const) {
    const [low, high] = [property[least], property[most]];
    if (typeof low !== 'number' || typeof high !== 'number' || low <= high) continue;
    const message = `\`${least}\` must not be above \`${most}\`, got ${low} and ${high}: no value fits`;
    report(findings, 'error', 'wrong_value', [...path, least], message);
  }
  if (property['items'] !== undefined) checkProperty(asMap(property['items']), [...path, 'items'], findings);
}

/**
 * Reports teleports that lead nowhere, or to several owners of the revision: all entries end in one agent movement, and
 * nothing decides between revisers (spec 3).
 */
export function checkTeleports(piece: Record<string, unknown>, names: Names, findings: Findings): void {
  const routers = new Map(
    asList(piece['movements']).map((item) => [asText(asMap(item)['name']), asMap(item)] as const),
  );
  let owner: string | null = null;
  for (const [index, item] of asList(piece['teleports']).entries()) {
    const next = asText(asMap(item)['next']);
    if (next === null) continue;
    const path = ['teleports', index, 'next'];
    if (!names.movements.has(next)) {
      const why = names.subs.has(next)
        ? 'is a sub-movement; only whole movements can be named here'
        : `names no movement${didYouMean(next, names.movements)}`;
      report(findings, 'error', 'unknown_next', path, `${quote(next)} ${why}`);
      continue;
    }
    if (owner !== null && next !== owner) {
      const message = `one movement owns the revision: ${quote(owner)} stands here already, ${quote(next)} would be a second`;
      report(findings, 'error', 'second_reviser', path, message);
    }
    owner ??= next;
    const dispatcher = dispatches(routers.get(next) ?? {});
    if (dispatcher !== null) {
      const message = `${quote(next)} ${dispatcher}: a teleport leads to the movement whose agent revises the plan, not to one that chooses`;
      report(findings, 'error', 'reviser_dispatcher', path, message);
    }
  }
}

/** Why no agent revises in this movement; null when one does. */
function dispatches(movement: Record<string, unknown>): string | null {
  for (const key of ['gate', 'action', 'parallel'])
    if (movement[key] !== undefined) return `is a movement with \`${key}\``;
  return isRoute(movement) ? 'runs no agent' : null;
}

/** Has the movement `when` rules alone and no template? Then it runs no agent. */
export function isRoute(movement: Record<string, unknown>): boolean {
  const rules = asList(movement['rules']).map(asMap);
  const template = movement['instruction_template'];
  return (
    rules.length > 0 &&
    rules.every((rule) => rule['when'] !== undefined && rule['condition'] === undefined) &&
    (template === undefined || (typeof template === 'string' && template.trim() === ''))
  );
}

function quote(name: string): string {
  return `\`${name.length > 80 ? `${name.slice(0, 80)}…` : name}\``;
}
