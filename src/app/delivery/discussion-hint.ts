/** In which discussion of an item something was said, edited or reacted to, as its event tells: enough to know whether a question is meant. */
import { z } from 'zod';

const Said = z.object({
  object_kind: z.enum(['note', 'emoji']),
  object_attributes: z.object({
    discussion_id: z.string().nullish(),
    author_id: z.number().int().nullish(),
    user_id: z.number().int().nullish(),
    awardable_type: z.string().nullish(),
    awardable_id: z.number().int().nullish(),
    system: z.boolean().nullish(),
  }),
  note: z.object({ discussion_id: z.string().nullish() }).nullish(),
  issue: z.object({ id: z.number().int() }),
});

export interface DiscussionHint {
  itemGlobalId: number;
  /** Who wrote or reacted; 0: not said. */
  userId: number;
  discussionId: string | null;
  /** Of a reaction: the note. */
  noteId: number | null;
}

/** Null: the event is about nothing that could answer a question. */
export function parseDiscussionHint(payload: unknown): DiscussionHint | null {
  const { data } = Said.safeParse(payload);
  if (!data || data.object_attributes.system === true) return null;
  const { object_kind: kind, object_attributes: object, issue, note } = data;
  if (kind === 'note') {
    const { discussion_id: discussionId, author_id: userId } = object;
    return discussionId ? { itemGlobalId: issue.id, userId: userId ?? 0, discussionId, noteId: null } : null;
  }
  if (object.awardable_type !== 'Note' || object.awardable_id == null) return null;
  return {
    itemGlobalId: issue.id,
    userId: object.user_id ?? 0,
    discussionId: note?.discussion_id ?? null,
    noteId: object.awardable_id,
  };
}
