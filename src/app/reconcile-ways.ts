/** What was asked for by label, reaction or rule and no event told (spec 2: Actions), for reconciliation. */
import { labelAction, reactionAction } from '../domain/workplan/labels.ts';
import { PermanentFailure } from '../ports/failures.ts';
import type { GitLabAward, GitLabIssue, GitLabLabelEvent, GitLabPort } from '../ports/gitlab.ts';
import type { Delivery } from '../ports/inbox.ts';
import type { OutboxStore } from '../ports/outbox.ts';
import type { RunStore } from '../ports/run-store.ts';
import { asksByLabel, standingLabels } from './delivery/by-label.ts';
import { isStatusNote } from './delivery/by-reaction.ts';
import { contentKeyOf, itemKeyOf } from './delivery/payload.ts';
import { type AutoPlanRule, readSettings } from './project-settings.ts';

export interface WaysDeps {
  gitlab: Pick<GitLabPort, 'me' | 'labelEvents' | 'noteAwards' | 'project' | 'rawFile'>;
  store: Pick<RunStore, 'latestForItem'>;
  outbox: Pick<OutboxStore, 'notesOfRun'>;
}

/** Of one look at a project. */
export interface Look {
  /** What is older was looked at before, milliseconds. */
  from: number;
  /** Has an event of that time had long enough to arrive by itself? */
  old(time: string): boolean;
  /** The project's rules, asked for when they are first of use. */
  rules(): Promise<readonly AutoPlanRule[]>;
  signal: AbortSignal;
}

/** `counts`: that it was not told is a sign that something is wrong with the project's events. */
export interface Missing {
  delivery: Delivery;
  counts: boolean;
}

export async function missingWays(deps: WaysDeps, issue: GitLabIssue, look: Look): Promise<Missing[]> {
  const { signal } = look;
  const [me, run] = await Promise.all([deps.gitlab.me({ signal }), deps.store.latestForItem(issue.id)]);
  const found: Missing[] = [];
  if (asksByLabel(issue)) {
    const events = await deps.gitlab.labelEvents(issue.projectId, issue.iid, { signal });
    for (const { event, user } of standingLabels(issue, events))
      if (user.id !== me.id && look.old(event.createdAt))
        found.push({ delivery: labelDelivery(issue, event, 'label'), counts: true });
  }
  if (run === null) return [...found, ...(await missingRules(deps, issue, look))];
  const notes = await deps.outbox.notesOfRun(run.id);
  const status = notes.find(isStatusNote);
  const awards = status ? await deps.gitlab.noteAwards(issue.projectId, issue.iid, status.noteId, { signal }) : [];
  for (const award of awards)
    if (reactionAction(award.name) !== null && award.user.id !== me.id && isDue(look, award.createdAt))
      found.push({ delivery: awardDelivery(issue, status?.noteId ?? 0, award), counts: true });
  return found;
}

/** Whether a rule fits, and whether the author may, is found out when it is worked on. */
async function missingRules(deps: WaysDeps, issue: GitLabIssue, look: Look): Promise<Missing[]> {
  const rules = await look.rules();
  if (rules.length === 0) return [];
  if (isDue(look, issue.createdAt)) return [{ delivery: openDelivery(issue), counts: false }];
  if (rules.every((rule) => rule.label === undefined)) return [];
  const events = await deps.gitlab.labelEvents(issue.projectId, issue.iid, { signal: look.signal });
  return events
    .filter(({ action, label, createdAt }) => action === 'add' && label !== null && isDue(look, createdAt))
    .filter(({ label }) => labelAction(label ?? '') === undefined)
    .map((event) => ({ delivery: labelDelivery(issue, event, 'relabel'), counts: false }));
}

/** The rules of a project, none where its settings cannot be used; asked once. */
export function rulesOnce(
  gitlab: WaysDeps['gitlab'],
  projectId: number,
  signal: AbortSignal,
): () => Promise<readonly AutoPlanRule[]> {
  let asked: Promise<readonly AutoPlanRule[]> | null = null;
  return () => {
    asked ??= rulesOf(gitlab, projectId, signal);
    return asked;
  };
}

async function rulesOf(gitlab: WaysDeps['gitlab'], projectId: number, signal: AbortSignal) {
  const project = await gitlab.project(projectId, { signal });
  if (!project) return [];
  try {
    const read = await readSettings(gitlab, project, signal);
    return read.ok && read.settings.enabled ? read.settings.auto_plan : [];
  } catch (error) {
    if (error instanceof PermanentFailure) return [];
    throw error;
  }
}

export function isDue({ from, old }: Look, time: string): boolean {
  return Date.parse(time) >= from && old(time);
}

function labelDelivery(issue: GitLabIssue, event: GitLabLabelEvent, kind: 'label' | 'relabel'): Delivery {
  const labels = { previous: [], current: [{ title: event.label }] };
  const payload = { ...itemPayload(issue, 'update'), changes: { labels } };
  return asDelivery(`reconcile-${kind}-${event.id}`, payload, null);
}

function openDelivery(issue: GitLabIssue): Delivery {
  return asDelivery(`reconcile-open-${issue.id}`, itemPayload(issue, 'open'), null);
}

function awardDelivery(issue: GitLabIssue, noteId: number, award: GitLabAward): Delivery {
  const payload = {
    object_kind: 'emoji',
    project_id: issue.projectId,
    object_attributes: {
      id: award.id,
      user_id: award.user.id,
      name: award.name,
      awardable_type: 'Note',
      awardable_id: noteId,
      action: 'award',
      updated_at: award.createdAt,
    },
    issue: { iid: issue.iid, id: issue.id },
  };
  return asDelivery(`reconcile-award-${award.id}`, payload, contentKeyOf(payload));
}

function itemPayload({ id, iid, projectId, state, updatedAt }: GitLabIssue, action: string): object {
  return {
    object_kind: 'issue',
    project: { id: projectId },
    object_attributes: { id, iid, project_id: projectId, action, state, updated_at: updatedAt },
  };
}

function asDelivery(id: string, payload: object, content: string | null): Delivery {
  return { id, event: 'Reconciliation', itemKey: itemKeyOf(payload), body: JSON.stringify(payload), content };
}
