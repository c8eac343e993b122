import type { GitLabIssue, GitLabPort, GitLabProject, GitLabUser } from '../../src/ports/gitlab.ts';

const project: GitLabProject = {
  id: 1,
  path: 'acme/sample',
  webUrl: 'http://gitlab.invalid/acme/sample',
  defaultBranch: null,
  visibility: 'private',
  issuesAccess: 'enabled',
  repositoryAccess: 'enabled',
  archived: false,
};
export const alice: GitLabUser = { id: 11, username: 'alice', name: 'Alice', bot: false };

export function issueOf(iid: number): GitLabIssue {
  return {
    id: 1_000_000 + iid,
    iid,
    projectId: 1,
    title: `Issue ${iid}`,
    description: 'What the benchmark plans.',
    state: 'opened',
    labels: [],
    authorId: alice.id,
    assigneeIds: [],
    confidential: false,
    webUrl: `${project.webUrl}/-/issues/${iid}`,
    reference: `acme/sample#${iid}`,
    movedToId: null,
    type: 'issue',
    createdAt: '2026-01-05T09:00:00.000Z',
    dueDate: null,
    updatedAt: '2026-01-05T09:00:00.000Z',
  };
}

/** A GitLab that answers at once and keeps nothing but the notes of each item: what is measured is the durable run. */
export function createCostlessGitLab(): GitLabPort {
  const bot: GitLabUser = { id: 17, username: 'planwright', name: 'Planwright', bot: true };
  const notes = new Map<number, Awaited<ReturnType<GitLabPort['discussions']>>>();
  let lastId = 0;
  const write = (iid: number, body: string) => {
    lastId += 1;
    const at = '2026-01-05T09:00:00.000Z';
    const discussionId = `d${lastId}`;
    const note = {
      id: lastId,
      body,
      author: bot,
      system: false,
      internal: false,
      createdAt: at,
      updatedAt: at,
      discussionId,
    };
    const discussion = { id: discussionId, notes: [note] };
    const known = notes.get(iid);
    if (known) known.push(discussion);
    else notes.set(iid, [discussion]);
    return discussion;
  };
  const find = (iid: number, id: number) =>
    (notes.get(iid) ?? []).flatMap((thread) => thread.notes).find((note) => note.id === id);
  const never = (): never => {
    throw new Error('The benchmark does not expect this call.');
  };
  return {
    baseUrl: 'http://gitlab.invalid',
    me: async () => bot,
    user: async () => alice,
    project: async () => project,
    member: async () => ({ userId: alice.id, username: 'alice', accessLevel: 30, role: 'Developer', active: true }),
    issue: async (_project, iid) => issueOf(iid),
    updateDescription: never,
    note: async (_project, iid, id) => find(iid, id) ?? null,
    notes: async (_project, iid) => (notes.get(iid) ?? []).flatMap((thread) => thread.notes),
    discussions: async (_project, iid) => notes.get(iid) ?? [],
    createNote: async (_project, iid, body) => write(iid, body).notes[0] ?? never(),
    createDiscussion: async (_project, iid, body) => write(iid, body),
    updateNote: async (_project, iid, id, body) => Object.assign(find(iid, id) ?? never(), { body }),
    deleteNote: async (_project, iid, id) => {
      const threads = notes.get(iid) ?? [];
      notes.set(
        iid,
        threads.filter((thread) => thread.notes[0]?.id !== id),
      );
    },
    noteAwards: async () => [],
    changeLabels: async (_project, _iid, { add }) => [...add],
    labelEvents: never,
    hierarchy: never,
    lastEditors: async () => new Map(),
    rawFile: async () => null,
    userOfToken: never,
    issueAs: never,
    groupVisibleTo: never,
    members: never,
    changedIssues: never,
    linkedIssues: never,
    relatedMergeRequests: never,
    replyToDiscussion: never,
    headCommit: never,
    fileHistory: never,
    archive: never,
    hooks: never,
    createHook: never,
    updateHook: never,
  };
}
