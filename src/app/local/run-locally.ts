/** A piece run locally, in memory: the engine and the effects of the service, without GitLab, store and queue (design: `piece run`). */
import { reportDirName } from '../../domain/piece/slug.ts';
import type { Piece, PieceBundle } from '../../domain/piece/types.ts';
import type { EventOf, RunEvent, RunEventBody } from '../../domain/run/events.ts';
import { EVENT_VERSION } from '../../domain/run/events.ts';
import { fold } from '../../domain/run/fold.ts';
import { PermanentFailure } from '../../ports/failures.ts';
import type { ReportStore } from '../../ports/report-store.ts';
import type { Append, ClaimedRun, RunSettings, RunStore } from '../../ports/run-store.ts';
import { RUN_FORMAT } from '../run-format.ts';
import { advanceRun } from '../runner/advance.ts';
import { type EndLine, linesOf, type Told, warning } from './lines.ts';
import { LOCAL_PERSON, type LocalPause, openPause, repliesOf, resumedBy, type Said } from './pause.ts';
import { createLocalPerformer, type LocalPerformDeps, ScriptExhausted } from './perform.ts';

export interface LocalRun {
  piece: Piece;
  bundle: PieceBundle;
  task: string;
  interactive: boolean;
  /** Provider's model id; empty: the provider's default. */
  modelId: string;
  /** Models by role and whom the piece may name; absent: `modelId` alone. */
  settings?: Pick<RunSettings, 'models' | 'offered' | 'delegate'>;
}

export interface LocalRunDeps extends Omit<LocalPerformDeps, 'replies'> {
  /** Null: reports are told and kept in memory only. */
  reports: ReportStore | null;
  /** Answers a pause; null: nobody does, and the run is aborted. */
  answer(pause: LocalPause, signal: AbortSignal): Promise<Said | null>;
  /** Told beside the lines, for people. */
  onOutput?(movement: string, output: string): void;
}

/** How it ended. `misuse`: the script has no entry for a call, or its text decides nothing at an approval. */
export interface LocalOutcome {
  end: EndLine;
  misuse: boolean;
}

/**
 * Runs the piece to its end; every line but the last is emitted, the last is in the outcome. Aborted with `interrupted` when the signal
 * is. @throws PermanentFailure `reports_unwritable` when the folder of the reports cannot be made.
 */
export async function runLocally(run: LocalRun, deps: LocalRunDeps, signal: AbortSignal): Promise<LocalOutcome> {
  const at = deps.clock.now().toISOString();
  const named = reportDirName(at, run.task);
  const reportDir = deps.reports === null ? named : await deps.reports.begin(named);
  const claimed = claimedRun(run, deps.model.label, at);
  record(claimed, at, [
    {
      type: 'run_started',
      goal: run.task,
      startedBy: LOCAL_PERSON,
      item: null,
      interactive: run.interactive,
      reportDir,
      carried: [],
    },
  ]);
  const limit = timeLimit(run.piece, deps, signal);
  try {
    return await drive(run, deps, claimed, limit.signal);
  } catch (error) {
    if (error instanceof ScriptExhausted) return ended(claimed, 'script_exhausted', error.message, true);
    if (signal.aborted) return ended(claimed, 'interrupted', 'The run was stopped.');
    if (limit.signal.aborted) return ended(claimed, 'deadline', 'The time limit of this run was reached.');
    throw error;
  } finally {
    limit.stop();
  }
}

async function drive(
  run: LocalRun,
  deps: LocalRunDeps,
  claimed: ClaimedRun,
  signal: AbortSignal,
): Promise<LocalOutcome> {
  let waiting: { pause: LocalPause; said: Said } | null = null;
  const perform = createLocalPerformer({
    ...deps,
    replies(effectId) {
      if (waiting === null) throw new Error('Replies are read after a pause only.');
      return repliesOf(effectId, waiting.pause, waiting.said, deps.clock.now().toISOString());
    },
  });
  const store = memoryStore(run.piece, claimed, deps);
  const advance = { ...deps, store, perform, pieceOf: () => run.piece, onOutbox: () => undefined, mostAhead: 0 };
  for (;;) {
    const result = await advanceRun(claimed, advance, signal);
    signal.throwIfAborted();
    if (result === 'ended') return endOf(claimed);
    const pause = openPause(fold(claimed.row.id, claimed.events));
    if (result !== 'waiting' || pause === null) throw new Error(`A local run was left: ${result}.`);
    const said = await deps.answer(pause, signal);
    signal.throwIfAborted();
    if (said === null) return ended(claimed, 'input_missing', `"${pause.movement}" waits for input and there is none.`);
    const resumed = resumedBy(pause, said);
    if (resumed === null) {
      const got = said.join(' ').slice(0, 100);
      return ended(
        claimed,
        'bad_input',
        `Expected \`approve\` or \`reject REASON\` at "${pause.movement}", got "${got}".`,
        true,
      );
    }
    waiting = { pause, said };
    record(claimed, deps.clock.now().toISOString(), [resumed]);
  }
}

