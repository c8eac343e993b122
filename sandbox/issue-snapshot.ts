import type { Issue } from './model.ts';

const COMPARED = [
  'title',
  'description',
  'state',
  'labels',
  'assigneeIds',
  'confidential',
  'discussionLocked',
  'movedToId',
  'dueDate',
  'weight',
  'timeEstimate',
  'timeSpent',
  'issueType',
] as const;

/** What of an issue is compared to find the `changes` of an update. */
export type IssueSnapshot = Pick<Issue, (typeof COMPARED)[number] | 'updatedAt'>;

export function snapshotOf(issue: Issue): IssueSnapshot {
  const { labels, assigneeIds, ...rest } = issue;
  return { ...rest, labels: [...labels], assigneeIds: [...assigneeIds] };
}

/** Has anything of it but its time of change become another? */
export function hasChanged(issue: Issue, before: IssueSnapshot): boolean {
  return COMPARED.some((name) => JSON.stringify(issue[name]) !== JSON.stringify(before[name]));
}
