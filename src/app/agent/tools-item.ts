import { z } from 'zod';
import { withoutPlan } from '../../domain/workplan/description.ts';
import type { ItemRef } from '../../domain/workplan/people.ts';
import type { GitLabIssue, GitLabMember, GitLabNote, GitLabRelative, GitLabUser } from '../../ports/gitlab.ts';
import { isOtherBot } from '../bots.ts';
import { defineTool, type Tool, ToolError } from './tool.ts';
import type { ItemGitLab } from './tool-context.ts';

const nothing = z.strictObject({});
const itemInput = z.strictObject({
  from: z
    .int()
    .min(0)
    .optional()
    .describe('First character of the description that is shown, of a long one; 0 without it'),
});
const discussionsInput = z.strictObject({
  from: z.int().min(1).optional().describe('Number of the first note that is shown, of many; 1 without it'),
});

/** Tools that read the run's item and its project from GitLab, as they are now. */
export function itemTools(gitlab: ItemGitLab, item: ItemRef, allowedBots: readonly number[]): Tool[] {
  const members = onceOnly((signal: AbortSignal) => gitlab.members(item.projectId, { signal }));

  const knownBots = new Map<number, boolean>();

  async function readItem(signal: AbortSignal, from: number): Promise<object> {
    const issue = await currentItem(gitlab, item, signal);
    const [author, assignees, linked, hierarchy, mergeRequests] = await Promise.all([
      gitlab.user(issue.authorId, { signal }),
      Promise.all(issue.assigneeIds.map((id) => gitlab.user(id, { signal }))),
      gitlab.linkedIssues(item.projectId, item.iid, { signal }),
      gitlab.hierarchy(issue.id, { signal }),
      gitlab.relatedMergeRequests(item.projectId, item.iid, { signal }),
    ]);
    const visible = await visibleLinks(gitlab, item, { issue, linked }, signal);
    const above = hierarchy?.parent ? [hierarchy.parent] : [];
    const parent = await visibleRelatives(gitlab, item, { issue, relatives: above }, signal);
    const children = await visibleRelatives(gitlab, item, { issue, relatives: hierarchy?.children ?? [] }, signal);
    const ownMergeRequests = `${gitlab.baseUrl}/${item.projectPath}/-/merge_requests/`;
    return {
      reference: issue.reference,
      title: issue.title,
      // What stands in it of an earlier plan is nothing that people asked for.
      description: withoutPlan(issue.description).slice(from).toWellFormed(),
      labels: issue.labels,
      state: issue.state,
      type: issue.type,
      confidential: issue.confidential,
      author: author?.username ?? null,
      assignees: assignees.flatMap((assignee) => assignee?.username ?? []),
      createdAt: issue.createdAt,
      updatedAt: issue.updatedAt,
      dueDate: issue.dueDate,
      milestone: issue.milestone ?? null,
      weight: issue.weight ?? null,
      parent: parent[0] ?? null,
      children,
      ...(hierarchy?.more ? { moreChildren: true } : {}),
      linked: visible.map(({ reference, title, state }) => ({ reference, title, state })),
      // Who reads the item need not be able to read another project's merge requests.
      mergeRequests: mergeRequests
        .filter((request) => request.webUrl.startsWith(ownMergeRequests))
        .map(({ iid, title, state }) => ({ reference: `!${iid}`, title, state })),
    };
  }

  async function readDiscussions(signal: AbortSignal, from: number): Promise<object> {
    const [me, discussions, people] = await Promise.all([
      gitlab.me({ signal }),
      gitlab.discussions(item.projectId, item.iid, { signal }),
      members(signal),
    ]);
    const open = discussions.flatMap(({ notes }) => notes).filter((note) => isOpen(note, me.id));
    const silent = await otherBots(
      open.map((note) => note.author),
      signal,
    );
    const roles = new Map(people.map((member) => [member.userId, member.role]));
    const notes = discussions.flatMap((discussion) =>
      discussion.notes
        .filter((note) => isOpen(note, me.id) && !silent.has(note.author.id))
        .map((note) => ({
          id: note.id,
          author: note.author.username,
          role: roles.get(note.author.id) ?? null,
          createdAt: note.createdAt,
          discussionId: discussion.id,
          text: note.body,
        })),
    );
    return { notes: notes.slice(from - 1) };
  }

  /** Ids of those that are bots nobody allowed; each account is asked for once. */
  async function otherBots(authors: readonly GitLabUser[], signal: AbortSignal): Promise<Set<number>> {
    const unknown = new Map(authors.filter(({ id }) => !knownBots.has(id)).map((author) => [author.id, author]));
    await Promise.all(
      [...unknown.values()].map(async (author) =>
        knownBots.set(author.id, await isOtherBot(gitlab, author, allowedBots, { signal })),
      ),
    );
    return new Set(authors.map(({ id }) => id).filter((id) => knownBots.get(id)));
  }

  async function readMembers(signal: AbortSignal): Promise<object> {
    const [me, people] = await Promise.all([gitlab.me({ signal }), members(signal)]);
    return { members: people.filter((member) => member.active && member.userId !== me.id).map(roleOf) };
  }

  return [
    defineTool({
      name: 'item_read',
      description:
        'The work item of this run: title, description, labels, state, type, whether it is confidential, author, assignees, dates, milestone, weight, parent, child and linked items and merge requests.',
      input: itemInput,
      read: ({ from = 0 }, signal) => readItem(signal, from),
    }),
    defineTool({
      name: 'discussions_read',
      description: "What people wrote below the work item, oldest first, with each author's role in the project.",
      input: discussionsInput,
      read: ({ from = 1 }, signal) => readDiscussions(signal, from),
    }),
    defineTool({
      name: 'members_read',
      description: 'The active members of the project and their roles.',
      input: nothing,
      read: (_input, signal) => readMembers(signal),
    }),
  ];
}

