/**
 * GitLab as the flow needs it. Calls throw `TransientFailure` (429 with `retryAfterMs`, 5xx, network) or `PermanentFailure`
 * (`gitlab_unauthorized`, `gitlab_forbidden`, `gitlab_invalid`, …); where a `null` is in the type, 404 gives null. No call begins once the signal is
 * aborted (D8). Safe methods and queries are repeated inside, other POSTs never. A list that could not be read to its end is a failure, never a
 * shorter one.
 */

export interface GitLabUser {
  id: number;
  username: string;
  name: string;
  bot: boolean;
}

export type FeatureAccess = 'enabled' | 'private' | 'disabled';

export interface GitLabProject {
  id: number;
  path: string;
  webUrl: string;
  defaultBranch: string | null;
  visibility: 'private' | 'internal' | 'public';
  /** Who of those who may see the project may see its issues and its code: all, its members, nobody (there is none). */
  issuesAccess: FeatureAccess;
  repositoryAccess: FeatureAccess;
  archived: boolean;
}

/** `role`: Guest, Planner, Reporter, Security Manager, Developer, Maintainer, Owner, Minimal Access. */
export interface GitLabMember {
  userId: number;
  username: string;
  accessLevel: number;
  role: string;
  active: boolean;
}

export interface GitLabIssue {
  /** Global id. */
  id: number;
  iid: number;
  projectId: number;
  title: string;
  description: string;
  state: 'opened' | 'closed';
  labels: string[];
  authorId: number;
  assigneeIds: number[];
  confidential: boolean;
  webUrl: string;
  reference: string;
  movedToId: number | null;
  /** In lower case: `issue`, `task`, `incident`, … */
  type: string;
  createdAt: string;
  updatedAt: string;
  /** A day, `YYYY-MM-DD`. */
  dueDate: string | null;
  /** Its title; absent: none. */
  milestone?: string | null;
  /** Only where GitLab has weights. */
  weight?: number | null;
}

/** An item above or below another one. */
export interface GitLabRelative {
  /** With its project's or group's path. */
  reference: string;
  title: string;
  state: 'opened' | 'closed';
  /** As in `GitLabIssue`. */
  type: string;
  confidential: boolean;
  /** Path of its project or group. */
  namespace: string;
}

export interface GitLabNote {
  id: number;
  body: string;
  author: GitLabUser;
  system: boolean;
  internal: boolean;
  createdAt: string;
  updatedAt: string;
  discussionId: string | null;
}

export interface GitLabDiscussion {
  id: string;
  notes: GitLabNote[];
}

export interface GitLabAward {
  id: number;
  name: string;
  user: GitLabUser;
  /** ISO 8601; the beginning of time where GitLab does not say. */
  createdAt: string;
}

/** A label that was put on an item or taken away. */
export interface GitLabLabelEvent {
  id: number;
  action: 'add' | 'remove';
  /** Its name; null when the label was deleted since. */
  label: string | null;
  /** Who did it; null when the account is gone. */
  user: GitLabUser | null;
  /** ISO 8601. */
  createdAt: string;
}

export interface GitLabHook {
  id: number;
  url: string;
  /** Whether GitLab sends to it: after failures it does not for a time, then for good. Absent where GitLab does not say. */
  alertStatus?: 'executable' | 'temporarily_disabled' | 'disabled';
  /** Of `temporarily_disabled`: until when, ISO 8601. */
  disabledUntil?: string | null;
}

export interface CommitRef {
  id: string;
  title: string;
  authoredAt: string;
}

type Signal = { signal?: AbortSignal };

