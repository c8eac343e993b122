/** What the status of an item answers (design: Contracts). Built from the run's row; questions get the addresses of their notes. */

import type { BudgetReached } from '../domain/run/budget.ts';
import type { Workplan } from '../domain/workplan/schema.ts';
import type { RunView } from '../domain/workplan/view.ts';
import type { DeliveredNote, OutboxStore } from '../ports/outbox.ts';
import type { GenerationStatus, RunRow, RunStore, ScoreStatus } from '../ports/run-store.ts';
import type { TurnStore } from '../ports/turns.ts';
import type { BudgetAnswer } from './budget/status.ts';
import { stallWarning, type Warning } from './warnings.ts';

export interface StatusAnswer {
  generationStatus: GenerationStatus;
  /** `missing`: at a context gate, what the description does not say. `budget`: which one is used up. */
  pause?: { id: string; kind: string; missing?: string[]; budget?: BudgetReached };
  reason?: string | null;
  /** GENERATING, but in the queue: the project's limit of runs at work is reached; so many have their turn before. */
  waitsForTurn?: { ahead: number };
  /** Of a run that ended: what the reason means here. */
  message?: string;
  runId: string | null;
  startedBy: RunRow['startedBy'] | null;
  questions: (RunView['questions'][number] & { noteUrl: string | null })[];
  answers: RunView['answers'];
  workplan?: Workplan;
  score: RunView['score'];
  scoreStatus: ScoreStatus;
  executionStatus: 'NONE';
  revision: number;
  /** The movement at work, and how far the run is. */
  movement: string | null;
  iteration: number;
  noteUrls: string[];
  /** Address of the note that holds the Workplan or tells where it stands; null before there is one. */
  workplanUrl: string | null;
  /** Label of who plans, e.g. `offline (rule-based)`; null before the first run. */
  provider: string | null;
  /** What was used, and what may be; absent before the first run. */
  budget?: BudgetAnswer;
  /** Notes that could not be delivered for good (D11). */
  deliveryFailed?: string[];
  /** What is wrong around the run, e.g. that GitLab has disabled the project's webhook. */
  warnings?: Warning[];
  updatedAt: string | null;
}

/** Run + row version (design: HTTP); the same for everybody who may read. */
export function etagOf(run: Pick<RunRow, 'id' | 'version'> | null): string {
  return run ? `"${run.id}.${run.version}"` : '"none"';
}

export interface StatusDeps {
  store: Pick<RunStore, 'latestForItem'>;
  outbox: Pick<OutboxStore, 'notesOfRun' | 'failures'>;
  /** Absent: no project has a limit. */
  turns?: Pick<TurnStore, 'ahead'>;
  /** Of a project; absent: none are shown. */
  warnings?: (projectId: number) => Promise<Warning[]>;
  /** Of the run and its project's day; absent: not shown. */
  budget?: (run: RunRow) => Promise<BudgetAnswer>;
}

export async function readStatus(deps: StatusDeps, run: RunRow | null): Promise<StatusAnswer> {
  if (!run) return notStarted();
  const [ahead, notes, failures, warnings, budget] = await Promise.all([
    run.waitsForTurn ? (deps.turns?.ahead(run.id) ?? null) : null,
    deps.outbox.notesOfRun(run.id),
    deps.outbox.failures(run.id),
    deps.warnings?.(run.item.projectId) ?? [],
    deps.budget?.(run) ?? null,
  ]);
  const view = run.view as RunView;
  const allWarnings = view.stalled ? [stallWarning(view.stalled), ...warnings] : warnings;
  return {
    generationStatus: run.status,
    ...(run.pause ? { pause: pauseOf(run.pause, view) } : {}),
    ...(run.reason === null ? {} : { reason: run.reason }),
    ...(ahead === null ? {} : { waitsForTurn: { ahead } }),
    ...(view.message === undefined ? {} : { message: view.message }),
    runId: run.id,
    startedBy: run.startedBy,
    questions: view.questions.map((question) => ({ ...question, noteUrl: noteUrlOf(notes, question.id) })),
    answers: view.answers,
    ...(view.workplan ? { workplan: view.workplan } : {}),
    score: view.score,
    scoreStatus: run.scoreStatus,
    executionStatus: 'NONE',
    revision: view.workplan ? 1 : 0,
    movement: view.movement,
    iteration: view.iteration,
    noteUrls: notes.map((note) => note.url),
    workplanUrl: notes.find((note) => note.kind === 'plan')?.url ?? null,
    provider: view.provider ?? null,
    ...(budget === null ? {} : { budget }),
    ...(failures.length > 0 ? { deliveryFailed: failures.map((failure) => failure.kind) } : {}),
    ...(allWarnings.length > 0 ? { warnings: allWarnings } : {}),
    updatedAt: run.updatedAt,
  };
}

function pauseOf(pause: NonNullable<RunRow['pause']>, { gate, budget }: RunView): NonNullable<StatusAnswer['pause']> {
  return { ...pause, ...(gate ? { missing: gate.missing } : {}), ...(budget ? { budget } : {}) };
}

function noteUrlOf(notes: readonly DeliveredNote[], questionId: string): string | null {
  return notes.find((note) => note.questionId === questionId)?.url ?? null;
}

function notStarted(): StatusAnswer {
  return {
    generationStatus: 'NOT_STARTED',
    runId: null,
    startedBy: null,
    questions: [],
    answers: [],
    score: null,
    scoreStatus: 'NOT_EVALUATED',
    executionStatus: 'NONE',
    revision: 0,
    movement: null,
    iteration: 0,
    noteUrls: [],
    workplanUrl: null,
    provider: null,
    updatedAt: null,
  };
}
