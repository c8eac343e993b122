/** What GitLab answers: permissive, naming only the fields used, each turned into the port's shape. */
import { z } from 'zod';
import type {
  CommitRef,
  GitLabAward,
  GitLabDiscussion,
  GitLabHook,
  GitLabIssue,
  GitLabLabelEvent,
  GitLabMember,
  GitLabNote,
  GitLabProject,
  GitLabUser,
} from '../../ports/gitlab.ts';

/** `bot` is told by the user endpoints only; authors of notes come without it, which counts as no bot. */
export const UserAnswer = z
  .object({ id: z.number(), username: z.string(), name: z.string().nullish(), bot: z.boolean().nullish() })
  .transform(
    (user): GitLabUser => ({
      id: user.id,
      username: user.username,
      name: user.name ?? user.username,
      bot: user.bot ?? false,
    }),
  );

/** The author of what a deleted account wrote, where GitLab names none. */
const NOBODY: GitLabUser = { id: 0, username: 'ghost', name: 'Ghost User', bot: false };

const BEGINNING = '1970-01-01T00:00:00.000Z';

export const ProjectAnswer = z
  .object({
    id: z.number(),
    path_with_namespace: z.string(),
    web_url: z.string(),
    default_branch: z.string().nullish(),
    // Absent counts as the narrowest audience.
    visibility: z.enum(['private', 'internal', 'public']).catch('private'),
    // Where GitLab does not say, the item counts as seen by many and the code by few: then nothing of the code is shown to too many.
    issues_access_level: z.enum(['enabled', 'private', 'disabled']).catch('enabled'),
    repository_access_level: z.enum(['enabled', 'private', 'disabled']).catch('private'),
    archived: z.boolean().nullish(),
  })
  .transform(
    (project): GitLabProject => ({
      id: project.id,
      path: project.path_with_namespace,
      webUrl: project.web_url,
      defaultBranch: project.default_branch || null,
      visibility: project.visibility,
      issuesAccess: project.issues_access_level,
      repositoryAccess: project.repository_access_level,
      archived: project.archived ?? false,
    }),
  );

const roles: Readonly<Record<number, string>> = {
  5: 'Minimal Access',
  10: 'Guest',
  15: 'Planner',
  20: 'Reporter',
  25: 'Security Manager',
  30: 'Developer',
  40: 'Maintainer',
  50: 'Owner',
};

export const MemberAnswer = z
  .object({
    id: z.number(),
    username: z.string(),
    access_level: z.number(),
    state: z.string().nullish(),
    membership_state: z.string().nullish(),
    expires_at: z.string().nullish(),
  })
  .transform((member): GitLabMember & { expiresOn: string | null } => ({
    userId: member.id,
    username: member.username,
    accessLevel: member.access_level,
    // A level this version does not know gives no role of any list.
    role: roles[member.access_level] ?? `Level ${member.access_level}`,
    active: member.state === 'active' && (member.membership_state ?? 'active') === 'active',
    expiresOn: member.expires_at ?? null,
  }));

export const IssueAnswer = z
  .object({
    id: z.number(),
    iid: z.number(),
    project_id: z.number(),
    title: z.string(),
    description: z.string().nullish(),
    state: z.string(),
    labels: z.array(z.string()).nullish(),
    author: z.object({ id: z.number() }).nullish(),
    assignees: z.array(z.object({ id: z.number() })).nullish(),
    // Absent counts as confidential: the narrowest audience.
    confidential: z.boolean().nullish(),
    web_url: z.string(),
    references: z.object({ full: z.string() }).nullish(),
    moved_to_id: z.number().nullish(),
    issue_type: z.string().nullish(),
    created_at: z.string().nullish(),
    updated_at: z.string(),
    due_date: z.string().nullish(),
    milestone: z.object({ title: z.string() }).nullish().catch(null),
    weight: z.number().nullish().catch(null),
  })
  .transform(
    (issue): GitLabIssue => ({
      id: issue.id,
      iid: issue.iid,
      projectId: issue.project_id,
      title: issue.title,
      description: issue.description ?? '',
      state: issue.state === 'closed' ? 'closed' : 'opened',
      labels: issue.labels ?? [],
      authorId: issue.author?.id ?? NOBODY.id,
      assigneeIds: (issue.assignees ?? []).map((assignee) => assignee.id),
      confidential: issue.confidential ?? true,
      webUrl: issue.web_url,
      reference: issue.references?.full ?? `#${issue.iid}`,
      movedToId: issue.moved_to_id ?? null,
      type: (issue.issue_type ?? 'issue').toLowerCase(),
      createdAt: issue.created_at ?? issue.updated_at,
      updatedAt: issue.updated_at,
      dueDate: issue.due_date ?? null,
      milestone: issue.milestone?.title ?? null,
      weight: issue.weight ?? null,
    }),
  );

