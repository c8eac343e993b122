import { IssueLabelEvents, IssueLinks, Issues } from '@gitbeaker/rest';
import { z } from 'zod';
import type { GitLabPort } from '../../ports/gitlab.ts';
import { list, one, oneOrNull } from './calls.ts';
import { listOptions } from './lists.ts';
import type { Resource } from './resource.ts';
import { IssueAnswer, LabelEventAnswer, LabelsAnswer, MergeRequestAnswer } from './schemas.ts';

type ItemCalls = Pick<
  GitLabPort,
  | 'issueAs'
  | 'issue'
  | 'updateDescription'
  | 'changedIssues'
  | 'linkedIssues'
  | 'relatedMergeRequests'
  | 'labelEvents'
  | 'changeLabels'
>;

/** Issues and what is linked to them. */
export function itemCalls(service: Resource, asPerson: (token: string) => Resource | null): ItemCalls {
  const issues = new Issues(service);
  const links = new IssueLinks(service);
  const labels = new IssueLabelEvents(service);

  return {
    async issueAs(token, project, iid, options) {
      const person = asPerson(token);
      if (!person || project === '') return null;
      const work = (): Promise<unknown> => new Issues(person).show(iid, { projectId: project });
      const absent = ['gitlab_not_found', 'gitlab_forbidden'];
      return oneOrNull('issue', IssueAnswer, options, work, { personal: true, absent });
    },
    issue: (projectId, iid, options) => oneOrNull('issue', IssueAnswer, options, () => issues.show(iid, { projectId })),
    async updateDescription(projectId, iid, description, options) {
      await one('issue', IssueAnswer, options, () => issues.edit(projectId, iid, { description }));
    },
    changedIssues(projectId, since, options) {
      // GitLab takes `after` as later than, in milliseconds.
      const updatedAfter = new Date(Date.parse(since) - 1).toISOString();
      const query = { projectId, updatedAfter, orderBy: 'updated_at', sort: 'asc', scope: 'all' } as const;
      // One page: who asks goes on from the last.
      const page = { page: 1, maxPages: 1, perPage: 100 } as const;
      return one('changed issues', z.array(IssueAnswer), options, () => issues.all({ ...query, ...page }));
    },
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
    async labelEvents(projectId, iid, options) {
      const work = (): Promise<unknown> => labels.all(projectId, iid, listOptions);
      return (await list('label events', LabelEventAnswer, options, work, (event) => event.id)).toSorted(
        (a, b) => a.id - b.id,
      );
    },
    changeLabels: (projectId, iid, { add, remove }, options) =>
      one('changed labels', LabelsAnswer, options, () =>
        issues.edit(projectId, iid, {
          ...(add.length > 0 ? { addLabels: add.join(',') } : {}),
          ...(remove.length > 0 ? { removeLabels: remove.join(',') } : {}),
        }),
      ),
  };
}
