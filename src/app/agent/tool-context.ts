import type { RunState } from '../../domain/run/state.ts';
import type { GitLabPort } from '../../ports/gitlab.ts';
import type { RepositorySnapshot } from '../../ports/repository.ts';

/** What the item tools ask GitLab for. */
export type ItemGitLab = Pick<
  GitLabPort,
  | 'baseUrl'
  | 'me'
  | 'user'
  | 'project'
  | 'members'
  | 'issue'
  | 'linkedIssues'
  | 'hierarchy'
  | 'relatedMergeRequests'
  | 'discussions'
  | 'fileHistory'
>;

export interface ToolContext {
  /** Null: a run without GitLab (a piece run locally). */
  gitlab: ItemGitLab | null;
  /** Null: the project has no repository. */
  repository: RepositorySnapshot | null;
  /** Read when a tool is called. */
  state: RunState;
  /** Numeric ids of bots whose notes count as people's. */
  allowedBots?: readonly number[];
}
