/** `fold` of what a run may use: a budget that is reached, the pause for it, the time of work. */
import type { EventOf } from './events.ts';
import type { OpenPause, RunState } from './state.ts';

export function reachBudget(state: RunState, event: EventOf<'budget_reached'>): void {
  const { scope, what, used, limit, next, currency } = event;
  // Told once: agents that work side by side come upon it one after the other.
  if (state.phase.kind === 'paused' || state.phase.kind === 'spent') return;
  const reached = {
    scope,
    what,
    used,
    limit,
    ...(next === undefined ? {} : { next }),
    ...(currency === undefined ? {} : { currency }),
  };
  state.phase = { kind: 'spent', reached, before: state.phase };
}

/** The pause of a run without budget keeps what was being done; false: it is another pause. */
export function pauseForBudget(state: RunState, pause: OpenPause): boolean {
  if (state.phase.kind !== 'spent') return false;
  const { before, reached } = state.phase;
  state.phase = { kind: 'paused', before, pause: { ...pause, budget: reached } };
  return true;
}

/** Goes on with what was being done; false: the pause asked for something, which is to be read first. */
export function resumeWithBudget(state: RunState, { budget }: EventOf<'resumed'>): boolean {
  if (budget !== undefined) state.budget = budget;
  if (state.phase.kind !== 'paused' || state.phase.before === undefined) return false;
  state.phase = state.phase.before;
  return true;
}

/** The clock of work stands during a pause. */
export function stopWork(state: RunState, at: string): void {
  state.worked = { ms: workedMs(state, Date.parse(at)), since: null };
}

/** Milliseconds of work until `now`. */
export function workedMs({ worked: { ms, since } }: RunState, now: number): number {
  return ms + (since === null ? 0 : Math.max(0, now - Date.parse(since)));
}
