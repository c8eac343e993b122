/** Shapes of what the stand-in remembers. Times are ISO strings in UTC; ids are GitLab's (global) unless named `iid`. */

export interface User {
  id: number;
  username: string;
  name: string;
  bot: boolean;
  admin?: boolean;
  state: UserState;
}

export type UserState = 'active' | 'blocked' | 'deactivated' | 'banned';

/** A personal access token beside the ones everybody has (`sandbox-NAME`, which may do all). */
export interface AccessToken {
  id: number;
  userId: number;
  name: string;
  value: string;
  scopes: string[];
  revoked: boolean;
  createdAt: string;
  /** A day, `2026-01-31`. */
  expiresAt: string | null;
}

/** Its path is the start of the paths of what is in it. */
export interface Group {
  id: number;
  path: string;
  name: string;
  /** The groups above it, outermost first. */
  ancestors: Group[];
  members: Map<number, AccessLevel>;
  expiries: Map<number, string>;
}

/** A group invited to a project: its members have at most this level there. */
export interface Invitation {
  group: Group;
  level: AccessLevel;
  expiresAt: string | null;
}

export type AccessLevel = 5 | 10 | 15 | 20 | 25 | 30 | 40 | 50;
export type FeatureAccess = 'enabled' | 'private' | 'disabled';
export type Visibility = 'private' | 'internal' | 'public';

export interface Label {
  id: number;
  name: string;
  color: string;
  description: string | null;
}

export interface LabelEvent {
  id: number;
  userId: number;
  createdAt: string;
  label: Label;
  action: 'add' | 'remove';
}

export interface Award {
  id: number;
  name: string;
  userId: number;
  createdAt: string;
}

export interface Note {
  id: number;
  discussionId: string;
  authorId: number;
  body: string;
  createdAt: string;
  updatedAt: string;
  lastEditedById: number | null;
  system: boolean;
  internal: boolean;
  awards: Award[];
}

/** Somebody was mentioned. */
export interface Todo {
  id: number;
  userId: number;
  authorId: number;
  projectId: number;
  issueId: number;
  noteId: number;
  createdAt: string;
}

export interface Discussion {
  id: string;
  /** True for a plain comment, false for a thread. A reply turns a comment into a thread. */
  individual: boolean;
  resolvedById: number | null;
  resolvedAt: string | null;
  notes: Note[];
}

export interface IssueLink {
  id: number;
  targetIssueId: number;
  linkType: string;
}

export interface AppliedCommand {
  name: string;
  argument: string;
  userId: number;
}

export interface Issue {
  id: number;
  iid: number;
  projectId: number;
  title: string;
  description: string | null;
  state: 'opened' | 'closed';
  issueType: string;
  confidential: boolean;
  discussionLocked: boolean | null;
  authorId: number;
  assigneeIds: number[];
  labels: string[];
  createdAt: string;
  updatedAt: string;
  closedAt: string | null;
  closedById: number | null;
  movedToId: number | null;
  /** The item above it, an issue's id. */
  parentId?: number | null;
  dueDate: string | null;
  weight: number | null;
  /** Seconds. */
  timeEstimate: number;
  timeSpent: number;
  /** Every quick action that was carried out on it, whatever it changes. */
  commands: AppliedCommand[];
  discussions: Discussion[];
  awards: Award[];
  labelEvents: LabelEvent[];
  links: IssueLink[];
}

export interface MergeRequest {
  id: number;
  iid: number;
  title: string;
  description: string | null;
  state: 'opened' | 'closed' | 'merged';
  sourceBranch: string;
  targetBranch: string;
  labels: string[];
  authorId: number;
  createdAt: string;
  updatedAt: string;
  closedAt: string | null;
  mergedAt: string | null;
  mergedById: number | null;
}

export interface RepoFile {
  bytes: Buffer;
  executable: boolean;
}

/** One commit with its whole tree; `files` is keyed by the path inside the repository, `/` between folders. */
export interface Commit {
  id: string;
  treeId: string;
  parentIds: string[];
  message: string;
  authorName: string;
  authorEmail: string;
  date: string;
  files: Map<string, RepoFile>;
}

export interface Project {
  id: number;
  path: string;
  name: string;
  description: string;
  visibility: Visibility;
  issuesAccess: FeatureAccess;
  repositoryAccess: FeatureAccess;
  archived: boolean;
  defaultBranch: string;
  createdAt: string;
  /** Paths it had before: GET is sent on from them, other methods are refused. */
  formerPaths: string[];
  /** Its own list; groups above it and invited ones add to it. */
  members: Map<number, AccessLevel>;
  expiries: Map<number, string>;
  /** The groups above it, outermost first. */
  groups: Group[];
  invitations: Invitation[];
  labels: Label[];
  issues: Issue[];
  mergeRequests: MergeRequest[];
  commits: Map<string, Commit>;
  /** Branch name → commit id. Empty when the repository has no commit yet. */
  branches: Map<string, string>;
  hooks: Hook[];
}

export interface Hook {
  id: number;
  projectId: number;
  url: string;
  name: string;
  description: string;
  token: string | null;
  signingToken: string | null;
  events: Record<string, boolean>;
  enableSslVerification: boolean;
  alertStatus: 'executable' | 'disabled' | 'temporarily_disabled';
  /** Failed deliveries in a row. */
  failures: number;
  disabledUntil: string | null;
  createdAt: string;
}

export interface DeliveryAttempt {
  at: string;
  webhookUuid: string;
  status: number | null;
  error: string | null;
}

/** A hook request as sent: the body and its id stay the same over every resend. */
export interface Delivery {
  id: string;
  hookId: number;
  event: string;
  eventUuid: string;
  body: string;
  attempts: DeliveryAttempt[];
}

export interface JournalEntry {
  seq: number;
  at: string;
  actor: string | null;
  method: string;
  path: string;
  status: number;
  id: number | string | null;
}
