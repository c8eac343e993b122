/** Runs that nobody advances, for whoever wakes or takes them; one that ends every worker is ended itself (issue: runs that survive anything). */
import { isScoring } from '../domain/run/decision.ts';
import type { EventOf, RunEventBody } from '../domain/run/events.ts';
import { fold } from '../domain/run/fold.ts';
import type { RunState } from '../domain/run/state.ts';
import type { Clock } from '../ports/clock.ts';
import type { LeasePort } from '../ports/lease.ts';
import type { Log } from '../ports/log.ts';
import type { RunQueue } from '../ports/run-queue.ts';
import type { RunStore } from '../ports/run-store.ts';
import { type LostRun, SUSPECT_AT, type TakeoverStore } from '../ports/takeovers.ts';
import { releaseLease } from './actions/cancel.ts';
import { announce, statusOf } from './announce.ts';
import { RUN_FORMAT } from './run-format.ts';
import { applyAll } from './runner/settle.ts';

export interface AbandonedDeps {
  store: Pick<RunStore, 'findAbandoned' | 'load' | 'end'>;
  takeovers: TakeoverStore;
  lease: LeasePort;
  queue: Pick<RunQueue, 'wakeDeliveries'>;
  clock: Clock;
  log: Log;
}

/** Workers are lost for other reasons too: so often in a row, and each time before anything was recorded, it is the run. */
export const MOST_LOST = 8;

/**
 * Ids of runs that are to be advanced, oldest first. Of those that have lost several workers without getting on there is at most one among
 * them, and none while another one is at work: they are told apart by being alone. Who lost too many ends FAILED with `worker_lost`.
 */
export async function abandonedRuns(deps: AbandonedDeps, limit: number): Promise<string[]> {
  const found = await deps.store.findAbandoned(limit, RUN_FORMAT);
  if (found.length === 0) return [];
  const { lost, suspectHeld } = await deps.takeovers.note(found);
  const suspects = new Map(lost.filter((run) => run.count >= SUSPECT_AT).map((run) => [run.runId, run]));
  let mayTakeSuspect = !suspectHeld;
  const runs: string[] = [];
  for (const runId of found) {
    const suspect = suspects.get(runId);
    if (suspect === undefined) runs.push(runId);
    else if (suspect.count >= MOST_LOST) await endLost(deps, suspect);
    else if (mayTakeSuspect) {
      deps.log.warn({ runId, lost: suspect.count }, 'run has lost several workers, it is advanced apart from its like');
      runs.push(runId);
      mayTakeSuspect = false;
    }
  }
  return runs;
}

/** One that cannot be ended must not keep the others waiting. */
async function endLost(deps: AbandonedDeps, lost: LostRun): Promise<void> {
  const { runId, count } = lost;
  await end(deps, lost).catch((error: unknown) =>
    deps.log.error({ runId, lost: count, error: String(error) }, 'run that loses its workers could not be ended'),
  );
}

async function end(deps: AbandonedDeps, { runId, seq, count }: LostRun): Promise<void> {
  const run = await deps.store.load(runId);
  if (run?.row.seq !== seq) return;
  const state = fold(runId, run.events);
  const at = deps.clock.now().toISOString();
  const [warning, event] = lostEnd(state, count);
  applyAll(state, [warning, event], at);
  const { outbox, row } = announce(state, [warning, event], run.settings);
  const outcome = await deps.store.end({
    runId,
    before: [warning],
    event,
    at,
    status: statusOf(state),
    reason: event.reason,
    row,
    outbox,
    cause: { actionKey: null, deliveryId: null },
    onlyAtSeq: seq,
  });
  if (outcome.kind === 'ended') await releaseLease(deps.lease, run);
  await deps.queue.wakeDeliveries();
  deps.log.error({ runId, lost: count, outcome: outcome.kind }, 'run ended: every worker that took it was lost');
}

/** While the plan is scored: COMPLETED with score FAILED, the plan stays (spec 2: generationStatus). */
function lostEnd(state: RunState, count: number): [RunEventBody, EventOf<'ended'>] {
  const message = `${count} workers in a row ended while they worked on this run. Ask an operator of the service, then plan again.`;
  const scoring = isScoring(state);
  return [
    { type: 'warning', code: 'worker_lost', message, movement: state.current?.name ?? null },
    {
      type: 'ended',
      status: scoring ? 'completed' : 'failed',
      reason: scoring ? null : 'worker_lost',
      message,
      by: null,
    },
  ];
}
