/** Acting by what GitLab tells (spec 2: Actions): the rate breaker before the one code path, and refusals where there is no thread. */
import { fold } from '../../domain/run/fold.ts';
import { marker } from '../../domain/text/marker.ts';
import { languageOf } from '../../domain/workplan/language.ts';
import { renderNotice, renderNoticesOnly } from '../../domain/workplan/notices.ts';
import type { RateBreaker } from '../../ports/breaker.ts';
import type { GitLabIssue } from '../../ports/gitlab.ts';
import type { OutboxRow, OutboxStore } from '../../ports/outbox.ts';
import type { Cause } from '../../ports/run-store.ts';
import { act } from '../actions/act.ts';
import type { ActDeps, ActionRequest, ActionResult, RefusalCode } from '../actions/types.ts';
import { refuse } from '../actions/types.ts';
import { statusRow } from '../announce.ts';

export interface WayDeps extends ActDeps {
  outbox: OutboxStore;
  /** Numeric ids of bots that may act. */
  allowedBots: readonly number[];
  breaker: RateBreaker;
  /** How often one person may act on one item in a minute. */
  actionsPerMinute: number;
}

/** Over the rate breaker, and told so before: nothing is said any more. */
export type WayResult = ActionResult | { kind: 'held_back' };

/** As `act`, unless the person acts on the item too often. `cause.actionKey` must be there: by it an action counts once. */
export async function actHeldBack(deps: WayDeps, request: ActionRequest): Promise<WayResult> {
  const held = await holdBack(deps, request.issue, request.person.id, request.cause);
  return held ?? act(deps, request);
}

/** Null: the person may go on. */
export async function holdBack(
  deps: WayDeps,
  issue: Pick<GitLabIssue, 'id' | 'reference'>,
  personId: number,
  { actionKey }: Cause,
): Promise<WayResult | null> {
  const limit = deps.actionsPerMinute;
  const action = { itemGlobalId: issue.id, personId, key: actionKey ?? '', limit };
  const { allowed, tell } = await deps.breaker.hit(action);
  if (allowed) return null;
  deps.log.warn({ item: issue.reference, personId, limit }, 'a person acts on an item too often');
  const message = `More than ${limit} actions on this item in a minute: wait a minute. Until then nothing is done and nothing more is said.`;
  return tell ? refuse('too_many_actions', message) : { kind: 'held_back' };
}

export interface ToldNotice {
  issue: GitLabIssue;
  /** The run in whose status note it stands; null: the item has none. */
  runId: string | null;
  /** Username of who asked. */
  who: string;
  /** As in `Notice`. */
  given: string;
  code: RefusalCode;
  message: string;
}

/**
 * A refusal of a label or reaction, told once: a line in the status note; where the item was never planned, in one note of its own, which
 * is edited with the next. `follow` goes out with it. The action is taken as done, as with `tellRefusal`.
 */
export async function tellInStatus(
  deps: Pick<WayDeps, 'outbox' | 'queue' | 'store'>,
  notice: ToldNotice,
  follow: readonly OutboxRow[],
  cause: { actionKey: string; deliveryId: string | null },
): Promise<void> {
  const { issue, runId, who, given, code, message } = notice;
  const run = runId === null ? null : await deps.store.load(runId);
  const state = run && fold(run.row.id, run.events);
  const language = state?.language ?? languageOf(issue);
  const text = renderNotice({ language, who, given, code, message });
  const row =
    run && state?.item ? { ...statusRow(state, run.settings), kind: 'notice' as const } : itemRow(issue, language);
  const line = { itemGlobalId: issue.id, runId: row.runId, key: cause.actionKey, text };
  await deps.outbox.add([...follow, row], cause, [line]);
  await deps.queue.wakeDeliveries();
}

function itemRow(issue: GitLabIssue, language: string): OutboxRow {
  const own = marker({ kind: 'notices' });
  return { ...rowOn(issue), kind: 'notice', marker: own, body: `${renderNoticesOnly(language)}\n\n${own}` };
}

/** Takes a label away, unless an event later than this one put it there. */
export function unlabelRow(issue: GitLabIssue, label: string, eventId: number): OutboxRow {
  return { ...rowOn(issue), kind: 'unlabel', marker: marker({ kind: 'unlabel', event: eventId, label }), body: label };
}

function rowOn(issue: GitLabIssue): Omit<OutboxRow, 'kind' | 'marker' | 'body'> {
  return {
    itemGlobalId: issue.id,
    projectId: issue.projectId,
    iid: issue.iid,
    runId: null,
    pauseId: null,
    discussion: false,
    replyTo: null,
    itemUrl: issue.webUrl,
    questionId: null,
  };
}
