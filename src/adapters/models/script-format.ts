import { isCollection, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';

/** What an agent answers; entries that name a movement are kept for it. */
export interface AgentEntry {
  kind: 'agent';
  /** Its place in the file, from 0. */
  index: number;
  movement: string | null;
  tools: { name: string; input: unknown }[];
  answer: { output: string } | { error: string };
}

/** What a judge answers of a movement, a sub-movement or `loop_judge`: the rule's index, -1 for none. */
export interface JudgeEntry {
  kind: 'judge';
  index: number;
  judge: string;
  answer: { rule: number } | { error: string };
}

/** What people say at a pause (a local run of a piece). */
export interface InputEntry {
  kind: 'input';
  index: number;
  text: string;
}

export type ScriptEntry = AgentEntry | JudgeEntry | InputEntry;

const error = z.string().min(1);
const AgentShape = z
  .strictObject({
    movement: z.string().min(1).optional(),
    tools: z
      .array(z.strictObject({ name: z.string().min(1), input: z.record(z.string(), z.unknown()).default({}) }))
      .default([]),
    output: z.string().optional(),
    error: error.optional(),
  })
  .refine((entry) => (entry.output === undefined) !== (entry.error === undefined), 'expected either output or error');
const JudgeShape = z
  .strictObject({ judge: z.string().min(1), answer: z.number().int().min(-1).optional(), error: error.optional() })
  .refine((entry) => (entry.answer === undefined) !== (entry.error === undefined), 'expected either answer or error');
const InputShape = z.strictObject({ input: z.union([z.string(), z.number(), z.boolean()]) });

/** The script cannot be used; `problems` has all of them, each `FILE:LINE: …`. */
export class ScriptError extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(problems.join('\n'));
    this.name = 'ScriptError';
    this.problems = problems;
  }
}

/**
 * Reads a script (design: `--script`): a YAML list of entries in the order in which they are used.
 * @throws ScriptError with every problem and its line.
 */
export function parseScript(text: string, file: string): ScriptEntry[] {
  return parseJsonScript(text) ?? parseYamlScript(text, file);
}

/** JSON is YAML too, and many times faster to read as what it is; null where that does not work out: YAML then says why, with its place. */
function parseJsonScript(text: string): ScriptEntry[] | null {
  if (!text.trimStart().startsWith('[')) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const entries = (value as unknown[]).map(readEntry);
  return entries.every((entry) => 'kind' in entry) ? entries : null;
}

function parseYamlScript(text: string, file: string): ScriptEntry[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): string => `${file}:${lines.linePos(offset).line}`;
  if (document.errors.length > 0)
    throw new ScriptError(document.errors.map((problem) => `${at(problem.pos[0])}: ${problem.message}`));
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    throw new ScriptError([`${file}:1: ${cause instanceof Error ? cause.message : String(cause)}`]);
  }
  if (!Array.isArray(value)) throw new ScriptError([`${file}:1: expected a list of entries, got ${nameOf(value)}`]);
  const nodes = isCollection(document.contents) ? document.contents.items : [];
  const problems: string[] = [];
  const entries = value.flatMap((item: unknown, index): ScriptEntry[] => {
    const read = readEntry(item, index);
    if ('kind' in read) return [read];
    const node = nodes[index];
    const place = at(hasRange(node) ? node.range[0] : 0);
    problems.push(...read.problems.map((problem) => `${place}: entry ${index + 1}: ${problem}`));
    return [];
  });
  if (problems.length > 0) throw new ScriptError(problems);
  return entries;
}

function readEntry(item: unknown, index: number): ScriptEntry | { problems: string[] } {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return { problems: [`expected {movement?, output}, {judge, answer} or {input}, got ${nameOf(item)}`] };
  if ('judge' in item) {
    const parsed = JudgeShape.safeParse(item);
    if (!parsed.success) return { problems: issuesOf(parsed.error) };
    const { judge, answer, error: failure } = parsed.data;
    return { kind: 'judge', index, judge, answer: answer === undefined ? { error: failure ?? '' } : { rule: answer } };
  }
  if ('input' in item) {
    const parsed = InputShape.safeParse(item);
    if (!parsed.success) return { problems: issuesOf(parsed.error) };
    return { kind: 'input', index, text: String(parsed.data.input) };
  }
  const parsed = AgentShape.safeParse(item);
  if (!parsed.success) return { problems: issuesOf(parsed.error) };
  const { movement, tools, output, error: failure } = parsed.data;
  const answer = output === undefined ? { error: failure ?? '' } : { output };
  return { kind: 'agent', index, movement: movement ?? null, tools, answer };
}

function issuesOf(problem: z.ZodError): string[] {
  return problem.issues.map((issue) => {
    const place = issue.path.length > 0 ? `${issue.path.join('.')}: ` : '';
    return `${place}${issue.message.replace(/^Invalid input: /, '')}`;
  });
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function hasRange(node: unknown): node is { range: [number, number, number] } {
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range);
}
