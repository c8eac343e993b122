import { describe, expect, test } from 'vitest';
import { handleDelivery, type InboxDeps, workInbox } from '../../../../src/app/delivery/inbox.ts';
import { PermanentFailure, TransientFailure } from '../../../../src/ports/failures.ts';
import type { GitLabIssue, GitLabNote, GitLabPort } from '../../../../src/ports/gitlab.ts';
import type { StoredDelivery } from '../../../../src/ports/inbox.ts';
import type { OutboxRow } from '../../../../src/ports/outbox.ts';
import { createService, pauseRun, type Service, startRun } from '../setup.ts';

const never = new AbortController().signal;

function inboxOf(
  issue: Partial<GitLabIssue> = {},
  change: { allowedBots?: number[]; gitlab?: Partial<GitLabPort> } = {},
) {
  const service = createService(issue);
  const deps: InboxDeps = {
    ...service.deps,
    inbox: service.inbox,
    outbox: service.outbox,
    gitlab: { ...service.gitlab, ...change.gitlab },
    allowedBots: change.allowedBots ?? [],
    owner: 'deliveries-1',
    limit: 10,
    holdMs: 30_000,
  };
  return { service, deps };
}

function deliveryOf(body: unknown, id = 'd1'): StoredDelivery {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { id, event: 'Note Hook', itemKey: '1/1', body: text, seq: 1, attempts: 0 };
}

/** The hook of a note as GitLab sends it. */
function noteHook(note: GitLabNote, change: Record<string, unknown> = {}) {
  return {
    object_kind: 'note',
    project_id: 1,
    object_attributes: {
      id: note.id,
      note: note.body,
      noteable_type: 'Issue',
      action: 'create',
      system: false,
      discussion_id: note.discussionId,
      author_id: note.author.id,
      url: `https://gitlab.example/gitlab/acme/sample/-/issues/1#note_${note.id}`,
      ...change,
    },
    issue: { iid: 1, id: 501, title: 'Limit the export', description: 'It has to end somewhere.' },
  };
}

async function comment(service: Service, deps: InboxDeps, username: string, text: string, change = {}) {
  const note = service.gitlab.say(username, 1, text);
  return handleDelivery(deps, deliveryOf(noteHook(note, change)));
}

/** A note of pause `p1` that is not posted yet. */
const pauseRow: OutboxRow = {
  kind: 'question',
  itemGlobalId: 501,
  projectId: 1,
  iid: 1,
  runId: 'run-a',
  pauseId: 'p1',
  marker: 'q1',
  body: 'Which?',
  discussion: true,
  replyTo: null,
  itemUrl: '',
  questionId: 'q-p1',
};

const told = (service: Service) => service.store.data.outbox.filter((row) => row.kind === 'reply');

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
    await service.outbox.add([pauseRow], { actionKey: null, deliveryId: null });
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
    ['an edited note', 'alice', '/workplan plan', { action: 'update' }, 'ignored'],
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

describe('working on the inbox', () => {
  async function delivered(failure: Error | null) {
    const { service, deps } = inboxOf();
    const note = service.gitlab.say('alice', 1, '/workplan plan');
    await service.inbox.put(deliveryOf(noteHook(note)));
    if (failure) service.gitlab.failNext('note', failure);
    return { service, deps };
  }

  test('works until nothing is due', async () => {
    const { service, deps } = await delivered(null);
    await service.inbox.put(deliveryOf({ object_kind: 'push' }, 'd2'));

    expect(await workInbox(deps, never)).toBe(2);

    expect(service.inbox.state('d2')).toBe('done: ignored');
    expect(service.store.data.runs.size).toBe(1);
  });

  test('what fails for now is tried again, not before it was asked to', async () => {
    const { service, deps } = await delivered(new TransientFailure('gitlab_rate_limited', 'slow down', 7000));

    await workInbox(deps, never);

    expect(service.inbox.postponed).toMatchObject([{ id: 'd1', retryInMs: 7000 }]);
    service.clock.advance(7000);
    await workInbox(deps, never);
    expect(service.store.data.runs.size).toBe(1);
  });

  test('waits double, and after twelve tries it is given up', async () => {
    const { service, deps } = await delivered(null);
    for (let tries = 0; tries < 12; tries += 1)
      service.gitlab.failNext('note', new TransientFailure('gitlab_down', 'down'));

    for (let tries = 0; tries < 12; tries += 1) {
      await workInbox(deps, never);
      service.clock.advance(10 * 60_000);
    }

    expect(service.inbox.postponed.map(({ retryInMs }) => retryInMs)).toEqual([
      500, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000,
    ]);
    expect(service.inbox.state('d1')).toBe('failed: down');
  });

  test('what can never work is given up at once', async () => {
    const { service, deps } = await delivered(new PermanentFailure('gitlab_forbidden', 'no'));

    await workInbox(deps, never);

    expect(service.inbox.state('d1')).toBe('failed: no');
  });

  test('a command that is given up is told to who gave it, with the code', async () => {
    const { service, deps } = await delivered(new PermanentFailure('gitlab_forbidden', 'no'));

    await workInbox(deps, never);

    expect(told(service)).toMatchObject([
      { itemGlobalId: 501, projectId: 1, iid: 1, itemUrl: 'https://gitlab.example/gitlab/acme/sample/-/issues/1' },
    ]);
    expect(told(service)[0]?.body).toMatch(/not_possible_now[\s\S]*gitlab_forbidden/);
  });

  test('sent again it is done after all', async () => {
    const { service, deps } = await delivered(new PermanentFailure('gitlab_forbidden', 'no'));
    await workInbox(deps, never);
    const [note] = await service.gitlab.notes(1, 1);
    if (!note) throw new Error('no note');

    await service.inbox.put(deliveryOf(noteHook(note)));
    await workInbox(deps, never);

    expect(service.inbox.state('d1')).toBe('done: plan');
  });

  test.each([
    ['what is no command', 'planwright is slow', 'alice'],
    ['a bot', '/workplan plan', 'planwright'],
  ])('of %s that is given up nobody is told', async (_name, text, username) => {
    const { service, deps } = inboxOf();
    await service.inbox.put(deliveryOf(noteHook(service.gitlab.say(username, 1, text))));
    // Unknown to itself at first, so that it fails before anything else is found.
    service.gitlab.failNext('me', new PermanentFailure('gitlab_forbidden', 'no'));

    await workInbox(deps, never);

    expect(service.inbox.state('d1')).toBe('failed: no');
    expect(told(service)).toEqual([]);
  });

  test('a token of the service that has expired loses nothing: it is tried for days', async () => {
    const { service, deps } = await delivered(null);
    for (let tries = 0; tries < 100; tries += 1) {
      service.gitlab.failNext('note', new PermanentFailure('gitlab_unauthorized', '401'));
      await workInbox(deps, never);
      service.clock.advance(10 * 60_000);
    }

    await workInbox(deps, never);

    expect(service.inbox.state('d1')).toBe('done: plan');
    expect(told(service)).toEqual([]);
  });

  test('one that fails does not hold the others up', async () => {
    const { service, deps } = await delivered(new TransientFailure('gitlab_down', 'down'));
    await service.inbox.put({ ...deliveryOf({ object_kind: 'push' }, 'd2'), itemKey: 'none' });

    await workInbox(deps, never);

    expect(service.inbox.state('d2')).toBe('done: ignored');
  });

  test('takes nothing once it is stopped', async () => {
    const { service, deps } = await delivered(null);

    expect(await workInbox(deps, AbortSignal.abort())).toBe(0);
    expect(service.inbox.state('d1')).toBe('open');
  });
});
