/**
 * Schemas of requests and answers; OpenAPI is made of them. Those of answers say what is there and set no limits: what was
 * stored once is shown, also when it was written by another version.
 */
import { z } from 'zod';
import { BudgetReached } from '../domain/run/budget.ts';

const MAX_IID = 2_147_483_647;

/** Digits only: "1e3", "0x1" and " 1" are no numbers of an item. */
const Iid = z.preprocess(
  (given) => (typeof given === 'string' && /^\d{1,10}$/.test(given) ? Number(given) : given),
  z
    .number(`expected a whole number from 1 to ${MAX_IID}`)
    .int()
    .min(1, `expected a whole number from 1 to ${MAX_IID}`)
    .max(MAX_IID, `expected a whole number from 1 to ${MAX_IID}`),
);

export const ItemParams = z.object({
  project: z.string().min(1).max(1000).describe('Numeric id or URL-encoded path'),
  iid: Iid.describe('Number of the item within its project'),
});

export const ActionParams = ItemParams.extend({
  action: z.enum(['plan', 'continue', 'cancel', 'replan', 'approve', 'reject']),
});

export const ActionBody = z
  .strictObject({
    pauseId: z
      .string()
      .regex(/^[\x21-\x7e]{1,200}$/, 'expected the id of a pause as the status shows it')
      .optional()
      .describe('Of continue, approve, reject: the pause that is meant; left out: the current one'),
    reason: z.string().max(10_000).optional().describe('Of replan and reject'),
  })
  .nullish();

const limit = z.number().nullable();
const Used = z.object({
  tokens: z.number().describe('Of input and output'),
  cachedTokens: z.number().describe("Of the input: read from the provider's cache"),
  money: z.number().nullable().describe('Null: a model was used whose price is not known'),
  wallTimeMs: z.number(),
  limits: z.object({ tokens: limit, money: limit, wallTimeMs: limit }).describe('Null: no limit'),
});

export const GenerationStatus = z.enum(['NOT_STARTED', 'GENERATING', 'NEEDS_INPUT', 'COMPLETED', 'CANCELED', 'FAILED']);

const PersonView = z.object({
  id: z.number(),
  username: z.string(),
  name: z.string().optional(),
  role: z.string().optional(),
});

const QuestionView = z.object({
  id: z.string(),
  type: z.enum(['closed', 'open']),
  question: z.string(),
  why: z.string(),
  multiple: z.boolean(),
  options: z.array(
    z.object({ id: z.string(), label: z.string(), description: z.string().optional(), recommended: z.boolean() }),
  ),
  recommendation: z.string(),
  state: z.enum(['open', 'answered']),
  noteUrl: z.string().nullable(),
});

const AnswerView = z.object({
  questionId: z.string(),
  by: PersonView,
  optionIds: z.array(z.string()),
  text: z.string(),
  via: z.enum(['reply', 'emoji', 'marker', 'page', 'carried']),
});

const FindingView = z.object({
  text: z.string(),
  path: z.string(),
  startLine: z.number(),
  endLine: z.number(),
  commit: z.string().optional(),
  url: z.string().optional(),
});

const UnitView = z.object({
  id: z.string(),
  title: z.string(),
  why: z.string(),
  files: z.array(z.object({ path: z.string(), state: z.enum(['new', 'existing']) })),
  dependsOn: z.array(z.string()),
  parallelWith: z.array(z.string()),
  covers: z.array(z.string()),
  acceptance: z.array(z.string()),
  verify: z.array(z.string()),
  size: z.enum(['S', 'M', 'L']),
});

const WorkplanView = z.object({
  goal: z.string(),
  requirements: z.array(z.object({ id: z.string(), text: z.string(), source: z.string() })),
  findings: z.array(FindingView),
  decisions: z.array(z.object({ text: z.string(), questionId: z.string().optional(), confirmed: z.boolean() })),
  units: z.array(UnitView),
  outOfScope: z.array(z.string()),
  risks: z.array(z.string()),
  openQuestions: z.array(z.string()),
});

