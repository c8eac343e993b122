import { IssueLinks, Issues } from '@gitbeaker/rest';
import type { GitLabPort } from '../../ports/gitlab.ts';
import { list, oneOrNull } from './calls.ts';
import { listOptions } from './lists.ts';
import type { Resource } from './resource.ts';
import { IssueAnswer, MergeRequestAnswer } from './schemas.ts';

type ItemCalls = Pick<GitLabPort, 'issueAs' | 'issue' | 'linkedIssues' | 'relatedMergeRequests'>;

/** Issues and what is linked to them. */
export function itemCalls(service: Resource, asPerson: (token: string) => Resource | null): ItemCalls {
  const issues = new Issues(service);
  const links = new IssueLinks(service);

  return {
    async issueAs(token, project, iid, options) {
      const person = asPerson(token);
      if (!person || project === '') return null;
      const work = (): Promise<unknown> => new Issues(person).show(iid, { projectId: project });
      const absent = ['gitlab_not_found', 'gitlab_forbidden'];
      return oneOrNull('issue', IssueAnswer, options, work, { personal: true, absent });
    },
    issue: (projectId, iid, options) => oneOrNull('issue', IssueAnswer, options, () => issues.show(iid, { projectId })),
    linkedIssues: (projectId, iid, options) =>
      list(
        'linked issues',
        IssueAnswer,
        options,
        () => links.all(projectId, iid, listOptions),
        (issue) => issue.id,
      ),
    relatedMergeRequests: (projectId, iid, options) =>
      list(
        'related merge requests',
        MergeRequestAnswer,
        options,
        // gitbeaker's types leave paging out here; it passes it on.
        () => issues.allRelatedMergeRequests(projectId, iid, { showExpanded: false, ...listOptions }),
        // Merge requests of other projects come too: the number alone is not theirs alone.
        (mergeRequest) => mergeRequest.webUrl,
      ),
  };
}
