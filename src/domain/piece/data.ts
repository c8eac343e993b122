/** Data that a movement produces: a fence with the info string `json:KIND` (spec 1: Extensions, `produces`). */
import type { z } from 'zod';
import { DATA_SCHEMAS, type DataKind, type Produced } from '../workplan/data-kinds.ts';
import { blockText, fencedBlocks } from './fences.ts';

const MAX_PROBLEMS = 20;
const MAX_TEXT = 2 * 1024 * 1024;

type ExtractedData = { ok: true; produced: Produced } | { ok: false; problems: string[] };

/**
 * Takes the data out of an output: exactly one of the allowed kinds, of several fences of it the last, checked against
 * the kind's schema. Problems are sentences that the agent can act on. Never throws.
 */
export function extractData(output: string, kinds: DataKind[]): ExtractedData {
  const found = dataFences(output).filter((fence) => fence.kind !== 'inputs');
  const allowed = found.filter((fence) => kinds.some((kind) => kind === fence.kind));
  const last = allowed.at(-1);
  const kind = kinds.find((candidate) => candidate === last?.kind);
  if (last === undefined || kind === undefined) return { ok: false, problems: [missing(kinds, found)] };
  const given = new Set(allowed.map((fence) => fence.kind));
  if (given.size > 1) {
    const names = [...given].map((name) => `json:${name}`).join(' and ');
    return {
      ok: false,
      problems: [`Give exactly one kind of data, got ${names}: keep the one that fits and leave the others out.`],
    };
  }
  return checkData(kind, last.text);
}

export interface DataFence {
  kind: string;
  text: string;
}

/** The fences with an info string `json:KIND`, in order; `inputs` is none of the kinds, but handed over beside one. */
export function dataFences(output: string): DataFence[] {
  const found: DataFence[] = [];
  for (const block of fencedBlocks(output)) {
    const kind = /^json:[ \t]*([\p{L}\p{N}_-]{1,80})$/iu.exec(block.info)?.[1];
    if (kind !== undefined) found.push({ kind: kind.toLowerCase(), text: blockText(output, block) });
  }
  return found;
}

function missing(kinds: DataKind[], found: DataFence[]): string {
  const wanted = kinds.map((kind) => `\`\`\`json:${kind}`).join(' or ');
  const got = found.at(-1);
  const seen = got === undefined ? 'there is none' : `got only json:${got.kind}, which is not allowed here`;
  return `The output must hold exactly one fenced block that begins with a line ${wanted}; ${seen}.`;
}

function checkData(kind: DataKind, text: string): ExtractedData {
  if (text.length > MAX_TEXT)
    return { ok: false, problems: [`The data in json:${kind} is too long: at most ${MAX_TEXT} characters.`] };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 300) : 'it cannot be read';
    return {
      ok: false,
      problems: [`The block json:${kind} is no valid JSON: ${reason}. Write one JSON value and nothing else in it.`],
    };
  }
  const schema: z.ZodType = DATA_SCHEMAS[kind];
  const result = schema.safeParse(value);
  if (result.success) return { ok: true, produced: { kind, value: result.data } as Produced };
  const problems = result.error.issues
    .slice(0, MAX_PROBLEMS)
    .map((issue) => `json:${kind}: ${placeOf(issue.path)} ${sentence(issue.message)}`);
  const more = result.error.issues.length - problems.length;
  if (more > 0) problems.push(`json:${kind}: ${more} more problems of this sort.`);
  return { ok: false, problems };
}

/** A path as people write it: `units[2].files[0].path`. */
function placeOf(path: PropertyKey[]): string {
  if (path.length === 0) return 'the value:';
  const text = path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`))
    .join('');
  return `\`${text}\`:`;
}

function sentence(message: string): string {
  const text = message.replace(/^Invalid input: /, '').slice(0, 300);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