export interface GitLabPort {
  /** Base URL with its path, no trailing slash; every link is built from it. */
  readonly baseUrl: string;
  /** The service's own user; remembered. */
  me(options?: Signal): Promise<GitLabUser>;
  /** The user of a person's token; null when GitLab says 401. The token is neither stored nor logged. */
  userOfToken(token: string, options?: Signal): Promise<GitLabUser | null>;
  /** Issue as the person of that token sees it; null on 404 or 403. */
  issueAs(token: string, project: string | number, iid: number, options?: Signal): Promise<GitLabIssue | null>;
  user(id: number, options?: Signal): Promise<GitLabUser | null>;
  project(idOrPath: string | number, options?: Signal): Promise<GitLabProject | null>;
  /** Is it the path of a group that the person of that token may see? Used to refuse group-level items by name. */
  groupVisibleTo(token: string, path: string, options?: Signal): Promise<boolean>;
  /** Membership, inherited and invited groups included; null: no member. */
  member(projectId: number, userId: number, options?: Signal): Promise<GitLabMember | null>;
  members(projectId: number, options?: Signal): Promise<GitLabMember[]>;
  issue(projectId: number, iid: number, options?: Signal): Promise<GitLabIssue | null>;
  /** Writes the whole description; GitLab carries out quick actions in it as the service's. */
  updateDescription(projectId: number, iid: number, description: string, options?: Signal): Promise<void>;
  /** Issues changed at or after `since` (ISO 8601), oldest change first, at most 100. */
  changedIssues(projectId: number, since: string, options?: Signal): Promise<GitLabIssue[]>;
  linkedIssues(projectId: number, iid: number, options?: Signal): Promise<GitLabIssue[]>;
  /**
   * What stands above and below an item (GraphQL): of many children the first hundred, then `more` is true. Null: it cannot be had, GraphQL is
   * absent or too old.
   */
  hierarchy(
    itemGlobalId: number,
    options?: Signal,
  ): Promise<{ parent: GitLabRelative | null; children: GitLabRelative[]; more: boolean } | null>;
  relatedMergeRequests(
    projectId: number,
    iid: number,
    options?: Signal,
  ): Promise<{ iid: number; title: string; state: string; webUrl: string }[]>;

  note(projectId: number, iid: number, noteId: number, options?: Signal): Promise<GitLabNote | null>;
  /** All discussions with their notes, oldest first. */
  discussions(projectId: number, iid: number, options?: Signal): Promise<GitLabDiscussion[]>;
  /** All notes, oldest first. */
  notes(projectId: number, iid: number, options?: Signal): Promise<GitLabNote[]>;
  /** 202 or an answer without an id is `PermanentFailure('note_not_created')`. */
  createNote(projectId: number, iid: number, body: string, options?: Signal): Promise<GitLabNote>;
  createDiscussion(projectId: number, iid: number, body: string, options?: Signal): Promise<GitLabDiscussion>;
  replyToDiscussion(
    projectId: number,
    iid: number,
    discussionId: string,
    body: string,
    options?: Signal,
  ): Promise<GitLabNote>;
  updateNote(projectId: number, iid: number, noteId: number, body: string, options?: Signal): Promise<GitLabNote>;
  /** 404 counts as deleted. */
  deleteNote(projectId: number, iid: number, noteId: number, options?: Signal): Promise<void>;
  /** None where the note is gone. */
  noteAwards(projectId: number, iid: number, noteId: number, options?: Signal): Promise<GitLabAward[]>;
  /** Every label that was put on an issue or taken away, the oldest first. */
  labelEvents(projectId: number, iid: number, options?: Signal): Promise<GitLabLabelEvent[]>;
  /**
   * Puts labels on an issue and takes others away in one request; labels that are not there yet are made. Answers those that it carries
   * afterwards: GitLab leaves out in silence what the service may not set.
   */
  changeLabels(
    projectId: number,
    iid: number,
    change: { add: readonly string[]; remove: readonly string[] },
    options?: Signal,
  ): Promise<string[]>;
  /**
   * Who edited these notes last (GraphQL `lastEditedBy`), by note id: null of one that nobody edited, nothing of one that cannot be seen.
   * Null: GraphQL cannot be had, or is too old to know.
   */
  lastEditors(noteIds: readonly number[], options?: Signal): Promise<ReadonlyMap<number, GitLabUser | null> | null>;

  /** The branch's head; null: no repository, no branch. */
  headCommit(projectId: number, branch: string, options?: Signal): Promise<CommitRef | null>;
  fileHistory(projectId: number, sha: string, path: string, limit: number, options?: Signal): Promise<CommitRef[]>;
  /** A file's text at a commit or branch; null when it does not exist. */
  rawFile(projectId: number, ref: string, path: string, options?: Signal): Promise<string | null>;
  /** The repository at a commit as a gzipped tar, streamed. */
  archive(projectId: number, sha: string, options?: Signal): Promise<AsyncIterable<Uint8Array>>;

  hooks(projectId: number, options?: Signal): Promise<GitLabHook[]>;
  createHook(projectId: number, hook: HookSettings, options?: Signal): Promise<GitLabHook>;
  updateHook(projectId: number, hookId: number, hook: HookSettings, options?: Signal): Promise<GitLabHook>;
}

export interface HookSettings {
  url: string;
  token: string | null;
  /** `whsec_` + base64; null: none. */
  signingToken: string | null;
  /** Shown to Maintainers beside the hook, where GitLab knows descriptions; absent: left as it is. */
  description?: string;
}
