import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunStore } from '../../../src/ports/run-store.ts';
import { type OpenedStores, stores, testIf } from './databases.ts';
import { endOf, newItem, outboxRow, startOf, startRun } from './samples.ts';

describe.each(stores)('starting runs on $name', ({ open, database }) => {
  const onDatabase = testIf(database);
  let opened: OpenedStores;
  let store: RunStore;

  beforeAll(async () => {
    opened = await open();
    store = opened.runs();
  });
  afterAll(() => opened.close());

  test('a started run is read back whole', async () => {
    const start = startOf(newItem());

    const outcome = await store.start(start);

    const row = {
      id: start.id,
      itemGlobalId: start.item.globalId,
      item: start.item,
      startedBy: start.startedBy,
      status: 'GENERATING',
      reason: null,
      pause: null,
      scoreStatus: 'NOT_EVALUATED',
      view: { movement: null },
      fence: 0,
      seq: 1,
      version: 1,
      createdAt: start.at,
      updatedAt: start.at,
    };
    expect(outcome).toEqual({ kind: 'started', run: row });
    expect(await store.load(start.id)).toEqual({
      leaseToken: null,
      row,
      piece: start.piece,
      settings: start.settings,
      events: [{ ...start.events[0], v: 1, seq: 1, at: start.at }],
    });
  });

  test('of 20 starts at once on one item exactly one starts, and the others name its run', async () => {
    const item = newItem();
    const stores = Array.from({ length: 4 }, () => opened.runs());

    const starts = stores.flatMap((each) => Array.from({ length: 5 }, () => each.start(startOf(item))));
    const outcomes = await Promise.all(starts);

    const winners = outcomes.filter((outcome) => outcome.kind === 'started');
    const named = outcomes.map((outcome) => (outcome.kind === 'duplicate' ? null : outcome.run.id));
    expect(winners).toHaveLength(1);
    expect(new Set(named)).toEqual(new Set([winners[0]?.run.id]));
    expect(await store.runsOfItem(item.globalId, 100)).toHaveLength(1);
  });

  test('20 starts at once on 20 items start 20 runs', async () => {
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => store.start(startOf(newItem()))));

    expect(outcomes.map((outcome) => outcome.kind)).toEqual(Array(20).fill('started'));
  });

  test('an item whose run has ended gets a new one, which is its latest', async () => {
    const item = newItem();
    const first = startOf(item);
    await store.start(first);
    await store.end(endOf(first.id));
    const second = startOf(item);

    const outcome = await store.start(second);

    expect(outcome.kind).toBe('started');
    expect((await store.latestForItem(item.globalId))?.id).toBe(second.id);
    expect((await store.runsOfItem(item.globalId, 10)).map((run) => run.id)).toEqual([second.id, first.id]);
  });

  test('the same action at once starts one run, whatever the deliveries', async () => {
    const item = newItem();
    const cause = { actionKey: `note:${item.globalId}:plan`, deliveryId: null };

    const outcomes = await Promise.all(Array.from({ length: 10 }, () => store.start(startOf(item, { cause }))));

    const kinds = outcomes.map((outcome) => outcome.kind).sort();
    expect(kinds).toEqual([...Array(9).fill('duplicate'), 'started']);
  });

  test('an action stays known after its run has ended', async () => {
    const item = newItem();
    const cause = { actionKey: `note:${item.globalId}:plan`, deliveryId: null };
    const first = startOf(item, { cause });
    await store.start(first);
    await store.end(endOf(first.id));

    const outcome = await store.start(startOf(item, { cause }));

    expect(outcome).toEqual({ kind: 'duplicate' });
    expect((await store.latestForItem(item.globalId))?.id).toBe(first.id);
  });

  test('the action of a start that was refused is not used up', async () => {
    const item = newItem();
    const running = startOf(item);
    await store.start(running);
    const cause = { actionKey: `note:${item.globalId}:plan`, deliveryId: null };
    const refused = await store.start(startOf(item, { cause }));
    await store.end(endOf(running.id));

    const repeated = await store.start(startOf(item, { cause }));

    expect([refused.kind, repeated.kind]).toEqual(['already_running', 'started']);
  });

  test('the same start once more, after its answer was lost, is the same run', async () => {
    const start = startOf(newItem());
    await store.start(start);

    const again = await store.start(start);

    expect(again).toMatchObject({ kind: 'started', run: { id: start.id, seq: 1 } });
    expect((await store.load(start.id))?.events).toHaveLength(1);
  });

  test('the delivery is done and the outbox row written with the start (D10, D11)', async () => {
    const item = newItem();
    const inbox = opened.inbox();
    const outbox = opened.outbox();
    const deliveryId = randomUUID();
    await inbox.put({ id: deliveryId, event: 'Note Hook', itemKey: `1/${item.iid}`, body: '{}' });
    const id = randomUUID();
    const status = outboxRow(item, 'status', { runId: id });

    await store.start(startOf(item, { id, outbox: [status], cause: { actionKey: null, deliveryId } }));

    expect(await inbox.take({ owner: 'worker-a', limit: 100, leaseMs: 60_000 })).toEqual([]);
    expect(await outbox.take({ owner: 'worker-a', limit: 100, leaseMs: 60_000 })).toMatchObject([status]);
  });

  test('a refused start leaves its delivery open and its outbox unwritten', async () => {
    const item = newItem();
    const inbox = opened.inbox();
    await store.start(startOf(item));
    const deliveryId = randomUUID();
    await inbox.put({ id: deliveryId, event: 'Note Hook', itemKey: `1/${item.iid}`, body: '{}' });
    const rows = [outboxRow(item, 'status')];

    await store.start(startOf(item, { outbox: rows, cause: { actionKey: null, deliveryId } }));

    const taken = await inbox.take({ owner: 'worker-a', limit: 100, leaseMs: 60_000 });
    expect(taken.map((delivery) => delivery.id)).toEqual([deliveryId]);
    expect(await opened.outbox().take({ owner: 'worker-a', limit: 100, leaseMs: 60_000 })).toEqual([]);
  });

  onDatabase('what no store can hold is replaced, everything else comes back as it was', async () => {
    const hostile = `a\0b\uD800c \u001F\u001E\\u0000 '"{}\n日本語 🚀`;
    const cleaned = `a\uFFFDb\uFFFDc \u001F\u001E\\u0000 '"{}\n日本語 🚀`;
    const long = 'x'.repeat(1_000_000);
    const item = { ...newItem(), title: hostile };
    const view = { [hostile]: [hostile, { __proto__: null, nested: hostile }], long };

    const start = startOf(item, {
      row: { view },
      piece: { name: 'p', file: 'p.yaml', text: hostile, files: { a: long } },
    });
    await store.start({ ...start, events: [{ type: 'warning', code: hostile, message: long, movement: null }] });

    const loaded = await store.load(start.id);
    expect(loaded?.row.item.title).toBe(cleaned);
    expect(loaded?.row.view).toEqual({ [cleaned]: [cleaned, { nested: cleaned }], long });
    expect(loaded?.piece).toEqual({ name: 'p', file: 'p.yaml', text: cleaned, files: { a: long } });
    expect(loaded?.events[0]).toMatchObject({ code: cleaned, message: long });
  });

  test('unknown runs and items are null, whatever the id looks like', async () => {
    const ids = [randomUUID(), "'; drop table runs; --", ''];

    expect(await Promise.all(ids.map((id) => store.byId(id)))).toEqual([null, null, null]);
    expect(await store.load('no id')).toBeNull();
    expect(await store.latestForItem(1)).toBeNull();
  });

  test('reads of one moment are told apart', async () => {
    const [first, second] = [await startRun(store), await startRun(store)];

    const rows = await Promise.all([
      store.byId(second),
      store.byId(randomUUID()),
      store.byId(first),
      store.byId(second),
    ]);

    expect(rows.map((row) => row?.id)).toEqual([second, undefined, first, second]);
  });
});
