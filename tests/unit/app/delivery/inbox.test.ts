import { describe, expect, test } from 'vitest';
import { handleDelivery, workInbox } from '../../../../src/app/delivery/inbox.ts';
import type { GitLabNote } from '../../../../src/ports/gitlab.ts';
import { pauseRun, questionRow, startRun } from '../setup.ts';
import { comment, deliveryOf, inboxOf, noteHook, told } from './inbox-desk.ts';

const never = new AbortController().signal;

describe('a comment that is a command', () => {
  test('acts as its author, once', async () => {
    const { service, deps } = inboxOf();
    const delivery = deliveryOf(noteHook(service.gitlab.say('alice', 1, '/workplan plan')));

    expect(await handleDelivery(deps, delivery)).toBe('accepted');

    expect(service.store.run('run-1').events[0]).toMatchObject({ startedBy: { username: 'alice', role: 'Developer' } });
    expect(service.inbox.state('d1')).toBe('done: plan');
  });

  test('delivered twice under other ids acts once, and nobody is told off', async () => {
    const { service, deps } = inboxOf();
    const hook = noteHook(service.gitlab.say('alice', 1, '/workplan plan'));
    await handleDelivery(deps, deliveryOf(hook, 'd1'));

    expect(await handleDelivery(deps, deliveryOf(hook, 'd2'))).toBe('duplicate');

    expect(service.store.data.runs.size).toBe(1);
    expect(told(service)).toEqual([]);
  });

  test('is refused in its own thread, once, in the item’s language', async () => {
    const { service, deps } = inboxOf({ title: '検索を速くする', description: '注文の一覧が遅いので速くしたい。' });
    const note = service.gitlab.say('bob', 1, '/workplan plan');

    await handleDelivery(deps, deliveryOf(noteHook(note), 'd1'));
    await handleDelivery(deps, deliveryOf(noteHook(note), 'd2'));

    expect(told(service)).toMatchObject([
      { replyTo: note.discussionId, runId: null, body: expect.stringContaining('forbidden') },
    ]);
    expect(told(service)[0]?.body).toMatch(/[ぁ-ん]/);
    expect(service.inbox.state('d2')).toBe('done: told');
  });

  test('once refused is not done later either, when the same comment is delivered again', async () => {
    const { service, deps } = inboxOf();
    const note = service.gitlab.say('carol', 1, '/workplan plan');
    await handleDelivery(deps, deliveryOf(noteHook(note), 'd1'));
    service.gitlab.world.roles[note.author.id] = { accessLevel: 30, role: 'Developer' };

    expect(await handleDelivery(deps, deliveryOf(noteHook(note), 'd2'))).toBe('duplicate');

    expect(service.store.data.runs.size).toBe(0);
    expect(told(service)).toHaveLength(1);
  });

  test('to continue waits until the note it may mean is recorded', async () => {
    const { service, deps } = inboxOf();
    await startRun(service.store);
    await pauseRun(service, 'run-a', 'p1', 'question');
    await service.outbox.add([questionRow], { actionKey: null, deliveryId: null });
    const note = service.gitlab.say('alice', 1, '/workplan continue');
    await service.inbox.put(deliveryOf(noteHook(note)));

    await workInbox(deps, never);
    const [row] = await service.outbox.take({ owner: 'o', limit: 1, leaseMs: 1000 });
    if (!row) throw new Error('nothing to post');
    const { runId, marker, kind, pauseId, questionId } = row;
    const posted = { runId, marker, kind, pauseId, questionId, noteId: note.id - 1, discussionId: null, url: '' };
    await service.outbox.delivered(row.id, 'o', posted);
    service.clock.advance(60_000);
    await workInbox(deps, never);

    expect(service.inbox.postponed).toHaveLength(1);
    expect(service.store.run('run-a').row.status).toBe('GENERATING');
    expect(told(service)).toEqual([]);
  });

  test('with an unknown action is told so once, with the actions there are', async () => {
    const { service, deps } = inboxOf();

    expect(await comment(service, deps, 'alice', '/workplan plam')).toBe('refused: unknown_action');

    expect(told(service)).toMatchObject([{ body: expect.stringContaining('plam') }]);
  });
});

