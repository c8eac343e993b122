/** Rows of the outbox whose takers end without an answer. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OutboxStore } from '../../../src/ports/outbox.ts';
import type { RunStore } from '../../../src/ports/run-store.ts';
import { type OpenedStores, stores } from './databases.ts';
import { noteOf, outboxDesk } from './outbox-desk.ts';
import { newItem, outboxRow, startHeld } from './samples.ts';

describe.each(stores)('rows that nobody answered on $name', ({ open }) => {
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

  /** What an owner has at work, it has: each test has its own. */
  let me = 0;
  beforeEach(() => {
    me += 1;
  });
  const desk = outboxDesk(() => outbox);
  const { add } = desk;
  const take = (owner = 'a', change = {}) => desk.take(`${owner}-${me}`, change);
  const takeOne = () => desk.takeOne(`a-${me}`);
  /** A taker that ends at once, so often. */
  async function lose(times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) await take(`lost-${time}`, { leaseMs: -1000 });
  }

  test('tell how often in a row', async () => {
    await add(outboxRow(newItem(), 'reply'));
    await lose(2);

    expect(await take()).toMatchObject([{ attempts: 2, unanswered: 2 }]);
  });

  test('count anew after an answer', async () => {
    await add(outboxRow(newItem(), 'reply'));
    await lose(4);
    const { id } = await takeOne();
    await outbox.postpone(id, `a-${me}`, 0, 'GitLab is down');

    expect(await take('b')).toMatchObject([{ attempts: 5, unanswered: 0 }]);
  });

  test('are given up with the fifth: come once more for that to be told, show in the run, and let the later ones go on', async () => {
    const run = await startHeld(runs);
    const [plan, end] = (['plan', 'end'] as const).map((kind) => outboxRow(run.item, kind, { runId: run.runId }));
    if (!plan || !end) throw new Error('no rows');
    await add(plan, end);
    const before = (await runs.byId(run.runId))?.version ?? 0;
    await lose(5);

    const last = await take();
    const next = await take();

    expect(last).toMatchObject([{ kind: 'plan', body: plan.body, unanswered: 5 }]);
    expect(next).toMatchObject([{ kind: 'end', unanswered: 0 }]);
    expect(await outbox.failures(run.runId)).toEqual([
      { marker: plan.marker, kind: 'plan', error: 'set aside: 5 processes in a row ended while they worked on it' },
    ]);
    expect((await runs.byId(run.runId))?.version).toBe(before + 1);
    expect(await outbox.stillWanted(last[0]?.id ?? 0)).toBe(false);
  });

  test('of no run are given up as well', async () => {
    const row = outboxRow(newItem(), 'reply');
    await add(row);
    await lose(6);
    await add(row);

    expect(await take()).toEqual([]);
  });

  test('are taken one at a time by an owner, others beside them', async () => {
    const rows = [outboxRow(newItem(), 'reply'), outboxRow(newItem(), 'reply')];
    await add(...rows);
    await lose(2);
    const fresh = outboxRow(newItem(), 'reply');
    await add(fresh);

    const first = await take('a');
    const second = await take('a');
    const elsewhere = await take('b');

    expect(first.map(({ marker }) => marker)).toEqual([rows[0]?.marker, fresh.marker]);
    expect(second).toEqual([]);
    expect(elsewhere.map(({ marker }) => marker)).toEqual([rows[1]?.marker]);
  });

  test('are taken one after the other', async () => {
    const rows = [outboxRow(newItem(), 'reply'), outboxRow(newItem(), 'reply')];
    await add(...rows);
    await lose(2);
    const first = await takeOne();
    await outbox.delivered(first.id, `a-${me}`, noteOf(first, 7));

    expect((await take()).map(({ marker }) => marker)).toEqual([rows[1]?.marker]);
  });

  test('are not kept from their owner any longer than it holds one', async () => {
    await add(outboxRow(newItem(), 'reply'), outboxRow(newItem(), 'reply'));
    await lose(2);
    await take('a', { leaseMs: -1000 });

    expect(await take()).toHaveLength(1);
  });
});
