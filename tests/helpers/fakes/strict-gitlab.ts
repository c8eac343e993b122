import type {
  GitLabDiscussion,
  GitLabIssue,
  GitLabMember,
  GitLabNote,
  GitLabPort,
  GitLabProject,
  GitLabUser,
} from '../../../src/ports/gitlab.ts';

/** A GitLab of which only the given methods exist: any other that is called throws, so that nothing unexpected passes. */
export function createStrictGitLab(methods: Partial<GitLabPort> = {}): GitLabPort {
  const known: Partial<GitLabPort> = { baseUrl: 'https://gitlab.example.com', ...methods };
  return new Proxy(known as GitLabPort, {
    get: (target, name) => {
      if (name in target) return Reflect.get(target, name);
      return () => {
        throw new Error(`the fake GitLab knows no ${String(name)}`);
      };
    },
  });
}

export const people = {
  alice: { id: 11, username: 'alice', name: 'Alice', bot: false },
  bob: { id: 12, username: 'bob', name: 'Bob', bot: false },
  carol: { id: 13, username: 'carol', name: 'Carol', bot: false },
  planwright: { id: 99, username: 'planwright', name: 'Planwright', bot: true },
} satisfies Record<string, GitLabUser>;

export function member(user: GitLabUser, role: string, more: Partial<GitLabMember> = {}): GitLabMember {
  return { userId: user.id, username: user.username, accessLevel: 30, role, active: true, ...more };
}

export function project(more: Partial<GitLabProject> = {}): GitLabProject {
  return {
    id: 1,
    path: 'acme/sample',
    webUrl: 'https://gitlab.example.com/acme/sample',
    defaultBranch: 'main',
    visibility: 'private',
    issuesAccess: 'enabled',
    repositoryAccess: 'enabled',
    archived: false,
    ...more,
  };
}

export function issue(more: Partial<GitLabIssue> = {}): GitLabIssue {
  const iid = more.iid ?? 2;
  return {
    id: 100 + iid,
    iid,
    projectId: 1,
    title: `Issue ${iid}`,
    description: 'Something is wanted.',
    state: 'opened',
    labels: [],
    authorId: people.alice.id,
    assigneeIds: [],
    confidential: false,
    webUrl: `https://gitlab.example.com/acme/sample/-/issues/${iid}`,
    reference: `acme/sample#${iid}`,
    movedToId: null,
    type: 'issue',
    createdAt: '2026-01-04T09:00:00.000Z',
    updatedAt: '2026-01-05T09:00:00.000Z',
    dueDate: null,
    ...more,
  };
}

export function note(author: GitLabUser, body: string, more: Partial<GitLabNote> = {}): GitLabNote {
  return {
    id: 1,
    body,
    author,
    system: false,
    internal: false,
    createdAt: '2026-01-05T09:00:00.000Z',
    updatedAt: '2026-01-05T09:00:00.000Z',
    discussionId: null,
    ...more,
  };
}

export function discussion(id: string, ...notes: GitLabNote[]): GitLabDiscussion {
  return { id, notes: notes.map((entry) => ({ ...entry, discussionId: id })) };
}
