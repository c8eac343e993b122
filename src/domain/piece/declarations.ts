/** The declared variables of a piece file of any shape: a list with `name`, or a map by name (spec 1: `variables`). */
import type { Path } from './document.ts';
import { asList, asMap, asText } from './loose.ts';
import type { Variable } from './types.ts';
import { readValue } from './variables.ts';

export interface Declaration {
  name: string;
  path: Path;
  /** Where the name stands. */
  namePath: Path;
  /** Null when its shape is wrong, which the schema reports. */
  variable: Variable | null;
  /** Positions of values that are none of its type. */
  wrongValues: number[];
}

const TYPES = ['string', 'number', 'integer', 'boolean'] as const;

export function declarations(value: unknown): Declaration[] {
  const list = Array.isArray(value)
    ? asList(value).map((item, index) => ({
        name: asText(asMap(item)['name']),
        file: asMap(item),
        path: ['variables', index],
        namePath: ['variables', index, 'name'],
      }))
    : Object.entries(asMap(value)).map(([name, item]) => ({
        name: asText(name),
        file: asMap(item),
        path: ['variables', name],
        namePath: ['variables', name],
      }));
  return list.flatMap(({ file, name, ...place }) => (name === null ? [] : [declaration(name, file, place)]));
}

function declaration(name: string, file: Record<string, unknown>, place: { path: Path; namePath: Path }): Declaration {
  const type = TYPES.find((known) => known === file['type']);
  if (type === undefined) return { name, ...place, variable: null, wrongValues: [] };
  const values = asList(file['values']).map((written) => readValue(written, type));
  const wrongValues = values.flatMap((read, index) => (read === null ? [index] : []));
  const good = values.filter((read) => read !== null);
  const variable = { name, type, ...(file['values'] === undefined ? {} : { values: good }) };
  return { name, ...place, variable, wrongValues };
}
