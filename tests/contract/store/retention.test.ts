import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createInboxStore } from '../../../src/adapters/postgres/inbox-store.ts';
import { createOutboxStore } from '../../../src/adapters/postgres/outbox-store.ts';
import { createRetentionStore } from '../../../src/adapters/postgres/retention-store.ts';
import { createRunStore } from '../../../src/adapters/postgres/run-store.ts';
import type { ItemRef } from '../../../src/domain/workplan/people.ts';
import type { RetentionStore } from '../../../src/ports/retention.ts';
import type { RunStore } from '../../../src/ports/run-store.ts';
import { databases, type TestStore } from './databases.ts';
import { appendTo, claimOne, endOf, newItem, outboxRow, startOf } from './samples.ts';

const DAY_MS = 86_400_000;
const nothing = { runs: 0, events: 0, deliveries: 0, actions: 0, outboxFailures: 0, pieceBundles: 0 };
const tables = [
  'events',
  'pauses',
  'usage',
  'actions',
  'inbox',
  'outbox',
  'outbox_failures',
  'notes',
  'notices',
  'piece_bundles',
];

describe.each(databases)('retention on $name', ({ open }) => {
  let opened: TestStore;
  let store: RunStore;
  let retention: RetentionStore;

  beforeAll(async () => {
    opened = await open();
  });
  beforeEach(async () => {
    await opened.db.execute('truncate runs cascade');
    for (const table of tables) await opened.db.execute(`truncate ${table}`);
    store = createRunStore(opened.db);
    retention = createRetentionStore(opened.db);
  });
  afterAll(() => opened.close());

  const prune = () => retention.prune({ ageMs: 90 * DAY_MS, limit: 100 });
  const pieceOf = (name: string) => ({ name, file: `${name}.yaml`, text: `name: ${name}\n`, files: {} });

  /** An ended run; `ageDays` ago by the database's clock. */
  async function endedRun(item: ItemRef, ageDays: number, change = {}): Promise<string> {
    const started = await store.start(startOf(item, change));
    if (started.kind !== 'started') throw new Error('not started');
    const { id } = started.run;
    await store.end(endOf(id));
    await age('runs', 'updated_at', ageDays, `id = '${id}'`);
    return id;
  }

  async function age(table: string, column: string, days: number, where = 'true'): Promise<void> {
    await opened.db.execute(`update ${table} set ${column} = now() - interval '${days} days' where ${where}`);
  }

  async function count(table: string): Promise<number> {
    const [row] = await opened.db.execute<{ n: number }>(`select count(*)::int as n from ${table}`);
    return row?.n ?? -1;
  }

  test('an old ended run goes with all that hangs on it, and is counted before', async () => {
    const item = newItem();
    const cause = { actionKey: 'note:1', deliveryId: null };
    const old = await store.start(startOf(item, { cause, piece: pieceOf('one') }));
    if (old.kind !== 'started') throw new Error('not started');
    const held = await claimOne(store, old.run.id);
    const usage = [{ effectId: 'e', model: 'm', inputTokens: 1, outputTokens: 2, estimated: false }];
    await store.append(appendTo({ runId: old.run.id, fence: held.fence, seq: 1 }, { usage }));
    await store.end(endOf(old.run.id));
    await age('runs', 'updated_at', 100);
    await endedRun(item, 0, { piece: pieceOf('two') });
    await age('piece_bundles', 'used_at', 100);

    const counted = await retention.countPrunable({ ageMs: 90 * DAY_MS });
    const first = await prune();
    const second = await prune();

    expect(counted).toEqual({ ...nothing, runs: 1, events: 3, actions: 1, pieceBundles: 1 });
    expect(first).toEqual({ ...nothing, runs: 1, events: 3, actions: 1 });
    // The bundle lost its last run in the first statement.
    expect(second).toEqual({ ...nothing, pieceBundles: 1 });
    expect(await prune()).toEqual(nothing);
    expect([await count('runs'), await count('run_definitions'), await count('usage')]).toEqual([1, 1, 0]);
  });

  test('neither a live run, nor the newest of its item, nor a young one goes', async () => {
    const waiting = await store.start(startOf(newItem()));
    await age('runs', 'updated_at', 100);
    await endedRun(newItem(), 100);
    const item = newItem();
    await endedRun(item, 80);
    await endedRun(item, 0);

    expect(await retention.countPrunable({ ageMs: 90 * DAY_MS })).toEqual(nothing);
    expect(await prune()).toEqual(nothing);
    expect(await count('runs')).toBe(4);
    expect(waiting.kind).toBe('started');
  });

  test('a run whose notes are still to be delivered stays', async () => {
    const item = newItem();
    const runId = await endedRun(item, 100);
    await endedRun(item, 0);
    await createOutboxStore(opened.db).add([outboxRow(item, 'end', { runId })], { actionKey: null, deliveryId: null });

    expect(await prune()).toEqual(nothing);
  });

  test('deliveries that were worked on, refusals told and notes given up on go by their age', async () => {
    const inbox = createInboxStore(opened.db);
    for (const id of ['open', 'done', 'young'])
      await inbox.put({ id, event: 'Note Hook', itemKey: `1/${id}`, body: '{}' });
    for (const id of ['done', 'young']) await inbox.done(id, 'ignored');
    await age('inbox', 'done_at', 100, `id = 'done'`);
    await age('inbox', 'received_at', 100);
    await createOutboxStore(opened.db).add([], { actionKey: 'refusal', deliveryId: null });
    await age('actions', 'at', 100);

    expect(await prune()).toEqual({ ...nothing, deliveries: 1, actions: 1 });
    expect(await opened.db.execute('select id from inbox order by id')).toEqual([{ id: 'open' }, { id: 'young' }]);
  });

  test('what was told in notes goes with its run, and without one by its age', async () => {
    const [item, other] = [newItem(), newItem()];
    const run = await endedRun(item, 100);
    const newer = await endedRun(item, 0);
    const notices = [
      { itemGlobalId: item.globalId, runId: run, key: 'old run', text: 'x' },
      { itemGlobalId: item.globalId, runId: newer, key: 'newer run', text: 'x' },
      { itemGlobalId: other.globalId, runId: null, key: 'old', text: 'x' },
      { itemGlobalId: other.globalId, runId: null, key: 'young', text: 'x' },
    ];
    await createOutboxStore(opened.db).add([], { actionKey: null, deliveryId: null }, notices);
    await age('notices', 'at', 100, "key <> 'young'");

    expect((await prune()).runs).toBe(1);

    const left = await opened.db.execute<{ key: string }>('select key from notices order by key');
    expect(left.map((row) => row.key)).toEqual(['newer run', 'young']);
  });

  test('a bundle that a process says it uses stays without a run', async () => {
    const item = newItem();
    await endedRun(item, 100, { piece: pieceOf('used') });
    await endedRun(item, 0, { piece: pieceOf('other') });
    await age('piece_bundles', 'used_at', 100);
    await prune();
    // Another process, which has not told the database of the bundle yet.
    store = createRunStore(opened.db);
    await endedRun(item, 100, { piece: pieceOf('used') });
    await endedRun(item, 0, { piece: pieceOf('other') });

    expect(await prune()).toMatchObject({ runs: 1, pieceBundles: 0 });
    expect(await count('piece_bundles')).toBe(2);
  });

  test('goes in parts of at most the limit, the oldest first', async () => {
    const item = newItem();
    for (let n = 0; n < 4; n += 1) await endedRun(item, 100 - n);

    const parts = [1, 2, 3].map(() => retention.prune({ ageMs: 90 * DAY_MS, limit: 2 }));

    expect((await Promise.all(parts)).map((part) => part.runs).reduce((sum, n) => sum + n)).toBe(3);
    expect(await count('runs')).toBe(1);
  });

  test('exports runs in the order of their creation, page by page, with all that is kept', async () => {
    const started = await store.start(startOf(newItem(), { leaseToken: 'secret-token' }));
    if (started.kind !== 'started') throw new Error('not started');
    const { id, item } = started.run;
    await claimOne(store, id);
    const outbox = createOutboxStore(opened.db);
    const note = { runId: id, marker: 'm', kind: 'status', pauseId: null, questionId: null } as const;
    await outbox.delivered(0, 'a', { ...note, noteId: 5, discussionId: null, url: 'https://gitlab.example/n' });
    await endedRun(newItem(), 0);
    const every = { since: null, item: null };

    const [first, ...more] = await retention.exportRuns(every, 0, 1);
    const rest = await retention.exportRuns(every, first?.no ?? 0, 10);

    expect([more.length, rest.length]).toEqual([0, 1]);
    expect(first).toMatchObject({
      run: { id, item, status: 'GENERATING' },
      piece: { name: 'workplan', hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      settings: { format: 1 },
      events: [{ type: 'run_started', seq: 1 }],
      notes: [{ noteId: 5 }],
      usage: [],
      pauses: [],
    });
    expect(JSON.stringify(first)).not.toContain('secret-token');
  });

  test('exports one item by address, reference or id, and what changed since', async () => {
    const [one, two] = [newItem(), newItem()];
    const runId = await endedRun(one, 10);
    await endedRun(two, 0);
    const idsOf = async (filter: { since?: string; item?: string }) =>
      (await retention.exportRuns({ since: null, item: null, ...filter }, 0, 10)).map(({ run }) => run.id);

    for (const item of [one.webUrl, one.reference, String(one.globalId)])
      expect(await idsOf({ item })).toEqual([runId]);
    const since = new Date(Date.now() - 5 * DAY_MS).toISOString();
    expect(await idsOf({ since })).toHaveLength(1);
    expect(await idsOf({ since })).not.toContain(runId);
    expect(await idsOf({ item: 'acme/nothing#1' })).toEqual([]);
  });
});
