/** Works on stored deliveries (D10): one item's in order of arrival, what they hint at read again from GitLab before anything is done. */
import { marker } from '../../domain/text/marker.ts';
import { type Command, parseCommand } from '../../domain/workplan/commands.ts';
import { detectLanguage } from '../../domain/workplan/language.ts';
import { renderRefusal } from '../../domain/workplan/notes.ts';
import { PermanentFailure, TransientFailure } from '../../ports/failures.ts';
import type { GitLabIssue, GitLabNote } from '../../ports/gitlab.ts';
import type { InboxStore, StoredDelivery } from '../../ports/inbox.ts';
import type { OutboxStore } from '../../ports/outbox.ts';
import { act } from '../actions/act.ts';
import { endLive } from '../actions/cancel.ts';
import { isLive } from '../actions/plan.ts';
import type { ActDeps, ActionName } from '../actions/types.ts';
import { isOtherBot } from '../bots.ts';
import { type Hint, parseHint } from './payload.ts';

export interface InboxDeps extends ActDeps {
  inbox: InboxStore;
  outbox: OutboxStore;
  /** Numeric ids of bots that may act. */
  allowedBots: readonly number[];
  owner: string;
  limit: number;
  holdMs: number;
}

const MAX_TRIES = 12;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 5 * 60_000;

/** Works until nothing is due; answers how many deliveries were worked on. */
export async function workInbox(deps: InboxDeps, signal: AbortSignal, draining = signal): Promise<number> {
  let worked = 0;
  while (!signal.aborted && !draining.aborted) {
    const deliveries = await deps.inbox.take({ owner: deps.owner, limit: deps.limit, leaseMs: deps.holdMs });
    if (deliveries.length === 0) return worked;
    await Promise.all(deliveries.map((delivery) => workOne(deps, delivery)));
    worked += deliveries.length;
  }
  return worked;
}

async function workOne(deps: InboxDeps, delivery: StoredDelivery): Promise<void> {
  try {
    const result = await handleDelivery(deps, delivery);
    await deps.inbox.done(delivery.id, result);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const data = { deliveryId: delivery.id, attempts: delivery.attempts, error: message };
    if (error instanceof PermanentFailure || delivery.attempts + 1 >= MAX_TRIES) {
      deps.log.error(data, 'delivery given up');
      await deps.inbox.fail(delivery.id, deps.owner, message);
      return;
    }
    deps.log.warn(data, 'delivery is tried again later');
    const backoff = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** delivery.attempts);
    const asked = error instanceof TransientFailure ? (error.retryAfterMs ?? 0) : 0;
    await deps.inbox.postpone(delivery.id, deps.owner, Math.max(backoff, asked), message);
  }
}

/** Answers in a word what became of the delivery, for the record. */
export async function handleDelivery(deps: InboxDeps, delivery: StoredDelivery): Promise<string> {
  let payload: unknown;
  try {
    payload = JSON.parse(delivery.body);
  } catch {
    return 'ignored: no JSON';
  }
  const hint = parseHint(payload);
  switch (hint.kind) {
    case 'note':
      return handleNote(deps, delivery, hint);
    case 'item':
      return handleItem(deps, delivery, hint);
    case 'group':
      return 'ignored: group_level_item';
    case 'other':
      return 'ignored';
    default:
      return hint satisfies never;
  }
}

/** The item was closed or moved: its live run ends (spec 2: CANCELED). */
async function handleItem(
  deps: InboxDeps,
  delivery: StoredDelivery,
  hint: Extract<Hint, { kind: 'item' }>,
): Promise<string> {
  const issue = await deps.gitlab.issue(hint.projectId, hint.iid);
  if (!issue) return 'ignored: item gone';
  const reason = issue.movedToId !== null ? 'item_moved' : issue.state === 'closed' ? 'item_closed' : null;
  if (reason === null) return 'ignored: nothing to do';
  const run = await deps.store.latestForItem(issue.id);
  if (!run || !isLive(run)) return 'ignored: no live run';
  const cause = { actionKey: null, deliveryId: delivery.id };
  const result = await endLive(deps, run, { reason, by: null, cause });
  await deps.queue.wakeDeliveries();
  return `${reason}: ${result.kind}`;
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
  const discussionId = note.discussionId ?? hint.discussionId;
  if ('unknown' in command) {
    const message = `There is no action "${command.unknown}". Use plan, continue, cancel, replan, approve or reject.`;
    return tell(deps, delivery, { issue, note, discussionId }, 'unknown_action', message);
  }
  const result = await act(deps, {
    action: command.action,
    project,
    issue,
    person: { id: note.author.id, username: note.author.username, name: note.author.name },
    via: 'comment',
    argument: command.argument,
    pauseId: null,
    noteId: note.id,
    cause: { actionKey: actionKey(issue, note, command.action), deliveryId: delivery.id },
  });
  if (result.kind !== 'refused') return result.kind;
  return tell(deps, delivery, { issue, note, discussionId }, result.code, result.message);
}

function actionOf(command: Command): string | null {
  return 'action' in command ? command.action : null;
}

/** An action is known by item, note and action: the second is dropped (spec 2: Actions). */
function actionKey(issue: GitLabIssue, note: GitLabNote, action: ActionName | 'refusal'): string {
  return `item:${issue.id}/note:${note.id}/${action}`;
}

/** A refusal is told to the person once, in the command's own thread. */
async function tell(
  deps: InboxDeps,
  delivery: StoredDelivery,
  where: { issue: GitLabIssue; note: GitLabNote; discussionId: string | null },
  code: string,
  message: string,
): Promise<string> {
  const { issue, note, discussionId } = where;
  const own = marker({ kind: 'reply', note: String(note.id) });
  const language = detectLanguage(`${issue.title}\n${issue.description}`);
  await deps.outbox.add(
    [
      {
        kind: 'reply',
        itemGlobalId: issue.id,
        projectId: issue.projectId,
        iid: issue.iid,
        runId: null,
        pauseId: null,
        marker: own,
        body: `${renderRefusal({ code, message, language })}\n\n${own}`,
        discussion: false,
        replyTo: discussionId,
        itemUrl: issue.webUrl,
        questionId: null,
      },
    ],
    { actionKey: actionKey(issue, note, 'refusal'), deliveryId: delivery.id },
  );
  await deps.queue.wakeDeliveries();
  return `refused: ${code}`;
}
