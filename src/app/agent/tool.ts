import { z } from 'zod';
import { redactDeep, redactSecrets } from '../../domain/text/secrets.ts';
import { PermanentFailure, TransientFailure } from '../../ports/failures.ts';
import type { ToolDefinition } from '../../ports/model.ts';
import { isStall } from '../stall.ts';

/** What a tool answers: JSON text. Errors are `{error: {code, message}}`. */
export interface ToolOutcome {
  output: string;
  isError: boolean;
}

/** A read-only tool of an agent. `run` throws for an aborted signal and where no run can go on (`isStall`), else never. */
export interface Tool {
  definition: ToolDefinition;
  run(input: unknown, signal: AbortSignal): Promise<ToolOutcome>;
}

/** Characters of one tool result at most. */
export const resultLimit = 65_536;

/** A finding that the agent can act on, told to it as an error. */
export class ToolError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'ToolError';
    this.code = code;
  }
}

export interface ToolSpec<S extends z.ZodType> {
  name: string;
  description: string;
  /** An object schema; unknown keys are refused, so that no input selects a project or an item. */
  input: S;
  read(input: z.infer<S>, signal: AbortSignal): Promise<object> | object;
}

/** JSON Schemas by the schema they are made of: tools are made for every agent, their inputs are always the same. */
const jsonSchemas = new WeakMap<z.ZodType, Record<string, unknown>>();

function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  const known = jsonSchemas.get(schema);
  if (known) return known;
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io: 'input' });
  jsonSchemas.set(schema, made);
  return made;
}

/** Makes a tool: input checked, result as JSON without secrets and below the limit, failures as an error that says what to do. */
export function defineTool<S extends z.ZodType>(spec: ToolSpec<S>): Tool {
  const inputSchema = jsonSchemaOf(spec.input);
  return {
    definition: { name: spec.name, description: spec.description, inputSchema },
    run: async (input, signal) => {
      const parsed = spec.input.safeParse(input ?? {});
      if (!parsed.success) return toolError('invalid_input', describeIssues(spec.name, parsed.error));
      try {
        return { output: limitResult(redactDeep(await spec.read(parsed.data, signal))), isError: false };
      } catch (error) {
        signal.throwIfAborted();
        return failureOutcome(error);
      }
    },
  };
}

export function toolError(code: string, message: string): ToolOutcome {
  return { output: JSON.stringify({ error: { code, message: redactSecrets(message) } }), isError: true };
}

function failureOutcome(error: unknown): ToolOutcome {
  const known = error instanceof ToolError || error instanceof PermanentFailure || error instanceof TransientFailure;
  // An agent that went on without GitLab would plan out of nothing.
  if (!known || isStall(error)) throw error;
  const hint = error instanceof TransientFailure ? ' It may work later; go on with what you have.' : '';
  return toolError(error.code, `${error.message}${hint}`);
}

function describeIssues(name: string, error: z.ZodError): string {
  const issues = error.issues.map((issue) => {
    const place = issue.path.length > 0 ? `${issue.path.join('.')}: ` : '';
    return `${place}${issue.message}`;
  });
  return `${name}: ${issues.join('; ')}. Correct the input and call the tool again.`;
}

/**
 * JSON of the value, at most `resultLimit` characters: entries at the end of its longest list are left out, else its longest text is
 * cut, and a `notice` says so.
 */
export function limitResult(value: object): string {
  let result: Record<string, unknown> = { ...value };
  let text = toJson(result);
  while (text.length > resultLimit) {
    const smaller = shorten(result, text.length);
    if (smaller === null) return toolError('result_too_large', 'The result is too large to be shown.').output;
    result = smaller;
    text = toJson(result);
  }
  return text;
}

function shorten(value: Record<string, unknown>, length: number): Record<string, unknown> | null {
  const sizes = Object.entries(value)
    .filter(([key, part]) => key !== 'notice' && (typeof part === 'string' || Array.isArray(part)))
    .map(([key, part]) => ({ key, part: part as string | unknown[], size: JSON.stringify(part).length }))
    .sort((a, b) => b.size - a.size);
  const largest = sizes[0];
  if (largest === undefined || largest.size < 200) return null;
  // A little below what would fit by proportion, so that few rounds are enough.
  const share = Math.min(0.9, Math.max(0, (largest.size - (length - resultLimit) - 400) / largest.size));
  const kept = largest.part.slice(0, Math.floor(largest.part.length * share));
  const unit = Array.isArray(largest.part) ? 'entries' : 'characters';
  const notice = `${largest.key}: ${kept.length} of ${largest.part.length} ${unit} shown; narrow the call down, or give "from" where there is one, to see the rest.`;
  const more = 'more' in value ? { more: true } : {};
  return { ...value, [largest.key]: typeof kept === 'string' ? kept.toWellFormed() : kept, ...more, notice };
}

/** JSON; texts of people may hold what neither a store nor a model takes. */
function toJson(value: object): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'string' ? part.replaceAll('\0', '\uFFFD').toWellFormed() : part,
  );
}
