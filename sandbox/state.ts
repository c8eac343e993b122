import { createHash } from 'node:crypto';
import { makeCommit } from './git.ts';
import { lastOfEachScope } from './labels.ts';
import { dropExpired, roleLevel } from './members.ts';
import type {
  AccessToken,
  Commit,
  Delivery,
  Discussion,
  FeatureAccess,
  Group,
  Issue,
  JournalEntry,
  Label,
  Note,
  Project,
  RepoFile,
  Todo,
  User,
  Visibility,
} from './model.ts';
import { defaultSettings, type SandboxSettings } from './settings.ts';

const SAMPLE_USERS = ['alice', 'bob', 'carol', 'dave', 'erin', 'maria', 'planwright'];

export interface NewProject {
  path: string;
  name?: string;
  description?: string;
  visibility?: Visibility;
  issuesAccess?: FeatureAccess;
  repositoryAccess?: FeatureAccess;
  files?: Map<string, RepoFile>;
  members?: Record<string, string>;
  createdAt?: string;
}

/** Everything the stand-in remembers. Ids of different kinds start in different ranges, so that mixing them up shows. */
export class SandboxState {
  /** Where the pages are reached, without a trailing slash. */
  baseUrl: string;
  readonly now: () => Date;
  readonly users: User[];
  readonly projects: Project[] = [];
  readonly groups: Group[] = [];
  readonly tokens: AccessToken[] = [];
  readonly todos: Todo[] = [];
  readonly settings: SandboxSettings = defaultSettings();
  readonly deliveries: Delivery[] = [];
  readonly journal: JournalEntry[] = [];
  private readonly counters = new Map<string, number>();

  constructor(options: { baseUrl: string; now: () => Date }) {
    this.baseUrl = options.baseUrl;
    this.now = options.now;
    this.users = SAMPLE_USERS.map((username, index) => ({
      id: 11 + index,
      username,
      name: username.charAt(0).toUpperCase() + username.slice(1),
      bot: username === 'planwright',
      state: 'active',
    }));
  }

  /** The next id of a kind, counting up from `first`. */
  nextId(kind: string, first: number): number {
    const id = this.counters.get(kind) ?? first;
    this.counters.set(kind, id + 1);
    return id;
  }

  timestamp(): string {
    return this.now().toISOString();
  }

  user(id: number): User {
    const user = this.users.find((candidate) => candidate.id === id);
    if (!user) throw new Error(`the sandbox has no user ${id}`);
    return user;
  }

  userNamed(username: string): User {
    const user = this.users.find((candidate) => candidate.username === username);
    if (!user) throw new Error(`the sandbox has no user "${username}": it knows ${SAMPLE_USERS.join(', ')}`);
    return user;
  }

  project(id: number): Project {
    const project = this.projects.find((candidate) => candidate.id === id);
    if (!project) throw new Error(`the sandbox has no project ${id}`);
    return project;
  }

  issue(id: number): Issue {
    for (const project of this.projects) {
      const issue = project.issues.find((candidate) => candidate.id === id);
      if (issue) return issue;
    }
    throw new Error(`the sandbox has no issue with id ${id}`);
  }

  /** The groups a path lies in, outermost first, made when they are not there. */
  groupsAbove(path: string): Group[] {
    const parts = path.split('/').slice(0, -1);
    const above: Group[] = [];
    for (const [index, name] of parts.entries()) {
      const groupPath = parts.slice(0, index + 1).join('/');
      let group = this.groups.find((known) => known.path === groupPath);
      if (!group) {
        const id = this.nextId('group', 1001);
        group = { id, path: groupPath, name, ancestors: [...above], members: new Map(), expiries: new Map() };
        this.groups.push(group);
      }
      above.push(group);
    }
    return above;
  }

  /** Ends memberships whose day has come. */
  expireMembers(): void {
    dropExpired([...this.projects, ...this.groups], this.timestamp().slice(0, 10));
  }

  addProject(input: NewProject): Project {
    const name = input.path.split('/').at(-1) ?? input.path;
    const project: Project = {
      id: this.nextId('project', 1),
      path: input.path,
      name: input.name ?? name,
      description: input.description ?? '',
      visibility: input.visibility ?? 'private',
      issuesAccess: input.issuesAccess ?? 'enabled',
      repositoryAccess: input.repositoryAccess ?? 'enabled',
      archived: false,
      defaultBranch: 'main',
      createdAt: input.createdAt ?? this.timestamp(),
      formerPaths: [],
      members: new Map(),
      expiries: new Map(),
      groups: this.groupsAbove(input.path),
      invitations: [],
      labels: [],
      issues: [],
      mergeRequests: [],
      commits: new Map(),
      branches: new Map(),
      hooks: [],
    };
    for (const [username, role] of Object.entries(input.members ?? {})) {
      project.members.set(this.userNamed(username).id, roleLevel(role));
    }
    if (input.files && input.files.size > 0) {
      this.addCommit(project, { files: input.files, message: 'Initial commit', date: project.createdAt });
    }
    this.projects.push(project);
    return project;
  }

