/**
 * Looks after runs that wait for people (spec 2: kept by note events and reconciliation): GitLab tells of no deleted note, and events may be
 * lost. A look ends the run of an item that was closed, moved or deleted, and counts which questions were answered.
 */
import type { EventOf } from '../domain/run/events.ts';
import { fold } from '../domain/run/fold.ts';
import type { GitLabPort } from '../ports/gitlab.ts';
import type { Log } from '../ports/log.ts';
import type { RunStore } from '../ports/run-store.ts';
import type { UpkeepStore, WaitingPause } from '../ports/upkeep.ts';
import { type EndDeps, endLive } from './actions/cancel.ts';
import { announce, statusOf } from './announce.ts';
import { type CountDeps, countAnswered } from './answered.ts';
import { overOf } from './item-state.ts';
import { RUN_FORMAT } from './run-format.ts';
import { applyAll } from './runner/settle.ts';

export interface WaitingDeps extends CountDeps, EndDeps {
  store: EndDeps['store'] & CountDeps['store'] & Pick<RunStore, 'end'>;
  gitlab: CountDeps['gitlab'] & Pick<GitLabPort, 'issue' | 'project'>;
  upkeep: Pick<UpkeepStore, 'pausesToLookAt'>;
  log: Log;
}

/** Runs a pass: the others come with the next ones. */
const AT_ONCE = 20;

/** Looks at the waiting runs that were looked at longest ago, at each once in `everyMs`; answers of how many something had changed. */
export async function lookAfterWaiting(deps: WaitingDeps, everyMs: number, signal: AbortSignal): Promise<number> {
  const due = await deps.upkeep.pausesToLookAt({ ageMs: everyMs, limit: AT_ONCE, maxFormat: RUN_FORMAT });
  let changed = 0;
  for (const pause of due) {
    if (signal.aborted) break;
    // One item that cannot be read must not keep the others waiting.
    const news = await look(deps, pause, signal).catch((error) => {
      if (!signal.aborted)
        deps.log.warn({ runId: pause.runId, error: String(error) }, 'waiting run could not be looked after');
      return false;
    });
    if (news) changed += 1;
  }
  return changed;
}

async function look(deps: WaitingDeps, pause: WaitingPause, signal: AbortSignal): Promise<boolean> {
  const run = await deps.store.load(pause.runId);
  if (run?.row.seq !== pause.seq) return false;
  const { projectId, iid } = run.row.item;
  const issue = await deps.gitlab.issue(projectId, iid, { signal });
  if (!issue) return (await isDeleted(deps, projectId, signal)) && endGone(deps, pause);
  const reason = overOf(issue);
  if (reason === null) return (await countAnswered(deps, pause.runId, signal)) === 'changed';
  const cause = { actionKey: null, deliveryId: null };
  const ended = await endLive(deps, run.row, { reason, by: null, cause });
  await deps.queue.wakeDeliveries();
  return ended.kind === 'accepted';
}

/** Where the bot cannot see the project either, it may have been taken out of it by mistake: the run waits on. */
async function isDeleted(deps: WaitingDeps, projectId: number, signal: AbortSignal): Promise<boolean> {
  return (await deps.gitlab.project(projectId, { signal })) !== null;
}

/** Nothing is posted: there is nowhere to post it. */
async function endGone(deps: WaitingDeps, { runId, seq }: WaitingPause): Promise<boolean> {
  const run = await deps.store.load(runId);
  if (run?.row.seq !== seq) return false;
  const at = deps.clock.now().toISOString();
  const message = 'The work item is gone, or the bot may not see it.';
  const event: EventOf<'ended'> = { type: 'ended', status: 'failed', reason: 'item_gone', message, by: null };
  const state = fold(runId, run.events);
  applyAll(state, [event], at);
  const { row } = announce(state, [event], run.settings);
  const outcome = await deps.store.end({
    runId,
    event,
    at,
    status: statusOf(state),
    reason: event.reason,
    row,
    outbox: [],
    cause: { actionKey: null, deliveryId: null },
    onlyAtSeq: seq,
  });
  return outcome.kind === 'ended';
}
