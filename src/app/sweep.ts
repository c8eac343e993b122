/** The sweeper (design: How a run moves): finds runs that nobody advances and those whose time is over. A lost wake-up costs a sweep. */

import { isScoring } from '../domain/run/decision.ts';
import type { EventOf } from '../domain/run/events.ts';
import { fold } from '../domain/run/fold.ts';
import type { RunState } from '../domain/run/state.ts';
import type { Clock } from '../ports/clock.ts';
import type { LeasePort } from '../ports/lease.ts';
import type { Log } from '../ports/log.ts';
import type { RunQueue } from '../ports/run-queue.ts';
import type { RunStore } from '../ports/run-store.ts';
import type { TakeoverStore } from '../ports/takeovers.ts';
import type { TurnStore } from '../ports/turns.ts';
import { abandonedRuns } from './abandoned.ts';
import { releaseLease } from './actions/cancel.ts';
import { announce, statusOf } from './announce.ts';
import { RUN_FORMAT } from './run-format.ts';
import { applyAll } from './runner/settle.ts';

export interface SweepDeps {
  store: RunStore;
  queue: RunQueue;
  lease: LeasePort;
  clock: Clock;
  log: Log;
  takeovers: TakeoverStore;
  /** Absent: no project has a limit. */
  turns?: Pick<TurnStore, 'admit'>;
}

const AT_ONCE = 500;

/** Wakes abandoned runs and ends overdue ones; answers how many of each. */
export async function sweep(deps: SweepDeps): Promise<{ woken: number; ended: number }> {
  // Whoever left a turn may have died before it gave it away: those who have one now are found as abandoned below.
  await deps.turns?.admit(null);
  const abandoned = await abandonedRuns(deps, AT_ONCE);
  if (abandoned.length > 0) {
    deps.log.info({ runs: abandoned.length }, 'waking runs that nobody advances');
    await deps.queue.wakeRuns(abandoned);
  }
  let ended = 0;
  for (const { runId, seq } of await deps.store.findOverdue(AT_ONCE, RUN_FORMAT)) {
    // One run that cannot be ended must not keep the others alive.
    const done = await endOverdue(deps, runId, seq).catch((error) => {
      deps.log.error({ runId, error: String(error) }, 'overdue run could not be ended');
      return false;
    });
    if (done) ended += 1;
  }
  await deps.queue.wakeDeliveries();
  return { woken: abandoned.length, ended };
}

/** Deadline while scoring: COMPLETED with score FAILED, the plan stays; else FAILED (spec 2: generationStatus). */
export function overdueEnd(state: RunState): EventOf<'ended'> {
  const scoring = isScoring(state);
  const message = 'The time limit of this run was reached.';
  return {
    type: 'ended',
    status: scoring ? 'completed' : 'failed',
    reason: scoring ? null : 'deadline',
    message,
    by: null,
  };
}

async function endOverdue(deps: SweepDeps, runId: string, seq: number): Promise<boolean> {
  const run = await deps.store.load(runId);
  if (!run) return false;
  const state = fold(runId, run.events);
  if (state.seq !== seq) return false;
  const at = deps.clock.now().toISOString();
  const passed: EventOf<'deadline_passed'> = { type: 'deadline_passed', what: 'run' };
  const event = overdueEnd(state);
  applyAll(state, [passed, event], at);
  const { outbox, row } = announce(state, [passed, event], run.settings);
  const cause = { actionKey: null, deliveryId: null };
  const status = statusOf(state);
  const outcome = await deps.store.end({
    runId,
    before: [passed],
    event,
    at,
    status,
    reason: event.reason,
    row,
    outbox,
    cause,
    onlyAtSeq: seq,
  });
  if (outcome.kind === 'ended') await releaseLease(deps.lease, run);
  deps.log.warn({ runId, outcome: outcome.kind }, 'run ended at its deadline');
  return outcome.kind === 'ended';
}
