/** Deliveries whose takers end without an answer. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Delivery, InboxStore } from '../../../src/ports/inbox.ts';
import { type OpenedStores, stores } from './databases.ts';

describe.each(stores)('deliveries that nobody answered on $name', ({ open }) => {
  let opened: OpenedStores;
  let inbox: InboxStore;

  beforeAll(async () => {
    opened = await open();
    inbox = opened.inbox();
  });
  afterEach(() => opened.clear('inbox'));
  afterAll(() => opened.close());

  async function stored(itemKey: string): Promise<Delivery> {
    const put = { id: randomUUID(), event: 'Note Hook', itemKey, body: '{}' };
    await inbox.put(put);
    return put;
  }
  const take = (owner: string, leaseMs = 60_000) => inbox.take({ owner, limit: 100, leaseMs });
  /** A taker that ends at once, so often. */
  async function lose(times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) await take(`lost-${time}`, -1000);
  }

  test('tell how often in a row', async () => {
    await stored('1/1');
    await lose(2);

    expect(await take('a')).toMatchObject([{ attempts: 2, unanswered: 2 }]);
  });

  test('count anew after an answer, and when they are sent again', async () => {
    const put = await stored('1/1');
    await lose(1);
    await take('a');
    await inbox.postpone(put.id, 'a', 0, 'GitLab is down');
    const [postponed] = await take('b');
    await inbox.fail(put.id, 'b', 'no');
    await inbox.put(put);

    expect(postponed).toMatchObject({ attempts: 2, unanswered: 0 });
    expect(await take('c')).toMatchObject([{ attempts: 0, unanswered: 0 }]);
  });

  test('are given up with the fifth, and come once more for that to be told', async () => {
    const put = await stored('1/1');
    const next = await stored('1/1');
    await lose(5);

    const last = await take('a');
    const after = await take('a');

    expect(last).toMatchObject([{ id: put.id, body: '{}', unanswered: 5 }]);
    expect(after.map(({ id }) => id)).toEqual([next.id]);
    expect(await inbox.put(put)).toBe('stored');
  });

  test('are taken one at a time by a process, others beside them', async () => {
    const [one, two] = [await stored('1/1'), await stored('1/2')];
    await lose(2);
    const fresh = await stored('1/3');

    const first = await take('a');
    const second = await take('a');
    const elsewhere = await take('b');
    await inbox.done(one.id, 'ignored');
    await inbox.done(two.id, 'ignored');

    expect(first.map(({ id }) => id)).toEqual([one.id, fresh.id]);
    expect(second).toEqual([]);
    expect(elsewhere.map(({ id }) => id)).toEqual([two.id]);
  });

  test('are taken one after the other', async () => {
    const [one, two] = [await stored('1/1'), await stored('1/2')];
    await lose(2);
    await take('a');
    await inbox.done(one.id, 'ignored');

    expect((await take('a')).map(({ id }) => id)).toEqual([two.id]);
  });
});