describe('what never acts', () => {
  test.each([
    ['a comment that is no command', 'alice', 'Please plan this.', {}, 'ignored: no command'],
    ['our own note', 'planwright', '/workplan plan\n\nas I said', {}, 'ignored: own note'],
    ['an edited note', 'alice', '/workplan plan', { action: 'update' }, 'ignored: edited'],
    ['a system note', 'alice', '/workplan plan', { system: true }, 'ignored'],
    ['a note on a merge request', 'alice', '/workplan plan', { noteable_type: 'MergeRequest' }, 'ignored'],
  ])('%s', async (_name, username, text, change, expected) => {
    const { service, deps } = inboxOf();

    expect(await comment(service, deps, username, text, change)).toBe(expected);

    expect(service.store.data.runs.size).toBe(0);
    expect(told(service)).toEqual([]);
  });

  test('a note that was edited into a command, or into another, before it was read', async () => {
    const { service, deps } = inboxOf();
    const note = service.gitlab.say('alice', 1, '/workplan plan');

    expect(await handleDelivery(deps, deliveryOf(noteHook(note, { note: 'nothing' })))).toBe('ignored: no command');
    expect(await handleDelivery(deps, deliveryOf(noteHook(note, { note: '/workplan cancel' })))).toBe(
      'ignored: edited',
    );
    expect(service.store.data.runs.size).toBe(0);
  });

  test('a command that was edited away before it was read', async () => {
    const { service, deps } = inboxOf();
    const note = service.gitlab.say('alice', 1, 'never mind');

    expect(await handleDelivery(deps, deliveryOf(noteHook(note, { note: '/workplan plan' })))).toBe(
      'ignored: no command',
    );
  });

  test('a note that is gone', async () => {
    const { service, deps } = inboxOf();
    const note = service.gitlab.say('alice', 1, '/workplan plan');

    expect(await handleDelivery(deps, deliveryOf(noteHook(note, { id: 999_999 })))).toBe('ignored: note gone');
  });

  test('a bot, unless its id is allowed', async () => {
    const bot = (note: GitLabNote): GitLabNote => ({ ...note, author: { ...note.author, bot: true } });
    const { service, deps } = inboxOf();
    const { note } = service.gitlab;
    deps.gitlab.note = async (...given) => {
      const found = await note(...given);
      return found && bot(found);
    };

    expect(await comment(service, deps, 'alice', '/workplan plan')).toBe('ignored: bot');
    expect(await comment(service, { ...deps, allowedBots: [11] }, 'alice', '/workplan plan')).toBe('accepted');
  });

  test('who wrote the note is read from GitLab, not from the delivery', async () => {
    const { service, deps } = inboxOf();
    const note = service.gitlab.say('carol', 1, '/workplan plan');

    const result = await handleDelivery(deps, deliveryOf({ ...noteHook(note), user: { id: 11, username: 'alice' } }));

    expect(result).toBe('refused: forbidden');
  });

  test.each([
    ['no JSON', '{', 'ignored: no JSON'],
    ['null', 'null', 'ignored'],
    ['another kind', { object_kind: 'push' }, 'ignored'],
    ['an item of a group', { object_kind: 'work_item', object_attributes: { iid: 3 } }, 'ignored: group_level_item'],
  ])('a delivery that is %s', async (_name, body, expected) => {
    const { deps } = inboxOf();

    expect(await handleDelivery(deps, deliveryOf(body))).toBe(expected);
  });
});

describe('an item that was closed or moved', () => {
  const hook = { object_kind: 'issue', project: { id: 1 }, object_attributes: { iid: 1, action: 'close' } };

  test.each([
    ['closed', { state: 'closed' as const }, 'item_closed'],
    ['moved', { state: 'closed' as const, movedToId: 77 }, 'item_moved'],
  ])('%s ends its live run', async (_name, issue, reason) => {
    const { service, deps } = inboxOf(issue);
    await startRun(service.store);

    await handleDelivery(deps, deliveryOf(hook));

    expect(service.store.run('run-a').row).toMatchObject({ status: 'CANCELED', reason });
    expect(service.inbox.state('d1')).toBe('done: end');
    expect(service.queue.deliveries()).toBe(1);
  });

  test('open after all, as GitLab says now, ends nothing', async () => {
    const { service, deps } = inboxOf();
    await startRun(service.store);

    expect(await handleDelivery(deps, deliveryOf(hook))).toBe('ignored: nothing to do');
    expect(service.store.run('run-a').row.status).toBe('GENERATING');
  });

  test('without a live run nothing happens', async () => {
    const { deps } = inboxOf({ state: 'closed' });

    expect(await handleDelivery(deps, deliveryOf(hook))).toBe('ignored: no live run');
  });
});
