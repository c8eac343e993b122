/** Actions by label: which labels ask, of whom, and how often (spec 2: Actions). */
import { describe, expect, test } from 'vitest';
import { standingLabels } from '../../../../src/app/delivery/by-label.ts';
import { handleDelivery } from '../../../../src/app/delivery/inbox.ts';
import type { GitLabLabelEvent } from '../../../../src/ports/gitlab.ts';
import { pauseRun, startRun } from '../setup.ts';
import { deliveryOf, inboxOf } from './inbox-desk.ts';

const user = { id: 11, username: 'alice', name: 'Alice', bot: false };
const event = (id: number, action: 'add' | 'remove', label: string | null, change = {}): GitLabLabelEvent => ({
  id,
  action,
  label,
  user,
  createdAt: '2026-01-05T09:00:00.000Z',
  ...change,
});
const plan = 'workplan-do::plan';
const cancel = 'workplan-do::cancel';

describe('the labels that ask', () => {
  test('in the order in which they were put there, by their newest event', () => {
    const events = [event(1, 'add', plan), event(2, 'add', cancel), event(3, 'remove', plan), event(4, 'add', plan)];

    const standing = standingLabels({ labels: ['bug', plan, cancel] }, events);

    expect(standing.map(({ name, event: { id } }) => [name, id])).toEqual([
      [cancel, 2],
      [plan, 4],
    ]);
  });

  test.each([
    ['is not on the item any more', [], [event(1, 'add', plan)]],
    ['was taken away by its newest event', [plan], [event(1, 'add', plan), event(2, 'remove', plan)]],
    ['was put there by nobody known', [plan], [event(1, 'add', plan, { user: null })]],
    ['has no event', [plan], [event(1, 'add', null)]],
  ])('one that %s does not', (_name, labels, events) => {
    expect(standingLabels({ labels }, events)).toEqual([]);
  });
});

/** The hook of an item whose labels changed. */
function itemHook(by: number, change: Record<string, unknown> = {}) {
  return {
    object_kind: 'issue',
    user: { id: by },
    project: { id: 1 },
    object_attributes: { id: 501, iid: 1, action: 'update' },
    changes: { labels: { previous: [], current: [{ title: plan }] } },
    ...change,
  };
}
const kinds = (rows: { kind: string }[]) => rows.map((row) => row.kind);

describe('a label on an item', () => {
  test('acts as who put it there, is marked done with it, and is to be taken away', async () => {
    const { service, deps } = inboxOf();
    service.gitlab.relabel('alice', 1, { add: [plan] });

    expect(await handleDelivery(deps, deliveryOf(itemHook(11)))).toBe('accepted');

    expect(service.store.run('run-1').events[0]).toMatchObject({ startedBy: { username: 'alice' } });
    expect(service.inbox.state('d1')).toBe('done: plan');
    expect(service.store.data.outbox.at(-1)).toMatchObject({ kind: 'unlabel', body: plan });
  });

  test('once, however often it is told while it still stands there', async () => {
    const { service, deps } = inboxOf();
    service.gitlab.relabel('alice', 1, { add: [plan] });
    await handleDelivery(deps, deliveryOf(itemHook(11), 'd1'));

    expect(await handleDelivery(deps, deliveryOf(itemHook(11), 'd2'))).toBe('duplicate');

    expect(service.store.data.runs.size).toBe(1);
    expect(kinds(service.store.data.outbox).filter((kind) => kind === 'unlabel')).toHaveLength(1);
  });

  test('put on once more it asks once more', async () => {
    const { service, deps } = inboxOf();
    service.gitlab.relabel('bob', 1, { add: [plan] });
    await handleDelivery(deps, deliveryOf(itemHook(12), 'd1'));
    service.gitlab.relabel('bob', 1, { remove: [plan] });
    service.gitlab.relabel('bob', 1, { add: [plan] });

    expect(await handleDelivery(deps, deliveryOf(itemHook(12), 'd2'))).toBe('refused: forbidden');

    expect(service.store.data.notices).toHaveLength(2);
  });

  test.each([
    ['of the service, told as its own', 'planwright', 17],
    ['of the service, told as somebody else’s', 'planwright', 11],
  ])('%s asks for nothing, also where bots may act', async (_name, who, told) => {
    const { service, deps } = inboxOf({}, { allowedBots: [17] });
    service.gitlab.relabel(who, 1, { add: [plan] });

    expect(await handleDelivery(deps, deliveryOf(itemHook(told)))).toMatch(/^ignored/);

    expect(service.store.data.runs.size).toBe(0);
    expect(service.store.data.outbox).toEqual([]);
  });

  test('of a bot asks for nothing, unless it may act', async () => {
    for (const allowedBots of [[], [15]]) {
      const { service, deps } = inboxOf({}, { allowedBots });
      const erin = service.gitlab.world.users.find((known) => known.username === 'erin');
      if (!erin) throw new Error('no erin');
      erin.bot = true;
      service.gitlab.world.roles[15] = { accessLevel: 30, role: 'Developer' };
      service.gitlab.relabel('erin', 1, { add: [plan] });

      await handleDelivery(deps, deliveryOf(itemHook(15)));

      expect(service.store.data.runs.size).toBe(allowedBots.length);
    }
  });

  test('the payload is a hint: what it says of labels and of who set them does not count', async () => {
    const { service, deps } = inboxOf();

    expect(await handleDelivery(deps, deliveryOf(itemHook(11)))).toMatch(/^ignored/);

    expect(service.store.data.runs.size).toBe(0);
  });

  test('of a closed item is refused, and the live run ends', async () => {
    const { service, deps } = inboxOf();
    await startRun(service.store);
    service.gitlab.relabel('alice', 1, { add: [plan] });
    Object.assign(service.gitlab.world.issues[0] ?? {}, { state: 'closed' });

    const result = await handleDelivery(deps, deliveryOf(itemHook(11)));

    expect(result).toBe('item_closed: accepted, refused: item_closed');
    expect(service.store.run('run-a').row).toMatchObject({ status: 'CANCELED', reason: 'item_closed' });
  });
});

