import { readFile } from 'node:fs/promises';
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

  test('that were edited, with their text as it stands since', () => {
    const edited = { ...changed({ action: 'update', author_id: 17, note: 'Planning' }), issue: { iid: 3, id: 503 } };

    const place = { projectId: 1, iid: 3, itemGlobalId: 503, noteId: 9 };
    expect(parseHint(edited)).toEqual({ kind: 'edited', ...place, authorId: 17, text: 'Planning' });
  });

  test('of a work item', () => {
    expect(parseHint(changed({ noteable_type: 'WorkItem' })).kind).toBe('note');
  });

  test.each([
    ['edited, nothing said of the author', { action: 'update' }],
    ['deleted', { action: 'delete' }],
    ['system', { system: true }],
    ['on a commit', { noteable_type: 'Commit' }],
  ])('%s are not looked at', (_name, attributes) => {
    expect(parseHint(changed(attributes))).toEqual({ kind: 'other' });
  });
});

describe('items', () => {
  test.each(['issue', 'work_item'])('%s of a project', (object_kind) => {
    const payload = { object_kind, project: { id: 1 }, object_attributes: { iid: 3 } };

    const quiet = { itemGlobalId: null, opened: false, addedLabels: [], labels: [], relabelledBy: null };
    expect(parseHint(payload)).toEqual({ kind: 'item', projectId: 1, iid: 3, ...quiet });
  });

  const labels = {
    previous: [{ title: 'bug' }, { title: 'old' }],
    current: [{ title: 'bug' }, { title: 'workplan-do::plan' }],
  };
  const relabelled = {
    object_kind: 'issue',
    user: { id: 17 },
    project: { id: 1 },
    object_attributes: { iid: 3, action: 'update' },
    changes: { labels, updated_at: { previous: 'a', current: 'b' } },
  };

  test('that were relabelled, and by whom', () => {
    expect(parseHint(relabelled)).toMatchObject({
      addedLabels: ['workplan-do::plan'],
      labels: ['bug', 'workplan-do::plan'],
      relabelledBy: 17,
      opened: false,
    });
  });

  test.each([
    ['something else changed too', { changes: { labels, title: { previous: 'a', current: 'b' } } }],
    ['it was closed with it', { object_attributes: { iid: 3, action: 'close' } }],
    ['it is not said by whom', { user: null }],
    ['nothing is said of labels', { changes: {} }],
  ])('that changed otherwise: %s', (_name, change) => {
    expect(parseHint({ ...relabelled, ...change })).toMatchObject({ kind: 'item', relabelledBy: null });
  });

  test('that were opened', () => {
    expect(parseHint({ ...relabelled, object_attributes: { iid: 3, action: 'open' } })).toMatchObject({ opened: true });
  });

  test.each([[[]], ['text'], [{ labels: 3 }], [{ labels: { previous: [1], current: null } }]])(
    'are items whatever stands in changes: %j',
    (changes) => {
      expect(parseHint({ ...relabelled, changes })).toMatchObject({ kind: 'item', projectId: 1, iid: 3 });
    },
  );

  test('of a group have no project', () => {
    expect(parseHint({ object_kind: 'work_item', object_attributes: { iid: 3 } })).toEqual({ kind: 'group' });
  });
});

/** GitLab's documented example. */
async function example(name: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(new URL(`../../../fixtures/gitlab/webhooks/${name}`, import.meta.url), 'utf8'));
}

describe('reactions', () => {
  test('to a note', async () => {
    const payload = await example('emoji-hook.json');

    const place = { projectId: 6, iid: 42, noteId: 363, awardId: 1 };
    expect(parseHint(payload)).toEqual({ kind: 'emoji', ...place, name: 'thumbsup' });
    expect(itemKeyOf(payload)).toBe('6/42');
  });

  test.each([{ action: 'revoke' }, { awardable_type: 'Issue' }])('that ask for nothing: %j', async (attributes) => {
    const payload = await example('emoji-hook.json');
    const object = { ...(payload['object_attributes'] as object), ...attributes };

    expect(parseHint({ ...payload, object_attributes: object })).toEqual({ kind: 'other' });
  });
});

test('a token that expires', async () => {
  const payload = await example('resource-access-token-hook.json');

  expect(parseHint(payload)).toEqual({ kind: 'token', userId: 90, expiresAt: '2024-01-26', name: 'acd' });
});

test.each(['merge-request-hook.json'])('%s is acknowledged and nothing else', async (name) => {
  expect(parseHint(await example(name))).toEqual({ kind: 'other' });
});

test('the documented issue and note are read', async () => {
  expect(parseHint(await example('issue-hook.json'))).toMatchObject({ kind: 'item', iid: 23, opened: true });
  expect(parseHint(await example('note-hook-issue.json'))).toMatchObject({ kind: 'note' });
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