export const MergeRequestAnswer = z
  .object({ iid: z.number(), title: z.string(), state: z.string(), web_url: z.string() })
  .transform(({ iid, title, state, web_url }) => ({ iid, title, state, webUrl: web_url }));

export const NoteAnswer = z
  .object({
    id: z.number(),
    body: z.string().nullish(),
    author: UserAnswer.nullish(),
    system: z.boolean().nullish(),
    internal: z.boolean().nullish(),
    /** The name of `internal` before GitLab 15. */
    confidential: z.boolean().nullish(),
    created_at: z.string(),
    updated_at: z.string().nullish(),
    discussion_id: z.string().nullish(),
  })
  .transform(
    (note): GitLabNote => ({
      id: note.id,
      body: note.body ?? '',
      author: note.author ?? NOBODY,
      system: note.system ?? false,
      internal: note.internal ?? note.confidential ?? false,
      createdAt: note.created_at,
      updatedAt: note.updated_at ?? note.created_at,
      discussionId: note.discussion_id ?? null,
    }),
  );

export const DiscussionAnswer = z
  .object({ id: z.string(), notes: z.array(NoteAnswer) })
  .transform(
    ({ id, notes }): GitLabDiscussion => ({ id, notes: notes.map((note) => ({ ...note, discussionId: id })) }),
  );

export const AwardAnswer = z
  .object({ id: z.number(), name: z.string(), user: UserAnswer.nullish(), created_at: z.string().nullish() })
  .transform(
    ({ id, name, user, created_at: createdAt }): GitLabAward => ({
      id,
      name,
      user: user ?? NOBODY,
      createdAt: createdAt ?? BEGINNING,
    }),
  );

export const LabelEventAnswer = z
  .object({
    id: z.number(),
    action: z.string(),
    label: z.object({ name: z.string() }).nullish(),
    user: UserAnswer.nullish(),
    created_at: z.string().nullish(),
  })
  .transform(
    ({ id, action, label, user, created_at: createdAt }): GitLabLabelEvent => ({
      id,
      action: action === 'add' ? 'add' : 'remove',
      label: label?.name ?? null,
      user: user ?? null,
      createdAt: createdAt ?? BEGINNING,
    }),
  );

export const LabelsAnswer = z.object({ labels: z.array(z.string()) }).transform(({ labels }) => labels);

/** What GraphQL answers of the editor of a note, under the note's alias `n<ID>`; with errors nothing is believed. */
export const EditorsAnswer = z.object({
  errors: z.array(z.unknown()).max(0).nullish(),
  data: z.record(
    z.string(),
    z
      .object({
        lastEditedBy: z.object({ id: z.string(), username: z.string(), name: z.string().nullish() }).nullable(),
      })
      .nullable(),
  ),
});

export const CommitAnswer = z
  .object({ id: z.string(), title: z.string().nullish(), authored_date: z.string() })
  .transform(({ id, title, authored_date }): CommitRef => ({ id, title: title ?? '', authoredAt: authored_date }));

export const BranchAnswer = z.object({ commit: CommitAnswer }).transform(({ commit }) => commit);

export const HookAnswer = z
  .object({
    id: z.number(),
    url: z.string(),
    // A state this version does not know counts as not told.
    alert_status: z.enum(['executable', 'temporarily_disabled', 'disabled']).optional().catch(undefined),
    disabled_until: z.string().nullish(),
  })
  .transform(
    ({ id, url, alert_status: alertStatus, disabled_until: disabledUntil }): GitLabHook => ({
      id,
      url,
      ...(alertStatus === undefined ? {} : { alertStatus }),
      ...(disabledUntil == null ? {} : { disabledUntil }),
    }),
  );
