/** `continue`, `approve`, `reject`: claims a pause; the claim comes first and is visible at once (spec 2: Pauses and Continue). */
import type { RunBudget } from '../../domain/run/budget.ts';
import type { RunEventBody } from '../../domain/run/events.ts';
import { fold } from '../../domain/run/fold.ts';
import type { RunRow, RunStore } from '../../ports/run-store.ts';
import { announce, announceResumed } from '../announce.ts';
import type { ProjectSettings } from '../project-settings.ts';
import { applyAll } from '../runner/settle.ts';
import { checkContinueBudget } from './budget.ts';
import { isLive } from './plan.ts';
import { firstNotePosted } from './posting.ts';
import { type ActDeps, type ActionRequest, type ActionResult, refuse } from './types.ts';

export async function continueRun(
  deps: ActDeps,
  request: ActionRequest,
  settings: ProjectSettings,
): Promise<ActionResult> {
  const { issue } = request;
  const latest = await deps.store.latestForItem(issue.id);
  if (!latest) return refuse('not_resumable', 'There is no run to continue; ask for a plan first.');
  const pauseId = await meantPause(deps, latest, request);
  if (pauseId === null) return notWaiting(latest);
  const wrongKind = checkKind(latest, pauseId, request);
  if (wrongKind) return wrongKind;
  if (request.action !== 'continue') return claim(deps, request, latest, pauseId, null);
  const { refused, budget } = await checkContinueBudget(deps, latest, settings);
  // Of a pause that is over something else is to be said.
  if (refused && latest.pause?.id === pauseId) return refused;
  return claim(deps, request, latest, pauseId, budget);
}

/**
 * The pause an action means; null when it means none.
 * @throws TransientFailure `pause_not_posted`: a note of the open pause may stand on the item, but nobody has recorded it yet.
 */
async function meantPause(
  deps: Pick<ActDeps, 'store' | 'gitlab' | 'clock'>,
  run: RunRow,
  request: ActionRequest,
): Promise<string | null> {
  if (request.pauseId !== null) return request.pauseId;
  if (request.givenAt !== undefined) return pauseAt(deps, run, request, request.givenAt);
  if (request.noteId === null) return run.pause?.id ?? null;
  const { noteId } = request;
  const pauses = await deps.store.pauses(run.id);
  const older = pauses.filter((pause) => pause.firstNoteId !== null && pause.firstNoteId < noteId).at(-1);
  const open = pauses.find((pause) => pause.id === run.pause?.id);
  if (!open || open.firstNoteId !== null) return older?.id ?? null;
  if (open.posting) {
    const first = await firstNotePosted(deps, request, open.id);
    return first && first.id < noteId ? open.id : (older?.id ?? null);
  }
  // None of its notes will ever stand on the item, so there is none that could be older: the times tell.
  const before = request.notedAt !== undefined && Date.parse(request.notedAt) < Date.parse(open.openedAt);
  return before ? (older?.id ?? null) : open.id;
}

/**
 * The pause that stood when a label or reaction was given, or the newest before it. When it began is asked of GitLab, by the pause's first
 * note: the clocks of GitLab and of this service need not agree.
 * @throws TransientFailure `pause_not_posted`
 */
async function pauseAt(
  deps: Pick<ActDeps, 'store' | 'gitlab' | 'clock'>,
  run: RunRow,
  request: ActionRequest,
  givenAt: string,
): Promise<string | null> {
  const { store, gitlab } = deps;
  const { issue } = request;
  const pauses = await store.pauses(run.id);
  const open = pauses.find((pause) => pause.id === run.pause?.id);
  if (open) {
    const { firstNoteId } = open;
    const recorded = firstNoteId === null ? null : await gitlab.note(issue.projectId, issue.iid, firstNoteId);
    const first = recorded ?? (open.posting ? await firstNotePosted(deps, request, open.id) : null);
    if (Date.parse(givenAt) >= Date.parse(first?.createdAt ?? open.openedAt)) return open.id;
  }
  const before = pauses.filter((pause) => pause !== open && Date.parse(pause.openedAt) <= Date.parse(givenAt));
  return before.at(-1)?.id ?? null;
}

function notWaiting(run: RunRow): ActionResult {
  if (run.status === 'GENERATING')
    return refuse('already_continued', 'The run is at work; there is nothing to continue.', run);
  if (run.status === 'NEEDS_INPUT')
    return refuse(
      'not_resumable',
      'The question was asked after this comment, label or reaction; give it once more when you have read the question.',
      run,
    );
  return refuse('not_resumable', 'The last run has ended; ask for a new plan.', run);
}

function checkKind(run: RunRow, pauseId: string, request: ActionRequest): ActionResult | null {
  if (run.pause?.id !== pauseId) return null;
  const approval = run.pause.kind === 'approval';
  if (approval === (request.action !== 'continue')) return null;
  const message = approval
    ? 'The run waits for an approval: approve it, or reject it with a reason.'
    : 'The run waits for an answer, not for an approval: continue it.';
  return refuse('not_resumable', message, run);
}

async function claim(
  deps: ActDeps,
  request: ActionRequest,
  run: RunRow,
  pauseId: string,
  budget: RunBudget | null,
): Promise<ActionResult> {
  const held = await deps.lease.acquire(request.issue.id, deps.operator.leaseMs);
  const lease = held.kind === 'acquired' ? held.lease : null;
  const at = deps.clock.now().toISOString();
  const event: RunEventBody = {
    type: 'resumed',
    pauseId,
    by: request.person,
    via: request.via,
    decision: request.action === 'approve' || request.action === 'reject' ? request.action : 'continue',
    reason: request.argument,
    ...(budget === null ? {} : { budget }),
  };
  const { row, outbox } = await announced(deps.store, run, event, at);
  let handedOn = false;
  try {
    const outcome = await deps.store.resume({
      runId: run.id,
      pauseId,
      event,
      at,
      row,
      outbox: [...outbox, ...(request.follow ?? [])],
      cause: request.cause,
      leaseToken: lease?.token ?? null,
    });
    switch (outcome.kind) {
      case 'resumed':
        handedOn = true;
        return { kind: 'accepted', status: outcome.run.status, run: outcome.run };
      case 'already_continued':
        return refuse('already_continued', 'This pause is over; somebody continued it already.', outcome.run);
      case 'not_resumable':
        return isLive(outcome.run)
          ? refuse('not_resumable', `The run has no pause "${pauseId}".`, outcome.run)
          : refuse('not_resumable', 'The last run has ended; ask for a new plan.', outcome.run);
      case 'duplicate':
        return { kind: 'duplicate' };
      default:
        return outcome satisfies never;
    }
  } finally {
    if (lease && !handedOn) await deps.lease.release(lease);
  }
}

async function announced(store: Pick<RunStore, 'load'>, run: RunRow, event: RunEventBody, at: string) {
  const seen = announceResumed(run);
  if (seen) return seen;
  const loaded = await store.load(run.id);
  if (!loaded) return { row: {}, outbox: [] };
  const state = fold(run.id, loaded.events);
  applyAll(state, [event], at);
  return announce(state, [event], loaded.settings);
}