  /** Adds a commit with exactly these files on the default branch. */
  addCommit(project: Project, input: { files: Map<string, RepoFile>; message: string; date: string }): Commit {
    const parent = project.branches.get(project.defaultBranch);
    const commit = makeCommit({
      ...input,
      parentIds: parent === undefined ? [] : [parent],
      authorName: 'Maria',
      authorEmail: 'maria@sandbox.example',
    });
    project.commits.set(commit.id, commit);
    project.branches.set(project.defaultBranch, commit.id);
    return commit;
  }

  ensureLabel(project: Project, name: string, color = '#6699cc', description: string | null = null): Label {
    const known = project.labels.find((label) => label.name === name);
    if (known) return known;
    const label = { id: this.nextId('label', 201), name, color, description };
    project.labels.push(label);
    return label;
  }

  addIssue(
    project: Project,
    input: {
      title: string;
      description: string | null;
      authorId: number;
      labels?: string[];
      assigneeIds?: number[];
      confidential?: boolean;
      issueType?: string;
      createdAt?: string;
    },
  ): Issue {
    const createdAt = input.createdAt ?? this.timestamp();
    const issue: Issue = {
      id: this.nextId('issue', 501),
      iid: Math.max(0, ...project.issues.map((known) => known.iid)) + 1,
      projectId: project.id,
      title: input.title,
      description: input.description,
      state: 'opened',
      issueType: input.issueType ?? 'issue',
      confidential: input.confidential ?? false,
      discussionLocked: null,
      authorId: input.authorId,
      assigneeIds: input.assigneeIds ?? [],
      labels: [],
      createdAt,
      updatedAt: createdAt,
      closedAt: null,
      closedById: null,
      movedToId: null,
      dueDate: null,
      weight: null,
      timeEstimate: 0,
      timeSpent: 0,
      commands: [],
      discussions: [],
      awards: [],
      labelEvents: [],
      links: [],
    };
    project.issues.push(issue);
    this.setLabels(project, issue, input.labels ?? [], input.authorId, createdAt);
    return issue;
  }

  /**
   * Makes the issue's labels exactly these; every change leaves a label event. Where scoped labels exclude each other the last named of a
   * scope stays. Says whether anything changed.
   */
  setLabels(project: Project, issue: Issue, names: readonly string[], userId: number, at: string): boolean {
    const asked = [...new Set(names)];
    const wanted = this.settings.scopedLabels ? lastOfEachScope(asked) : asked;
    const added = wanted.filter((name) => !issue.labels.includes(name));
    const removed = issue.labels.filter((name) => !wanted.includes(name));
    const record = (name: string, action: 'add' | 'remove'): void => {
      const label = this.ensureLabel(project, name);
      issue.labelEvents.push({ id: this.nextId('label_event', 9001), userId, createdAt: at, label, action });
    };
    for (const name of added) record(name, 'add');
    for (const name of removed) record(name, 'remove');
    issue.labels = wanted.toSorted();
    return added.length + removed.length > 0;
  }

  /** Adds a note: a reply when `discussion` is given, else a new comment (`individual`) or thread. */
  addNote(
    issue: Issue,
    input: {
      authorId: number;
      body: string;
      discussion?: Discussion;
      individual?: boolean;
      internal?: boolean;
      system?: boolean;
      createdAt?: string;
    },
  ): Note {
    const id = this.nextId('note', 3001);
    const createdAt = input.createdAt ?? this.timestamp();
    let discussion = input.discussion;
    if (!discussion) {
      const discussionId = createHash('sha1').update(`discussion ${id}`).digest('hex');
      discussion = {
        id: discussionId,
        individual: input.individual ?? true,
        resolvedById: null,
        resolvedAt: null,
        notes: [],
      };
      issue.discussions.push(discussion);
    } else {
      discussion.individual = false;
    }
    const note: Note = {
      id,
      discussionId: discussion.id,
      authorId: input.authorId,
      body: input.body,
      createdAt,
      updatedAt: createdAt,
      lastEditedById: null,
      system: input.system ?? false,
      internal: input.internal ?? discussion.notes[0]?.internal ?? false,
      awards: [],
    };
    discussion.notes.push(note);
    if (createdAt > issue.updatedAt) issue.updatedAt = createdAt;
    return note;
  }

  /** All notes of an issue in the order of their ids. */
  notesOf(issue: Issue): Note[] {
    return issue.discussions.flatMap((discussion) => discussion.notes).toSorted((a, b) => a.id - b.id);
  }
}
