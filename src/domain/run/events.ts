/**
 * The events of a run: the log that is the truth (design: How a run moves). Each carries a version and `at` (D1);
 * an old log folds in a newer version, so fields are only added, with defaults.
 */
import { z } from 'zod';
import { Answer, ItemRef, Person } from '../workplan/people.ts';
import { Question } from '../workplan/schema.ts';
import { BudgetReached } from './budget.ts';
import { ModelMessage } from './messages.ts';

const effect = { effectId: z.string() };
/** Which movement, and which of its sub-movements (null: the movement itself). */
const place = { movement: z.string(), sub: z.string().nullable() };

export const MatchMethod = z.enum([
  'tag',
  'ai',
  'judge',
  'aggregate',
  'when',
  'loop_monitor',
  'gate',
  'action',
  'on_failure',
]);
export type MatchMethod = z.infer<typeof MatchMethod>;

export const PauseKind = z.enum(['question', 'context_gate', 'approval', 'budget']);
export type PauseKind = z.infer<typeof PauseKind>;

/** An entry of `{user_inputs}`: a question (or the gate's request) and what people said. */
export const UserInput = z.object({ question: z.string(), answer: z.string() });
export type UserInput = z.infer<typeof UserInput>;

const limit = z.number().nullable();
const Limits = z.object({ tokens: limit, money: limit, wallTimeMs: limit });

