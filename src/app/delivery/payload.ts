/** Reading deliveries permissively, and only what is used (spec 2: the payload is a hint). */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { hasAnyMarker } from '../../domain/text/marker.ts';

const NotePayload = z.object({
  object_kind: z.literal('note'),
  project_id: z.number().int(),
  object_attributes: z.object({
    id: z.number().int(),
    noteable_type: z.string(),
    note: z.string().nullish(),
    action: z.string().nullish(),
    system: z.boolean().nullish(),
    discussion_id: z.string().nullish(),
    author_id: z.number().int().nullish(),
    url: z.string().nullish(),
  }),
  issue: z
    .object({
      iid: z.number().int(),
      id: z.number().int().nullish(),
      title: z.string().nullish(),
      description: z.string().nullish(),
    })
    .nullish(),
});

/** What is only of use where it can be read. */
const LabelChange = z
  .object({
    previous: z.array(z.object({ title: z.string() })),
    current: z.array(z.object({ title: z.string() })),
  })
  .nullish()
  .catch(null);

const IssuePayload = z.object({
  object_kind: z.enum(['issue', 'work_item']),
  user: z.object({ id: z.number().int() }).nullish().catch(null),
  changes: z.looseObject({ labels: LabelChange }).nullish().catch(null),
  project: z.object({ id: z.number().int() }).nullish(),
  object_attributes: z.object({
    id: z.number().int().nullish(),
    iid: z.number().int(),
    action: z.string().nullish(),
    state: z.string().nullish(),
    moved_to_id: z.number().int().nullish(),
    project_id: z.number().int().nullish(),
  }),
});

const EmojiPayload = z.object({
  object_kind: z.literal('emoji'),
  project_id: z.number().int(),
  object_attributes: z.object({
    id: z.number().int(),
    name: z.string(),
    awardable_type: z.string(),
    awardable_id: z.number().int(),
    action: z.string(),
  }),
  issue: z.object({ iid: z.number().int() }),
});

const TokenPayload = z.object({
  object_kind: z.literal('access_token'),
  object_attributes: z.object({
    user_id: z.number().int(),
    /** A day. */
    expires_at: z.string(),
    name: z.string().nullish(),
  }),
});

export type Hint =
  | {
      kind: 'note';
      projectId: number;
      iid: number;
      noteId: number;
      text: string;
      discussionId: string | null;
      /** 0: not said. */
      authorId: number;
      /** Where it stands, should GitLab itself not say it; null: not said. */
      item: { itemGlobalId: number; itemUrl: string; title: string; description: string } | null;
    }
  /** A note was edited: its text as it stands since, and who wrote it first, not who edited it. */
  | {
      kind: 'edited';
      projectId: number;
      iid: number;
      itemGlobalId: number;
      noteId: number;
      authorId: number;
      text: string;
    }
  /** The item changed: it may have been closed or moved, or asks for something. */
  | {
      kind: 'item';
      projectId: number;
      iid: number;
      /** Null: not said. */
      itemGlobalId: number | null;
      /** It was opened just now. */
      opened: boolean;
      /** Labels that it did not carry before. */
      addedLabels: string[];
      /** All it carries since, where its labels changed; else none. */
      labels: string[];
      /** Who changed nothing but labels; null: something else may have changed, or it is not said who did. */
      relabelledBy: number | null;
    }
  /** Somebody reacted to a note of an item. */
  | { kind: 'emoji'; projectId: number; iid: number; noteId: number; awardId: number; name: string }
  /** A token of a user, who may be the service's, expires soon. `expiresAt`: a day. */
  | { kind: 'token'; userId: number; expiresAt: string; name: string }
  /** An event of an item that belongs to a group (spec 2: `group_level_item`). */
  | { kind: 'group' }
  | { kind: 'other' };

export function parseHint(payload: unknown): Hint {
  const note = NotePayload.safeParse(payload);
  if (note.success) return noteHint(note.data);
  const item = IssuePayload.safeParse(payload);
  if (item.success) return itemHint(item.data);
  const emoji = EmojiPayload.safeParse(payload);
  if (emoji.success) return emojiHint(emoji.data);
  const token = TokenPayload.safeParse(payload);
  if (!token.success) return { kind: 'other' };
  const { user_id: userId, expires_at: expiresAt, name } = token.data.object_attributes;
  return { kind: 'token', userId, expiresAt, name: name ?? '' };
}

function itemHint({ project, object_attributes: item, changes, user }: z.infer<typeof IssuePayload>): Hint {
  const projectId = project?.id ?? item.project_id ?? null;
  if (projectId === null) return { kind: 'group' };
  const { previous = [], current = [] } = changes?.labels ?? {};
  const before = new Set(previous.map((label) => label.title));
  const others = Object.keys(changes ?? {}).filter((name) => !MEANINGLESS.has(name));
  const onlyLabels = changes?.labels != null && others.length === 0 && item.action === 'update';
  return {
    kind: 'item',
    projectId,
    iid: item.iid,
    itemGlobalId: item.id ?? null,
    opened: item.action === 'open',
    addedLabels: current.map((label) => label.title).filter((title) => !before.has(title)),
    labels: current.map((label) => label.title),
    relabelledBy: onlyLabels ? (user?.id ?? null) : null,
  };
}

