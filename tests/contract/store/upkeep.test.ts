import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createInboxStore } from '../../../src/adapters/postgres/inbox-store.ts';
import { createOutboxStore } from '../../../src/adapters/postgres/outbox-store.ts';
import { createRunStore } from '../../../src/adapters/postgres/run-store.ts';
import { createUpkeepStore } from '../../../src/adapters/postgres/upkeep-store.ts';
import type { RunStore } from '../../../src/ports/run-store.ts';
import type { UpkeepStore } from '../../../src/ports/upkeep.ts';
import { databases, type TestStore } from './databases.ts';
import {
  appendTo,
  claimOne,
  endOf,
  newItem,
  outboxRow,
  pauseOf,
  resumeOf,
  startHeld,
  startOf,
  startPaused,
  startRun,
} from './samples.ts';

const HOUR_MS = 3_600_000;
const noCause = { actionKey: null, deliveryId: null };

describe.each(databases)('upkeep on $name', ({ open }) => {
  let opened: TestStore;
  let store: RunStore;
  let upkeep: UpkeepStore;

  beforeAll(async () => {
    opened = await open();
    store = createRunStore(opened.db);
    upkeep = createUpkeepStore(opened.db);
  });
  afterEach(async () => {
    await opened.db.execute('truncate runs cascade');
    for (const table of ['pauses', 'events', 'inbox', 'outbox', 'workers'])
      await opened.db.execute(`truncate ${table}`);
  });
  afterAll(() => opened.close());

  const all = { ageMs: HOUR_MS, limit: 100, maxFormat: 1 };

  /** The samples pause in January; these began just now. */
  async function pausedNow(): Promise<{ runId: string; pauseId: string }> {
    const held = await startHeld(store);
    await store.append({ ...pauseOf(held, 'now'), at: new Date().toISOString() });
    return { runId: held.runId, pauseId: 'now' };
  }

  test('finds open pauses by their age, the oldest first', async () => {
    const old = await startPaused(store);
    await pausedNow();

    const found = await upkeep.pausesOlderThan(all);

    expect(found).toEqual([
      { runId: old.runId, seq: old.seq, pauseId: old.pauseId, kind: 'question', openedAt: '2026-01-02T03:05:00.000Z' },
    ]);
  });

  test('a pause that is over is not found, nor one of an ended run', async () => {
    const resumed = await startPaused(store);
    await store.resume(resumeOf(resumed.runId, resumed.pauseId));
    const ended = await startPaused(store);
    await store.end(endOf(ended.runId));

    expect(await upkeep.pausesOlderThan(all)).toEqual([]);
    expect(await upkeep.pausesToRemind(all)).toEqual([]);
  });

  test('those at which nobody looked for long are given to one taker, and again when as much time is over', async () => {
    const old = await startPaused(store);
    await pausedNow();
    const ended = await startPaused(store);
    await store.end(endOf(ended.runId));

    const takers = await Promise.all([upkeep.pausesToLookAt(all), upkeep.pausesToLookAt(all)]);
    const again = await upkeep.pausesToLookAt({ ...all, ageMs: 0 });

    expect(takers.flat().map((pause) => pause.runId)).toEqual([old.runId]);
    expect(again.map((pause) => pause.runId)).toContain(old.runId);
  });

  test('nobody is reminded of a pause twice', async () => {
    const [first, second] = [await startPaused(store), await startPaused(store)];

    await upkeep.reminded(first.runId, first.pauseId);

    expect((await upkeep.pausesToRemind(all)).map((pause) => pause.runId)).toEqual([second.runId]);
    expect(await upkeep.pausesOlderThan(all)).toHaveLength(2);
  });

  test('pauses of runs of a newer format are left to newer processes', async () => {
    const { runId } = await startPaused(store);
    await opened.db.execute('update runs set format = 2 where id = $1', [runId]);

    expect(await upkeep.pausesOlderThan(all)).toEqual([]);
    expect(await upkeep.pausesToRemind(all)).toEqual([]);
    expect(await upkeep.pausesToRemind({ ...all, maxFormat: 2 })).toHaveLength(1);
  });

  test('counts what waits, and how long it has been due', async () => {
    const inbox = createInboxStore(opened.db);
    const outbox = createOutboxStore(opened.db);
    for (const id of ['a', 'b']) await inbox.put({ id, event: 'Note Hook', itemKey: `1/${id}`, body: '{}' });
    await inbox.take({ owner: 'w', limit: 1, leaseMs: 60_000 });
    await opened.db.execute(`update inbox set due_at = now() - interval '90 seconds'`);
    await outbox.add([outboxRow(newItem(), 'reply')], noCause);
    await opened.db.execute(`update outbox set due_at = now() + interval '90 seconds'`);
    await startHeld(store);
    await startRun(store);
    await pausedNow();

    const backlog = await upkeep.backlog();

    expect(backlog).toEqual({
      inbox: { open: 2, oldestDueMs: expect.any(Number) },
      outbox: { open: 1, oldestDueMs: null },
      deliveriesGivenUp: 0,
      runs: { generating: 2, needsInput: 1, abandoned: 1 },
    });
    expect(Math.round((backlog.inbox.oldestDueMs ?? 0) / 10_000)).toBe(9);
  });

  test('nothing waits where nothing is', async () => {
    const nothing = { open: 0, oldestDueMs: null };

    expect(await upkeep.backlog()).toEqual({
      inbox: nothing,
      outbox: nothing,
      deliveriesGivenUp: 0,
      runs: { generating: 0, needsInput: 0, abandoned: 0 },
    });
  });

  test('knows the workers by their last sign', async () => {
    const a = { owner: 'a', parts: ['runs', 'deliveries'], ready: true, detail: '' };
    await upkeep.sign(a);
    await upkeep.sign({ ...a, ready: false, detail: 'the queue is silent' });
    await upkeep.sign({ ...a, owner: 'b' });
    await upkeep.sign({ ...a, owner: 'c' });
    await opened.db.execute(`update workers set seen_at = now() - interval '1 hour' where owner = 'b'`);
    await upkeep.signOff('c');

    const seenAt = expect.stringMatching(/Z$/);
    expect(await upkeep.workers(60_000)).toEqual([{ ...a, ready: false, detail: 'the queue is silent', seenAt }]);
  });

  test('a worker that gave no sign for a day is forgotten', async () => {
    await upkeep.sign({ owner: 'old', parts: ['runs'], ready: true, detail: '' });
    await opened.db.execute(`update workers set seen_at = now() - interval '25 hours'`);

    await upkeep.sign({ owner: 'new', parts: ['runs'], ready: true, detail: '' });

    expect(await opened.db.execute('select owner from workers')).toEqual([{ owner: 'new' }]);
  });
});

