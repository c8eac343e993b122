/** Advances one claimed run until it waits, ends, is lost or stopped (design: How a run moves; D2, D6, D8, D12). */
import type { Piece } from '../../domain/piece/types.ts';
import type { Effect } from '../../domain/run/effects.ts';
import type { RunEventBody } from '../../domain/run/events.ts';
import { fold } from '../../domain/run/fold.ts';
import type { RunState } from '../../domain/run/state.ts';
import type { Clock } from '../../ports/clock.ts';
import { TransientFailure } from '../../ports/failures.ts';
import type { Log } from '../../ports/log.ts';
import type { Append, ClaimedRun, RunSettings, RunStore, UsageRow } from '../../ports/run-store.ts';
import { announce, QUIET_MS, statusRow } from '../announce.ts';
import { Stalled } from '../stall.ts';
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

export interface AdvanceDeps {
  /** `byId`: tells whether an append whose answer was lost was written; absent: nobody else could have written. */
  store: Pick<RunStore, 'append'> & Partial<Pick<RunStore, 'byId'>>;
  perform: PerformEffect;
  pieceOf(run: ClaimedRun): Piece | null;
  clock: Clock;
  log: Log;
  /** Called after an append with outbox rows. */
  onOutbox(): void;
  /** Once aborted, the effects in flight are recorded as they end and none is begun: then the run is left as `stopped`. */
  draining?: AbortSignal;
  /** Absent: how far a run is shows only with what comes next. */
  bell?: Bell;
  /** How long what was only read may wait to be recorded with what comes next, milliseconds; absent: it is recorded at once. */
  readsWaitMs?: number;
}

/** `stalled`: nobody can go on with it now. */
export type AdvanceResult = 'waiting' | 'ended' | 'lost' | 'stopped' | 'stalled';

const APPEND_TRIES = 6;

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
  try {
    return await drive(context, deps, signal);
  } finally {
    effects.abort(new Error('The run is no longer advanced here.'));
  }
}

async function drive(context: EffectContext, deps: AdvanceDeps, signal: AbortSignal): Promise<AdvanceResult> {
  const { piece, state } = context;
  const inFlight = new Map<string, Promise<EffectOutcome & { id: string }>>();
  let outcomes: (EffectOutcome & { id: string })[] = [];
  /** A budget is reached: nothing is begun, and it is recorded when what is at work has ended (what that said is kept). */
  let spent: RunEventBody | null = null;
  /** Since when the status note does not show how far the run is. */
  let behindSince: number | null = null;
  /** What was read and is recorded with what comes next: lost with the worker, it is read anew and nobody has seen a difference. */
  let unwritten: NewEvents | null = null;
  while (!signal.aborted) {
    const at = deps.clock.now().toISOString();
    const expectedSeq: number = unwritten?.expectedSeq ?? state.seq;
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
    if (unwritten) events.unshift(...unwritten.events);
    if (unwritten) usage.unshift(...unwritten.usage);
    const { row, outbox, behind } = announce(state, events, context.settings, sinceMs);
    const late = behindSince !== null && events.length === 0 && Date.parse(at) - behindSince >= QUIET_MS;
    if (late) outbox.push(statusRow(state, context.settings));
    const draining = deps.draining?.aborted ?? false;
    const made: NewEvents = { events, usage, expectedSeq, at, row, outbox };
    const { readsWaitMs } = deps;
    const mayWait: boolean =
      readsWaitMs !== undefined &&
      onlyRead &&
      unwritten === null &&
      outbox.length === 0 &&
      decision.kind === 'effects' &&
      !draining;
    unwritten = mayWait ? made : null;
    if (!unwritten && !(await append(context, deps, made, signal))) return signal.aborted ? 'stopped' : 'lost';
    if (behind) behindSince = Date.parse(at);
    else if (outbox.some((one) => one.kind === 'status')) behindSince = null;
    if (decision.kind === 'end') return 'ended';
    if (decision.kind === 'wait') return 'waiting';
    if (draining && inFlight.size === 0) return 'stopped';
    for (const effect of draining || spent !== null ? [] : decision.effects) {
      if (inFlight.has(effect.id)) continue;
      const work = deps.perform(effect, context).then((outcome) => ({ ...outcome, id: effect.id }));
      work.catch(() => undefined); // Awaited below, or no longer wanted when the run is left.
      inFlight.set(effect.id, work);
    }
    try {
      const bell = behindSince === null ? undefined : deps.bell;
      outcomes = await nextOutcomes(inFlight, signal, bell, unwritten === null ? undefined : soon(deps));
    } catch (error) {
      if (!(error instanceof Stalled)) throw error;
      if (unwritten && !(await append(context, deps, unwritten, signal))) return signal.aborted ? 'stopped' : 'lost';
      return (await stall(context, deps, error, signal)) ? 'stalled' : signal.aborted ? 'stopped' : 'lost';
    }
  }
  return 'stopped';
}

