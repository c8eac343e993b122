/** The open-question counter kept by events (spec 2): what is said elsewhere costs GitLab nothing. */

import { describe, expect, test } from 'vitest';
import { handleDelivery, type InboxDeps } from '../../../../src/app/delivery/inbox.ts';
import type { GitLabNote } from '../../../../src/ports/gitlab.ts';
import { createMemoryBreaker } from '../../../helpers/fakes/breaker.ts';
import { ids } from '../setup.ts';
import { waitingRun } from '../waiting-desk.ts';
import { deliveryOf, noteHook } from './inbox-desk.ts';

async function desk() {
  const waiting = await waitingRun();
  const { service, deps } = waiting;
  const inbox: InboxDeps = {
    ...service.deps,
    counting: deps.gitlab,
    allowedBots: [],
    breaker: createMemoryBreaker(service.clock),
    actionsPerMinute: 10,
    inbox: service.inbox,
    outbox: service.outbox,
    owner: 'w',
    limit: 1,
    holdMs: 1000,
  };
  return { ...waiting, handle: (payload: unknown) => handleDelivery(inbox, deliveryOf(payload)) };
}

function emojiHook(awardableId: number, change: object = {}) {
  return {
    object_kind: 'emoji',
    event_type: 'award',
    project_id: 1,
    object_attributes: {
      id: 1,
      user_id: ids.bob,
      name: 'two',
      awardable_type: 'Note',
      awardable_id: awardableId,
      action: 'award',
      ...change,
    },
    issue: { id: 501, iid: 1 },
  };
}

test.each([
  ['written', 'create'],
  ['edited', 'update'],
])('a reply below a question counts when it is %s', async (_name, action) => {
  const { handle, reply, shown } = await desk();

  expect(await handle(noteHook(reply('bob', '2'), { action }))).toBe('answers changed');
  expect(shown()).toBe('answered');
});

test.each([['award'], ['revoke']])('a reaction to a question (%s) leads to a count', async (action) => {
  const { handle, noteId } = await desk();

  expect(await handle(emojiHook(noteId, { action }))).toBe('answers unchanged');
});

describe('costs no request to GitLab', () => {
  const elsewhere: [string, (note: GitLabNote) => unknown][] = [
    ['a comment of another thread', (note) => noteHook({ ...note, discussionId: 'other' })],
    ['a reply below a question of another item', (note) => ({ ...noteHook(note), issue: { id: 999, iid: 9 } })],
    ['a system note', (note) => noteHook(note, { system: true })],
    ['a reaction to another note', () => emojiHook(1)],
    ['a reaction to the item', () => emojiHook(501, { awardable_type: 'Issue' })],
    ['a note of ours', (note) => noteHook(note, { author_id: ids.planwright })],
  ];
  test.each(elsewhere)('%s', async (_name, payloadOf) => {
    const { handle, asked, reply } = await desk();
    const note = reply('bob', '2');

    expect(await handle(payloadOf(note))).toMatch(/^ignored/);
    expect(asked).toEqual([]);
  });

  test('a reply when the run waits no more', async () => {
    const { service, handle, asked, reply } = await desk();
    service.store.run('run-a').row.status = 'COMPLETED';

    expect(await handle(noteHook(reply('bob', '2')))).toMatch(/^ignored/);
    expect(asked).toEqual([]);
  });
});
