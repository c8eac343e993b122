import type { RunState } from '../../domain/run/state.ts';
import type { ModelTag } from '../../ports/model.ts';

/**
 * Where in a script the run stands before an agent or a judge is asked (design: MODEL_SCRIPT). Sub-movements start together; each is
 * given the place it would have if they ran one after the other in file order, so that a repetition after a crash reads the same
 * entry (D7). `movement` is the movement's name, `loop_judge` for a loop monitor's judge.
 */
export function scriptPosition(state: RunState, movement: string, sub: string | null): ModelTag['position'] {
  const byMovement = { ...state.calls.movement };
  const order = sub === null ? [] : (state.current?.order ?? []);
  const own = order.indexOf(sub ?? '');
  for (const [index, name] of order.entries()) {
    const finished = state.current?.results[name] === undefined ? 0 : 1;
    byMovement[name] = (byMovement[name] ?? 0) - finished + (index < own ? 1 : 0);
  }
  const run = Object.values(byMovement).reduce((sum, count) => sum + count, 0);
  return {
    movement: byMovement[sub ?? movement] ?? 0,
    run,
    judge: state.calls.judge,
    byMovement,
    byJudge: { ...state.calls.judges },
  };
}

/** The place of the n-th answer (from 0) within one call of an agent: what went back to it counts. */
export function positionAfter(position: ModelTag['position'], movement: string, answers: number): ModelTag['position'] {
  const moved = { ...position, movement: position.movement + answers, run: position.run + answers };
  if (!position.byMovement) return moved;
  return { ...moved, byMovement: { ...position.byMovement, [movement]: moved.movement } };
}
