/** Who reads an item, and who its project's code (spec 2: Visibility is checked again before every post). */
import type { Clock } from '../../ports/clock.ts';
import { PermanentFailure } from '../../ports/failures.ts';
import type { FeatureAccess, GitLabPort, GitLabProject } from '../../ports/gitlab.ts';
import type { StoredOutboxRow } from '../../ports/outbox.ts';

export interface Audience {
  /** True when the row's body must not stand on its item as it is now. @throws PermanentFailure `item_gone` */
  isTooWide(row: StoredOutboxRow, signal: AbortSignal): Promise<boolean>;
}

/** The questions and the plan of one moment ask for their project once. */
const REMEMBERED_MS = 5000;
const MOST_REMEMBERED = 200;

export function createAudience(deps: { gitlab: Pick<GitLabPort, 'issue' | 'project'>; clock: Clock }): Audience {
  const { gitlab, clock } = deps;
  const projects = new Map<number, { at: number; project: GitLabProject }>();

  async function projectOf(id: number, signal: AbortSignal): Promise<GitLabProject | null> {
    const known = projects.get(id);
    if (known && clock.now().getTime() - known.at < REMEMBERED_MS) return known.project;
    const project = await gitlab.project(id, { signal });
    if (projects.size >= MOST_REMEMBERED) projects.clear();
    if (project) projects.set(id, { at: clock.now().getTime(), project });
    return project;
  }

  return {
    async isTooWide(row, signal) {
      const [issue, project] = await Promise.all([
        gitlab.issue(row.projectId, row.iid, { signal }),
        projectOf(row.projectId, signal),
      ]);
      if (!issue || !project) throw new PermanentFailure('item_gone', 'The item is gone, or the bot may not see it.');
      if (issue.confidential) return false;
      return row.wasConfidential === true || isCodeNarrower(project);
    },
  };
}

/** Is the code read by fewer people than the issues? A project without a repository has no code to show. */
export function isCodeNarrower(project: GitLabProject): boolean {
  if (project.repositoryAccess === 'disabled') return false;
  return reach(project, project.repositoryAccess) < reach(project, project.issuesAccess);
}

function reach({ visibility }: GitLabProject, access: FeatureAccess): number {
  if (access === 'private' || visibility === 'private') return 0;
  return visibility === 'internal' ? 1 : 2;
}
