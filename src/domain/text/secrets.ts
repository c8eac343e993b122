/**
 * Secrets in texts of people, code and models. They are neither sent to a model nor written to a note (docs/security.md): the same function
 * stands at both edges. What takes a secret's place says what it was; lines keep their numbers. Idempotent, linear in the text's length.
 */
import { redactAddresses, redactFormats, redactPrivateKeys } from './secret-formats.ts';
import { redactManifest, redactNamed, redactVariables } from './secret-names.ts';
import { isPlaceholder } from './secret-values.ts';

export interface SecretOptions {
  /** Where the text comes from: in a file of variables every value is one that is not told. */
  path?: string;
}

const MARK = '[redacted]';
const DOTENV = /(?:^|\/)(?:\.env(?:\.[\w-]+)*|[\w.-]+\.env|\.envrc|\.pgpass|\.htpasswd)$/i;
/** They show which variables there are, with values that everybody may know. */
const SHOWN = /\.(?:example|sample|template|dist|defaults?|schema|test)$/i;
const COLON_FILE = /(?:^|\/)\.(?:pgpass|htpasswd)$/i;

export function redactSecrets(text: string, options: SecretOptions = {}): string {
  const mark = (kind: string): string => `[redacted ${kind}]`;
  let result = redactPrivateKeys(text, mark);
  const { path } = options;
  if (path !== undefined && DOTENV.test(path) && !SHOWN.test(path))
    result = COLON_FILE.test(path) ? result.replace(/:[^:\r\n]+$/gm, `:${MARK}`) : redactVariables(result, MARK);
  result = redactFormats(result, mark);
  result = redactAddresses(result, mark, isPlaceholder);
  result = redactManifest(result, MARK);
  return redactNamed(result, MARK);
}

/** The same value with the secrets taken out of all its texts; keys stay. */
export function redactDeep<T>(value: T): T {
  return deep(value) as T;
}

function deep(value: unknown): unknown {
  if (typeof value === 'string') return redactSecrets(value);
  if (Array.isArray(value)) return value.map(deep);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, namedPart(key, part)]));
}

/** In data the name stands in the key: `{password: "…"}`. */
function namedPart(key: string, part: unknown): unknown {
  if (typeof part !== 'string' || part.length > 4000 || /["\\\n]/.test(part)) return deep(part);
  const line = redactSecrets(`"${key}": "${part}"`);
  const start = `"${key}": "`;
  return line.startsWith(start) && line.endsWith('"') ? line.slice(start.length, -1) : redactSecrets(part);
}
