import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Delivery, InboxStore } from '../../../src/ports/inbox.ts';
import { type OpenedStores, stores, testIf } from './databases.ts';
import { newItem, outboxRow } from './samples.ts';

describe.each(stores)('the inbox on $name', ({ open, database }) => {
  const onDatabase = testIf(database);
  let opened: OpenedStores;
  let inbox: InboxStore;

  beforeAll(async () => {
    opened = await open();
    inbox = opened.inbox();
  });
  afterEach(() => opened.clear('inbox'));
  afterAll(() => opened.close());

  function delivery(itemKey: string, change: Partial<Delivery> = {}): Delivery {
    return { id: randomUUID(), event: 'Note Hook', itemKey, body: '{"a":1}', ...change };
  }
  const take = (owner = 'a', change: { limit?: number; leaseMs?: number } = {}) =>
    inbox.take({ owner, limit: 100, leaseMs: 60_000, ...change });
  const idsOf = (deliveries: Delivery[]) => deliveries.map((each) => each.id);

  test('a delivery comes back as it was put', async () => {
    const put = delivery('1/1');

    const answer = await inbox.put(put);

    expect(answer).toBe('stored');
    expect(await take()).toEqual([{ ...put, seq: expect.any(Number), attempts: 0, unanswered: 0 }]);
  });

  test('a known id is stored once, at the same moment and later', async () => {
    const put = delivery('1/1');

    const answers = await Promise.all([inbox.put(put), inbox.put(put), inbox.put({ ...put, body: 'other' })]);

    expect(answers).toEqual(['stored', 'known', 'known']);
    await inbox.done(put.id, 'ignored');
    expect(await inbox.put(put)).toBe('known');
    expect(await take()).toEqual([]);
  });

  test('the same content told by another hook is stored once, at the same moment and later', async () => {
    const content = 'note:1/1:7:create:1700000000';
    const puts = [1, 2, 3].map(() => delivery('1/1', { content }));

    const answers = await Promise.all(puts.slice(0, 2).map((put) => inbox.put(put)));
    await inbox.done(puts[0]?.id ?? '', 'started');
    const later = await inbox.put(puts[2] ?? delivery('1/1'));

    expect([...answers.toSorted(), later]).toEqual(['known', 'stored', 'known']);
    expect(await inbox.put(delivery('1/1', { content: `${content}1` }))).toBe('stored');
    expect(await inbox.put(delivery('1/1', { content: null }))).toBe('stored');
  });

  test('a hold that is extended stands, for its owner alone', async () => {
    const put = delivery('1/1');
    await inbox.put(put);
    await take('a', { leaseMs: -1000 });

    const extended = await inbox.extend({ owner: 'a', ids: [put.id, 'unknown'], leaseMs: 60_000 });

    expect([extended, await inbox.extend({ owner: 'b', ids: [put.id], leaseMs: 1 })]).toEqual([[put.id], []]);
    expect(await take('b')).toEqual([]);
    await inbox.done(put.id, 'ignored');
    expect(await inbox.extend({ owner: 'a', ids: [put.id], leaseMs: 1 })).toEqual([]);
  });

  onDatabase('what no store can hold is replaced', async () => {
    await inbox.put(delivery('1/1', { body: `a\0\uD800${'z'.repeat(1_000_000)}` }));

    const [taken] = await take();

    expect(taken?.body).toBe(`a\uFFFD\uFFFD${'z'.repeat(1_000_000)}`);
  });

  test('one delivery an item at a time, in order of arrival', async () => {
    const [first, second, other] = [delivery('1/1'), delivery('1/1'), delivery('1/2')];
    for (const each of [first, second, other]) await inbox.put(each);

    const before = await take();
    const meanwhile = await take('b');
    await inbox.done(first.id, 'started');
    const after = await take('b');

    expect(idsOf(before)).toEqual([first.id, other.id]);
    expect(meanwhile).toEqual([]);
    expect(idsOf(after)).toEqual([second.id]);
  });

  test('several takers at once never share an item', async () => {
    for (let n = 0; n < 30; n += 1) await inbox.put(delivery(`1/${n % 10}`));

    const taken = await Promise.all(['a', 'b', 'c', 'd'].map((owner) => take(owner)));

    const keys = taken.flat().map((each) => each.itemKey);
    expect(new Set(keys).size).toBe(keys.length);
    expect([...taken.flat(), ...(await take('e'))]).toHaveLength(10);
  });

  test('at most the limit is taken, the oldest first', async () => {
    const puts = [delivery('1/1'), delivery('1/2'), delivery('1/3')];
    for (const each of puts) await inbox.put(each);

    expect(idsOf(await take('a', { limit: 2 }))).toEqual(idsOf(puts.slice(0, 2)));
  });

  test('a lapsed hold is taken over, and its first owner cannot postpone or fail any more', async () => {
    const put = delivery('1/1');
    await inbox.put(put);
    await take('a', { leaseMs: -1000 });
    const again = await take('b');

    await inbox.postpone(put.id, 'a', 0, 'late');
    await inbox.fail(put.id, 'a', 'late');

    expect(again).toMatchObject([{ id: put.id, attempts: 1 }]);
    expect(await take('c')).toEqual([]);
    await inbox.postpone(put.id, 'b', -1, 'again');
    expect(await take('c')).toMatchObject([{ id: put.id, attempts: 2 }]);
  });

  test('a postponed delivery holds back its item until it is due', async () => {
    const [first, second] = [delivery('1/1'), delivery('1/1')];
    for (const each of [first, second]) await inbox.put(each);
    await take();

    await inbox.postpone(first.id, 'a', 60_000, 'busy');

    expect(await take()).toEqual([]);
    const due = await inbox.nextDueInMs();
    expect(due).toBeGreaterThan(0);
    expect(due).toBeLessThanOrEqual(60_000);
  });

  onDatabase('a failed delivery is kept with its error, and the next one goes on', async () => {
    const [first, second] = [delivery('1/1'), delivery('1/1')];
    for (const each of [first, second]) await inbox.put(each);
    await take();

    await inbox.fail(first.id, 'a', 'broken');

    expect(idsOf(await take())).toEqual([second.id]);
    const [kept] = await opened.db.execute('select state, error from inbox where id = $1', [first.id]);
    expect(kept).toEqual({ state: 'failed', error: 'broken' });
  });

  test('a failed delivery that is sent again is worked on again, as if it were new', async () => {
    const put = delivery('1/1', { content: 'note:1/1:8:create:1700000000' });
    const byAnotherHook = { ...put, id: randomUUID() };
    for (const again of [put, byAnotherHook]) {
      await inbox.put(put);
      await take();
      await inbox.fail(put.id, 'a', 'broken');

      expect(await inbox.put(again)).toBe('stored');

      expect(await take('b')).toMatchObject([{ id: put.id, attempts: 0 }]);
      expect(await inbox.put(again)).toBe('known');
      await inbox.fail(put.id, 'b', 'broken');
    }
  });

  test('next due is now for what waits, null for nothing', async () => {
    expect(await inbox.nextDueInMs()).toBeNull();
    await inbox.put(delivery('1/1'));
    expect(await inbox.nextDueInMs()).toBe(0);
  });

  test('a refusal in the outbox marks its delivery done (D10)', async () => {
    const put = delivery('1/1');
    await inbox.put(put);

    const cause = { actionKey: null, deliveryId: put.id };
    await opened.outbox().add([outboxRow(newItem(), 'reply')], cause);

    expect(await take()).toEqual([]);
  });
});
