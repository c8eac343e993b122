/** Works on stored deliveries (D10): one item's in order of arrival, what they hint at read again from GitLab before anything is done. */
import { type Command, parseCommand } from '../../domain/workplan/commands.ts';
import { labelAction } from '../../domain/workplan/labels.ts';
import { PermanentFailure, TransientFailure } from '../../ports/failures.ts';
import type { GitLabIssue, GitLabNote } from '../../ports/gitlab.ts';
import type { InboxStore, StoredDelivery } from '../../ports/inbox.ts';
import { EVERY_PROJECT, type ProjectWarnings } from '../../ports/project-warnings.ts';
import { MOST_UNANSWERED } from '../../ports/unanswered.ts';
import { endLive } from '../actions/cancel.ts';
import { isLive } from '../actions/plan.ts';
import type { ActionName } from '../actions/types.ts';
import { type CountDeps, countAnswered } from '../answered.ts';
import { isOtherBot } from '../bots.ts';
import { overOf } from '../item-state.ts';
import type { Woken } from '../loop.ts';
import { TOKEN_EXPIRES } from '../warnings.ts';
import { actByLabels, asksByLabel, dropForeignStatus } from './by-label.ts';
import { actByReaction } from './by-reaction.ts';
import { planByRule } from './by-rule.ts';
import { parseDiscussionHint } from './discussion-hint.ts';
import { type Hint, parseHint } from './payload.ts';
import { workPool } from './pool.ts';
import { type RetryLimits, retryOf } from './retry.ts';
import { putLabelRight, putStatusRight } from './status-repair.ts';
import { type ToldPlace, tellGivenUp, tellRefusal } from './tell.ts';
import { actHeldBack, holdBack, type WayDeps } from './ways.ts';

export interface InboxDeps extends WayDeps {
  inbox: InboxStore;
  /** Where it is kept that the service's token expires; absent: it is only logged. */
  warnings?: Pick<ProjectWarnings, 'raise'>;
  /** GitLab as the open-question counter asks it, whose memberships may be minutes old; absent: `gitlab`. */
  counting?: CountDeps['gitlab'];
  owner: string;
  limit: number;
  holdMs: number;
}

/** With the waits between the tries about a quarter of an hour. */
const RETRY: RetryLimits = { tries: 12, longestMs: 5 * 60_000 };

/**
 * Works until nothing is due; answers how many deliveries were worked on. `woken`: as `Pool.woken`, so that a delivery that takes long
 * keeps no other item waiting.
 */
export async function workInbox(
  deps: InboxDeps,
  signal: AbortSignal,
  draining = signal,
  woken?: Woken,
): Promise<number> {
  return workPool({
    limit: deps.limit,
    take: (limit) => deps.inbox.take({ owner: deps.owner, limit, leaseMs: deps.holdMs }),
    work: (delivery) => workOne(deps, delivery),
    hold: {
      holdMs: deps.holdMs,
      clock: deps.clock,
      extend: (atWork) =>
        deps.inbox.extend({ owner: deps.owner, ids: atWork.map((delivery) => delivery.id), leaseMs: deps.holdMs }),
    },
    failed: (error) => deps.log.warn({ error: String(error) }, 'inbox could not be worked on, it is tried again'),
    draining: AbortSignal.any([signal, draining]),
    ...(woken ? { woken } : {}),
  });
}

async function workOne(deps: InboxDeps, delivery: StoredDelivery): Promise<void> {
  if (delivery.unanswered >= MOST_UNANSWERED) return tellSetAside(deps, delivery);
  try {
    const result = await handleDelivery(deps, delivery);
    await deps.inbox.done(delivery.id, result);
  } catch (error) {
    await setAside(deps, delivery, error);
  }
}

/** Each process that worked on it ended. The store has given it up by now: whatever is in it, nobody takes it again. */
async function tellSetAside(deps: InboxDeps, delivery: StoredDelivery): Promise<void> {
  const { id: deliveryId, event, unanswered } = delivery;
  deps.log.error(
    { deliveryId, event, unanswered, error: 'every process that worked on it ended' },
    'delivery given up',
  );
  const place = await givenUpPlace(deps, delivery);
  if (place) await tellGivenUp(deps, place, 'internal');
}

async function setAside(deps: InboxDeps, delivery: StoredDelivery, error: unknown): Promise<void> {
  const message = error instanceof Error ? error.message : String(error);
  const data = { deliveryId: delivery.id, attempts: delivery.attempts, error: message };
  const retry = retryOf(error, delivery.attempts, RETRY);
  if (retry.kind === 'later') {
    deps.log.warn(data, 'delivery is tried again later');
    await deps.inbox.postpone(delivery.id, deps.owner, retry.inMs, message);
    return;
  }
  deps.log.error(data, 'delivery given up');
  const place = await givenUpPlace(deps, delivery);
  const code = error instanceof TransientFailure || error instanceof PermanentFailure ? error.code : 'internal';
  if (place) await tellGivenUp(deps, place, code);
  await deps.inbox.fail(delivery.id, deps.owner, message);
}

