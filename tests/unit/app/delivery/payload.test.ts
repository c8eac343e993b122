import { describe, expect, test } from 'vitest';
import { itemKeyOf, parseHint } from '../../../../src/app/delivery/payload.ts';

const note = {
  object_kind: 'note',
  project_id: 1,
  object_attributes: { id: 9, noteable_type: 'Issue', note: '/workplan plan', action: 'create', discussion_id: 'abc' },
  issue: { iid: 3 },
};

function changed(attributes: Record<string, unknown>) {
  return { ...note, object_attributes: { ...note.object_attributes, ...attributes } };
}

describe('notes', () => {
  test('of an issue', () => {
    expect(parseHint(note)).toEqual({
      kind: 'note',
      projectId: 1,
      iid: 3,
      noteId: 9,
      text: '/workplan plan',
      discussionId: 'abc',
      authorId: 0,
      item: null,
    });
  });

  test('of an issue, with what is said of the item', () => {
    const url = 'https://gitlab.example/acme/sample/-/issues/3#note_9';
    const told = { ...changed({ author_id: 11, url }), issue: { iid: 3, id: 503, title: 'Limit', description: null } };

    expect(parseHint(told)).toMatchObject({
      authorId: 11,
      item: {
        itemGlobalId: 503,
        itemUrl: 'https://gitlab.example/acme/sample/-/issues/3',
        title: 'Limit',
        description: '',
      },
    });
  });

  test('of an older GitLab, without an action', () => {
    expect(parseHint(changed({ action: undefined })).kind).toBe('note');
  });

  test('of a work item', () => {
    expect(parseHint(changed({ noteable_type: 'WorkItem' })).kind).toBe('note');
  });

  test.each([
    ['edited', { action: 'update' }],
    ['system', { system: true }],
    ['on a commit', { noteable_type: 'Commit' }],
  ])('%s are not looked at', (_name, attributes) => {
    expect(parseHint(changed(attributes))).toEqual({ kind: 'other' });
  });
});

describe('items', () => {
  test.each(['issue', 'work_item'])('%s of a project', (object_kind) => {
    const payload = { object_kind, project: { id: 1 }, object_attributes: { iid: 3 } };

    expect(parseHint(payload)).toEqual({ kind: 'item', projectId: 1, iid: 3 });
  });

  test('of a group have no project', () => {
    expect(parseHint({ object_kind: 'work_item', object_attributes: { iid: 3 } })).toEqual({ kind: 'group' });
  });
});

test.each([null, 3, 'text', [], {}, { object_kind: 'note' }, { ...note, project_id: '1' }])(
  'anything else is none of ours: %j',
  (payload) => {
    expect(parseHint(payload)).toEqual({ kind: 'other' });
  },
);

test('deliveries of one item share a key, whatever they are', () => {
  const item = { object_kind: 'issue', project: { id: 1 }, object_attributes: { iid: 3 } };

  expect([note, changed({ action: 'update' }), item].map(itemKeyOf)).toEqual(['1/3', '1/3', '1/3']);
  expect(itemKeyOf({ object_kind: 'push', project_id: 1 })).toBe('1');
  expect(itemKeyOf('nonsense')).toBe('none');
});
