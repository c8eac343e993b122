/** What `decide` answers, and the endings that come from the engine itself (D3, D4). */
import type { Piece } from '../piece/types.ts';
import type { Effect } from './effects.ts';
import type { RunEventBody } from './events.ts';
import type { RunState } from './state.ts';

export type Decision =
  /** Facts that follow; append them and decide again. */
  | { kind: 'record'; events: RunEventBody[] }
  /** Everything that is open; those already in flight are among them. */
  | { kind: 'effects'; effects: Effect[] }
  /** A person must act first. */
  | { kind: 'wait'; pauseId: string }
  | { kind: 'end' };

/**
 * A run that cannot go on ends, with a reason (D3). While its written plan is being scored it is COMPLETED without a score: a failed
 * score never undoes a plan (spec 2: generationStatus).
 */
export function abort(state: RunState, reason: string, message: string): Decision {
  return { kind: 'record', events: abortEvents(state, reason, message) };
}

export function abortEvents(state: RunState, reason: string, message: string): RunEventBody[] {
  if (!isScoring(state)) return [{ type: 'ended', status: 'failed', reason, message, by: null }];
  return [
    { type: 'warning', code: reason, message, movement: state.current?.name ?? null },
    { type: 'ended', status: 'completed', reason: null, message, by: null },
  ];
}

/** Is a plan written whose score is still to come? */
export function isScoring(state: RunState): boolean {
  return state.workplan !== null && state.scoreStatus === 'EVALUATING';
}

/** Every run is bounded (D4). */
export function maxIterations(piece: Piece, state: RunState): RunEventBody[] {
  const message = `The limit of ${piece.maxIterations} iterations was reached before the piece ended.`;
  return abortEvents(state, 'max_iterations', message);
}

/** The id of the next pause: the run's id and the pause's number. */
export function nextPauseId(state: RunState): string {
  return `${state.runId}-${state.pauses + 1}`;
}
