import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { OutboxStore } from '../../../src/ports/outbox.ts';
import type { RunStore } from '../../../src/ports/run-store.ts';
import { type OpenedStores, stores, testIf } from './databases.ts';
import { noteOf, outboxDesk } from './outbox-desk.ts';
import { endOf, newItem, outboxRow, resumeOf, startHeld, startOf, startPaused } from './samples.ts';

describe.each(stores)('the outbox on $name', ({ open, database }) => {
  const onDatabase = testIf(database);
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

  test('a row comes back as it was added', async () => {
    const row = outboxRow(newItem(), 'question', { replyTo: 'd1', questionId: 'scope' });
    await add(row);

    expect(await take()).toEqual([{ ...row, id: expect.any(Number), attempts: 0, unanswered: 0, known: null }]);
  });

  onDatabase(
    'of several runs of one item: in the order they were written, a retry holds back the later run too',
    async () => {
      const first = await startHeld(runs);
      await add(outboxRow(first.item, 'end', { runId: first.runId }));
      await runs.end(endOf(first.runId));
      const second = await runs.start(startOf(first.item));
      if (second.kind !== 'started') throw new Error('not started');
      await add(outboxRow(first.item, 'status', { runId: second.run.id }));

      const row = await takeOne();
      await outbox.postpone(row.id, 'a', 60_000, 'limited');
      const meanwhile = await take();
      await opened.db.execute('update outbox set due_at = now()');

      expect([row.kind, meanwhile]).toEqual(['end', []]);
      expect(await drain()).toEqual(['end', 'status']);
    },
  );

  test('a known marker is added once: while it waits, when it is delivered, and after it failed', async () => {
    const item = newItem();
    const reply = outboxRow(item, 'reply');
    const failing = outboxRow(item, 'reply');
    const run = await startHeld(runs);
    const noted = outboxRow(run.item, 'plan', { runId: run.runId });
    await Promise.all([add(reply), add(reply), add(reply, reply)]);
    expect(await drain()).toEqual(['reply']);
    await add(failing);
    await outbox.fail((await takeOne()).id, 'a', 'forbidden');
    await add(noted);
    await outbox.delivered((await takeOne()).id, 'a', noteOf(noted, 5));

    await add(failing, noted);

    expect(await take()).toEqual([]);
  });

  test('an action that was done adds nothing a second time', async () => {
    const item = newItem();
    const cause = { actionKey: `refusal:${item.iid}`, deliveryId: null };

    await Promise.all([1, 2, 3].map(() => outbox.add([outboxRow(item, 'reply')], cause)));

    expect(await drain()).toEqual(['reply']);
  });

  test('one row an item at a time, in the order they were written', async () => {
    const [item, other] = [newItem(), newItem()];
    await add(outboxRow(item, 'question'), outboxRow(item, 'plan'), outboxRow(other, 'end'));

    const first = await take();
    const meanwhile = await take('b');
    await outbox.delivered(first[0]?.id ?? 0, 'a', null);
    const next = await take('b');

    expect(first.map((row) => row.kind)).toEqual(['question', 'end']);
    expect(meanwhile).toEqual([]);
    expect(next.map((row) => row.kind)).toEqual(['plan']);
  });

  test('several deliverers at once never share an item', async () => {
    const items = Array.from({ length: 10 }, newItem);
    await add(...items.flatMap((item) => [outboxRow(item, 'plan'), outboxRow(item, 'end'), outboxRow(item, 'reply')]));

    const taken = (await Promise.all(['a', 'b', 'c', 'd'].map((owner) => take(owner)))).flat();

    expect(new Set(taken.map((row) => row.iid)).size).toBe(taken.length);
    expect([...taken, ...(await take('e'))].map((row) => row.kind)).toEqual(Array(10).fill('plan'));
  });

  test('at most the limit is taken', async () => {
    await add(outboxRow(newItem(), 'plan'), outboxRow(newItem(), 'plan'), outboxRow(newItem(), 'plan'));

    expect(await take('a', { limit: 2 })).toHaveLength(2);
  });

  test('status rows of a run give way to the newest, in their place of the order', async () => {
    const { item, runId } = await startHeld(runs);
    const status = () => outboxRow(item, 'status', { runId, marker: `run=${runId};kind=status` });

    await add(status(), outboxRow(item, 'plan', { runId }), status(), status());

    expect(await drain()).toEqual(['plan', 'status']);
  });

  test('a status that is on its way is not lost to a newer one', async () => {
    const { item, runId } = await startHeld(runs);
    await add(outboxRow(item, 'status', { runId, body: 'first' }));
    const first = await takeOne();
    await add(outboxRow(item, 'status', { runId, body: 'second' }));

    await outbox.delivered(first.id, 'a', noteOf(first, 7));

    expect(await take()).toMatchObject([{ body: 'second' }]);
  });

  test('what a pause asked is dropped when it is over; plan, end and cancel go out', async () => {
    const { item, runId, pauseId } = await startPaused(runs);
    const kinds = ['question', 'gate', 'plan', 'approval', 'end', 'cancel'] as const;
    await add(...kinds.map((kind) => outboxRow(item, kind, { runId, pauseId })));

    await runs.resume(resumeOf(runId, pauseId));

    expect(await drain()).toEqual(['plan', 'end', 'cancel']);
  });

  test('what an open pause asks goes out', async () => {
    const { item, runId, pauseId } = await startPaused(runs);
    await add(outboxRow(item, 'question', { runId, pauseId }), outboxRow(item, 'gate', { runId, pauseId }));

    expect(await drain()).toEqual(['question', 'gate']);
  });

  test('a row that was taken is not wanted any more when its pause is over or a Cancel dropped it', async () => {
    const [continued, canceled, open] = [await startPaused(runs), await startPaused(runs), await startPaused(runs)];
    for (const { item, runId, pauseId } of [continued, canceled, open])
      await add(outboxRow(item, 'question', { runId, pauseId }));
    const taken = await take();
    const before = await Promise.all(taken.map((row) => outbox.stillWanted(row.id)));

    await runs.resume(resumeOf(continued.runId, continued.pauseId));
    await runs.end(endOf(canceled.runId));

    expect(before).toEqual([true, true, true]);
    expect(await Promise.all(taken.map((row) => outbox.stillWanted(row.id)))).toEqual([false, false, true]);
  });

  test('a row that is being delivered holds its item through a cancel; what tells of the cancel comes after it', async () => {
    const { item, runId } = await startPaused(runs);
    await add(outboxRow(item, 'status', { runId }));
    const row = await takeOne();

    await runs.end(endOf(runId, { outbox: [outboxRow(item, 'cancel', { runId })] }));

    expect(await outbox.stillWanted(row.id)).toBe(false);
    expect(await take('b')).toEqual([]);
    await outbox.delivered(row.id, 'a', null);
    expect(await take('b')).toMatchObject([{ kind: 'cancel' }]);
  });

  test('a status row of a cancelled run is dropped when its delivery ended without a word', async () => {
    const { item, runId } = await startPaused(runs);
    await add(outboxRow(item, 'status', { runId }));
    await take();
    await runs.end(endOf(runId, { outbox: [outboxRow(item, 'cancel', { runId })] }));
    await opened.lapse();

    expect(await take('b')).toMatchObject([{ kind: 'cancel' }]);
  });

  test('a row without a pause is always wanted', async () => {
    await add(outboxRow(newItem(), 'plan'));

    expect(await outbox.stillWanted((await takeOne()).id)).toBe(true);
  });
});
