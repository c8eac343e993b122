/** What the tools answer, read leniently: a field that is missing or odd gets an empty value, never an exception. */
import { z } from 'zod';
import { Workplan } from '../../../domain/workplan/schema.ts';
import { Coverage, Defect, Examination, Rubric } from '../../../domain/workplan/score-schema.ts';
import type { Work } from './conversation.ts';

/** Longest text of a person that is looked at, characters; what is beyond is not read, and the plan says so. */
export const MAX_TEXT = 60_000;

const text = z
  .unknown()
  .transform((value) => (typeof value === 'string' || typeof value === 'number' ? String(value) : ''));
const count = z.number().int().catch(0);
function listOf<T extends z.ZodType>(item: T) {
  return z
    .array(item.nullable().catch(null))
    .catch([])
    .transform((all) => all.filter((one) => one !== null));
}

const Item = z.object({
  reference: text.default(''),
  title: text.default(''),
  description: z
    .string()
    .nullable()
    .catch('')
    .default('')
    .transform((value) => value ?? ''),
  labels: listOf(z.string()).default([]),
  author: z.unknown().optional(),
});
export type Item = z.infer<typeof Item>;

const Note = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  author: text,
  role: text.default(''),
  discussionId: text.default(''),
  text,
});
export type Note = z.infer<typeof Note>;

const Option = z.object({
  id: z.string(),
  label: text,
  description: z.string().optional().catch(undefined),
  recommended: z.boolean().catch(false),
});
const Asked = z.object({
  id: z.string(),
  question: text,
  why: text.default(''),
  type: text.default('closed'),
  multiple: z.boolean().catch(false).default(false),
  options: listOf(Option).default([]),
  recommendation: text.default(''),
  state: text.default('open'),
  assumed: z.boolean().catch(false).default(false),
  answers: listOf(
    z.object({ by: text, role: text.default(''), optionIds: listOf(z.string()).default([]), text: text.default('') }),
  ).default([]),
});
export type Asked = z.infer<typeof Asked>;

const File = z.object({
  path: z.string(),
  size: count.default(0),
  lines: count.default(0),
  binary: z.boolean().catch(false).default(false),
});
export type File = z.infer<typeof File>;

const Hit = z.object({
  path: z.string(),
  line: count.default(1),
  excerpt: text.default(''),
  score: z.number().catch(0).default(0),
});
export type Hit = z.infer<typeof Hit>;

const SymbolShape = z.object({
  name: z.string(),
  kind: text.default('other'),
  path: text.default(''),
  startLine: count.default(1),
  endLine: count.default(1),
});
export type CodeSymbol = z.infer<typeof SymbolShape>;

const Read = z.object({
  path: text,
  startLine: count.default(1),
  endLine: count.default(0),
  totalLines: count.default(0),
  text: text.default(''),
});
export type Read = z.infer<typeof Read>;

const Check = z.object({ code: text.default(''), ok: z.boolean().catch(true), message: text.default('') });

function parse<T>(schema: z.ZodType<T>, value: unknown): T | null {
  const result = schema.safeParse(value);
  return result.success ? result.data : null;
}

export interface ItemReading {
  item: Item | null;
  notes: Note[];
  asked: Asked[];
  /** Whether some text was longer than what is looked at. */
  cut: boolean;
}

/** The item, what people wrote below it, and what was asked, in one batch. */
export function* readItem(): Work<ItemReading> {
  const [item, notes, asked] = yield [
    { name: 'item_read', input: {} },
    { name: 'discussions_read', input: {} },
    { name: 'questions_read', input: {} },
  ];
  const read = parse(Item, item);
  const allNotes = parse(z.object({ notes: listOf(Note).default([]) }), notes)?.notes ?? [];
  let room = MAX_TEXT;
  const kept: Note[] = [];
  for (const note of allNotes) {
    if (room <= 0) break;
    kept.push({ ...note, text: note.text.slice(0, room) });
    room -= note.text.length;
  }
  return {
    item: read && { ...read, description: read.description.slice(0, MAX_TEXT), title: read.title.slice(0, 1000) },
    notes: kept,
    asked: parse(z.object({ questions: listOf(Asked).default([]) }), asked)?.questions ?? [],
    cut: room <= 0 || (read?.description.length ?? 0) > MAX_TEXT,
  };
}

export function filesOf(value: unknown): File[] {
  return parse(z.object({ files: listOf(File).default([]) }), value)?.files ?? [];
}

export function hitsOf(value: unknown): Hit[] {
  return parse(z.object({ hits: listOf(Hit).default([]) }), value)?.hits ?? [];
}

export function symbolsOf(value: unknown): CodeSymbol[] {
  return parse(z.object({ symbols: listOf(SymbolShape).default([]) }), value)?.symbols ?? [];
}

export function readOf(value: unknown): Read | null {
  const read = parse(Read, value);
  return read && read.totalLines > 0 ? read : null;
}

export interface PlanReading {
  plan: Workplan | null;
  checks: { code: string; ok: boolean; message: string }[];
}

/** The current plan; one that is too large for one answer is read by part. */
export function* readPlan(): Work<PlanReading> {
  const [whole] = yield [{ name: 'workplan_read', input: {} }];
  const outer = parse(z.object({ workplan: z.unknown(), checks: listOf(Check).default([]) }), whole);
  if (outer) return { plan: parse(Workplan, outer.workplan), checks: outer.checks };
  const names = ['requirements', 'findings', 'decisions', 'units'];
  const parts = yield names.map((part) => ({ name: 'workplan_read', input: { part } }));
  const plan: Record<string, unknown> = { goal: '-', outOfScope: [], risks: [], openQuestions: [] };
  for (const [index, name] of names.entries()) {
    plan[name] = parse(z.object({ entries: z.unknown() }), parts[index])?.entries;
  }
  return { plan: parse(Workplan, plan), checks: [] };
}

export interface Evaluations {
  rubric: Rubric | null;
  coverage: Coverage | null;
  falsifier: Defect | null;
  examinations: Examination[];
}

export function evaluationsOf(value: unknown): Evaluations {
  const outer = parse(z.record(z.string(), z.unknown()), value) ?? {};
  return {
    rubric: parse(Rubric, outer['rubric']),
    coverage: parse(Coverage, outer['coverage']),
    falsifier: parse(Defect, outer['falsifier']),
    examinations: parse(listOf(Examination), outer['examinations']) ?? [],
  };
}
