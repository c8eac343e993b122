/** Schemas of requests and answers; OpenAPI is made of them. */
import { z } from 'zod';
import { Answer, Person } from '../domain/workplan/people.ts';
import { Question, Workplan } from '../domain/workplan/schema.ts';
import { Score } from '../domain/workplan/score-schema.ts';

export const ItemParams = z.object({
  /** Numeric id or URL-encoded path. */
  project: z.string().min(1).max(1000),
  iid: z.coerce.number().int().min(1).max(2_147_483_647),
});

export const ActionParams = ItemParams.extend({
  action: z.enum(['plan', 'continue', 'cancel', 'replan', 'approve', 'reject']),
});

export const ActionBody = z
  .strictObject({
    /** Of continue, approve, reject: the pause that is meant; left out: the current one. */
    pauseId: z.string().min(1).max(200).optional(),
    /** Of replan and reject. */
    reason: z.string().max(10_000).optional(),
  })
  .nullish();

export const GenerationStatus = z.enum(['NOT_STARTED', 'GENERATING', 'NEEDS_INPUT', 'COMPLETED', 'CANCELED', 'FAILED']);

export const Status = z.object({
  generationStatus: GenerationStatus,
  pause: z.object({ id: z.string(), kind: z.string() }).optional(),
  reason: z.string().nullable().optional(),
  runId: z.string().nullable(),
  startedBy: Person.nullable(),
  questions: z.array(Question.safeExtend({ state: z.enum(['open', 'answered']), noteUrl: z.string().nullable() })),
  answers: z.array(Answer),
  workplan: Workplan.optional(),
  score: Score.nullable(),
  scoreStatus: z.enum(['NOT_EVALUATED', 'EVALUATING', 'EVALUATED', 'FAILED', 'CANCELED']),
  executionStatus: z.literal('NONE'),
  revision: z.number().int(),
  movement: z.string().nullable(),
  iteration: z.number().int(),
  noteUrls: z.array(z.string()),
  deliveryFailed: z.array(z.string()).optional(),
  updatedAt: z.string().nullable(),
});

export const Accepted = z.object({ generationStatus: GenerationStatus, runId: z.string(), statusUrl: z.string() });

export const ProblemDocument = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  code: z.string(),
  detail: z.string(),
});
