/**
 * The store of runs, giving turns in projects with a limit (spec 2: `max_live_runs`; `ports/turns.ts`): asked for when a run starts or goes
 * on, left when it pauses or ends, wherever that comes from. What a crash leaves out the sweeper makes up for.
 */
import { fold } from '../domain/run/fold.ts';
import type { Log } from '../ports/log.ts';
import type { RunQueue } from '../ports/run-queue.ts';
import type { RunRow, RunStore } from '../ports/run-store.ts';
import type { TurnStore } from '../ports/turns.ts';
import { statusRow } from './announce.ts';

export interface TurnDeps {
  turns: TurnStore;
  queue: Pick<RunQueue, 'wakeRuns' | 'wakeDeliveries'>;
  log: Log;
}

export function takeTurns(store: RunStore, deps: TurnDeps): RunStore {
  const { turns, queue, log } = deps;
  /** Runs of limited projects that this process holds, with their project. */
  const limited = new Map<string, number>();

  /** Answers whether the run may go on; that it waits is told on its item. */
  async function ask(run: RunRow): Promise<RunRow> {
    if (!run.waitsForTurn) return run;
    const admitted = await give(run.item.projectId, false);
    const { waitsForTurn: _, ...goesOn } = run;
    if (admitted.includes(run.id)) return goesOn;
    await tell(run.id).catch((error) => log.warn({ runId: run.id, error: String(error) }, 'waiting was not told'));
    return run;
  }

  async function give(projectId: number, shifted: boolean): Promise<string[]> {
    try {
      const admitted = await turns.admit(projectId, shifted);
      if (admitted.length > 0) await queue.wakeRuns(admitted);
      return admitted;
    } catch (error) {
      log.warn({ projectId, error: String(error) }, 'turns were not given; the sweeper does it');
      return [];
    }
  }

  async function tell(runId: string): Promise<void> {
    const [ahead, loaded] = await Promise.all([turns.ahead(runId), store.load(runId)]);
    if (ahead === null || loaded === null) return;
    const state = fold(runId, loaded.events);
    if (state.item) await turns.tellWaiting({ ...statusRow(state, loaded.settings, ahead), runId });
    await queue.wakeDeliveries();
  }

  return {
    ...store,
    async start(input) {
      const max = input.settings.maxLiveRuns;
      if (max !== undefined) await turns.limit(input.item.projectId, max);
      const outcome = await store.start(input);
      return outcome.kind === 'started' ? { ...outcome, run: await ask(outcome.run) } : outcome;
    },
    async resume(input) {
      const outcome = await store.resume(input);
      return outcome.kind === 'resumed' ? { ...outcome, run: await ask(outcome.run) } : outcome;
    },
    async claim(input) {
      const claimed = await store.claim(input);
      for (const { row, settings } of claimed)
        if (settings.maxLiveRuns !== undefined) limited.set(row.id, row.item.projectId);
      return claimed;
    },
    async append(input) {
      const outcome = await store.append(input);
      const leaves = input.row.status !== undefined && input.row.status !== 'GENERATING';
      const projectId = leaves || outcome.kind === 'stale' ? limited.get(input.runId) : undefined;
      if (projectId === undefined) return outcome;
      limited.delete(input.runId);
      await give(projectId, false);
      return outcome;
    },
    async heartbeat(input) {
      const lost = await store.heartbeat(input);
      for (const runId of lost) limited.delete(runId);
      return lost;
    },
    async release(holds) {
      for (const { runId } of holds) limited.delete(runId);
      await store.release(holds);
    },
    async end(input) {
      const outcome = await store.end(input);
      if (outcome.kind === 'ended') await give(outcome.run.item.projectId, true);
      return outcome;
    },
  };
}
