/**
 * Puts a plan into the description of its item (spec 2: `plan_target: description`). GitLab knows no condition for a write, so the description
 * is read again right before it; what a person saves within that one request is lost, as it is between two people.
 */
import { findMarkers, hasMarker } from '../../domain/text/marker.ts';
import { placePlan } from '../../domain/workplan/description.ts';
import { languageOf } from '../../domain/workplan/language.ts';
import { sayIn } from '../../domain/workplan/locale.ts';
import { PermanentFailure, TransientFailure } from '../../ports/failures.ts';
import type { GitLabIssue, GitLabPort } from '../../ports/gitlab.ts';
import type { Log } from '../../ports/log.ts';
import type { StoredOutboxRow } from '../../ports/outbox.ts';

export interface DescriptionDeps {
  gitlab: Pick<GitLabPort, 'issue' | 'updateDescription'>;
  log: Log;
}

const TRIES = 4;

/** Is the row one of those that stand in the description? Its marker says so. */
export function isForDescription(row: Pick<StoredOutboxRow, 'kind' | 'marker'>): boolean {
  return row.kind === 'plan' && findMarkers(row.marker)[0]?.['in'] === 'description';
}

/**
 * Null: it stands there now, or is not ours any more. Else the description cannot take it, and the plan stands in a note that begins with the
 * answer; once it does it stays there, so that it does not stand twice.
 * @throws TransientFailure `description_busy` when somebody else goes on writing; PermanentFailure `item_gone`
 */
export async function putIntoDescription(
  deps: DescriptionDeps,
  row: StoredOutboxRow,
  isOurs: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<string | null> {
  if (row.known !== null) return notice(await read(deps, row, signal));
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const issue = await read(deps, row, signal);
    const placed = placePlan(issue.description, row.body);
    if (placed.kind !== 'placed') return refused(deps, row, issue, placed.kind);
    if (placed.text === issue.description || !(await isOurs())) return null;
    if ((await read(deps, row, signal)).description !== issue.description) continue;
    try {
      await deps.gitlab.updateDescription(row.projectId, row.iid, placed.text, { signal });
    } catch (error) {
      if (error instanceof PermanentFailure && error.code === 'gitlab_forbidden')
        return refused(deps, row, issue, error.code);
      throw error;
    }
    // Somebody may have saved an older text over it at that moment.
    if (hasMarker((await read(deps, row, signal)).description, row.marker)) return null;
  }
  throw new TransientFailure('description_busy', 'The description changes faster than the plan can be put into it.');
}

async function read({ gitlab }: DescriptionDeps, row: StoredOutboxRow, signal: AbortSignal): Promise<GitLabIssue> {
  const issue = await gitlab.issue(row.projectId, row.iid, { signal });
  if (!issue) throw new PermanentFailure('item_gone', 'The item is gone, or the bot may not see it.');
  return issue;
}

function refused({ log }: DescriptionDeps, row: StoredOutboxRow, issue: GitLabIssue, reason: string): string {
  log.warn({ outboxId: row.id, runId: row.runId, reason }, 'the plan stands in a note, not in the description');
  return notice(issue);
}

function notice(issue: GitLabIssue): string {
  return `> ${sayIn(languageOf(issue))('notInDescription')}`;
}
