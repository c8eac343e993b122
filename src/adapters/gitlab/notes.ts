import { IssueDiscussions, IssueNoteAwardEmojis, IssueNotes } from '@gitbeaker/rest';
import { z } from 'zod';
import { PermanentFailure } from '../../ports/failures.ts';
import type { GitLabNote, GitLabPort } from '../../ports/gitlab.ts';
import { list, one, oneOrNull } from './calls.ts';
import { listOptions } from './lists.ts';
import type { Resource } from './resource.ts';
import { AwardAnswer, DiscussionAnswer, NoteAnswer } from './schemas.ts';

type NoteCalls = Pick<
  GitLabPort,
  | 'note'
  | 'discussions'
  | 'notes'
  | 'createNote'
  | 'createDiscussion'
  | 'replyToDiscussion'
  | 'updateNote'
  | 'deleteNote'
  | 'noteAwards'
>;

/** What a POST answers, seen with its status: 202 means GitLab ran quick actions and stored no note. */
const Created = z.object({ status: z.number(), data: z.unknown() });

/** Notes and discussions of an issue. */
export function noteCalls(service: Resource): NoteCalls {
  const issueNotes = new IssueNotes(service);
  const issueDiscussions = new IssueDiscussions(service);
  const awards = new IssueNoteAwardEmojis(service);

  return {
    note: (projectId, iid, noteId, options) =>
      oneOrNull('note', NoteAnswer, options, () => issueNotes.show(projectId, iid, noteId)),
    async discussions(projectId, iid, options) {
      const work = (): Promise<unknown> => issueDiscussions.all(projectId, iid, listOptions);
      const found = await list('discussions', DiscussionAnswer, options, work, (discussion) => discussion.id);
      return found
        .filter((discussion) => discussion.notes.length > 0)
        .map((discussion) => ({ ...discussion, notes: discussion.notes.toSorted(byTime) }))
        .toSorted((a, b) => byTime(a.notes[0], b.notes[0]));
    },
    async notes(projectId, iid, options) {
      // Oldest first: what is written while reading comes at the end and moves nothing over a page's border.
      const sorted = { sort: 'asc', orderBy: 'created_at', ...listOptions } as const;
      const work = (): Promise<unknown> => issueNotes.all(projectId, iid, sorted);
      return (await list('notes', NoteAnswer, options, work, (note) => note.id)).toSorted(byTime);
    },
    async createNote(projectId, iid, body, options) {
      const work = (): Promise<unknown> => issueNotes.create(projectId, iid, body, { showExpanded: true });
      return created(NoteAnswer, await one('new note', Created, options, work));
    },
    async createDiscussion(projectId, iid, body, options) {
      const work = (): Promise<unknown> => issueDiscussions.create(projectId, iid, body, { showExpanded: true });
      return created(
        DiscussionAnswer.refine((discussion) => discussion.notes.length > 0),
        await one('new discussion', Created, options, work),
      );
    },
    async replyToDiscussion(projectId, iid, discussionId, body, options) {
      const work = (): Promise<unknown> =>
        // The types ask for a note's number that GitLab's endpoint does not have.
        (issueDiscussions.addNote as unknown as AddNote).call(issueDiscussions, projectId, iid, discussionId, body, {
          showExpanded: true,
        });
      const note = created(NoteAnswer, await one('reply', Created, options, work));
      return { ...note, discussionId };
    },
    updateNote: (projectId, iid, noteId, body, options) =>
      one('changed note', NoteAnswer, options, () => issueNotes.edit(projectId, iid, noteId, { body })),
    async deleteNote(projectId, iid, noteId, options) {
      await oneOrNull('deleted note', z.unknown(), options, () => issueNotes.remove(projectId, iid, noteId));
    },
    async noteAwards(projectId, iid, noteId, options) {
      const work = (): Promise<unknown> => awards.all(projectId, iid, noteId, listOptions);
      try {
        return await list('awards', AwardAnswer, options, work, (award) => award.id);
      } catch (error) {
        if (error instanceof PermanentFailure && error.code === 'gitlab_not_found') return [];
        throw error;
      }
    },
  };
}

type AddNote = (
  projectId: number,
  iid: number,
  discussionId: string,
  body: string,
  options: { showExpanded: true },
) => Promise<unknown>;

function created<T>(schema: z.ZodType<T>, answer: z.infer<typeof Created>): T {
  const parsed = schema.safeParse(answer.data);
  if (answer.status !== 202 && parsed.success) return parsed.data;
  throw new PermanentFailure(
    'note_not_created',
    `GitLab answered ${answer.status} to the new note but did not store it: its text was taken for quick actions only`,
  );
}

function byTime(a: GitLabNote | undefined, b: GitLabNote | undefined): number {
  if (!a || !b) return 0;
  return Date.parse(a.createdAt) - Date.parse(b.createdAt) || a.id - b.id;
}
