import { SUSPECT_AT, type TakeoverStore } from '../../../src/ports/takeovers.ts';
import type { FakeClock } from './clock.ts';
import type { MemoryData } from './run-data.ts';

/** Lost holders in memory, over the same runs. */
export function createMemoryTakeovers(data: MemoryData, clock: FakeClock): TakeoverStore {
  const known = new Map<string, { seq: number; fence: number; count: number }>();
  const now = () => clock.now().getTime();
  const current = (runId: string) => {
    const found = known.get(runId);
    return found && data.runs.get(runId)?.row.seq === found.seq ? found : undefined;
  };
  return {
    async note(runIds) {
      for (const runId of runIds) {
        const run = data.runs.get(runId);
        if (run?.row.status !== 'GENERATING' || run.owner === null || run.owner === 'parked' || run.heldUntil >= now())
          continue;
        const { seq, fence } = run.row;
        const before = current(runId);
        const count = before === undefined ? 1 : before.count + (before.fence === fence ? 0 : 1);
        known.set(runId, { seq, fence, count });
      }
      const lost = runIds.flatMap((runId) => {
        const found = current(runId);
        return found ? [{ runId, seq: found.seq, count: found.count }] : [];
      });
      const suspectHeld = [...data.runs.values()].some(
        ({ row, owner, heldUntil }) =>
          row.status === 'GENERATING' &&
          owner !== null &&
          owner !== 'parked' &&
          heldUntil >= now() &&
          (current(row.id)?.count ?? 0) >= SUSPECT_AT,
      );
      return { lost, suspectHeld };
    },
  };
}
