import type { GitLabIssue } from '../../../src/ports/gitlab.ts';
import type { FakeWorld } from './gitlab.ts';

const baseUrl = 'https://gitlab.example/gitlab';

/** `acme/sample` with the people of the samples and one issue, for the fake GitLab. */
export function sampleWorld(issue: Partial<GitLabIssue> = {}): FakeWorld {
  const people = ['alice', 'bob', 'carol', 'dave', 'erin', 'maria', 'planwright'];
  return {
    baseUrl,
    project: {
      id: 1,
      path: 'acme/sample',
      webUrl: `${baseUrl}/acme/sample`,
      defaultBranch: 'main',
      visibility: 'private',
      issuesAccess: 'enabled',
      repositoryAccess: 'enabled',
      archived: false,
    },
    users: people.map((username, index) => ({
      id: 11 + index,
      username,
      name: username.charAt(0).toUpperCase() + username.slice(1),
      bot: username === 'planwright',
    })),
    roles: {
      11: { accessLevel: 30, role: 'Developer' },
      12: { accessLevel: 20, role: 'Reporter' },
      13: { accessLevel: 10, role: 'Guest' },
      14: { accessLevel: 15, role: 'Planner' },
      16: { accessLevel: 40, role: 'Maintainer' },
      17: { accessLevel: 30, role: 'Developer' },
    },
    issues: [
      {
        id: 501,
        iid: 1,
        projectId: 1,
        title: 'Limit the export',
        description: 'The export of orders has to end at 10,000 rows.',
        state: 'opened',
        labels: [],
        authorId: 11,
        assigneeIds: [],
        confidential: false,
        webUrl: `${baseUrl}/acme/sample/-/issues/1`,
        reference: 'acme/sample#1',
        movedToId: null,
        type: 'issue',
        createdAt: '2026-01-05T08:30:00.000Z',
        dueDate: null,
        updatedAt: '2026-01-05T08:30:00.000Z',
        ...issue,
      },
    ],
    files: { 'README.md': '# sample\n', 'src/export.ts': 'export function exportOrders(): void {}\n' },
  };
}
