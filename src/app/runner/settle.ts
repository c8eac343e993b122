/** Advancing a run's state in memory by recorded facts, until something must be done outside (D1, D12). */

import type { Piece } from '../../domain/piece/types.ts';
import { decide } from '../../domain/run/decide.ts';
import type { Decision } from '../../domain/run/decision.ts';
import { EVENT_VERSION, type RunEventBody } from '../../domain/run/events.ts';
import { apply } from '../../domain/run/fold.ts';
import type { RunState } from '../../domain/run/state.ts';

/** Decisions that follow from one state without an outside effect; far above any real piece. */
const MAX_FACTS = 10_000;

/** Applies events that are to be appended, numbering them on. Changes `state`. */
export function applyAll(state: RunState, events: readonly RunEventBody[], at: string): void {
  for (const event of events) apply(state, { ...event, v: EVENT_VERSION, seq: state.seq + 1, at });
}

/** Records what follows until effects, a wait or the end; changes `state` and returns the new events with the decision. */
export function settle(
  piece: Piece,
  state: RunState,
  at: string,
): { facts: RunEventBody[]; decision: Exclude<Decision, { kind: 'record' }> } {
  const facts: RunEventBody[] = [];
  while (facts.length < MAX_FACTS) {
    const decision = decide(piece, state);
    if (decision.kind !== 'record') return { facts, decision };
    facts.push(...decision.events);
    applyAll(state, decision.events, at);
  }
  throw new Error(`The piece "${piece.name}" decides without end at iteration ${state.iteration}.`);
}
