/** The variables that a movement's rules read (spec 1: Extensions, `variables`, `when`, `produced`). */
import type { ReadVariable } from '../piece/rules.ts';
import type { AgentResult, CurrentMovement, RunState } from './state.ts';

/** The place of a loop monitor's judge in events, scripts and prompts; no movement can have this name. */
export const LOOP_JUDGE = 'loop_judge';

/** A map from names that people choose: no name means anything else than an entry of it. */
export function names<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}

/**
 * Reads variables as the rules of the current movement see them: what it wrote itself comes first, of its sub-movements the
 * last in file order. `sub`: as the rules of that sub-movement see them.
 */
export function readVariables(state: RunState, sub: string | null): ReadVariable {
  const results = state.current === null ? [] : resultsOf(state.current, sub);
  return (name) => {
    if (name === 'produced') return producedKind(state, results);
    const written = results.findLast((result) => Object.hasOwn(result.inputs?.variables ?? {}, name));
    return written?.inputs?.variables[name] ?? state.variables[name] ?? null;
  };
}

/** The results that count for a movement, in file order; a failed one counts for nothing. */
export function resultsOf(current: CurrentMovement, sub: string | null = null): AgentResult[] {
  const order = sub !== null ? [sub] : current.order.length > 0 ? current.order : [''];
  return order.flatMap((name) => {
    const result = current.results[name];
    return result === undefined || result.failed !== null ? [] : [result];
  });
}

/** The kind just produced: by the last of these results that gave one; where no agent ran, by the movement before. */
export function producedKind(state: Pick<RunState, 'produced'>, results: AgentResult[]): string | null {
  if (results.length === 0) return state.produced;
  return results.findLast((result) => result.produced !== null)?.produced?.kind ?? null;
}