/**
 * Where a command stands by what its delivery says, since nothing may have been read of it. Null: it was none, it came from whoever is not
 * listened to, or the delivery does not say where it stands.
 */
async function givenUpPlace(deps: InboxDeps, delivery: StoredDelivery): Promise<ToldPlace | null> {
  const payload = jsonOf(delivery);
  const hint = payload === undefined ? null : parseHint(payload);
  if (hint?.kind !== 'note' || hint.item === null) return null;
  const me = await deps.gitlab.me().catch(() => null);
  if (hint.authorId === me?.id || parseCommand(hint.text, me?.username ?? '') === null) return null;
  const author = { id: hint.authorId, username: '', name: '', bot: false };
  // Where GitLab does not even tell this, people are told rather than left waiting.
  if (await isOtherBot(deps.gitlab, author, deps.allowedBots).catch(() => false)) return null;
  const { projectId, iid, noteId, discussionId, item } = hint;
  return { ...item, projectId, iid, noteId, discussionId };
}

function jsonOf(delivery: StoredDelivery): unknown {
  try {
    return JSON.parse(delivery.body);
  } catch {
    return undefined;
  }
}

/** Answers in a word what became of the delivery, for the record. */
export async function handleDelivery(deps: InboxDeps, delivery: StoredDelivery): Promise<string> {
  const payload = jsonOf(delivery);
  if (payload === undefined) return 'ignored: no JSON';
  const result = await handleHint(deps, delivery, parseHint(payload));
  // What was an action has its own consequences.
  if (result.startsWith('ignored')) return (await countQuestion(deps, payload)) ?? result;
  return result;
}

/** Something was said below a question, or reacted to it (spec 2: the open-question counter). Null: it was not; then GitLab is not asked. */
async function countQuestion(deps: InboxDeps, payload: unknown): Promise<string | null> {
  const hint = parseDiscussionHint(payload);
  if (hint === null) return null;
  const questions = await deps.outbox.questionNotes(hint.itemGlobalId);
  const isMeant = questions.some((note) => note.discussionId === hint.discussionId || note.noteId === hint.noteId);
  if (!isMeant || hint.userId === (await deps.gitlab.me()).id) return null;
  const run = await deps.store.latestForItem(hint.itemGlobalId);
  if (run?.status !== 'NEEDS_INPUT') return null;
  const counted = await countAnswered({ ...deps, gitlab: deps.counting ?? deps.gitlab }, run.id);
  return `answers ${counted}`;
}

function handleHint(deps: InboxDeps, delivery: StoredDelivery, hint: Hint): Promise<string> | string {
  switch (hint.kind) {
    case 'note':
      return handleNote(deps, delivery, hint);
    case 'edited':
      return putStatusRight(deps, hint, delivery.id);
    case 'item':
      return handleItem(deps, delivery, hint);
    case 'emoji':
      return actByReaction(deps, hint, delivery.id);
    case 'token':
      return warnOfToken(deps, hint);
    case 'group':
      return 'ignored: group_level_item';
    case 'other':
      return 'ignored';
    default:
      return hint satisfies never;
  }
}

/** The item was opened, relabelled, closed or moved. */
async function handleItem(
  deps: InboxDeps,
  delivery: StoredDelivery,
  hint: Extract<Hint, { kind: 'item' }>,
): Promise<string> {
  // The service's own labels ask for nothing, and every status change sets one.
  if (hint.relabelledBy !== null && hint.relabelledBy === (await deps.gitlab.me()).id)
    return putLabelRight(deps, hint, delivery.id);
  const issue = await deps.gitlab.issue(hint.projectId, hint.iid);
  if (!issue) return 'ignored: item gone';
  const results: string[] = [];
  const ended = await endWithItem(deps, issue, asksByLabel(issue) ? null : delivery.id);
  if (ended !== null) results.push(ended);
  const foreign = hint.opened ? await dropForeignStatus(deps, issue) : null;
  if (foreign !== null) results.push(foreign);
  // Each is known by its own key; the last alone marks the delivery done.
  const occasion = {
    opened: hint.opened,
    addedLabels: hint.addedLabels.filter((name) => labelAction(name) === undefined),
  };
  const mayPlan = occasion.opened || occasion.addedLabels.length > 0;
  if (asksByLabel(issue)) results.push(...(await actByLabels(deps, issue, mayPlan ? null : delivery.id)));
  const planned = await planByRule(deps, issue, occasion, delivery.id);
  if (planned !== null) results.push(planned);
  const told = results.filter((result) => !result.startsWith('ignored'));
  return told.length > 0 ? told.join(', ') : (results[0] ?? 'ignored: nothing to do');
}

