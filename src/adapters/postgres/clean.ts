/**
 * Cleaning at the store's edge: PostgreSQL's text refuses NUL, its JSON types also lone surrogates. Both become U+FFFD, and what was
 * stored reads back the same on every store.
 */
export function cleanText(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}

export function cleanTextOrNull(text: string | null): string | null {
  return text === null ? null : cleanText(text);
}

/** JSON text of a value, cleaned in every string and key. `undefined` is written as null. */
export function cleanJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  // JSON.stringify escapes exactly what must go: without such an escape there is nothing to clean.
  return SUSPICIOUS.test(text) ? JSON.stringify(cleanDeep(JSON.parse(text))) : text;
}

const SUSPICIOUS = /\\u(?:0000|d[89a-f])/i;

function cleanDeep(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanDeep);
  if (typeof value !== 'object' || value === null) return value;
  // Object.fromEntries defines own properties: a key `__proto__` stays a key.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [cleanText(key), cleanDeep(item)]));
}