/** Of `changes`: what changes with every change, beside the labels. */
const MEANINGLESS: ReadonlySet<string> = new Set([
  'labels',
  'updated_at',
  'updated_by_id',
  'last_edited_at',
  'last_edited_by_id',
]);

/** A reaction that was taken back asks for nothing; those to an item itself are none of the service's. */
function emojiHint({ project_id: projectId, issue, object_attributes: award }: z.infer<typeof EmojiPayload>): Hint {
  if (award.action !== 'award' || award.awardable_type !== 'Note') return { kind: 'other' };
  const { id: awardId, awardable_id: noteId, name } = award;
  return { kind: 'emoji', projectId, iid: issue.iid, noteId, awardId, name };
}

/** Only a note's creation acts, an edit never (spec 2: Actions); what edits tell is for the service's own notes. Older GitLab sends no action with a new note. */
function noteHint(payload: z.infer<typeof NotePayload>): Hint {
  const { object_attributes: note, issue, project_id: projectId } = payload;
  if (note.system === true || !issue || !['Issue', 'WorkItem'].includes(note.noteable_type)) return { kind: 'other' };
  const action = note.action ?? 'create';
  if (action !== 'create') {
    if (action !== 'update' || issue.id == null || note.author_id == null) return { kind: 'other' };
    const { id: noteId, author_id: authorId } = note;
    return {
      kind: 'edited',
      projectId,
      iid: issue.iid,
      itemGlobalId: issue.id,
      noteId,
      authorId,
      text: note.note ?? '',
    };
  }
  return {
    kind: 'note',
    projectId,
    iid: issue.iid,
    noteId: note.id,
    text: note.note ?? '',
    discussionId: note.discussion_id ?? null,
    authorId: note.author_id ?? 0,
    item:
      issue.id == null || !note.url
        ? null
        : {
            itemGlobalId: issue.id,
            itemUrl: note.url.replace(/#.*/s, ''),
            title: issue.title ?? '',
            description: issue.description ?? '',
          },
  };
}

const Place = z.object({
  project_id: z.number().int().nullish(),
  project: z.object({ id: z.number().int().nullish() }).nullish(),
  issue: z.object({ iid: z.number().int() }).nullish(),
});

/** Deliveries of one item are worked on one at a time, of whatever kind; others by project, else together. */
export function itemKeyOf(payload: unknown): string {
  const hint = parseHint(payload);
  if (hint.kind === 'item') return `${hint.projectId}/${hint.iid}`;
  const { data } = Place.safeParse(payload);
  const projectId = data?.project_id ?? data?.project?.id ?? null;
  if (projectId === null) return 'none';
  return data?.issue ? `${projectId}/${data.issue.iid}` : `${projectId}`;
}

const Content = z.object({
  object_kind: z.string(),
  project_id: z.number().int().nullish(),
  project: z.object({ id: z.number().int().nullish() }).nullish(),
  issue: z.object({ iid: z.number().int() }).nullish(),
  changes: z.unknown().optional(),
  object_attributes: z.object({
    id: z.number().int().nullish(),
    iid: z.number().int().nullish(),
    project_id: z.number().int().nullish(),
    action: z.string().nullish(),
    note: z.string().nullish(),
    created_at: z.string().nullish(),
    updated_at: z.string().nullish(),
  }),
});

/**
 * What an event is by its content: project, item, object, action and time of change, so that the same event told by two hooks (of the
 * project and of its group), which have nothing else in common, is stored once. Times are told in seconds only, so what else could have
 * changed within one counts too. Null: nothing to know it by.
 */
export function contentKeyOf(payload: unknown): string | null {
  const { data } = Content.safeParse(payload);
  if (!data) return null;
  const { object_kind: kind, object_attributes: object, issue, changes } = data;
  const projectId = data.project_id ?? data.project?.id ?? object.project_id ?? null;
  const action = object.action ?? 'create';
  // A note is created once, whatever becomes of it afterwards.
  const isNew = kind === 'note' && action === 'create';
  const at = secondsOf((isNew ? object.created_at : null) ?? object.updated_at ?? '');
  if (projectId === null || object.id == null || at === null) return null;
  // An edit of the service's own note leads to a look at it. One that puts back what stood there within the same second is not the one before.
  if (kind === 'note' && !isNew && hasAnyMarker(object.note ?? '')) return null;
  const more = isNew ? '' : digest(JSON.stringify([object.note ?? '', changes ?? null]));
  return [kind, `${projectId}/${object.iid ?? issue?.iid ?? ''}`, object.id, action, at, more].join(':');
}

/** Hooks write `2026-01-12 09:00:00 UTC`, the API ISO 8601 with milliseconds. */
function secondsOf(time: string): number | null {
  const ms = Date.parse(time.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC$/, '$1T$2Z'));
  return Number.isNaN(ms) ? null : Math.floor(ms / 1000);
}

function digest(text: string): string {
  return hash('sha256', text).slice(0, 16);
}
