/** `cancel`: the terminal event and a raised fence in one transaction, by whoever handles it (spec 2: Cancel). */
import type { EventOf } from '../../domain/run/events.ts';
import { fold } from '../../domain/run/fold.ts';
import type { Person } from '../../domain/workplan/people.ts';
import type { Cause, RunRow, RunStore } from '../../ports/run-store.ts';
import { announce, statusOf } from '../announce.ts';
import { applyAll } from '../runner/settle.ts';
import { isLive } from './plan.ts';
import { type ActDeps, type ActionRequest, type ActionResult, refuse } from './types.ts';

export async function cancelRun(deps: ActDeps, request: ActionRequest): Promise<ActionResult> {
  const latest = await deps.store.latestForItem(request.issue.id);
  if (!latest || !isLive(latest)) return refuse('not_running', 'No plan is being made for this item.', latest);
  return endLive(deps, latest, { reason: 'canceled', by: request.person, cause: request.cause });
}

export interface Ending {
  /** `canceled`, `item_closed` or `item_moved` (spec 2: CANCELED). */
  reason: string;
  by: Person | null;
  cause: Cause;
}

/** Ends a live run as CANCELED, whatever it is doing and with no worker alive. */
export async function endLive(
  deps: { store: RunStore; clock: ActDeps['clock'] },
  run: RunRow,
  ending: Ending,
): Promise<ActionResult> {
  const loaded = await deps.store.load(run.id);
  if (!loaded) return refuse('not_running', 'The run is gone.', null);
  const at = deps.clock.now().toISOString();
  const { reason, by, cause } = ending;
  const event: EventOf<'ended'> = { type: 'ended', status: 'canceled', reason, message: '', by };
  const state = fold(run.id, loaded.events);
  applyAll(state, [event], at);
  const { outbox, row } = announce(state, [event], loaded.settings);
  const outcome = await deps.store.end({
    runId: run.id,
    event,
    at,
    status: statusOf(state),
    reason,
    outbox,
    cause,
    onlyAtSeq: null,
    row,
  });
  switch (outcome.kind) {
    case 'ended':
      return { kind: 'accepted', status: outcome.run.status, run: outcome.run };
    case 'not_live':
      return refuse('not_running', 'No plan is being made for this item.', outcome.run);
    case 'duplicate':
      return { kind: 'duplicate' };
    default:
      return outcome satisfies never;
  }
}