const ScoreView = z.object({
  value: z.number(),
  band: z.enum(['High', 'Medium', 'Low']),
  feedback: z.array(z.object({ text: z.string(), blocking: z.boolean() })),
  checks: z.array(z.object({ code: z.string(), ok: z.boolean(), message: z.string() })),
  cap: z.object({ limit: z.number(), reason: z.string(), uncapped: z.number() }).optional(),
});

export const Status = z.object({
  generationStatus: GenerationStatus,
  pause: z
    .object({
      id: z.string(),
      kind: z.string(),
      missing: z.array(z.string()).optional(),
      budget: BudgetReached.optional(),
    })
    .optional()
    .describe('missing: at a context gate, what the description does not say; budget: which one is used up'),
  reason: z.string().nullable().optional().describe('Of FAILED and CANCELED: a code'),
  message: z.string().optional().describe('What the reason means here, a sentence'),
  waitsForTurn: z
    .object({ ahead: z.number() })
    .optional()
    .describe('The limit of runs at work of the project is reached; so many wait before this one'),
  runId: z.string().nullable(),
  startedBy: PersonView.nullable(),
  questions: z.array(QuestionView),
  answers: z.array(AnswerView),
  workplan: WorkplanView.optional(),
  score: ScoreView.nullable(),
  scoreStatus: z.enum(['NOT_EVALUATED', 'EVALUATING', 'EVALUATED', 'FAILED', 'CANCELED']),
  executionStatus: z.literal('NONE'),
  revision: z.number(),
  movement: z.string().nullable(),
  iteration: z.number(),
  noteUrls: z.array(z.string()),
  workplanUrl: z.string().nullable().describe('The note that holds the Workplan or tells where it stands'),
  provider: z.string().nullable().describe('Who plans, e.g. "offline (rule-based)"'),
  budget: z
    .object({ currency: z.string(), run: Used, day: Used, unpriced: z.array(z.string()).optional() })
    .optional()
    .describe('What the run, and all runs of the project on this day (UTC), have used and may use'),
  deliveryFailed: z.array(z.string()).optional().describe('Kinds of notes that could not be delivered for good'),
  warnings: z
    .array(z.object({ code: z.string(), message: z.string() }))
    .optional()
    .describe('What is wrong around the run, e.g. that GitLab has disabled the webhook of the project'),
  updatedAt: z.string().nullable(),
});

export const Accepted = z.object({ generationStatus: GenerationStatus, runId: z.string(), statusUrl: z.string() });

export const DeliveryAnswer = z.object({
  accepted: z.literal(true).optional(),
  known: z.literal(true).optional(),
  ignored: z.literal(true).optional(),
});

export const Healthy = z.object({ status: z.string() });

export const ProblemDocument = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  code: z.string().describe('Stable'),
  detail: z.string(),
  runId: z.string().nullable().optional(),
  statusUrl: z.string().optional(),
});

const PROBLEMS: Record<number, string> = {
  400: 'The request is not as described',
  401: 'No token, or one that GitLab does not accept',
  403: 'The caller may not act; the detail names the check that failed',
  404: 'No such item, or the caller may not see it',
  409: 'The state of the run does not allow it',
  413: 'The body is too large',
  422: 'It cannot be done for this item',
  429: 'Too many requests; see Retry-After',
  502: 'GitLab gave no usable answer',
  503: 'A server that is needed cannot be reached now',
};

/** Problem documents as response schemas, for OpenAPI. */
export function problemsOf(...statuses: (keyof typeof PROBLEMS)[]) {
  const content = { 'application/problem+json': { schema: ProblemDocument } };
  return Object.fromEntries(statuses.map((status) => [status, { description: PROBLEMS[status] ?? 'Error', content }]));
}
