/** What people see of a run, as the run's row keeps it (design: Shapes). */
import type { BudgetReached, RunBudget } from '../run/budget.ts';
import { workedMs } from '../run/fold-budget.ts';
import type { RunState } from '../run/state.ts';
import type { Answer } from './people.ts';
import type { Question, Workplan } from './schema.ts';
import type { Score } from './score-schema.ts';

export interface RunView {
  questions: (Question & { state: 'open' | 'answered' })[];
  answers: Answer[];
  workplan: Workplan | null;
  score: Score | null;
  scoreStatus: RunState['scoreStatus'];
  /** The movement at work, null before the first. */
  movement: string | null;
  iteration: number;
  /** At a context gate: what is missing. */
  gate: { missing: string[] } | null;
  /** At a pause for want of budget: which one is used up; absent: none. */
  budget?: BudgetReached;
  /** What the run and its project's day may use; absent: there is no limit. */
  limits?: RunBudget;
  /** Its time of work so far, milliseconds. */
  workedMs?: number;
  /** Label of who plans, e.g. `offline (rule-based)`; absent in rows of older versions. */
  provider?: string;
  /** The language of the item's notes, a BCP 47 tag; absent in rows of older versions. */
  language?: string;
  /** Why nobody can go on with it, and since when; absent: nothing is in the way. */
  stalled?: { code: string; at: string };
  /** How an end that nobody wished for is explained; absent or empty: not. */
  message?: string;
}

/** `limits`: as the run began; what the last Continue said holds in their place. */
export function viewOf(state: RunState, provider: string, limits?: RunBudget): RunView {
  const budget = state.budget ?? limits;
  const pause = state.phase.kind === 'paused' ? state.phase.pause : null;
  return {
    questions: state.questions.map((asked) => ({ ...asked.question, state: asked.state })),
    answers: state.questions.flatMap((asked) => asked.answers),
    workplan: state.workplan,
    score: state.score,
    scoreStatus: state.scoreStatus,
    movement: state.current?.name ?? null,
    iteration: state.iteration,
    gate: pause?.kind === 'context_gate' ? { missing: pause.missing } : null,
    provider,
    ...(pause?.budget ? { budget: pause.budget } : {}),
    ...(budget ? { limits: budget } : {}),
    workedMs: state.updatedAt === null ? 0 : workedMs(state, Date.parse(state.updatedAt)),
    language: state.language,
    ...(state.stalled && state.phase.kind !== 'ended' ? { stalled: state.stalled } : {}),
    ...(state.phase.kind === 'ended' && state.phase.message !== '' ? { message: state.phase.message } : {}),
  };
}
