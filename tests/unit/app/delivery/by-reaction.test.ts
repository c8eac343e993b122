/** Reactions: to which notes, of whom, and what was taken back (spec 2: Actions). */
import { describe, expect, test } from 'vitest';
import { handleDelivery } from '../../../../src/app/delivery/inbox.ts';
import { marker } from '../../../../src/domain/text/marker.ts';
import type { OutboxKind } from '../../../../src/ports/outbox.ts';
import { startRun } from '../setup.ts';
import { deliveryOf, inboxOf } from './inbox-desk.ts';

/** A live run, and a note of the service on its item. */
async function desk(change: { body?: string; recorded?: OutboxKind; author?: string; allowedBots?: number[] } = {}) {
  const { body = '', recorded, author = 'planwright', ...rest } = change;
  const made = inboxOf({}, rest);
  const { service, deps } = made;
  await startRun(service.store);
  const note = service.gitlab.say(author, 1, `Planning\n\n${body}`);
  const known = { runId: 'run-a', marker: 'm', pauseId: null, questionId: null, discussionId: null, url: '' };
  if (recorded) service.store.data.notes.push({ ...known, kind: recorded, noteId: note.id, itemGlobalId: 501 });
  async function react(username: string, name: string, id?: number) {
    const award = service.gitlab.react(username, note.id, name);
    return handleDelivery(deps, deliveryOf(hook(note.id, award.id, name), `d${id ?? award.id}`));
  }
  return { ...made, note, react };
}

function hook(noteId: number, awardId: number, name: string) {
  return {
    object_kind: 'emoji',
    project_id: 1,
    object_attributes: { id: awardId, name, awardable_type: 'Note', awardable_id: noteId, action: 'award' },
    issue: { iid: 1, id: 501 },
  };
}
const own = marker({ run: 'run-a', kind: 'status' });

describe('a status note', () => {
  test.each(['status', 'cancel', 'notice'] as const)('is known by how it was delivered: %s', async (recorded) => {
    const { service, react } = await desk({ recorded });

    expect(await react('bob', 'stop_button')).toBe('accepted');

    expect(service.store.run('run-a').row.status).toBe('CANCELED');
  });

  test('is known by its marker as long as nobody has recorded it', async () => {
    expect(await (await desk({ body: own })).react('bob', 'stop_button')).toBe('accepted');
  });

  test.each([
    ['recorded as a question, whatever marker was edited into it', { recorded: 'question', body: own }],
    ['with the marker of a run that is not of this item', { body: marker({ run: 'run-b', kind: 'status' }) }],
    ['with another marker', { body: marker({ run: 'run-a', kind: 'plan' }) }],
    ['of a person, with the marker', { author: 'maria', body: own }],
  ] as const)('is not a note %s', async (_name, change) => {
    const { service, react } = await desk(change);

    expect(await react('bob', 'stop_button')).toMatch(/^ignored/);

    expect(service.store.run('run-a').row.status).toBe('GENERATING');
  });
});

describe('a reaction', () => {
  test('acts once', async () => {
    const { deps, note, service } = await desk({ recorded: 'status' });
    const award = service.gitlab.react('bob', note.id, 'stop_button');
    const payload = hook(note.id, award.id, 'stop_button');

    const results = [];
    for (const id of ['d1', 'd2']) results.push(await handleDelivery(deps, deliveryOf(payload, id)));

    expect(results).toEqual(['accepted', 'duplicate']);
    expect(service.store.data.notices).toEqual([]);
  });

  test('that was taken back, or that only the payload tells of, does nothing', async () => {
    const { deps, note, service } = await desk({ recorded: 'status' });
    const award = service.gitlab.react('bob', note.id, 'stop_button');
    service.gitlab.unreact(note.id, award.id);

    expect(await handleDelivery(deps, deliveryOf(hook(note.id, award.id, 'stop_button')))).toBe('ignored: taken back');
    expect(await handleDelivery(deps, deliveryOf(hook(note.id, 4711, 'stop_button'), 'd2'))).toBe(
      'ignored: taken back',
    );
  });

  test('counts as what it is in GitLab, not as what the payload calls it', async () => {
    const { deps, note, service } = await desk({ recorded: 'status' });
    const award = service.gitlab.react('bob', note.id, 'tada');

    expect(await handleDelivery(deps, deliveryOf(hook(note.id, award.id, 'stop_button')))).toBe('ignored: taken back');
    expect(service.store.run('run-a').row.status).toBe('GENERATING');
  });

  test('of the service itself does nothing, also where bots may act', async () => {
    const { react } = await desk({ recorded: 'status', allowedBots: [17] });

    expect(await react('planwright', 'stop_button')).toBe('ignored: bot');
  });

  test('of who may not is told in that note, once', async () => {
    const { service, react } = await desk({ recorded: 'status' });

    expect(await react('carol', 'stop_button')).toBe('refused: forbidden');

    expect(service.store.data.notices).toMatchObject([
      { runId: 'run-a', text: expect.stringMatching(/@carol `:stop_button:`/) },
    ]);
    expect(service.store.data.outbox.map((row) => row.kind)).toEqual(['notice']);
  });

  test('that asks for nothing costs GitLab nothing', async () => {
    const { deps } = await desk();
    const gitlab = { ...deps.gitlab, note: () => Promise.reject(new Error('the note was read')) };

    expect(await handleDelivery({ ...deps, gitlab }, deliveryOf(hook(1, 1, 'tada')))).toMatch(/^ignored/);
  });
});
