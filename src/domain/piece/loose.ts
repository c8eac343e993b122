/** Reading a value whose shape is not sure yet, so that all problems of a file can be reported at once. */

export type Loose = Record<string, unknown>;

/** The value as a map; an empty one when it is none. */
export function asMap(value: unknown): Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : {};
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The trimmed text; null when it is none or empty. */
export function asText(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}
