/** Advances one claimed run until it waits, ends, is lost or stopped (design: How a run moves; D2, D6, D8, D12). */
import type { Piece } from '../../domain/piece/types.ts';
import type { Effect } from '../../domain/run/effects.ts';
import type { RunEventBody } from '../../domain/run/events.ts';
import { fold } from '../../domain/run/fold.ts';
import type { RunState } from '../../domain/run/state.ts';
import type { ClaimedRun, RunSettings, UsageRow } from '../../ports/run-store.ts';
import { announce, QUIET_MS, statusRow } from '../announce.ts';
import { Stalled } from '../stall.ts';
import { createRecorder, type Recorder, type RecorderDeps } from './recorder.ts';
import { applyAll, settle } from './settle.ts';

/** The outcome of an effect: events to append, and what it used. */
export interface EffectOutcome {
  events: RunEventBody[];
  usage: UsageRow[];
}

/** What an effect may look at. It must not change `state`. */
export interface EffectContext {
  piece: Piece;
  run: ClaimedRun;
  settings: RunSettings;
  state: RunState;
  signal: AbortSignal;
}

/** Performs an effect; may be called twice for one id (D7). A failure for good is an outcome, not an exception. */
export type PerformEffect = (effect: Effect, context: EffectContext) => Promise<EffectOutcome>;

/** Rung now and then by who advances many runs: one timer serves them all (D12). */
export interface Bell {
  /** Set while a run has something to tell late. */
  listener: (() => void) | null;
}

export interface AdvanceDeps extends RecorderDeps {
  perform: PerformEffect;
  pieceOf(run: ClaimedRun): Piece | null;
  /** Once aborted, the effects in flight are recorded as they end and none is begun: then the run is left as `stopped`. */
  draining?: AbortSignal;
  /** Absent: how far a run is shows only with what comes next. */
  bell?: Bell;
}

/** `stalled`: nobody can go on with it now. */
export type AdvanceResult = 'waiting' | 'ended' | 'lost' | 'stopped' | 'stalled';

/** For `readsWaitMs`: longer than a movement without a model takes, shorter than anybody sees. */
export const READS_WAIT_MS = 20;
const READINGS: ReadonlySet<RunEventBody['type']> = new Set(['pinned', 'replies_read']);

export async function advanceRun(run: ClaimedRun, deps: AdvanceDeps, signal: AbortSignal): Promise<AdvanceResult> {
  const state = fold(run.row.id, run.events);
  const piece = deps.pieceOf(run);
  if (!piece) return endUnreadable(run, state, deps);
  const effects = new AbortController();
  const context: EffectContext = {
    piece,
    run,
    settings: run.settings,
    state,
    signal: AbortSignal.any([signal, effects.signal]),
  };
  const recorder = createRecorder(run, deps, signal);
  try {
    return await drive(context, deps, recorder, signal);
  } finally {
    effects.abort(new Error('The run is no longer advanced here.'));
    await recorder.close();
  }
}

async function drive(
  context: EffectContext,
  deps: AdvanceDeps,
  recorder: Recorder,
  signal: AbortSignal,
): Promise<AdvanceResult> {
  const { piece, state } = context;
  const inFlight = new Map<string, Promise<EffectOutcome & { id: string }>>();
  let outcomes: (EffectOutcome & { id: string })[] = [];
  /** A budget is reached: nothing is begun, and it is recorded when what is at work has ended (what that said is kept). */
  let spent: RunEventBody | null = null;
  /** Since when the status note does not show how far the run is. */
  let behindSince: number | null = null;
  while (!signal.aborted) {
    const at = deps.clock.now().toISOString();
    const expectedSeq = state.seq;
    const sinceMs = state.updatedAt === null ? 0 : Date.parse(at) - Date.parse(state.updatedAt);
    const told = outcomes.flatMap((outcome) => outcome.events);
    const onlyRead = told.length > 0 && told.every((event) => READINGS.has(event.type));
    spent ??= told.find((event) => event.type === 'budget_reached') ?? null;
    const events = spent === null ? told : told.filter((event) => event.type !== 'budget_reached');
    if (spent !== null && inFlight.size === 0) events.push(spent);
    if (events.length > 0 && state.stalled) events.unshift({ type: 'stall_ended' });
    const usage = outcomes.flatMap((outcome) => outcome.usage);
    applyAll(state, events, at);
    const { facts, decision } = settle(piece, state, at);
    events.push(...facts);
    const { row, outbox, behind } = announce(state, events, context.settings, sinceMs);
    const late = behindSince !== null && events.length === 0 && Date.parse(at) - behindSince >= QUIET_MS;
    if (late) outbox.push(statusRow(state, context.settings));
    const draining = deps.draining?.aborted ?? false;
    const goesOn = decision.kind === 'effects' && !(draining && inFlight.size === 0);
    // What was only read is lost with the worker for nobody: it is read anew.
    recorder.record({ events, usage, expectedSeq, at, row, outbox }, onlyRead && outbox.length === 0 && goesOn);
    if ((!goesOn || recorder.full()) && !(await recorder.recorded())) return left(signal);
    if (behind) behindSince = Date.parse(at);
    else if (outbox.some((one) => one.kind === 'status')) behindSince = null;
    if (decision.kind === 'end') return 'ended';
    if (decision.kind === 'wait') return 'waiting';
    if (!goesOn) return 'stopped';
    for (const effect of draining || spent !== null ? [] : decision.effects) {
      if (inFlight.has(effect.id)) continue;
      const work = deps.perform(effect, context).then((outcome) => ({ ...outcome, id: effect.id }));
      work.catch(() => undefined); // Awaited below, or no longer wanted when the run is left.
      inFlight.set(effect.id, work);
    }
    try {
      outcomes = await nextOutcomes(inFlight, signal, behindSince === null ? undefined : deps.bell, recorder);
      if (recorder.broken && !(await recorder.recorded())) return left(signal);
    } catch (error) {
      // What ended before it was paid for.
      const recorded = await recorder.recorded();
      if (!(error instanceof Stalled)) throw error;
      return recorded && (await stall(context, deps, recorder, error)) ? 'stalled' : left(signal);
    }
  }
  return 'stopped';
}

