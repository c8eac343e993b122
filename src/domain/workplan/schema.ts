/** Shapes of a Workplan and of everything agents hand over as data (design: Shapes; spec 2: Workplan and score, Questions). */
import { z } from 'zod';

const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((text) => !/[\r\n]/.test(text), 'must be one line');
const text = (max: number) => z.string().trim().min(1).max(max);
const id = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u, 'must be letters, digits, ".", "_" or "-"');

/** Where a requirement comes from: `description`, `description#L12`, `note_34` or `answer:QUESTION_ID`. */
export const Requirement = z.object({ id, text: text(2000), source: line(200) });
export type Requirement = z.infer<typeof Requirement>;

/** What was found in the code: a claim with file and lines at the run's pinned commit. The service fills commit and url. */
export const Finding = z.object({
  text: text(2000),
  path: line(1000),
  startLine: z.number().int().min(1),
  endLine: z.number().int().min(1),
  commit: z.string().optional(),
  url: z.string().optional(),
});
export type Finding = z.infer<typeof Finding>;

/** A decision or an assumption. `confirmed` is true only when an eligible person answered. */
export const Decision = z.object({ text: text(2000), questionId: id.optional(), confirmed: z.boolean() });
export type Decision = z.infer<typeof Decision>;

export const UnitFile = z.object({ path: line(1000), state: z.enum(['new', 'existing']) });
export type UnitFile = z.infer<typeof UnitFile>;

/** A piece of work one agent or person can do alone. `covers` holds requirement ids, `dependsOn`/`parallelWith` unit ids. */
export const Unit = z.object({
  id,
  title: line(200),
  why: text(2000),
  files: z.array(UnitFile).max(100),
  dependsOn: z.array(id).max(100),
  parallelWith: z.array(id).max(100),
  covers: z.array(id).max(200),
  acceptance: z.array(text(1000)).max(50),
  verify: z.array(text(1000)).max(50),
  size: z.enum(['S', 'M', 'L']),
});
export type Unit = z.infer<typeof Unit>;

export const Workplan = z.object({
  goal: text(4000),
  requirements: z.array(Requirement).min(1).max(200),
  findings: z.array(Finding).max(300),
  decisions: z.array(Decision).max(100),
  units: z.array(Unit).min(1).max(200),
  outOfScope: z.array(text(1000)).max(100),
  risks: z.array(text(1000)).max(100),
  openQuestions: z.array(text(1000)).max(100),
});
export type Workplan = z.infer<typeof Workplan>;

/** What a cut in the middle of a character leaves at the end. */
const HALF_A_CHARACTER = /[\ud800-\udbff]$/;

export const QuestionOption = z.object({
  id: id.refine((value) => value !== 'rejected', 'the id "rejected" is reserved for "something else"'),
  label: line(200),
  description: z
    .string()
    .trim()
    .overwrite((value) => value.slice(0, 500).replace(HALF_A_CHARACTER, '').toWellFormed())
    .optional(),
  recommended: z.boolean(),
});
export type QuestionOption = z.infer<typeof QuestionOption>;

/** A question as an agent proposes it and as a note carries it (spec 2: Questions and replies). */
export const Question = z
  .object({
    id,
    type: z.enum(['closed', 'open']),
    question: line(500),
    why: text(2000),
    multiple: z.boolean(),
    options: z.array(QuestionOption).max(10),
    recommendation: text(2000),
  })
  .superRefine((question, context) => {
    const fail = (message: string) => context.addIssue({ code: 'custom', message, path: ['options'] });
    const ids = question.options.map((option) => option.id);
    if (new Set(ids).size !== ids.length) fail('option ids must be unique');
    const recommended = question.options.filter((option) => option.recommended).length;
    if (question.type === 'open') {
      if (ids.length > 0) fail('an open question has no options');
    } else if (ids.length < 2) fail('a closed question has at least two options');
    else if (question.multiple ? recommended < 1 : recommended !== 1)
      fail(
        `a closed question has ${question.multiple ? 'at least' : 'exactly'} one recommended option, got ${recommended}`,
      );
  });
export type Question = z.infer<typeof Question>;

/** `produces: questions`: at most five at a time, ids unique. */
export const Questions = z
  .object({ questions: z.array(Question).min(1).max(5) })
  .refine(
    ({ questions }) => new Set(questions.map((question) => question.id)).size === questions.length,
    'question ids must be unique',
  );
export type Questions = z.infer<typeof Questions>;

/** `produces: research`: what research hands to the planner. */
export const Research = z.object({
  summary: text(8000),
  requirements: z.array(Requirement).min(1).max(200),
  findings: z.array(Finding).max(300),
  risks: z.array(text(1000)).max(100).default([]),
  assumptions: z.array(text(1000)).max(100).default([]),
});
export type Research = z.infer<typeof Research>;

/** `produces: context_request`: the item is too thin; what is missing, for the person to add. */
export const ContextRequest = z.object({ missing: z.array(text(500)).min(1).max(20) });
export type ContextRequest = z.infer<typeof ContextRequest>;

/** `produces: review`: a reviewer's findings on the plan. */
export const Review = z.object({
  findings: z.array(z.object({ text: text(2000), blocking: z.boolean(), unitId: id.optional() })).max(100),
});
export type Review = z.infer<typeof Review>;