describe.each(databases)('a rolling upgrade on $name', ({ open }) => {
  let opened: TestStore;
  let store: RunStore;

  beforeAll(async () => {
    opened = await open();
    store = createRunStore(opened.db);
  });
  afterAll(() => opened.close());

  test('an older worker finds, claims and ends no run of a newer format, however many there are', async () => {
    const settings = { ...startOf(newItem()).settings, timeoutMs: -1000 };
    const newer = await startRun(store, { settings: { ...settings, format: 2 } });
    const own = await startRun(store, { settings });

    const olderSees = { abandoned: await store.findAbandoned(1, 1), overdue: await store.findOverdue(1, 1) };
    const olderClaims = await store.claim({ runIds: [newer, own], worker: 'older', leaseMs: 60_000, maxFormat: 1 });

    expect(olderSees).toMatchObject({ abandoned: [own], overdue: [{ runId: own }] });
    expect(olderClaims.map((run) => run.row.id)).toEqual([own]);
    const [untouched] = await opened.db.execute('select fence, owner, seq from runs where id = $1', [newer]);
    expect(untouched).toEqual({ fence: 0, owner: null, seq: 1 });
  });

  test('a newer worker goes on with both', async () => {
    const newer = await startRun(store, { settings: { ...startOf(newItem()).settings, format: 2 } });
    const older = await startRun(store);

    const claimed = await store.claim({ runIds: [newer, older], worker: 'newer', leaseMs: 60_000, maxFormat: 2 });

    expect(claimed.map((run) => run.row.id).sort()).toEqual([newer, older].sort());
  });

  test('a run that an older worker holds goes on there, and a newer one takes it over when it is given back', async () => {
    const runId = await startRun(store);
    const held = await claimOne(store, runId, 'older');
    const newer = () => store.claim({ runIds: [runId], worker: 'newer', leaseMs: 60_000, maxFormat: 2 });

    const before = await newer();
    const appended = await store.append(appendTo({ runId, fence: held.fence, seq: held.row.seq }));
    await store.release([{ runId, fence: held.fence }]);

    expect([before.length, appended.kind, (await newer()).length]).toEqual([0, 'appended', 1]);
  });
});
