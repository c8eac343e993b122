/** People who act too often (spec 2: Actions): told once, then neither done nor told. */
import { expect, test } from 'vitest';
import { handleDelivery } from '../../../../src/app/delivery/inbox.ts';
import { comment, deliveryOf, inboxOf, noteHook, told } from './inbox-desk.ts';

const MINUTE_MS = 60_000;

test('what is too much is told once and not done, of that person and that item only', async () => {
  const { service, deps } = inboxOf();
  const tired = { ...deps, actionsPerMinute: 2 };

  const results = [];
  for (const text of ['cancel', 'cancel', 'plan', 'plan', 'nonsense'])
    results.push(await comment(service, tired, 'alice', `/workplan ${text}`));

  expect(results).toEqual([
    'refused: not_running',
    'refused: not_running',
    'refused: too_many_actions',
    'held_back',
    'held_back',
  ]);
  expect(told(service)).toHaveLength(3);
  expect(service.store.data.runs.size).toBe(0);
  expect(await comment(service, tired, 'maria', '/workplan plan')).toBe('accepted');
});

test('after a minute the person may act again; what was held back is not done later', async () => {
  const { service, deps } = inboxOf();
  const tired = { ...deps, actionsPerMinute: 2 };
  for (const text of ['cancel', 'cancel']) await comment(service, tired, 'alice', `/workplan ${text}`);
  const held = service.gitlab.say('alice', 1, '/workplan plan');
  expect(await handleDelivery(tired, deliveryOf(noteHook(held), 'd1'))).toBe('refused: too_many_actions');
  service.clock.advance(MINUTE_MS + 1);

  expect(await handleDelivery(tired, deliveryOf(noteHook(held), 'd2'))).toBe('duplicate');
  expect(await comment(service, tired, 'alice', '/workplan plan')).toBe('accepted');
});

test('one action that is delivered or tried many times counts once', async () => {
  const { service, deps } = inboxOf();
  const tired = { ...deps, actionsPerMinute: 2 };
  const note = service.gitlab.say('alice', 1, '/workplan cancel');
  for (const id of ['d1', 'd2', 'd3', 'd4']) await handleDelivery(tired, deliveryOf(noteHook(note), id));

  expect(await comment(service, tired, 'alice', '/workplan plan')).toBe('accepted');
});

test('labels and reactions count too, and a label that is held back is taken away', async () => {
  const { service, deps } = inboxOf();
  const tired = { ...deps, actionsPerMinute: 1 };
  await comment(service, tired, 'alice', '/workplan cancel');
  await comment(service, tired, 'alice', '/workplan cancel');
  service.gitlab.relabel('alice', 1, { add: ['workplan-do::plan'] });
  const hook = { object_kind: 'issue', project: { id: 1 }, object_attributes: { id: 501, iid: 1, action: 'update' } };

  expect(await handleDelivery(tired, deliveryOf(hook, 'd9'))).toBe('held_back');

  expect(service.store.data.outbox.at(-1)).toMatchObject({ kind: 'unlabel', body: 'workplan-do::plan' });
  expect(service.store.data.notices).toEqual([]);
  expect(service.store.data.runs.size).toBe(0);
});
