/** `cancel`: the terminal event and a raised fence in one transaction, by whoever handles it (spec 2: Cancel). */
import type { EventOf } from '../../domain/run/events.ts';
import { fold } from '../../domain/run/fold.ts';
import type { Person } from '../../domain/workplan/people.ts';
import type { OutboxRow } from '../../ports/outbox.ts';
import type { Cause, EndOutcome, LoadedRun, RunRow } from '../../ports/run-store.ts';
import { announce, statusOf } from '../announce.ts';
import { applyAll } from '../runner/settle.ts';
import { isLive } from './plan.ts';
import { type ActDeps, type ActionRequest, type ActionResult, refuse } from './types.ts';

export async function cancelRun(deps: ActDeps, request: ActionRequest): Promise<ActionResult> {
  const latest = await deps.store.latestForItem(request.issue.id);
  // The same comment delivered twice is a duplicate, not a refusal: the store knows.
  const known = request.cause.actionKey !== null;
  if (!latest || (!isLive(latest) && !known)) return notRunning(latest);
  const { person: by, cause, follow = [] } = request;
  return endLive(deps, latest, { reason: 'canceled', by, cause, follow });
}

export type EndDeps = Pick<ActDeps, 'store' | 'clock' | 'lease'>;

export interface Ending {
  /** `canceled`, `item_closed` or `item_moved` (spec 2: CANCELED). */
  reason: string;
  by: Person | null;
  cause: Cause;
  /** As in `ActionRequest`. */
  follow?: readonly OutboxRow[];
}

/** Tries at a state that stands still; then the run is ended as it is. */
const TRIES_AT_SEQ = 5;

/**
 * Ends a live run as CANCELED, whatever it is doing and with no worker alive. What people see is made from the log as it was read, so the
 * end waits for a moment in which no worker wrote in between: a plan written just now stays (spec 2: Cancel while scoring).
 */
export async function endLive(deps: EndDeps, run: RunRow, ending: Ending): Promise<ActionResult> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await endAt(deps, run, ending, attempt < TRIES_AT_SEQ);
    switch (outcome?.kind) {
      case 'ended':
        return { kind: 'accepted', status: outcome.run.status, run: outcome.run };
      case 'duplicate':
        return { kind: 'duplicate' };
      case 'not_live':
        if (attempt >= TRIES_AT_SEQ || !isLive(outcome.run)) return notRunning(outcome.run);
        break;
      case undefined:
        return notRunning(null);
      default:
        return outcome satisfies never;
    }
  }
}

function notRunning(run: RunRow | null): ActionResult {
  return refuse('not_running', 'No plan is being made for this item.', run);
}

async function endAt(deps: EndDeps, run: RunRow, ending: Ending, onlyAsRead: boolean): Promise<EndOutcome | null> {
  const loaded = await deps.store.load(run.id);
  if (!loaded) return null;
  const at = deps.clock.now().toISOString();
  const { reason, by, cause, follow = [] } = ending;
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
    outbox: [...outbox, ...follow],
    cause,
    onlyAtSeq: onlyAsRead ? loaded.row.seq : null,
    row,
  });
  // Nobody else would: with no worker alive nobody holds the run, and a worker that does only learns that its fence is gone.
  if (outcome.kind === 'ended') await releaseLease(deps.lease, loaded);
  return outcome;
}

/** Gives back the item's lease of a run that has ended from outside. */
export async function releaseLease(lease: ActDeps['lease'], { row, leaseToken }: LoadedRun): Promise<void> {
  if (leaseToken) await lease.release(lease.handedOn(row.itemGlobalId, leaseToken));
}
