/** What has become of item and people while a run waited, as it reads at Continue (issue: items that change while a run waits). */
import { hash } from 'node:crypto';
import type { RunEventBody } from '../../domain/run/events.ts';
import type { RunState } from '../../domain/run/state.ts';
import type { ItemRef, Person } from '../../domain/workplan/people.ts';
import type { GitLabIssue, GitLabPort } from '../../ports/gitlab.ts';
import { overOf } from '../item-state.ts';

/** Knows one description from another. */
export function digestOf(issue: Pick<GitLabIssue, 'description'>): string {
  return hash('sha256', issue.description.trim()).slice(0, 16);
}

export type AtContinue =
  | { kind: 'stands'; description: string; told?: Person }
  /** The run ends with this. */
  | { kind: 'over'; event: RunEventBody };

export async function lookAtContinue(
  gitlab: Pick<GitLabPort, 'issue' | 'member'>,
  state: RunState,
  item: ItemRef,
  effect: { id: string; pauseId: string },
  signal: AbortSignal,
): Promise<AtContinue> {
  const issue = await gitlab.issue(item.projectId, item.iid, { signal });
  if (!issue) {
    const message = 'The work item is gone, or the bot may not see it.';
    const { id: effectId, pauseId } = effect;
    return { kind: 'over', event: { type: 'replies_failed', effectId, pauseId, code: 'item_gone', message } };
  }
  const reason = overOf(issue);
  if (reason !== null)
    return { kind: 'over', event: { type: 'ended', status: 'canceled', reason, message: '', by: null } };
  const told = await toldFrom(gitlab, state, item, signal);
  return { kind: 'stands', description: digestOf(issue), ...(told ? { told } : {}) };
}

/**
 * The run keeps the identity of who started it, also when that person may not start one any more (spec 2: Who may). Who has left the project
 * altogether is told nothing more; then it is who continued.
 */
async function toldFrom(
  gitlab: Pick<GitLabPort, 'member'>,
  { startedBy, resumedBy, told }: RunState,
  item: ItemRef,
  signal: AbortSignal,
): Promise<Person | null> {
  if (!startedBy || !resumedBy) return null;
  if (resumedBy.id === startedBy.id) return told ? startedBy : null;
  if (resumedBy.id === told?.id) return null;
  const member = await gitlab.member(item.projectId, startedBy.id, { signal });
  return member?.active ? null : resumedBy;
}