async function currentItem(gitlab: ItemGitLab, item: ItemRef, signal: AbortSignal): Promise<GitLabIssue> {
  const issue = await gitlab.issue(item.projectId, item.iid, { signal });
  if (issue === null) throw new ToolError('item_missing', `${item.reference} cannot be read any more.`);
  return issue;
}

function isOpen(note: GitLabNote, ownId: number): boolean {
  return !note.system && !note.internal && note.author.id !== ownId;
}

function roleOf(member: GitLabMember): { username: string; role: string } {
  return { username: member.username, role: member.role };
}

/**
 * The linked items that everybody who may read this item may read: confidential ones only for a confidential item of the same
 * project, those of other projects only where their project is at least as open.
 */
async function visibleLinks(
  gitlab: ItemGitLab,
  item: ItemRef,
  { issue, linked }: { issue: GitLabIssue; linked: GitLabIssue[] },
  signal: AbortSignal,
): Promise<GitLabIssue[]> {
  const foreign = new Set(linked.map((link) => link.projectId).filter((id) => id !== item.projectId));
  const open = foreign.size > 0 ? await openProjects(gitlab, item, [...foreign], signal) : new Set<number>();
  return linked.filter((link) => {
    const own = link.projectId === item.projectId;
    // What was confidential when the run began stays with those who could read it, should the item be made public (wasConfidential).
    if (link.confidential) return own && issue.confidential && item.confidential === true;
    return own || open.has(link.projectId);
  });
}

/** The items above and below by the same rule. A group's are left out: who may read the project need not be able to read the group. */
async function visibleRelatives(
  gitlab: ItemGitLab,
  item: ItemRef,
  { issue, relatives }: { issue: GitLabIssue; relatives: readonly GitLabRelative[] },
  signal: AbortSignal,
): Promise<Pick<GitLabRelative, 'reference' | 'title' | 'type' | 'state'>[]> {
  const ownPath = issue.reference.replace(/#\d+$/, '');
  const foreign = new Set(relatives.map((relative) => relative.namespace).filter((path) => path !== ownPath));
  const open = foreign.size > 0 ? await openProjects(gitlab, item, [...foreign], signal) : new Set<string>();
  return relatives
    .filter(({ namespace, confidential }) => {
      const own = namespace === ownPath;
      if (confidential) return own && issue.confidential && item.confidential === true;
      return own || open.has(namespace);
    })
    .map(({ reference, title, type, state }) => ({ reference, title, type, state }));
}

/** Those of the projects that are at least as open as the item's. */
async function openProjects<K extends number | string>(
  gitlab: ItemGitLab,
  item: ItemRef,
  keys: readonly K[],
  signal: AbortSignal,
): Promise<Set<K>> {
  const own = await gitlab.project(item.projectId, { signal });
  const isOpen = async (key: K): Promise<boolean> => {
    const project = await gitlab.project(key, { signal });
    return (
      project?.visibility === 'public' ||
      (project?.visibility === 'internal' && own !== null && own.visibility !== 'public')
    );
  };
  const open = await Promise.all(keys.map(isOpen));
  return new Set(keys.filter((_key, index) => open[index]));
}

/** Asks once and remembers; a failure is not remembered. */
function onceOnly<T>(ask: (signal: AbortSignal) => Promise<T>): (signal: AbortSignal) => Promise<T> {
  let asked: Promise<T> | null = null;
  return (signal) => {
    asked ??= ask(signal).catch((error: unknown) => {
      asked = null;
      throw error;
    });
    return asked;
  };
}