describe('an item that comes with the status label of another one’s plan', () => {
  const opened = { ...itemHook(11), object_attributes: { id: 501, iid: 1, action: 'open' }, changes: {} };
  const labels = ['bug', 'workplan::completed', 'workplan::failed'];

  test('is to lose it', async () => {
    const { service, deps } = inboxOf({ labels });

    expect(await handleDelivery(deps, deliveryOf(opened))).toBe('status label of another item');

    expect(service.store.data.outbox.map((row) => `${row.kind} ${row.body}`)).toEqual([
      'unlabel workplan::completed',
      'unlabel workplan::failed',
    ]);
  });

  test('keeps it when it has a plan of its own', async () => {
    const { service, deps } = inboxOf({ labels });
    await startRun(service.store);

    expect(await handleDelivery(deps, deliveryOf(opened))).toMatch(/^ignored/);
  });
});

describe('continue by label means the pause that stood then', () => {
  async function paused() {
    const desk = inboxOf();
    await startRun(desk.service.store);
    const first = desk.service.gitlab.say('planwright', 1, 'Which?');
    return { ...desk, first };
  }
  const hook = itemHook(11, { changes: { labels: { previous: [], current: [{ title: 'workplan-do::continue' }] } } });

  test('one whose first note is older is continued', async () => {
    const { service, deps, first } = await paused();
    await pauseRun(service, 'run-a', 'p1', 'question', first.id);
    service.gitlab.relabel('alice', 1, { add: ['workplan-do::continue'] });

    expect(await handleDelivery(deps, deliveryOf(hook))).toBe('accepted');

    expect(service.store.run('run-a').row.status).toBe('GENERATING');
  });

  test.each(['approve', 'reject'])('%s decides an approval', async (action) => {
    const { service, deps, first } = await paused();
    await pauseRun(service, 'run-a', 'p1', 'approval', first.id);
    service.gitlab.relabel('alice', 1, { add: [`workplan-do::${action}`] });

    expect(await handleDelivery(deps, deliveryOf(hook))).toBe('accepted');

    expect(service.store.run('run-a').events.at(-1)).toMatchObject({ type: 'resumed', decision: action, via: 'label' });
  });

  test('one whose first note is newer is not, whatever the service’s own clock says', async () => {
    const { service, deps } = await paused();
    service.gitlab.relabel('alice', 1, { add: ['workplan-do::continue'] });
    const later = service.gitlab.say('planwright', 1, 'Which?');
    await pauseRun(service, 'run-a', 'p1', 'question', later.id);

    expect(await handleDelivery(deps, deliveryOf(hook))).toBe('refused: not_resumable');

    expect(service.store.run('run-a').row.status).toBe('NEEDS_INPUT');
    expect(service.store.data.notices).toMatchObject([
      { runId: 'run-a', text: expect.stringContaining('not_resumable') },
    ]);
  });
});
