import { createHash } from 'node:crypto';
import { PermanentFailure } from '../../../src/ports/failures.ts';
import type {
  GitLabAward,
  GitLabDiscussion,
  GitLabHook,
  GitLabIssue,
  GitLabLabelEvent,
  GitLabMember,
  GitLabNote,
  GitLabPort,
  GitLabProject,
  GitLabUser,
} from '../../../src/ports/gitlab.ts';

/** One project with people and issues; whoever has a token `TOKENPREFIX-NAME` is a user. */
export interface FakeWorld {
  baseUrl: string;
  project: GitLabProject;
  users: GitLabUser[];
  /** By user id. */
  roles: Record<number, { accessLevel: number; role: string; active?: boolean }>;
  issues: GitLabIssue[];
  /** Text files at the one commit of the default branch. */
  files: Record<string, string>;
  /** Gives the gzipped tar of the files, where a test wants one. */
  archive?: () => Promise<Uint8Array>;
}

export interface FakeGitLab extends GitLabPort {
  readonly world: FakeWorld;
  /** The one commit. */
  readonly commit: string;
  /** Makes the next call of that name fail; `afterwards`: once it has done its work. */
  failNext(call: keyof GitLabPort, failure: Error, afterwards?: boolean): void;
  /** Lets somebody else write: a reply into a discussion, or a note of its own. */
  say(username: string, iid: number, body: string, discussionId?: string): GitLabNote;
  /** Lets somebody edit a note of whomever. */
  edit(username: string, iid: number, noteId: number, body: string): void;
  /** Lets somebody put labels on an issue and take others away. */
  relabel(username: string, iid: number, change: { add?: string[]; remove?: string[] }): void;
  /** Lets somebody react to a note. */
  react(username: string, noteId: number, name: string): GitLabAward;
  /** The reaction is taken back. */
  unreact(noteId: number, awardId: number): void;
}

