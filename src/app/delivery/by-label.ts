/** Actions by label (spec 2: Actions): read from the label events of GitLab, whose user acts; a payload only says where to look. */
import { isStatusLabel, labelAction } from '../../domain/workplan/labels.ts';
import type { GitLabIssue, GitLabLabelEvent, GitLabUser } from '../../ports/gitlab.ts';
import type { Cause } from '../../ports/run-store.ts';
import { type ActionName, refuse } from '../actions/types.ts';
import { isOtherBot } from '../bots.ts';
import { actHeldBack, holdBack, tellInStatus, unlabelRow, type WayDeps, type WayResult } from './ways.ts';

/** Does the item carry a label that asks for something? */
export function asksByLabel(issue: Pick<GitLabIssue, 'labels'>): boolean {
  return issue.labels.some((name) => labelAction(name) !== undefined);
}

/** A label that stands on an item, and the event that put it there. */
export interface StandingLabel {
  name: string;
  event: GitLabLabelEvent;
  user: GitLabUser;
}

/**
 * The labels that ask for something and stand on the item, in the order in which they were put there. One that was taken away again, by
 * its own event or by another label of its scope, asks for nothing; nor does one that nobody is known to have put there.
 */
export function standingLabels(
  issue: Pick<GitLabIssue, 'labels'>,
  events: readonly GitLabLabelEvent[],
): StandingLabel[] {
  return issue.labels
    .filter((name) => labelAction(name) !== undefined)
    .flatMap((name) => {
      const event = events.findLast((known) => known.label === name);
      return event?.action === 'add' && event.user ? [{ name, event, user: event.user }] : [];
    })
    .sort((a, b) => a.event.id - b.event.id);
}

/** Later than every event. */
const ANY_EVENT = Number.MAX_SAFE_INTEGER;

/**
 * An item that was moved or copied here brings along the label that showed where another item's plan stood: it goes. Null: there is none.
 */
export async function dropForeignStatus(deps: WayDeps, issue: GitLabIssue): Promise<string | null> {
  const foreign = issue.labels.filter(isStatusLabel);
  if (foreign.length === 0 || (await deps.store.latestForItem(issue.id)) !== null) return null;
  const rows = foreign.map((name) => unlabelRow(issue, name, ANY_EVENT));
  await deps.outbox.add(rows, { actionKey: null, deliveryId: null });
  await deps.queue.wakeDeliveries();
  return 'status label of another item';
}

/**
 * Does what the labels of an item ask for, each once; answers in a word what became of each. The delivery is marked done with the last,
 * unless more of it follows: `deliveryId` null.
 */
export async function actByLabels(deps: WayDeps, issue: GitLabIssue, deliveryId: string | null): Promise<string[]> {
  const me = await deps.gitlab.me();
  const standing = standingLabels(issue, await deps.gitlab.labelEvents(issue.projectId, issue.iid));
  const asked: StandingLabel[] = [];
  for (const label of standing)
    if (label.user.id !== me.id && !(await isOtherBot(deps.gitlab, label.user, deps.allowedBots))) asked.push(label);
  const results: string[] = [];
  for (const [index, label] of asked.entries())
    results.push(await actByLabel(deps, issue, label, index === asked.length - 1 ? deliveryId : null));
  return results;
}

async function actByLabel(
  deps: WayDeps,
  issue: GitLabIssue,
  label: StandingLabel,
  deliveryId: string | null,
): Promise<string> {
  const { name, event, user } = label;
  const action = labelAction(name) ?? null;
  const cause = { actionKey: `item:${issue.id}/label:${event.id}/${action ?? 'refusal'}`, deliveryId };
  const follow = [unlabelRow(issue, name, event.id)];
  const result = action === null ? await refuseUnknown(deps, issue, user, cause) : await ask(action);
  if (result === null) return 'ignored: project gone';
  if (result.kind === 'held_back') {
    await deps.outbox.add(follow, cause);
    await deps.queue.wakeDeliveries();
  }
  if (result.kind !== 'refused') return result.kind;
  const runId = (result.run ?? (await deps.store.latestForItem(issue.id)))?.id ?? null;
  const { code, message } = result;
  await tellInStatus(deps, { issue, runId, who: user.username, given: name, code, message }, follow, cause);
  return `refused: ${code}`;

  async function ask(wanted: ActionName): Promise<WayResult | null> {
    const project = await deps.gitlab.project(issue.projectId);
    if (!project) return null;
    return actHeldBack(deps, {
      action: wanted,
      project,
      issue,
      person: { id: user.id, username: user.username, name: user.name },
      via: 'label',
      argument: '',
      pauseId: null,
      noteId: null,
      givenAt: event.createdAt,
      follow,
      cause,
    });
  }
}

async function refuseUnknown(deps: WayDeps, issue: GitLabIssue, user: GitLabUser, cause: Cause): Promise<WayResult> {
  const message =
    'There is no action of that name. Use workplan-do::plan, workplan-do::continue or workplan-do::cancel.';
  return (await holdBack(deps, issue, user.id, cause)) ?? refuse('unknown_action', message);
}
