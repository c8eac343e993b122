/**
 * The state of a run: what `fold` makes of its events. Plain data, derived from nothing else. Records whose keys are names that people
 * choose have no prototype, so that a movement may be called `constructor`.
 */

import type { Inputs } from '../piece/inputs.ts';
import type { AskedQuestion, ItemRef, Person } from '../workplan/people.ts';
import type { Workplan } from '../workplan/schema.ts';
import type { Score } from '../workplan/score-schema.ts';
import type { BudgetReached, RunBudget } from './budget.ts';
import type { MatchMethod, PauseKind, UserInput } from './events.ts';
import type { ModelMessage } from './messages.ts';

/** An agent's result within the current movement. */
export interface AgentResult {
  output: string;
  failed: { code: string; message: string } | null;
  produced: { kind: string; value: unknown } | null;
  /** What it handed over; absent: nothing. */
  inputs?: Inputs;
  /** Judges' answers so far: number of the rule, null for none; a stage that was not asked is absent. */
  judged: { ai?: number | null; fallback?: number | null };
}

/** How a sub-movement ended; `condition` is its result, null when it has none. */
export interface SubCompletion {
  rule: number | null;
  condition: string | null;
  method: MatchMethod | null;
}

/** The movement that runs now. */
export interface CurrentMovement {
  name: string;
  iteration: number;
  /** Sub-movements in file order; empty unless parallel. */
  order: string[];
  /** Results by sub-movement name; the movement's own under the empty string. */
  results: Record<string, AgentResult>;
  subs: Record<string, SubCompletion>;
  /** The parent's own judges, for a parallel movement. */
  judged: { ai?: number | null; fallback?: number | null };
  action: { outcome: 'done' | 'failed'; message: string } | null;
}

export interface OpenPause {
  id: string;
  kind: PauseKind;
  movement: string;
  missing: string[];
  at: string;
  /** Of a pause for want of budget: which one. */
  budget?: BudgetReached;
}

/** A loop monitor's judge at work. `ownNext` is where the movement's own rule would have gone. */
export interface LoopJudgement {
  monitor: number;
  cycleCount: number;
  iteration: number;
  ownNext: string;
  result: AgentResult | null;
}

export type ResumeDecision = 'continue' | 'approve' | 'reject';

export type Phase =
  | { kind: 'new' }
  /** Waiting for the commit to be pinned. */
  | { kind: 'pinning' }
  | { kind: 'pin_failed'; code: string; message: string }
  /** Between movements: `movement` is to start; null: the piece's initial one. `gates`: how many were passed in a row without a movement. */
  | { kind: 'entering'; movement: string | null; gates?: number }
  | { kind: 'running' }
  | { kind: 'judging'; loop: LoopJudgement }
  /** `before`: of a pause for want of budget, what goes on after it. */
  | { kind: 'paused'; pause: OpenPause; before?: Phase }
  /** A budget is reached. `before`: what was being done. */
  | { kind: 'spent'; reached: BudgetReached; before: Phase }
  /** Continue was claimed; the replies are being read. */
  | { kind: 'collecting'; pause: OpenPause; decision: ResumeDecision }
  /** The replies were read: a question's movement runs again, a gate takes its rule. */
  | { kind: 'collected'; pause: OpenPause; decision: ResumeDecision }
  | { kind: 'replies_failed'; code: string; message: string }
  /** A limit was reached: the run ends. */
  | { kind: 'overdue'; what: 'run' | 'pause' | 'budget' }
  | { kind: 'ended'; status: 'completed' | 'failed' | 'canceled'; reason: string | null; message: string };

export interface RunState {
  runId: string;
  /** Sequence of the last folded event, 0 before the first. */
  seq: number;
  startedAt: string | null;
  updatedAt: string | null;
  goal: string;
  startedBy: Person | null;
  item: ItemRef | null;
  interactive: boolean;
  reportDir: string;
  /** Language of the item, a BCP 47 tag. */
  language: string;
  commit: string | null;
  phase: Phase;
  current: CurrentMovement | null;
  iteration: number;
  movementIteration: Record<string, number>;
  consecutive: { movement: string; count: number } | null;
  /** Movements since the last judgement of a loop monitor. */
  history: string[];
  previousResponse: string;
  userInputs: UserInput[];
  /** Pauses so far; numbers the next one. */
  pauses: number;
  /** Whether the last Continue brought no eligible reply (best assumptions). */
  assume: boolean;
  /** Digest of the description as it was read last (null: never), and whether a context gate was continued with it unchanged. */
  description: { digest: string; unchanged: boolean } | null;
  /** Who continued last; null: nobody yet. */
  resumedBy: Person | null;
  /** Who is told in place of who started the run, once that person has left the project. */
  told: Person | null;
  /** Why nobody can go on with it, and since when (ISO 8601); null: nothing is in the way. */
  stalled: { code: string; at: string } | null;
  questions: AskedQuestion[];
  /** As it was given at the last Continue; null: as the run began. */
  budget: RunBudget | null;
  /** Time of work before `since`, milliseconds; `since` is null while it waits. */
  worked: { ms: number; since: string | null };
  /** Agents that stopped in the middle, by effect id. */
  interrupted: Record<string, { messages: ModelMessage[]; answers: number; steps: number }>;
  /** Conversations by session key. */
  sessions: Record<string, ModelMessage[]>;
  reports: Record<string, string>;
  /** The latest value of each produced kind; of parallel movements also by `movement/sub`. */
  data: Record<string, unknown>;
  /** Declared variables by name; one that was never written is absent. */
  variables: Record<string, string | number | boolean>;
  /** Values that stay with a movement or sub-movement, by its name; the latest. */
  inputs: Record<string, Record<string, unknown>>;
  /** Kind of data that the last movement with an agent gave; null when it gave none. */
  produced: string | null;
  /** The published plan, with permalinks. */
  workplan: Workplan | null;
  score: Score | null;
  scoreStatus: 'NOT_EVALUATED' | 'EVALUATING' | 'EVALUATED' | 'FAILED' | 'CANCELED';
  /** Answers given so far, by agents and by judges, in all and by name: a script's position (design: MODEL_SCRIPT). */
  calls: { run: number; judge: number; movement: Record<string, number>; judges: Record<string, number> };
}
