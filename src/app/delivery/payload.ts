/** Reading deliveries permissively, and only what is used (spec 2: the payload is a hint). */
import { hash } from 'node:crypto';
import { z } from 'zod';

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

const IssuePayload = z.object({
  object_kind: z.enum(['issue', 'work_item']),
  project: z.object({ id: z.number().int() }).nullish(),
  object_attributes: z.object({
    iid: z.number().int(),
    action: z.string().nullish(),
    state: z.string().nullish(),
    moved_to_id: z.number().int().nullish(),
    project_id: z.number().int().nullish(),
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
  /** The item changed: it may have been closed or moved. */
  | { kind: 'item'; projectId: number; iid: number }
  /** An event of an item that belongs to a group (spec 2: `group_level_item`). */
  | { kind: 'group' }
  | { kind: 'other' };

export function parseHint(payload: unknown): Hint {
  const note = NotePayload.safeParse(payload);
  if (note.success) return noteHint(note.data);
  const item = IssuePayload.safeParse(payload);
  if (!item.success) return { kind: 'other' };
  const attributes = item.data.object_attributes;
  const projectId = item.data.project?.id ?? attributes.project_id ?? null;
  return projectId === null ? { kind: 'group' } : { kind: 'item', projectId, iid: attributes.iid };
}

/** Only a note's creation acts, an edit never (spec 2: Actions). Older GitLab sends no action with a new note. */
function noteHint(payload: z.infer<typeof NotePayload>): Hint {
  const { object_attributes: note, issue, project_id: projectId } = payload;
  const created = (note.action ?? 'create') === 'create';
  if (!created || note.system === true || !issue || !['Issue', 'WorkItem'].includes(note.noteable_type))
    return { kind: 'other' };
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
