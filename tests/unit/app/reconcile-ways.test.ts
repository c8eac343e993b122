/** What was asked for by label, reaction or rule and no event told: found, and done as if it had been (spec 2). */
import { describe, expect, test } from 'vitest';
import { handleDelivery } from '../../../src/app/delivery/inbox.ts';
import { type Look, missingWays, rulesOnce } from '../../../src/app/reconcile-ways.ts';
import { deliveryOf, inboxOf } from './delivery/inbox-desk.ts';
import { startRun } from './setup.ts';

const BEGINNING = Date.parse('2026-01-05T08:00:00.000Z');

/** Looks at issue 1 and works on what is found; the fake GitLab's clock stands near nine. */
function desk(issue = {}, look: Partial<Look> = {}) {
  const made = inboxOf(issue);
  const { service, deps } = made;
  const signal = new AbortController().signal;
  async function find() {
    const item = await service.gitlab.issue(1, 1);
    if (!item) throw new Error('no issue 1');
    const rules = rulesOnce(service.gitlab, 1, signal);
    return missingWays({ ...service, store: service.store }, item, {
      from: BEGINNING,
      old: () => true,
      rules,
      signal,
      ...look,
    });
  }
  async function work() {
    const found = await find();
    const results = [];
    for (const { delivery } of found)
      results.push(await handleDelivery(deps, { ...deliveryOf(delivery.body), ...delivery }));
    return results;
  }
  return { ...made, find, work };
}
const ids = (found: { delivery: { id: string }; counts: boolean }[]) =>
  found.map(({ delivery, counts }) => `${delivery.id} ${counts}`);

describe('a label that stands', () => {
  test('is found by its event, and acts', async () => {
    const { service, find, work } = desk();
    service.gitlab.relabel('alice', 1, { add: ['workplan-do::plan', 'bug'] });

    const [id = ''] = ids(await find());
    expect(id).toMatch(/^reconcile-label-\d+ true$/);
    expect(await work()).toEqual(['accepted']);

    expect(service.store.run('run-1').events[0]).toMatchObject({ startedBy: { username: 'alice' } });
  });

  test('of the service, or put on just now, is left', async () => {
    const own = desk();
    own.service.gitlab.relabel('planwright', 1, { add: ['workplan-do::plan'] });
    const fresh = desk({}, { old: () => false });
    fresh.service.gitlab.relabel('alice', 1, { add: ['workplan-do::plan'] });

    expect([await own.find(), await fresh.find()]).toEqual([[], []]);
  });
});

describe('a reaction to the status note', () => {
  async function reacted(name: string, look: Partial<Look> = {}) {
    const made = desk({}, look);
    await startRun(made.service.store);
    const note = made.service.gitlab.say('planwright', 1, 'Planning');
    const known = { runId: 'run-a', marker: 'm', kind: 'status', pauseId: null, questionId: null } as const;
    const at = { noteId: note.id, discussionId: null, url: '', itemGlobalId: 501 };
    made.service.store.data.notes.push({ ...known, ...at });
    const award = made.service.gitlab.react('bob', note.id, name);
    return { ...made, award };
  }

  test('is found, and acts', async () => {
    const { service, find, work, award } = await reacted('stop_button');

    expect(ids(await find())).toEqual([`reconcile-award-${award.id} true`]);
    expect(await work()).toEqual(['accepted']);

    expect(service.store.run('run-a').row).toMatchObject({ status: 'CANCELED' });
  });

  test('that was told is known by its content', async () => {
    const { find, award } = await reacted('stop_button');

    const [missing] = await find();

    const at = Math.floor(Date.parse(award.createdAt) / 1000);
    expect(missing?.delivery.content).toMatch(new RegExp(`^emoji:1/1:${award.id}:award:${at}:`));
  });

  test('that asks for nothing, or was looked at before, is left', async () => {
    const cheer = await reacted('tada');
    const before = await reacted('stop_button', { from: Date.parse('2027-01-01T00:00:00.000Z') });

    expect([await cheer.find(), await before.find()]).toEqual([[], []]);
  });
});

describe('rules', () => {
  const byAuthor = 'auto_plan:\n  - { author: alice }\n';

  test('come to an item that was opened, which is no sign that events are missing', async () => {
    const { service, find, work } = desk();
    service.gitlab.world.files['.gitlab/planwright.yml'] = byAuthor;

    expect(ids(await find())).toEqual(['reconcile-open-501 false']);
    expect(await work()).toEqual(['rule: accepted']);
    expect(await find()).toEqual([]);
  });

  test('come to an item that got their label', async () => {
    const { service, work } = desk({ createdAt: '2026-01-01T00:00:00.000Z' });
    service.gitlab.world.files['.gitlab/planwright.yml'] = 'auto_plan:\n  - { label: needs plan }\n';
    service.gitlab.relabel('bob', 1, { add: ['bug', 'needs plan'] });

    expect((await work()).toSorted()).toEqual(['ignored: nothing to do', 'rule: accepted']);
  });

  test('that a project does not have cost one look at its settings', async () => {
    const { service, find } = desk();
    delete service.gitlab.world.files['.gitlab/planwright.yml'];

    expect(await find()).toEqual([]);
  });
});
