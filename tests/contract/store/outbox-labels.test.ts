/** Labels, and what is told in a note that is edited: kept by the outbox beside the rows. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { OutboxStore } from '../../../src/ports/outbox.ts';
import type { RunStore } from '../../../src/ports/run-store.ts';
import { type OpenedStores, stores } from './databases.ts';
import { noteOf, outboxDesk } from './outbox-desk.ts';
import { appendTo, endOf, newItem, outboxRow, startHeld } from './samples.ts';

describe.each(stores)('labels and notices in the outbox on $name', ({ open }) => {
  let opened: OpenedStores;
  let outbox: OutboxStore;
  let runs: RunStore;

  beforeAll(async () => {
    opened = await open();
    outbox = opened.outbox();
    runs = opened.runs();
  });
  afterEach(() => opened.clear('outbox'));
  afterAll(() => opened.close());

  const { add, take, takeOne, drain } = outboxDesk(() => outbox);
  const notice = (itemGlobalId: number, runId: string | null, key: string) => ({
    itemGlobalId,
    runId,
    key,
    text: `told ${key}`,
  });

  test('the label comes back with its row, of an append too', async () => {
    const held = await startHeld(runs);
    const row = outboxRow(held.item, 'status', { runId: held.runId, label: 'workplan::generating' });
    await runs.append(appendTo(held, { outbox: [row] }));

    expect(await takeOne()).toMatchObject({ kind: 'status', label: 'workplan::generating' });
  });

  test('a status row with a label gives way to one with a label only', async () => {
    const { item, runId } = await startHeld(runs);
    const status = (body: string, label: string | null) =>
      outboxRow(item, 'status', { runId, body, label, marker: `run=${runId};kind=status` });
    await add(status('1', 'a'), status('2', 'b'), status('3', null), status('4', null));

    const bodies: string[] = [];
    for (let rows = await take(); rows.length > 0; rows = await take())
      for (const row of rows) {
        bodies.push(`${row.body} ${row.label ?? '-'}`);
        await outbox.delivered(row.id, 'a', null);
      }

    expect(bodies).toEqual(['2 b', '4 -']);
  });

  test('notice rows are added each time, and give way to whatever comes later of their note', async () => {
    const { item, runId } = await startHeld(runs);
    const marker = `run=${runId};kind=status`;
    const row = (kind: 'notice' | 'status') => outboxRow(item, kind, { runId, marker });
    await add(row('notice'));
    await outbox.delivered((await takeOne()).id, 'a', noteOf(row('notice'), 8));

    await add(row('notice'), row('notice'), row('status'));
    expect(await drain()).toEqual(['status']);
    await add(row('notice'));
    expect(await drain()).toEqual(['notice']);
  });

  test('a cancel drops status rows, but neither notices nor labels to be taken away', async () => {
    const { item, runId } = await startHeld(runs);
    await add(
      outboxRow(item, 'status', { runId }),
      outboxRow(item, 'notice', { runId }),
      outboxRow(item, 'unlabel', { runId }),
    );

    await runs.end(endOf(runId));

    expect(await drain()).toEqual(['notice', 'unlabel']);
  });

  test('what is told comes with the notes it is told in: the newest three, of that run and item', async () => {
    const { item, runId } = await startHeld(runs);
    const other = newItem();
    const none = { actionKey: null, deliveryId: null };
    const lines = ['1', '2', '3', '4'].map((key) => notice(item.globalId, runId, key));
    await outbox.add([], none, [...lines, notice(item.globalId, null, '5'), notice(other.globalId, null, '6')]);
    await add(outboxRow(item, 'status', { runId }), outboxRow(other, 'notice'), outboxRow(newItem(), 'notice'));

    const told = (await take()).map((row) => [row.kind, row.notices]);

    expect(told).toEqual([
      ['status', ['told 2', 'told 3', 'told 4']],
      ['notice', ['told 6']],
      ['notice', undefined],
    ]);
  });

  test('other rows carry none', async () => {
    const { item, runId } = await startHeld(runs);
    await outbox.add([], { actionKey: null, deliveryId: null }, [notice(item.globalId, runId, '1')]);
    await add(outboxRow(item, 'plan', { runId }));

    expect((await takeOne()).notices).toBeUndefined();
  });

  test('an action that was done tells nothing a second time, nor one key twice', async () => {
    const item = newItem();
    const cause = { actionKey: `label:${item.iid}`, deliveryId: null };
    await outbox.add([outboxRow(item, 'notice')], cause, [notice(item.globalId, null, 'a')]);
    await outbox.add([outboxRow(item, 'notice')], cause, [notice(item.globalId, null, 'b')]);
    await outbox.add([], { actionKey: null, deliveryId: null }, [notice(item.globalId, null, 'a')]);

    const rows = await take();

    expect(rows.map((row) => row.notices)).toEqual([['told a']]);
  });

  test('a note is found by its number, on its item only', async () => {
    const { item, runId } = await startHeld(runs);
    const row = outboxRow(item, 'status', { runId });
    await add(row);
    await outbox.delivered((await takeOne()).id, 'a', noteOf(row, 77));

    expect(await outbox.noteById(item.globalId, 77)).toMatchObject({ runId, kind: 'status', noteId: 77 });
    expect(await outbox.noteById(item.globalId, 78)).toBeNull();
    expect(await outbox.noteById(newItem().globalId, 77)).toBeNull();
  });
});