/** Why a run whose events are not recorded any more is left. */
function left(signal: AbortSignal): AdvanceResult {
  return signal.aborted ? 'stopped' : 'lost';
}

/** Records once that the run stalls, for people to see. */
async function stall(
  { state, settings }: EffectContext,
  { clock }: AdvanceDeps,
  recorder: Recorder,
  { code, message }: Stalled,
): Promise<boolean> {
  if (state.stalled) return true;
  const at = clock.now().toISOString();
  const expectedSeq = state.seq;
  const events: RunEventBody[] = [{ type: 'stalled', code, message }];
  applyAll(state, events, at);
  recorder.record({ events, usage: [], expectedSeq, at, ...announce(state, events, settings) }, false);
  return recorder.recorded();
}

/**
 * Waits for the first outcome, then takes all that are there: each is recorded, none waits for the slowest. None when it is stopped, the
 * bell rings or nothing can be recorded any more.
 */
async function nextOutcomes(
  inFlight: Map<string, Promise<EffectOutcome & { id: string }>>,
  signal: AbortSignal,
  bell: Bell | undefined,
  recorder: Recorder,
): Promise<(EffectOutcome & { id: string })[]> {
  if (recorder.broken) return [];
  const stopped = Promise.withResolvers<'stopped'>();
  const stop = () => stopped.resolve('stopped');
  recorder.onBroken = stop;
  if (bell) bell.listener = stop;
  signal.addEventListener('abort', stop, { once: true });
  try {
    const woken = Promise.race([...inFlight.values(), stopped.promise]);
    const first = await woken.catch(() => undefined);
    if (first === 'stopped' || signal.aborted || recorder.broken) return [];
    const ready: (EffectOutcome & { id: string })[] = [];
    for (const [id, promise] of [...inFlight]) {
      const outcome = await Promise.race([promise, Promise.resolve(null)]).catch(() => null);
      if (!outcome) continue;
      ready.push(outcome);
      inFlight.delete(id);
    }
    // What failed is thrown when that which ended beside it is recorded: it was paid for.
    if (ready.length === 0) await woken;
    return ready;
  } finally {
    signal.removeEventListener('abort', stop);
    recorder.onBroken = null;
    if (bell) bell.listener = null;
  }
}

async function endUnreadable(run: ClaimedRun, state: RunState, deps: AdvanceDeps): Promise<AdvanceResult> {
  const at = deps.clock.now().toISOString();
  const expectedSeq = state.seq;
  const message = `The piece "${run.piece.name}" stored with this run cannot be read by this version.`;
  const events: RunEventBody[] = [{ type: 'ended', status: 'failed', reason: 'piece_invalid', message, by: null }];
  applyAll(state, events, at);
  const { row, outbox } = announce(state, events, run.settings);
  const ended = await deps.store.append({
    runId: run.row.id,
    fence: run.fence,
    expectedSeq,
    at,
    events,
    row,
    outbox,
    usage: [],
  });
  return ended.kind === 'appended' ? 'ended' : 'lost';
}