export const RunEventBody = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('run_started'),
    goal: z.string(),
    startedBy: Person,
    item: ItemRef.nullable(),
    interactive: z.boolean(),
    reportDir: z.string(),
    /** Questions still open from earlier runs, or answered there (spec 2): handed on, never asked again. */
    carried: z.array(z.object({ question: Question, answers: z.array(Answer) })).default([]),
    /** Of the item as it read then, a BCP 47 tag, until it is pinned; absent: English. */
    language: z.string().optional(),
  }),
  /** The repository's commit is pinned for the run (spec 2: What agents may read). `commit` null: no repository. */
  z.object({
    type: z.literal('pinned'),
    ...effect,
    commit: z.string().nullable(),
    language: z.string().default('en'),
    /** A digest of the item's description as it read then; absent: not read. */
    description: z.string().optional(),
    /** The answers to carried questions as they read now; absent: nothing was carried, what is known stays. */
    answers: z.array(Answer).optional(),
    /** What agents are told of the carried questions; absent: nothing was carried. */
    inputs: z.array(UserInput).optional(),
  }),
  z.object({ type: z.literal('pin_failed'), ...effect, code: z.string(), message: z.string() }),
  z.object({
    type: z.literal('movement_started'),
    movement: z.string(),
    iteration: z.number(),
    movementIteration: z.number(),
    /** Sub-movements in file order; empty unless parallel. */
    subs: z.array(z.string()).default([]),
  }),
  z.object({
    type: z.literal('agent_finished'),
    ...effect,
    ...place,
    output: z.string(),
    truncated: z.boolean().default(false),
    /** What was produced, checked against its kind's schema (spec 1: `produces`). */
    produced: z.object({ kind: z.string(), value: z.unknown() }).nullable(),
    /** Variables that it wrote and values that stay with it, checked (spec 1: `inputSchema`); absent: none. */
    inputs: z
      .object({
        variables: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
        properties: z.record(z.string(), z.unknown()),
      })
      .optional(),
    /** The conversation it belongs to; `refresh` begins it anew (spec 1: session). Null: a judge's, kept nowhere. */
    session: z.object({ key: z.string(), refresh: z.boolean() }).nullable().default(null),
    /** New messages of the conversation, as sent and received. */
    messages: z.array(ModelMessage).default([]),
  }),
  z.object({
    type: z.literal('agent_failed'),
    ...effect,
    ...place,
    code: z.string(),
    message: z.string(),
    /** How many answers the agent gave before it failed; absent: one. */
    answers: z.number().optional(),
  }),
  /**
   * An agent stopped between two calls because a budget is reached. What it has said so far is kept: it goes on from there. `answers` and
   * `steps`: how many it had given and made.
   */
  z.object({
    type: z.literal('agent_interrupted'),
    ...effect,
    ...place,
    messages: z.array(ModelMessage),
    answers: z.number(),
    steps: z.number(),
  }),
  /**
   * A conversation came near the model's context limit and was shortened: from here on `messages` stand for all that it held (null: it
   * began in this effect), and are sent unchanged. Sizes in tokens, estimated.
   */
  z.object({
    type: z.literal('conversation_compacted'),
    ...effect,
    ...place,
    session: z.string().nullable(),
    messages: z.array(ModelMessage).nullable(),
    before: z.number(),
    after: z.number(),
  }),
  /** A judge answered: the number of the rule that holds, null for none (also when the judge failed; then `error` says why). */
  z.object({
    type: z.literal('judge_answered'),
    ...effect,
    ...place,
    stage: z.enum(['ai', 'fallback']),
    index: z.number().nullable(),
    error: z.string().optional(),
  }),
  z.object({
    type: z.literal('action_finished'),
    ...effect,
    movement: z.string(),
    outcome: z.enum(['done', 'failed']),
    message: z.string().default(''),
    /** What the action computed, e.g. the plan with its permalinks or the score. */
    data: z.record(z.string(), z.unknown()).default({}),
  }),
  z.object({ type: z.literal('report_written'), ...place, file: z.string(), text: z.string() }),
  z.object({
    type: z.literal('sub_completed'),
    movement: z.string(),
    sub: z.string(),
    rule: z.number().nullable(),
    condition: z.string().nullable(),
    method: MatchMethod.nullable(),
  }),
  z.object({
    type: z.literal('movement_completed'),
    movement: z.string(),
    /** Null with `on_failure`. */
    rule: z.number().nullable(),
    condition: z.string().nullable(),
    method: MatchMethod,
    next: z.string(),
  }),
  /** A loop monitor's judge is to run (`started`) or has decided; `rule` null: it matched nothing and the own `next` stands. */
  z.object({
    type: z.literal('loop_started'),
    monitor: z.number(),
    cycleCount: z.number(),
    iteration: z.number(),
    ownNext: z.string(),
  }),
  z.object({
    type: z.literal('loop_judged'),
    monitor: z.number(),
    rule: z.number().nullable(),
    condition: z.string().nullable(),
    next: z.string(),
  }),
  z.object({
    type: z.literal('warning'),
    code: z.string(),
    message: z.string(),
    movement: z.string().nullable().default(null),
  }),
  z.object({
    type: z.literal('paused'),
    pauseId: z.string(),
    kind: PauseKind,
    movement: z.string(),
    questions: z.array(Question).default([]),
    /** Of a context gate: what is missing. */
    missing: z.array(z.string()).default([]),
  }),
  /** A person claimed the pause (spec 2: the claim comes first). Replies are read afterwards. */
  z.object({
    type: z.literal('resumed'),
    pauseId: z.string(),
    by: Person,
    via: z.string(),
    decision: z.enum(['continue', 'approve', 'reject']).default('continue'),
    reason: z.string().default(''),
    /** The budget that holds from here on; absent: as before. */
    budget: z.object({ run: Limits, day: Limits }).optional(),
  }),
  /**
   * Eligible replies to all questions of the run, as they read at Continue: a question without one is open again. `assume`: the pause's
   * questions had none, go on with the recommendations.
   */
  z.object({
    type: z.literal('replies_read'),
    ...effect,
    pauseId: z.string(),
    answers: z.array(Answer),
    inputs: z.array(UserInput),
    assume: z.boolean(),
    /** A digest of the item's description as it read then; absent: not read. */
    description: z.string().optional(),
    /** Who is told from now on, because who started the run has left the project; absent: as before. */
    told: Person.optional(),
  }),
  /** Nothing can be done for the run until an operator acts (the service's token is refused), and that this is over. */
  z.object({ type: z.literal('stalled'), code: z.string(), message: z.string() }),
  z.object({ type: z.literal('stall_ended') }),
  /** Which of the run's questions were answered while it waits, as the item read then (spec 2: the open-question counter). */
  z.object({ type: z.literal('answers_seen'), questionIds: z.array(z.string()) }),
  z.object({
    type: z.literal('replies_failed'),
    ...effect,
    pauseId: z.string(),
    code: z.string(),
    message: z.string(),
  }),
  /** A budget is reached: the run waits for room, or ends where nobody can give it any (spec 2: Settings, `budget`). */
  z.object({ type: z.literal('budget_reached'), ...BudgetReached.shape }),
  /** A limit is reached: GENERATING time, the pause's expiry, or what the run may use (D1: the driver or the sweeper says so). */
  z.object({ type: z.literal('deadline_passed'), what: z.enum(['run', 'pause', 'budget']) }),
  /** The last event (D5). */
  z.object({
    type: z.literal('ended'),
    status: z.enum(['completed', 'failed', 'canceled']),
    reason: z.string().nullable(),
    message: z.string().default(''),
    by: Person.nullable().default(null),
  }),
]);
export type RunEventBody = z.infer<typeof RunEventBody>;

/** An event as stored: `seq` counts from 1 within a run, `at` is ISO 8601 UTC, `v` the event format's version. */
export type RunEvent = RunEventBody & { v: number; seq: number; at: string };

export const EVENT_VERSION = 1;

export type EventOf<T extends RunEventBody['type']> = Extract<RunEventBody, { type: T }>;