/** Records once that the run stalls, for people to see. */
async function stall(
  context: EffectContext,
  deps: AdvanceDeps,
  { code, message }: Stalled,
  signal: AbortSignal,
): Promise<boolean> {
  const { state, settings } = context;
  if (state.stalled) return true;
  const at = deps.clock.now().toISOString();
  const expectedSeq = state.seq;
  const events: RunEventBody[] = [{ type: 'stalled', code, message }];
  applyAll(state, events, at);
  const { row, outbox } = announce(state, events, settings);
  return append(context, deps, { events, usage: [], expectedSeq, at, row, outbox }, signal);
}

/**
 * Waits for the first outcome, then takes all that are there: each is recorded, none waits for the slowest. None when it is stopped or the
 * bell rings. `soon`: none after a moment either.
 */
async function nextOutcomes(
  inFlight: Map<string, Promise<EffectOutcome & { id: string }>>,
  signal: AbortSignal,
  bell: Bell | undefined,
  soon: ((signal: AbortSignal) => Promise<void>) | undefined,
): Promise<(EffectOutcome & { id: string })[]> {
  const stopped = Promise.withResolvers<null>();
  const stop = () => stopped.resolve(null);
  if (bell) bell.listener = stop;
  const timer = new AbortController();
  soon?.(timer.signal).then(stop, () => undefined);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const woken = Promise.race([...inFlight.values(), stopped.promise]);
    if ((await woken.catch(() => undefined)) === null || signal.aborted) return [];
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
    if (bell) bell.listener = null;
    if (soon) timer.abort(NO_LONGER);
  }
}

function soon({ clock, readsWaitMs = 0 }: AdvanceDeps): (signal: AbortSignal) => Promise<void> {
  return (signal) => clock.sleep(readsWaitMs, signal);
}

/** One for all: an abort without a reason makes an error with a stack each time. */
const NO_LONGER = new Error('no longer waited for');

type NewEvents = Omit<Append, 'runId' | 'fence'>;

/** Appends under the fence (D6); false when the fence no longer stands or the store cannot be reached. */
async function append(
  context: EffectContext,
  deps: AdvanceDeps,
  made: NewEvents,
  signal: AbortSignal,
): Promise<boolean> {
  if (made.events.length === 0 && made.usage.length === 0 && made.outbox.length === 0) return true;
  const { run } = context;
  for (let attempt = 1; ; attempt += 1) {
    if (signal.aborted) return false;
    try {
      const outcome = await deps.store.append({ runId: run.row.id, fence: run.fence, ...made });
      if (outcome.kind === 'stale' && (attempt === 1 || !(await wasWritten(run, made, deps)))) return false;
      if (made.outbox.length > 0) deps.onOutbox();
      return true;
    } catch (error) {
      if (!(error instanceof TransientFailure)) throw error;
      deps.log.warn({ runId: run.row.id, attempt, code: error.code }, 'append failed, trying again');
      if (attempt === APPEND_TRIES) return false;
      await deps.clock.sleep(Math.min(2000, 50 * 2 ** attempt), signal).catch(() => undefined);
    }
  }
}

/** Was an append written whose answer was lost? Under a fence only its holder appends (D6). */
async function wasWritten(run: ClaimedRun, made: NewEvents, { store }: AdvanceDeps): Promise<boolean> {
  const row = await store.byId?.(run.row.id);
  return row?.fence === run.fence && row.seq === made.expectedSeq + made.events.length;
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
