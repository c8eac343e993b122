import type { Issue, User } from './model.ts';
import type { SandboxState } from './state.ts';

/** Closes or reopens; false when it was so already. */
export function setIssueState(state: SandboxState, issue: Issue, wanted: 'opened' | 'closed', user: User): boolean {
  if (issue.state === wanted) return false;
  issue.state = wanted;
  issue.closedAt = wanted === 'closed' ? state.timestamp() : null;
  issue.closedById = wanted === 'closed' ? user.id : null;
  return true;
}
