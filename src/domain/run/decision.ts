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

/** The events a run can end with before its piece says so. */
export function abort(reason: string, message: string): Decision {
  return { kind: 'record', events: [{ type: 'ended', status: 'failed', reason, message, by: null }] };
}

export function maxIterations(piece: Piece): Decision {
  return abort('max_iterations', `The limit of ${piece.maxIterations} iterations was reached before the piece ended.`);
}

/** The id of the next pause: the run's id and the pause's number. */
export function nextPauseId(state: RunState): string {
  return `${state.runId}-${state.pauses + 1}`;
}
