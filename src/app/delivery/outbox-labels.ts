/** Labels of an item (spec 2: Actions): the one that shows where its plan stands, and those that asked for something. */
import { findMarkers } from '../../domain/text/marker.ts';
import { labelChange } from '../../domain/workplan/labels.ts';
import { PermanentFailure } from '../../ports/failures.ts';
import type { GitLabPort } from '../../ports/gitlab.ts';
import type { Log } from '../../ports/log.ts';
import type { StoredOutboxRow } from '../../ports/outbox.ts';
import type { ProjectWarnings } from '../../ports/project-warnings.ts';

export interface LabelDeps {
  gitlab: Pick<GitLabPort, 'issue' | 'labelEvents' | 'changeLabels'>;
  log: Log;
  warnings?: Pick<ProjectWarnings, 'raise' | 'clear'>;
}

export const LABELS_REFUSED = 'labels_refused';

/**
 * Of the status labels the item carries this one alone, set and taken away in one request, whether or not the instance lets labels of one
 * scope exclude each other. Where the service may not do that it is a warning of the project, never a failure of the run.
 * @throws TransientFailure where it is worth trying again.
 */
export async function showStatusLabel(
  deps: LabelDeps,
  row: StoredOutboxRow,
  wanted: string,
  signal: AbortSignal,
): Promise<void> {
  await unlessRefused(deps, row, async () => {
    const issue = await deps.gitlab.issue(row.projectId, row.iid, { signal });
    if (!issue) return null;
    const change = labelChange(issue.labels, wanted);
    if (change.add.length + change.remove.length === 0) return null;
    const labels = await deps.gitlab.changeLabels(row.projectId, row.iid, change, { signal });
    const left = labelChange(labels, wanted);
    return left.add.length + left.remove.length === 0;
  });
}

/** Takes away the label that a person acted by, unless somebody put it on once more since: that asks once more. */
export async function takeLabelAway(deps: LabelDeps, row: StoredOutboxRow, signal: AbortSignal): Promise<void> {
  const { projectId, iid, body: name } = row;
  const acted = Number(findMarkers(row.marker)[0]?.['event']);
  await unlessRefused(deps, row, async () => {
    const issue = await deps.gitlab.issue(projectId, iid, { signal });
    if (!issue?.labels.includes(name)) return null;
    const events = await deps.gitlab.labelEvents(projectId, iid, { signal });
    if (events.some((event) => event.label === name && event.id > acted)) return null;
    const labels = await deps.gitlab.changeLabels(projectId, iid, { add: [], remove: [name] }, { signal });
    return !labels.includes(name);
  });
}

/** Warnings that are cleared once a project and process, not with every label that could be set. */
export function clearingOnce(warnings: Pick<ProjectWarnings, 'raise' | 'clear'>): typeof warnings {
  const clear = new Set<number>();
  return {
    async raise(warning) {
      clear.delete(warning.projectId);
      await warnings.raise(warning);
    },
    async clear(projectId, code) {
      if (clear.has(projectId)) return;
      await warnings.clear(projectId, code);
      clear.add(projectId);
    },
  };
}

/** `change` answers whether GitLab did what was asked; null: nothing was. */
async function unlessRefused(
  deps: LabelDeps,
  row: StoredOutboxRow,
  change: () => Promise<boolean | null>,
): Promise<void> {
  const { projectId, iid, runId } = row;
  let refused: string;
  try {
    const done = await change();
    if (done === null) return;
    if (done) {
      await deps.warnings?.clear(projectId, LABELS_REFUSED);
      return;
    }
    refused = 'not_set';
  } catch (error) {
    if (!(error instanceof PermanentFailure) || error.code === 'gitlab_unauthorized') throw error;
    refused = error.code;
  }
  deps.log.warn({ projectId, iid, runId, code: refused }, 'labels could not be set');
  await deps.warnings?.raise({ projectId, code: LABELS_REFUSED, detail: refused });
}