/** GitLab in memory, as the service's user `planwright`. A project, issue or discussion it does not know is answered as GitLab would. */
export function createFakeGitLab(world: FakeWorld): FakeGitLab {
  const commit = createHash('sha1').update(JSON.stringify(world.files)).digest('hex');
  const threads = new Map<number, GitLabDiscussion[]>(world.issues.map((issue) => [issue.iid, []]));
  const hooks: GitLabHook[] = [];
  const editors = new Map<number, GitLabUser>();
  const labelEvents = new Map<number, GitLabLabelEvent[]>();
  const awards = new Map<number, GitLabAward[]>();
  const planned: { call: string; failure: Error; afterwards: boolean }[] = [];
  let lastId = 1000;

  const absent = (what: string): PermanentFailure => new PermanentFailure('gitlab_not_found', `404 ${what} Not Found`);
  const userNamed = (username: string): GitLabUser => {
    const user = world.users.find((known) => known.username === username);
    if (!user) throw new Error(`the fake GitLab has no user ${username}`);
    return user;
  };
  const userOf = (token: string): GitLabUser | null =>
    world.users.find((user) => token.endsWith(`-${user.username}`)) ?? null;
  const projectOf = (id: string | number): GitLabProject | null =>
    id === world.project.id || id === world.project.path ? world.project : null;
  const threadsOf = (projectId: number, iid: number): GitLabDiscussion[] => {
    const found = projectOf(projectId) ? threads.get(iid) : undefined;
    if (!found) throw absent('Issue');
    return found;
  };
  const memberOf = (user: GitLabUser): GitLabMember | null => {
    const role = world.roles[user.id];
    return role ? { userId: user.id, username: user.username, active: true, ...role } : null;
  };
  const noteIn = (projectId: number, iid: number, noteId: number): GitLabNote | undefined =>
    threadsOf(projectId, iid)
      .flatMap((thread) => thread.notes)
      .find((note) => note.id === noteId);

  function write(author: GitLabUser, thread: GitLabDiscussion, body: string): GitLabNote {
    if (/^\s*\/(?!workplan\b)\w+[^\n]*$/.test(body))
      throw new PermanentFailure('note_not_created', 'quick actions only');
    lastId += 1;
    const at = new Date(Date.UTC(2026, 0, 5, 9, 0, 0, lastId)).toISOString();
    const note: GitLabNote = {
      id: lastId,
      body,
      author,
      system: false,
      internal: false,
      createdAt: at,
      updatedAt: at,
      discussionId: thread.id,
    };
    thread.notes.push(note);
    return note;
  }

  function begin(projectId: number, iid: number, author: GitLabUser, body: string): GitLabDiscussion {
    const found = threadsOf(projectId, iid);
    const thread: GitLabDiscussion = { id: createHash('sha1').update(`${iid}/${lastId}`).digest('hex'), notes: [] };
    write(author, thread, body);
    found.push(thread);
    return thread;
  }

  function reply(projectId: number, iid: number, author: GitLabUser, discussionId: string, body: string): GitLabNote {
    const thread = threadsOf(projectId, iid).find(({ id }) => id === discussionId);
    if (!thread) throw absent('Discussion');
    return write(author, thread, body);
  }

  function change(projectId: number, iid: number, editor: GitLabUser, noteId: number, body: string): GitLabNote {
    const note = noteIn(projectId, iid, noteId);
    if (!note) throw absent('Note');
    lastId += 1;
    Object.assign(note, { body, updatedAt: new Date(Date.UTC(2026, 0, 5, 9, 0, 0, lastId)).toISOString() });
    editors.set(noteId, editor);
    return note;
  }

  function label(user: GitLabUser, iid: number, add: readonly string[], remove: readonly string[]): string[] {
    const issue = world.issues.find((known) => known.iid === iid);
    if (!issue) throw absent('Issue');
    const events = labelEvents.get(iid) ?? [];
    labelEvents.set(iid, events);
    const note = (name: string, action: 'add' | 'remove'): void => {
      lastId += 1;
      const createdAt = new Date(Date.UTC(2026, 0, 5, 9, 0, 0, lastId)).toISOString();
      events.push({ id: lastId, action, label: name, user, createdAt });
    };
    for (const name of add.filter((wanted) => !issue.labels.includes(wanted))) note(name, 'add');
    for (const name of remove.filter((gone) => issue.labels.includes(gone))) note(name, 'remove');
    issue.labels = [...new Set([...issue.labels, ...add])].filter((name) => !remove.includes(name)).sort();
    return [...issue.labels];
  }

  const bot = (): GitLabUser => userNamed('planwright');
  const copy = structuredClone;

  const calls: GitLabPort = {
    baseUrl: world.baseUrl,
    me: async () => bot(),
    userOfToken: async (token) => userOf(token),
    async issueAs(token, project, iid) {
      const user = userOf(token);
      const visible = user && projectOf(project) && (world.project.visibility === 'public' || memberOf(user));
      return visible ? calls.issue(world.project.id, iid) : null;
    },
    user: async (id) => world.users.find((user) => user.id === id) ?? null,
    project: async (id) => copy(projectOf(id)),
    groupVisibleTo: async (token, path) => userOf(token) !== null && path === world.project.path.split('/')[0],
    member: async (_projectId, userId) => {
      const user = world.users.find(({ id }) => id === userId);
      return user ? memberOf(user) : null;
    },
    members: async () => world.users.map(memberOf).filter((member) => member !== null),
    issue: async (projectId, iid) =>
      copy((projectOf(projectId) && world.issues.find((issue) => issue.iid === iid)) ?? null),
    changedIssues: async (projectId, since) =>
      copy(projectOf(projectId) ? world.issues.filter((issue) => Date.parse(issue.updatedAt) >= Date.parse(since)) : [])
        .toSorted((a, b) => Date.parse(a.updatedAt) - Date.parse(b.updatedAt))
        .slice(0, 100),
    linkedIssues: async () => [],
    relatedMergeRequests: async () => [],
    note: async (projectId, iid, noteId) => copy(noteIn(projectId, iid, noteId) ?? null),
    discussions: async (projectId, iid) => copy(threadsOf(projectId, iid)),
    notes: async (projectId, iid) =>
      copy(threadsOf(projectId, iid).flatMap((thread) => thread.notes)).toSorted((a, b) => a.id - b.id),
    createNote: async (projectId, iid, body) => {
      const [note] = begin(projectId, iid, bot(), body).notes;
      if (!note) throw new Error('a thread began without a note');
      return copy(note);
    },
    createDiscussion: async (projectId, iid, body) => copy(begin(projectId, iid, bot(), body)),
    replyToDiscussion: async (projectId, iid, id, body) => copy(reply(projectId, iid, bot(), id, body)),
    async updateDescription(projectId, iid, description) {
      threadsOf(projectId, iid);
      const issue = world.issues.find((known) => known.iid === iid);
      if (issue) issue.description = description;
    },
    updateNote: async (projectId, iid, noteId, body) => copy(change(projectId, iid, bot(), noteId, body)),
    async deleteNote(projectId, iid, noteId) {
      const all = threadsOf(projectId, iid);
      for (const thread of all) thread.notes = thread.notes.filter((note) => note.id !== noteId);
      threads.set(
        iid,
        all.filter((thread) => thread.notes.length > 0),
      );
    },
    noteAwards: async (_projectId, _iid, noteId) => copy(awards.get(noteId) ?? []),
    async labelEvents(projectId, iid) {
      threadsOf(projectId, iid);
      return copy(labelEvents.get(iid) ?? []);
    },
    async changeLabels(projectId, iid, { add, remove }) {
      threadsOf(projectId, iid);
      return label(bot(), iid, add, remove);
    },
    hierarchy: async () => ({ parent: null, children: [], more: false }),
    lastEditors: async (noteIds) => {
      const exists = (id: number): boolean => world.issues.some(({ iid }) => noteIn(world.project.id, iid, id));
      return copy(new Map(noteIds.filter(exists).map((id) => [id, editors.get(id) ?? null])));
    },
    headCommit: async (_projectId, branch) =>
      branch === world.project.defaultBranch
        ? { id: commit, title: 'Initial commit', authoredAt: '2026-01-05T08:00:00.000Z' }
        : null,
    fileHistory: async (_projectId, _sha, path, limit) =>
      path in world.files
        ? [{ id: commit, title: 'Initial commit', authoredAt: '2026-01-05T08:00:00.000Z' }].slice(0, limit)
        : [],
    rawFile: async (_projectId, _ref, path) => world.files[path] ?? null,
    async archive(_projectId, sha) {
      if (sha !== commit) throw absent('File');
      if (!world.archive) throw new Error('the fake GitLab was given no archive');
      const bytes = await world.archive();
      return (async function* () {
        yield bytes;
      })();
    },
    hooks: async () => copy(hooks),
    async createHook(_projectId, { url }) {
      const hook = { id: hooks.length + 1, url };
      hooks.push(hook);
      return copy(hook);
    },
    async updateHook(_projectId, hookId, { url }) {
      const hook = hooks.find(({ id }) => id === hookId);
      if (!hook) throw absent('Hook');
      hook.url = url;
      return copy(hook);
    },
  };

  return Object.assign(guarded(calls, planned), {
    world,
    commit,
    failNext: (call: keyof GitLabPort, failure: Error, afterwards = false) =>
      void planned.push({ call, failure, afterwards }),
    say(username: string, iid: number, body: string, discussionId?: string): GitLabNote {
      const author = userNamed(username);
      if (discussionId !== undefined) return reply(world.project.id, iid, author, discussionId, body);
      const [note] = begin(world.project.id, iid, author, body).notes;
      if (!note) throw new Error('a thread began without a note');
      return note;
    },
    edit: (username: string, iid: number, noteId: number, body: string) =>
      void change(world.project.id, iid, userNamed(username), noteId, body),
    relabel: (username: string, iid: number, { add = [], remove = [] }: { add?: string[]; remove?: string[] }) =>
      void label(userNamed(username), iid, add, remove),
    react(username: string, noteId: number, name: string): GitLabAward {
      lastId += 1;
      const createdAt = new Date(Date.UTC(2026, 0, 5, 9, 0, 0, lastId)).toISOString();
      const award = { id: lastId, name, user: userNamed(username), createdAt };
      awards.set(noteId, [...(awards.get(noteId) ?? []), award]);
      return award;
    },
    unreact: (noteId: number, awardId: number) =>
      void awards.set(
        noteId,
        (awards.get(noteId) ?? []).filter((award) => award.id !== awardId),
      ),
  });
}

/** Every call as it is, but not with an aborted signal (D8), and failing where a test planned it. */
function guarded(calls: GitLabPort, planned: { call: string; failure: Error; afterwards: boolean }[]): GitLabPort {
  const entries = Object.entries(calls).map(([name, value]: [string, unknown]) => {
    if (typeof value !== 'function') return [name, value];
    const call = async (...given: unknown[]): Promise<unknown> => {
      const options = given.at(-1);
      if (typeof options === 'object' && options !== null && 'signal' in options) {
        (options.signal as AbortSignal | undefined)?.throwIfAborted();
      }
      const index = planned.findIndex((plan) => plan.call === name);
      const [plan] = index < 0 ? [] : planned.splice(index, 1);
      if (plan && !plan.afterwards) throw plan.failure;
      const result: unknown = await value(...given);
      if (plan) throw plan.failure;
      return result;
    };
    return [name, call];
  });
  return Object.fromEntries(entries) as GitLabPort;
}
