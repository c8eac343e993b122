/** Advances one claimed run until it waits, ends, is lost or stopped (design: How a run moves; D2, D6, D8, D12). */
import type { Piece } from '../../domain/piece/types.ts';
import type { Effect } from '../../domain/run/effects.ts';
import type { RunEventBody } from '../../domain/run/events.ts';
import { fold } from '../../domain/run/fold.ts';
import type { RunState } from '../../domain/run/state.ts';
import type { Clock } from '../../ports/clock.ts';
import { TransientFailure } from '../../ports/failures.ts';
import type { Log } from '../../ports/log.ts';
import type { ClaimedRun, RunSettings, RunStore, UsageRow } from '../../ports/run-store.ts';
import { announce } from '../announce.ts';
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

export interface AdvanceDeps {
  store: Pick<RunStore, 'append'>;
  perform: PerformEffect;
  pieceOf(run: ClaimedRun): Piece | null;
  clock: Clock;
  log: Log;
  /** Called after an append with outbox rows. */
  onOutbox(): void;
  /** Once aborted, the effects in flight are recorded as they end and none is begun: then the run is left as `stopped`. */
  draining?: AbortSignal;
}

export type AdvanceResult = 'waiting' | 'ended' | 'lost' | 'stopped';

const APPEND_TRIES = 6;

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
  let used = context.run.usedTokens ?? 0;
  while (!signal.aborted) {
    const at = deps.clock.now().toISOString();
    const expectedSeq = state.seq;
    const sinceMs = state.updatedAt === null ? 0 : Date.parse(at) - Date.parse(state.updatedAt);
    const events = outcomes.flatMap((outcome) => outcome.events);
    const usage = outcomes.flatMap((outcome) => outcome.usage);
    used += usage.reduce((sum, row) => sum + row.inputTokens + row.outputTokens, 0);
    applyAll(state, events, at);
    const { facts, decision } = settleWithin(piece, state, at, used);
    events.push(...facts);
    const appended = await append(context, deps, { events, usage, expectedSeq, at, sinceMs }, signal);
    if (!appended) return signal.aborted ? 'stopped' : 'lost';
    if (decision.kind === 'end') return 'ended';
    if (decision.kind === 'wait') return 'waiting';
    const draining = deps.draining?.aborted ?? false;
    if (draining && inFlight.size === 0) return 'stopped';
    for (const effect of draining ? [] : decision.effects) {
      if (inFlight.has(effect.id)) continue;
      const work = deps.perform(effect, context).then((outcome) => ({ ...outcome, id: effect.id }));
      work.catch(() => undefined); // Awaited below, or no longer wanted when the run is left.
      inFlight.set(effect.id, work);
    }
    outcomes = await nextOutcomes(inFlight, signal);
  }
  return 'stopped';
}

/** As `settle`, but a run that has used up its piece's budget asks no model any more (spec 1: `budget`; D4). */
function settleWithin(piece: Piece, state: RunState, at: string, used: number): ReturnType<typeof settle> {
  const settled = settle(piece, state, at);
  const { decision, facts } = settled;
  if (used < (piece.budget?.tokens ?? Number.POSITIVE_INFINITY) || decision.kind !== 'effects') return settled;
  if (!decision.effects.some((effect) => effect.kind === 'agent' || effect.kind === 'judge')) return settled;
  const passed: RunEventBody = { type: 'deadline_passed', what: 'budget' };
  applyAll(state, [passed], at);
  const ended = settle(piece, state, at);
  return { facts: [...facts, passed, ...ended.facts], decision: ended.decision };
}

/** Waits for the first outcome, then takes all that are there: each is recorded, none waits for the slowest. */
async function nextOutcomes(
  inFlight: Map<string, Promise<EffectOutcome & { id: string }>>,
  signal: AbortSignal,
): Promise<(EffectOutcome & { id: string })[]> {
  const stopped = Promise.withResolvers<null>();
  const stop = () => stopped.resolve(null);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const first = await Promise.race([...inFlight.values(), stopped.promise]);
    if (first === null || signal.aborted) return [];
    const ready = [first];
    inFlight.delete(first.id);
    for (const promise of [...inFlight.values()]) {
      const outcome = await Promise.race([promise, Promise.resolve(null)]);
      if (!outcome) continue;
      ready.push(outcome);
      inFlight.delete(outcome.id);
    }
    return ready;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

interface NewEvents {
  events: RunEventBody[];
  usage: UsageRow[];
  expectedSeq: number;
  at: string;
  /** Milliseconds since the event before. */
  sinceMs: number;
}

/** Appends under the fence (D6); false when the fence no longer stands or the store cannot be reached. */
async function append(
  context: EffectContext,
  deps: AdvanceDeps,
  made: NewEvents,
  signal: AbortSignal,
): Promise<boolean> {
  if (made.events.length === 0 && made.usage.length === 0) return true;
  const { run, state, settings } = context;
  const { sinceMs, ...written } = made;
  const { row, outbox } = announce(state, made.events, settings, sinceMs);
  for (let attempt = 1; ; attempt += 1) {
    if (signal.aborted) return false;
    try {
      const outcome = await deps.store.append({ runId: run.row.id, fence: run.fence, row, outbox, ...written });
      if (outcome.kind === 'stale') return false;
      if (outbox.length > 0) deps.onOutbox();
      return true;
    } catch (error) {
      if (!(error instanceof TransientFailure)) throw error;
      deps.log.warn({ runId: run.row.id, attempt, code: error.code }, 'append failed, trying again');
      if (attempt === APPEND_TRIES) return false;
      await deps.clock.sleep(Math.min(2000, 50 * 2 ** attempt), signal).catch(() => undefined);
    }
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
