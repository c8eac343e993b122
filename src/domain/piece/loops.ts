/** Loop monitors (spec 1). */
import type { Piece } from './types.ts';

/**
 * The first monitor in the file whose cycle is full: the history ends in it, repeated `threshold` times or more.
 * A cycle that the run is about to leave by itself (`ownNext` is outside it) is left alone; `ownNext` null, when no
 * rule matched, leaves the decision to the judge. `cycleCount` is how often the cycle stands at the end of the history.
 */
export function fullMonitor(
  piece: Piece,
  history: string[],
  ownNext: string | null,
): { monitor: number; cycleCount: number } | null {
  for (const [monitor, { cycle, threshold }] of piece.loopMonitors.entries()) {
    if (ownNext !== null && !cycle.includes(ownNext)) continue;
    const cycleCount = repetitions(cycle, history);
    if (cycleCount >= threshold) return { monitor, cycleCount };
  }
  return null;
}

function repetitions(cycle: string[], history: string[]): number {
  if (cycle.length === 0) return 0;
  let matched = 0;
  while (matched < history.length) {
    const expected = cycle[cycle.length - 1 - (matched % cycle.length)];
    if (history[history.length - 1 - matched] !== expected) break;
    matched += 1;
  }
  return Math.floor(matched / cycle.length);
}
