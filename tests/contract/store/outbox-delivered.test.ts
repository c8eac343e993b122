import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ItemRef } from '../../../src/domain/workplan/people.ts';
import type { OutboxStore } from '../../../src/ports/outbox.ts';
import type { RunStore } from '../../../src/ports/run-store.ts';
import { type OpenedStores, stores } from './databases.ts';
import { noteOf, outboxDesk } from './outbox-desk.ts';
import { appendTo, endOf, newItem, outboxRow, startHeld, startOf, startPaused } from './samples.ts';

describe.each(stores)('what the outbox on $name delivered', ({ open }) => {
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

  test('tells whether a row of a note waits, also one that is going out', async () => {
    const row = outboxRow(newItem(), 'status');
    const waits = () => outbox.isWaiting(row.itemGlobalId, row.marker);
    const states = [await waits()];
    await add(row);
    states.push(await waits());
    const { id } = await takeOne();
    states.push(await waits(), await outbox.isWaiting(row.itemGlobalId + 1, row.marker));
    await outbox.delivered(id, 'a', null);

    expect([...states, await waits()]).toEqual([false, true, true, false, false]);
  });

  test('a hold that is extended stands, for its owner alone; who lost the row is told', async () => {
    await add(outboxRow(newItem(), 'plan'));
    const [row] = await take('a', { leaseMs: -1000 });
    const id = row?.id ?? 0;

    const extended = await outbox.extend({ owner: 'a', ids: [id, id + 1000], leaseMs: 60_000 });
    const meanwhile = await take('b');
    const stranger = await outbox.extend({ owner: 'b', ids: [id], leaseMs: 60_000 });
    await outbox.postpone(id, 'a', 0, 'stopped');
    await take('b');

    expect([extended, meanwhile, stranger]).toEqual([[id], [], []]);
    expect(await outbox.extend({ owner: 'a', ids: [id], leaseMs: 60_000 })).toEqual([]);
  });

  test('what is posted where code must not be seen comes back, and whether the item was confidential', async () => {
    const [open, closed] = [newItem(), { ...newItem(), confidential: true }];
    const started = await Promise.all([open, closed].map((item) => runs.start(startOf(item))));
    for (const outcome of started) {
      if (outcome.kind !== 'started') throw new Error('not started');
      await add(outboxRow(outcome.run.item, 'plan', { runId: outcome.run.id, kept: 'Kept.' }));
    }

    expect((await take()).map(({ kept, wasConfidential }) => [kept, wasConfidential])).toEqual([
      ['Kept.', false],
      ['Kept.', true],
    ]);
  });

  test('rows that a run writes keep what is posted in their place', async () => {
    const { item, ...held } = await startHeld(runs);
    await runs.append(appendTo(held, { outbox: [outboxRow(item, 'plan', { kept: 'Kept.' })] }));

    expect(await takeOne()).toMatchObject({ kind: 'plan', kept: 'Kept.' });
  });

  test('a failure is over when its note was delivered later', async () => {
    const { item, runId } = await startHeld(runs);
    const status = () => outboxRow(item, 'status', { runId, marker: `run=${runId};kind=status` });
    await add(status());
    await outbox.fail((await takeOne()).id, 'a', 'locked');
    const before = await outbox.failures(runId);
    await add(status());
    const row = await takeOne();
    await outbox.delivered(row.id, 'a', noteOf(row, 12));

    expect(before).toHaveLength(1);
    expect(await outbox.failures(runId)).toEqual([]);
  });

  test('a row comes with the note that was delivered under its marker before', async () => {
    const item = newItem();
    const held = await startHeld(runs, { item });
    const row = outboxRow(item, 'plan', { runId: held.runId });
    await add(row);
    const first = await takeOne();
    const note = noteOf(first, 41);
    await outbox.delivered(first.id, 'a', note);

    await runs.append(appendTo(held, { outbox: [row] }));

    expect(await takeOne()).toMatchObject({ known: { noteId: 41, discussionId: note.discussionId } });
  });

  test('a delivered row goes, its note is kept, the version rises', async () => {
    const { item, runId, pauseId } = await startPaused(runs);
    const version = (await runs.byId(runId))?.version ?? 0;
    await add(outboxRow(item, 'question', { runId, pauseId, questionId: 'scope' }));
    const row = await takeOne();
    const note = noteOf(row, 3_000_000_000);

    await outbox.delivered(row.id, 'a', note);

    expect(await outbox.notesOfRun(runId)).toEqual([note]);
    expect(await outbox.noteByDiscussion(item.globalId, note.discussionId ?? '')).toEqual(note);
    expect(await outbox.noteByDiscussion(item.globalId + 1, note.discussionId ?? '')).toBeNull();
    expect((await runs.byId(runId))?.version).toBe(version + 1);
    expect(await take()).toEqual([]);
  });

  test('a superseded row goes without a note, and people see no difference', async () => {
    const { item, runId } = await startHeld(runs);
    await add(outboxRow(item, 'status', { runId }));

    await outbox.delivered((await takeOne()).id, 'a', null);

    expect(await outbox.notesOfRun(runId)).toEqual([]);
    expect((await runs.byId(runId))?.version).toBe(1);
    expect(await take()).toEqual([]);
  });

  test('a note edited in place keeps one place under its marker', async () => {
    const { item, runId } = await startHeld(runs);
    const status = outboxRow(item, 'status', { runId });
    for (const noteId of [8, 9]) {
      await add(status);
      const row = await takeOne();
      await outbox.delivered(row.id, 'a', noteOf(row, noteId));
    }

    expect(await outbox.notesOfRun(runId)).toMatchObject([{ noteId: 9 }]);
  });

  test('a note that went out although its row was dropped meanwhile is known', async () => {
    const { item, runId, pauseId } = await startPaused(runs);
    await add(outboxRow(item, 'question', { runId, pauseId }));
    const row = await takeOne();
    await runs.end(endOf(runId));

    await outbox.delivered(row.id, 'a', noteOf(row, 11));

    expect(await outbox.notesOfRun(runId)).toMatchObject([{ noteId: 11 }]);
  });

  test('who lost the hold cannot postpone, fail or remove the row', async () => {
    await add(outboxRow(newItem(), 'plan'));
    const [row] = await take('a', { leaseMs: -1000 });
    const id = row?.id ?? 0;
    const again = await takeOne('b');

    await outbox.postpone(id, 'a', 0, 'late');
    await outbox.fail(id, 'a', 'late');
    await outbox.delivered(id, 'a', null);

    expect(again).toMatchObject({ id, attempts: 1 });
    expect(await outbox.stillWanted(id)).toBe(true);
    expect(await take('c')).toEqual([]);
  });

  test('a postponed row holds back its item until it is due', async () => {
    const item = newItem() satisfies ItemRef;
    await add(outboxRow(item, 'plan'), outboxRow(item, 'end'));
    const row = await takeOne();

    await outbox.postpone(row.id, 'a', 60_000, 'limited');

    const due = await outbox.nextDueInMs();
    expect(await take()).toEqual([]);
    expect(due).toBeGreaterThan(0);
    expect(due).toBeLessThanOrEqual(60_000);
  });

  test('a row that failed for good shows in its run, and the next one goes on (D11)', async () => {
    const { item, runId } = await startHeld(runs);
    await add(outboxRow(item, 'plan', { runId, marker: 'm' }), outboxRow(item, 'end', { runId }));

    await outbox.fail((await takeOne()).id, 'a', `locked\0`);

    expect(await outbox.failures(runId)).toEqual([{ marker: 'm', kind: 'plan', error: 'locked\uFFFD' }]);
    expect((await runs.byId(runId))?.version).toBe(2);
    expect(await drain()).toEqual(['end']);
  });

  test('next due is now for what waits, later for what is held, null for nothing', async () => {
    const nothing = await outbox.nextDueInMs();
    await add(outboxRow(newItem(), 'plan', { runId: randomUUID() }));
    const waiting = await outbox.nextDueInMs();
    await take();

    expect([nothing, waiting]).toEqual([null, 0]);
    expect(await outbox.nextDueInMs()).toBeGreaterThan(0);
  });
});
