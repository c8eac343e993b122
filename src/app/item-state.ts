/** What an item's state means for a run on it. */
import type { GitLabIssue } from '../ports/gitlab.ts';

/** Why no run goes on with an item that was moved or closed (spec 2: CANCELED); null: it stands. GitLab closes what it moves. */
export function overOf(issue: Pick<GitLabIssue, 'movedToId' | 'state'>): 'item_moved' | 'item_closed' | null {
  if (issue.movedToId !== null) return 'item_moved';
  return issue.state === 'closed' ? 'item_closed' : null;
}