/** The item was closed or moved: its live run ends (spec 2: CANCELED). Null: it stands. */
async function endWithItem(deps: InboxDeps, issue: GitLabIssue, deliveryId: string | null): Promise<string | null> {
  const reason = overOf(issue);
  if (reason === null) return null;
  const run = await deps.store.latestForItem(issue.id);
  if (!run || !isLive(run)) return 'ignored: no live run';
  const result = await endLive(deps, run, { reason, by: null, cause: { actionKey: null, deliveryId } });
  await deps.queue.wakeDeliveries();
  return `${reason}: ${result.kind}`;
}

/** GitLab tells before a token expires (facts: seven days and one before). Only the service's own matters here. */
async function warnOfToken(deps: InboxDeps, hint: Extract<Hint, { kind: 'token' }>): Promise<string> {
  if (hint.userId !== (await deps.gitlab.me()).id) return 'ignored: not a token of the service';
  const { expiresAt, name } = hint;
  deps.log.warn({ expiresAt, name }, 'the GitLab token of this service expires soon: renew it');
  await deps.warnings?.raise({ projectId: EVERY_PROJECT, code: TOKEN_EXPIRES, detail: expiresAt });
  return `warned: token expires ${expiresAt}`;
}

async function handleNote(
  deps: InboxDeps,
  delivery: StoredDelivery,
  hint: Extract<Hint, { kind: 'note' }>,
): Promise<string> {
  const me = await deps.gitlab.me();
  const created = parseCommand(hint.text, me.username);
  if (!created) return 'ignored: no command';
  const note = await deps.gitlab.note(hint.projectId, hint.iid, hint.noteId);
  if (!note || note.system) return 'ignored: note gone';
  if (note.author.id === me.id) return 'ignored: own note';
  const command = parseCommand(note.body, me.username);
  if (!command) return 'ignored: no command';
  if (await isOtherBot(deps.gitlab, note.author, deps.allowedBots)) return 'ignored: bot';
  // Only a note's creation acts: what was edited into another command since then never does (spec 2: Actions).
  if (actionOf(command) !== actionOf(created)) return 'ignored: edited';
  const [project, issue] = await Promise.all([
    deps.gitlab.project(hint.projectId),
    deps.gitlab.issue(hint.projectId, hint.iid),
  ]);
  if (!project || !issue) return 'ignored: item gone';
  const place = placeOf(issue, note, note.discussionId ?? hint.discussionId);
  const cause = { actionKey: actionKey(issue, note, actionOf(command) ?? 'refusal'), deliveryId: delivery.id };
  if ('unknown' in command) {
    const held = await holdBack(deps, issue, note.author.id, cause);
    if (held?.kind === 'held_back') return drop(deps, cause);
    const message = `There is no action "${command.unknown}". Use plan, continue, cancel, replan, approve or reject.`;
    const refusal = held?.kind === 'refused' ? held : { code: 'unknown_action', message };
    await tellRefusal(deps, place, refusal, cause);
    return `refused: ${refusal.code}`;
  }
  const result = await actHeldBack(deps, {
    action: command.action,
    project,
    issue,
    person: { id: note.author.id, username: note.author.username, name: note.author.name },
    via: 'comment',
    argument: command.argument,
    pauseId: null,
    noteId: note.id,
    notedAt: note.createdAt,
    cause,
  });
  if (result.kind === 'held_back') return drop(deps, cause);
  if (result.kind !== 'refused') return result.kind;
  await tellRefusal(deps, place, result, cause);
  return `refused: ${result.code}`;
}

/** Nothing is done nor said; coming once more, later, changes nothing. */
async function drop(deps: InboxDeps, cause: { actionKey: string; deliveryId: string }): Promise<string> {
  await deps.outbox.add([], cause);
  return 'held_back';
}

function placeOf(issue: GitLabIssue, note: GitLabNote, discussionId: string | null): ToldPlace {
  const { id: itemGlobalId, projectId, iid, webUrl: itemUrl, title, description } = issue;
  return { itemGlobalId, projectId, iid, itemUrl, title, description, noteId: note.id, discussionId };
}

function actionOf(command: Command): ActionName | null {
  return 'action' in command ? command.action : null;
}

/** An action is known by item, note and action: the second is dropped (spec 2: Actions). */
function actionKey(issue: GitLabIssue, note: GitLabNote, action: ActionName | 'refusal'): string {
  return `item:${issue.id}/note:${note.id}/${action}`;
}
