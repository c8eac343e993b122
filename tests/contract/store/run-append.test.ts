import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Executor } from '../../../src/adapters/postgres/connect.ts';
import { createRunStore } from '../../../src/adapters/postgres/run-store.ts';
import { TransientFailure } from '../../../src/ports/failures.ts';
import type { RunStore, UsageRow } from '../../../src/ports/run-store.ts';
import { type OpenedStores, stores, testIf } from './databases.ts';
import { appendTo, endOf, outboxRow, pauseOf, resumeOf, startHeld, startPaused, warning } from './samples.ts';

const usage: UsageRow = { effectId: 'e', model: 'small', inputTokens: 3_000_000_000, outputTokens: 5, estimated: true };

describe.each(stores)('appending on $name', ({ open, database }) => {
  const onDatabase = testIf(database);
  let opened: OpenedStores;
  let store: RunStore;

  beforeAll(async () => {
    opened = await open();
    store = opened.runs();
  });
  afterAll(() => opened.close());

  const eventsOf = async (runId: string) => (await store.load(runId))?.events ?? [];
  const usageOf = (runId: string) =>
    opened.db.execute('select effect_id, input_tokens from usage where run_id = $1', [runId]);

  onDatabase('events, usage, outbox and row are written together, in order', async () => {
    const held = await startHeld(store);
    const [first, second] = [outboxRow(held.item, 'plan', { runId: held.runId }), outboxRow(held.item, 'end')];

    const outcome = await store.append(
      appendTo(held, {
        events: [warning('a'), warning('b')],
        row: { view: { n: 2 } },
        outbox: [first, second],
        usage: [usage],
      }),
    );

    const events = await eventsOf(held.runId);
    expect(outcome).toEqual({ kind: 'appended', seq: 3, version: 2 });
    expect(events.slice(1)).toMatchObject([
      { seq: 2, message: 'a', at: '2026-01-02T03:05:00.000Z' },
      { seq: 3, message: 'b' },
    ]);
    expect(await usageOf(held.runId)).toEqual([{ effect_id: 'e', input_tokens: 3_000_000_000 }]);
    expect(await store.byId(held.runId)).toMatchObject({
      view: { n: 2 },
      seq: 3,
      updatedAt: '2026-01-02T03:05:00.000Z',
    });
    const bodies = await opened.db.execute('select kind from outbox where item_global_id = $1 order by id', [
      held.item.globalId,
    ]);
    expect(bodies).toEqual([{ kind: 'plan' }, { kind: 'end' }]);
  });

  test('how far a run is shows in its view, which stays as it was otherwise', async () => {
    const held = await startHeld(store, { row: { view: { n: 1, movement: null, iteration: 0 } } });
    const progress = { movement: 'research', iteration: 1 };

    const moved = await store.append(appendTo(held, { row: { progress } }));
    const same = await store.append(appendTo({ ...held, seq: 2 }, { row: { progress } }));
    const left = await store.append(
      appendTo({ ...held, seq: 3 }, { row: { progress: { ...progress, movement: null } } }),
    );

    expect([moved, same, left]).toMatchObject([{ version: 2 }, { version: 2 }, { version: 3 }]);
    expect((await store.byId(held.runId))?.view).toEqual({ n: 1, movement: null, iteration: 1 });
  });

  test('the version rises only when people see a difference', async () => {
    const held = await startHeld(store, { row: { view: { n: 1 } } });

    const same = await store.append(appendTo(held, { row: { view: { n: 1 }, status: 'GENERATING' } }));
    const other = await store.append(appendTo({ ...held, seq: 2 }, { row: { view: { n: 2 } } }));
    const scored = await store.append(appendTo({ ...held, seq: 3 }, { row: { scoreStatus: 'EVALUATING' } }));

    expect([same, other, scored]).toMatchObject([{ version: 1 }, { version: 2 }, { version: 3 }]);
  });

  onDatabase('a stale fence among good ones refuses only its own append', async () => {
    const runs = await Promise.all([startHeld(store), startHeld(store), startHeld(store)]);
    const [good, stale, behind] = runs;
    if (!good || !stale || !behind) throw new Error('three runs');

    const outcomes = await Promise.all([
      store.append(appendTo(good)),
      store.append(
        appendTo({ ...stale, fence: stale.fence - 1 }, { usage: [usage], outbox: [outboxRow(stale.item, 'plan')] }),
      ),
      store.append(appendTo({ ...behind, seq: 0 })),
    ]);

    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['appended', 'stale', 'stale']);
    expect(await Promise.all(runs.map(async (run) => (await eventsOf(run.runId)).length))).toEqual([2, 1, 1]);
    expect(await usageOf(stale.runId)).toEqual([]);
    expect(await opened.db.execute('select 1 from outbox where item_global_id = $1', [stale.item.globalId])).toEqual(
      [],
    );
  });

  test('what is added while an append waits for its turn is written with it, under its sequence', async () => {
    const held = await startHeld(store);
    const waits = appendTo(held, { events: [warning('a')] });

    const asked = store.append({ ...waits, takeAlong: () => void waits.events.push(warning('b')) });

    const outcome = await asked;
    const messages = (await eventsOf(held.runId)).slice(1).map((event) => 'message' in event && event.message);
    // Whoever asks takes all of it; a store where nothing waits may leave it.
    expect([outcome, messages]).toEqual(
      messages.length === 1
        ? [{ kind: 'appended', seq: 2, version: expect.any(Number) }, ['a']]
        : [{ kind: 'appended', seq: 3, version: expect.any(Number) }, ['a', 'b']],
    );
  });

  onDatabase('appends of one turn of the event loop leave together', async () => {
    const held = await startHeld(store);
    const waits = appendTo(held, { events: [warning('a')] });
    const asked = store.append({ ...waits, takeAlong: () => void waits.events.push(warning('c')) });

    await Promise.resolve();
    waits.events.push(warning('b'));

    expect(await asked).toMatchObject({ kind: 'appended', seq: 4 });
    const messages = (await eventsOf(held.runId)).slice(1).map((event) => 'message' in event && event.message);
    expect(messages).toEqual(['a', 'b', 'c']);
  });

  test('of two appends at once for one sequence one wins', async () => {
    const held = await startHeld(store);

    const outcomes = await Promise.all([store.append(appendTo(held)), store.append(appendTo(held))]);

    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['appended', 'stale']);
    expect(await eventsOf(held.runId)).toHaveLength(2);
  });

  onDatabase('a batch with one append that the database refuses writes all the others', async () => {
    const runs = await Promise.all(Array.from({ length: 5 }, () => startHeld(store)));
    const broken = await startPaused(store);
    await store.resume(resumeOf(broken.runId, broken.pauseId));
    const [held] = await store.claim({ runIds: [broken.runId], worker: 'worker-a', leaseMs: 60_000, maxFormat: 1 });
    // The pause exists already: its key refuses it a second time, and with it the statement.
    const refused = pauseOf({ runId: broken.runId, fence: held?.fence ?? 0, seq: held?.row.seq ?? 0 }, broken.pauseId);

    const settled = await Promise.allSettled([
      ...runs.map((run) => store.append(appendTo(run))),
      store.append(refused),
    ]);

    expect(settled.map((result) => result.status)).toEqual([...Array(5).fill('fulfilled'), 'rejected']);
    expect(settled.at(-1)).toMatchObject({ reason: { name: 'StatementRefused', code: 'store_refused' } });
    expect(await Promise.all(runs.map(async (run) => (await eventsOf(run.runId)).length))).toEqual(Array(5).fill(2));
    expect((await store.byId(broken.runId))?.status).toBe('GENERATING');
  });

  onDatabase(
    'a batch with a malformed id writes all the others, and its message tells neither statement nor values',
    async () => {
      const held = await startHeld(store);

      const [good, bad] = await Promise.allSettled([
        store.append(appendTo(held)),
        store.append(appendTo({ runId: 'secret value', fence: 1, seq: 1 })),
      ]);

      expect(good).toMatchObject({ status: 'fulfilled', value: { kind: 'appended' } });
      const message = bad.status === 'rejected' ? String(bad.reason) : '';
      expect(message).toContain('write_runs (SQLSTATE 22P02)');
      expect(message).not.toMatch(/secret value|select|update/);
    },
  );

  onDatabase('an append repeated after its answer was lost is stale and doubles nothing', async () => {
    const held = await startHeld(store);
    const dying: Executor = {
      async execute(text, parameters) {
        await opened.db.execute(text, parameters);
        throw new TransientFailure('store_unavailable', 'the connection was lost after the commit');
      },
    };
    const append = appendTo(held, { usage: [usage], outbox: [outboxRow(held.item, 'plan', { runId: held.runId })] });
    await expect(createRunStore(dying).append(append)).rejects.toThrow('lost after the commit');

    const repeated = await opened.runs().append(append);

    expect(repeated).toEqual({ kind: 'stale' });
    expect(await eventsOf(held.runId)).toHaveLength(2);
    expect(await usageOf(held.runId)).toHaveLength(1);
    expect(await opened.db.execute('select 1 from outbox where run_id = $1', [held.runId])).toHaveLength(1);
  });

  onDatabase('a lost connection fails every append of the batch, for nobody knows what was written', async () => {
    const away: Executor = { execute: () => Promise.reject(new TransientFailure('store_unavailable', 'away')) };
    const lost = createRunStore(away);

    const settled = await Promise.allSettled([
      lost.append(appendTo({ runId: 'a', fence: 1, seq: 1 })),
      lost.append(appendTo({ runId: 'b', fence: 1, seq: 1 })),
    ]);

    expect(settled).toMatchObject(Array(2).fill({ status: 'rejected', reason: { code: 'store_unavailable' } }));
  });

  onDatabase('a pause is recorded and gives the hold back', async () => {
    const held = await startHeld(store);

    const outcome = await store.append(pauseOf(held, 'p1'));

    expect(outcome).toMatchObject({ kind: 'appended', version: 2 });
    expect(await store.byId(held.runId)).toMatchObject({
      status: 'NEEDS_INPUT',
      pause: { id: 'p1', kind: 'question' },
    });
    expect(await store.pauses(held.runId)).toEqual([
      {
        id: 'p1',
        kind: 'question',
        openedAt: '2026-01-02T03:05:00.000Z',
        closedAt: null,
        firstNoteId: null,
        posting: false,
      },
    ]);
    expect(await store.append(appendTo({ ...held, seq: 2 }))).toEqual({ kind: 'stale' });
    const [row] = await opened.db.execute('select owner, held_until, lease_token from runs where id = $1', [
      held.runId,
    ]);
    expect(row).toEqual({ owner: null, held_until: null, lease_token: null });
  });

  test('a terminal append ends the run, and nothing follows it', async () => {
    const held = await startHeld(store);
    const { event } = endOf(held.runId);

    const ended = await store.append(appendTo(held, { events: [event], row: { status: 'FAILED', reason: 'timeout' } }));
    const after = await store.append(appendTo({ ...held, seq: 2 }));

    expect([ended.kind, after.kind]).toEqual(['appended', 'stale']);
    expect(await store.byId(held.runId)).toMatchObject({ status: 'FAILED', reason: 'timeout' });
    expect(await store.end(endOf(held.runId))).toMatchObject({ kind: 'not_live', run: { status: 'FAILED' } });
  });

  test('an append after a cancel is stale (D8)', async () => {
    const held = await startHeld(store);
    const [canceled, appended] = [
      await store.end(endOf(held.runId)),
      await store.append(appendTo({ ...held, seq: 2 })),
    ];

    expect([canceled.kind, appended.kind]).toEqual(['ended', 'stale']);
  });

  test('a cancel and an append at once leave one order of events', async () => {
    const runs = await Promise.all(Array.from({ length: 10 }, () => startHeld(store)));
    const other = opened.runs();

    await Promise.all(runs.flatMap((run) => [store.append(appendTo(run)), other.end(endOf(run.runId))]));

    const logs = await Promise.all(runs.map((run) => eventsOf(run.runId)));
    expect(logs.map((log) => log.at(-1)?.type)).toEqual(Array(10).fill('ended'));
    expect(logs.map((log) => log.map((event) => event.seq))).toEqual(
      logs.map((log) => log.map((_, index) => index + 1)),
    );
  });

  onDatabase('an outbox body that no store can hold is cleaned', async () => {
    const held = await startHeld(store);
    const body = `a\0b\uDC00 ${'y'.repeat(1_000_000)}`;

    await store.append(appendTo(held, { outbox: [outboxRow(held.item, 'plan', { runId: held.runId, body })] }));

    const taken = await opened.outbox().take({ owner: 'w', limit: 1000, leaseMs: 60_000 });
    expect(taken.find((row) => row.runId === held.runId)?.body).toBe(`a\uFFFDb\uFFFD ${'y'.repeat(1_000_000)}`);
  });
});
