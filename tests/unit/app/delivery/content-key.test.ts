import { describe, expect, test } from 'vitest';
import { contentKeyOf } from '../../../../src/app/delivery/payload.ts';

function note(object = {}, more = {}) {
  return {
    object_kind: 'note',
    project_id: 1,
    issue: { iid: 5 },
    object_attributes: {
      id: 7,
      note: '/workplan plan',
      action: 'create',
      updated_at: '2026-01-12 09:00:00 UTC',
      ...object,
    },
    ...more,
  };
}

function item(object = {}, changes: unknown = {}) {
  return {
    object_kind: 'issue',
    project: { id: 1 },
    object_attributes: { id: 105, iid: 5, action: 'update', updated_at: '2026-01-12T09:00:00.000Z', ...object },
    changes,
  };
}

describe('the content of an event', () => {
  test('is the same told by the hook of the project and that of the group', () => {
    const group = { ...note(), event_type: 'note', hook: 'of the group', user: { id: 11 } };

    expect(contentKeyOf(group)).toBe(`note:1/5:7:create:${Date.UTC(2026, 0, 12, 9) / 1000}:`);
    expect(contentKeyOf(note())).toBe(contentKeyOf(group));
  });

  test('is the same in the time formats of hooks and of the API', () => {
    expect(contentKeyOf(note({ updated_at: '2026-01-12T09:00:00.431Z' }))).toBe(contentKeyOf(note()));
    expect(contentKeyOf(note({ updated_at: '2026-01-12T10:00:00.431+01:00' }))).toBe(contentKeyOf(note()));
  });

  test('a created note is one, whatever GitLab makes of its text in a hook', () => {
    expect(contentKeyOf(note({ note: '/workplan plan\n![](https://gitlab.example/x.png)' }))).toBe(
      contentKeyOf(note()),
    );
  });

  test('a created note is one, also when something touched it since', () => {
    const created = { created_at: '2026-01-12 09:00:00 UTC' };

    expect(contentKeyOf(note({ ...created, updated_at: '2026-01-12 09:00:07 UTC' }))).toBe(contentKeyOf(note(created)));
  });

  test.each([
    ['another note', note({ id: 8 })],
    ['another project', { ...note(), project_id: 2 }],
    ['another item', { ...note(), issue: { iid: 6 } }],
    ['an edit', note({ action: 'update' })],
    ['another time', note({ updated_at: '2026-01-12 09:00:01 UTC' })],
    ['another kind', { ...note(), object_kind: 'emoji' }],
  ])('is another one for %s', (_what, other) => {
    expect(contentKeyOf(other)).not.toBe(contentKeyOf(note()));
    expect(contentKeyOf(other)).not.toBeNull();
  });

  test('two edits within a second are two', () => {
    const edit = (text: string) => contentKeyOf(note({ action: 'update', note: text }));

    expect(edit('a')).not.toBe(edit('b'));
  });

  test("an edit of the service's own note is each time another one, also of the same text within a second", () => {
    const body = 'Planning\n\n<!-- planwright:run=a;kind=status -->';

    expect(contentKeyOf(note({ action: 'update', note: body }))).toBeNull();
    expect(contentKeyOf(note({ note: body }))).not.toBeNull();
  });

  test('two changes of an item within a second are two', () => {
    const relabelled = item({}, { labels: { previous: [], current: [{ title: 'workplan-do::plan' }] } });

    expect(contentKeyOf(relabelled)).not.toBe(contentKeyOf(item({}, { title: { previous: 'a', current: 'b' } })));
    expect(contentKeyOf(item())).toBe(contentKeyOf(item()));
  });

  test.each([
    [null],
    [{}],
    [{ object_kind: 'note' }],
    [note({ id: null })],
    [note({ updated_at: 'yesterday' })],
    ['x'],
  ])('is not known of %j', (payload) => {
    expect(contentKeyOf(payload)).toBeNull();
  });
});