/** The wall-clock limit of the piece, beside the caller's signal. */
function timeLimit(piece: Piece, deps: LocalRunDeps, signal: AbortSignal): { signal: AbortSignal; stop(): void } {
  const over = new AbortController();
  const done = new AbortController();
  if (piece.timeoutMs !== undefined)
    deps.clock.sleep(piece.timeoutMs, done.signal).then(
      () => over.abort(new PermanentFailure('deadline', 'The time limit of this run was reached.')),
      () => undefined,
    );
  return { signal: AbortSignal.any([signal, over.signal]), stop: () => done.abort() };
}

function claimedRun(run: LocalRun, provider: string, at: string): ClaimedRun {
  const item = { globalId: 0, projectId: 0, projectPath: '', iid: 0, title: '', webUrl: '', reference: 'local' };
  return {
    fence: 1,
    piece: run.bundle,
    settings: {
      format: RUN_FORMAT,
      interactive: run.interactive,
      language: 'auto',
      questionFormat: 'hidden',
      score: true,
      provider,
      models: { default: run.modelId },
      ...run.settings,
      timeoutMs: run.piece.timeoutMs ?? Number.MAX_SAFE_INTEGER,
      roles: { plan: [], continue: [], answer: null },
    },
    events: [],
    row: {
      id: 'local',
      itemGlobalId: 0,
      item,
      startedBy: LOCAL_PERSON,
      status: 'GENERATING',
      reason: null,
      pause: null,
      scoreStatus: 'NOT_EVALUATED',
      view: null,
      fence: 1,
      seq: 0,
      version: 0,
      createdAt: at,
      updatedAt: at,
    },
  };
}

function record(run: ClaimedRun, at: string, events: readonly RunEventBody[]): void {
  for (const event of events) run.events.push({ ...event, v: EVENT_VERSION, seq: run.events.length + 1, at });
}

/** The log in memory; what is appended is told at once, in order. */
function memoryStore(piece: Piece, run: ClaimedRun, deps: LocalRunDeps): Pick<RunStore, 'append'> {
  const told: Told = { iteration: 0, movementIteration: 0, judgements: 0 };
  return {
    async append({ events, at }: Append) {
      record(run, at, events);
      for (const event of events) {
        if (event.type === 'agent_finished') deps.onOutput?.(event.sub ?? event.movement, event.output);
        if (event.type === 'loop_started') told.judgements += 1;
        if (event.type === 'movement_started')
          Object.assign(told, { iteration: event.iteration, movementIteration: event.movementIteration });
        for (const line of linesOf(piece, event, told)) deps.emit(line);
        if (event.type === 'report_written') await save(event, deps);
      }
      return { kind: 'appended', seq: run.events.length, version: 0 };
    },
  };
}

async function save({ file, text }: EventOf<'report_written'>, deps: LocalRunDeps): Promise<void> {
  try {
    await deps.reports?.write(file, text);
  } catch (error) {
    if (!(error instanceof PermanentFailure)) throw error;
    deps.emit(warning('report_not_saved', error.message));
  }
}

function endOf(run: ClaimedRun): LocalOutcome {
  const last = run.events.findLast((event): event is RunEvent & EventOf<'ended'> => event.type === 'ended');
  if (last?.status === 'completed')
    return { end: { event: 'end', status: 'completed', iterations: iterations(run) }, misuse: false };
  return ended(run, last?.reason ?? 'failed', last?.message ?? '');
}

function ended(run: ClaimedRun, code: string, message: string, misuse = false): LocalOutcome {
  const reason = message === '' ? code : `${code}: ${message}`;
  return { end: { event: 'end', status: 'aborted', reason, iterations: iterations(run) }, misuse };
}

function iterations(run: ClaimedRun): number {
  return fold(run.row.id, run.events).iteration;
}
