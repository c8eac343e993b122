/** Shapes of the evaluators' and cross-examiners' data and of the score (spec 2: Workplan and score). */
import { z } from 'zod';

const points = z.number().min(0).max(20);
const text = (max: number) => z.string().trim().min(1).max(max);

/** One remark on what would raise the score. */
export const Feedback = z.object({ text: text(1000), blocking: z.boolean() });
export type Feedback = z.infer<typeof Feedback>;

/** `produces: score`: the rubric evaluator, five criteria of 0–20. */
export const Rubric = z.object({
  coverage: points,
  groundedness: points,
  specificity: points,
  feasibility: points,
  completeness: points,
  feedback: z.array(Feedback).max(10),
});
export type Rubric = z.infer<typeof Rubric>;

/** `produces: coverage`: which requirements a unit covers, which units trace back to a requirement; code computes F1. */
export const Coverage = z.object({
  requirements: z.array(z.object({ id: z.string(), covered: z.boolean() })).max(200),
  units: z.array(z.object({ id: z.string(), traced: z.boolean() })).max(200),
  feedback: z.array(Feedback).max(10).default([]),
});
export type Coverage = z.infer<typeof Coverage>;

/** `produces: defect`: the falsifier, a class of defect or `none`, with its confidence in [0, 1]. */
export const Defect = z.object({
  defect: z.enum([
    'none',
    'missing_requirement',
    'wrong_claim',
    'impossible_order',
    'contradiction',
    'unverifiable',
    'scope_creep',
    'unconfirmed_decision',
  ]),
  confidence: z.number().min(0).max(1),
  explanation: text(2000),
  feedback: z.array(Feedback).max(10).default([]),
});
export type Defect = z.infer<typeof Defect>;

export const EVALUATORS = ['rubric', 'coverage', 'falsifier'] as const;

/** `produces: examination`: one cross-examiner on one evaluator. `revised` is 0–100 for numbers, null for the falsifier. */
export const Examination = z
  .object({
    of: z.enum(EVALUATORS),
    revised: z.number().min(0).max(100).nullable(),
    verdict: z.enum(['confirmed', 'plausible', 'refuted']),
    resolutionKnown: z.boolean(),
    explanation: text(2000),
  })
  .refine(({ of, revised }) => (of === 'falsifier') === (revised === null), {
    path: ['revised'],
    message: 'expected a number from 0 to 100 for rubric and coverage, null for the falsifier',
  });
export type Examination = z.infer<typeof Examination>;

/** A check made by code, shown beside the score, outside its number. */
export const ScoreCheck = z.object({ code: z.string(), ok: z.boolean(), message: z.string() });
export type ScoreCheck = z.infer<typeof ScoreCheck>;

/** Why a plan cannot score more than `limit`: its defect is confirmed without or with a known resolution, or plausible. */
export const ScoreCap = z.object({
  limit: z.number().int(),
  reason: z.enum(['unresolved', 'resolvable', 'plausible']),
  /** The value without the cap. */
  uncapped: z.number().int().min(0).max(100),
});
export type ScoreCap = z.infer<typeof ScoreCap>;

/** The readiness score. `value` is an integer 0–100; `cap` is there when a defect holds it below what the evaluators gave. */
export const Score = z.object({
  value: z.number().int().min(0).max(100),
  band: z.enum(['High', 'Medium', 'Low']),
  feedback: z.array(Feedback).max(3),
  checks: z.array(ScoreCheck),
  cap: ScoreCap.optional(),
});
export type Score = z.infer<typeof Score>;
