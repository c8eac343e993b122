import { z } from 'zod';
import { PermanentFailure } from '../../ports/failures.ts';
import { unexpectedAnswer } from './failures.ts';
import { watchPages } from './lists.ts';
import { type CallScope, inScope } from './scope.ts';

type Signalled = { signal?: AbortSignal } | undefined;

export interface CallKind {
  /** Asked with a person's token. */
  personal?: boolean;
  /** The answer is text whatever its content type. */
  asText?: boolean;
  /** It changes nothing, whatever its method, and is repeated as a read. */
  readOnly?: boolean;
  /** Failure codes that mean "there is none". */
  absent?: readonly string[];
}

/** One call of the port: `work` makes the request through gitbeaker, the answer is checked against the schema. */
export async function one<T>(
  what: string,
  schema: z.ZodType<T>,
  options: Signalled,
  work: () => Promise<unknown>,
  kind: CallKind = {},
): Promise<T> {
  return parse(what, schema, await inScope(scopeOf(options, kind), work));
}

/** As `one`; null when GitLab says there is none (404, or what `kind.absent` names). */
export async function oneOrNull<T>(
  what: string,
  schema: z.ZodType<T>,
  options: Signalled,
  work: () => Promise<unknown>,
  kind: CallKind = {},
): Promise<T | null> {
  try {
    return await one(what, schema, options, work, kind);
  } catch (error) {
    if (error instanceof PermanentFailure && (kind.absent ?? ['gitlab_not_found']).includes(error.code)) return null;
    throw error;
  }
}

/** A whole list, read to its end or refused; what moved between two pages while reading is there once. */
export async function list<T>(
  what: string,
  schema: z.ZodType<T>,
  options: Signalled,
  work: () => Promise<unknown>,
  keyOf: (entry: T) => string | number,
): Promise<T[]> {
  const scope: CallScope = { ...scopeOf(options, {}), pages: watchPages() };
  const entries = parse(what, z.array(schema), await inScope(scope, work));
  return [...new Map(entries.map((entry) => [keyOf(entry), entry])).values()];
}

function scopeOf(options: Signalled, kind: CallKind): CallScope {
  const { asText = false, personal = false, readOnly = false } = kind;
  return { signal: options?.signal, pages: null, asText, personal, readOnly };
}

function parse<T>(what: string, schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw unexpectedAnswer(what, parsed.error);
  return parsed.data;
}
