import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRunStore } from '../../../src/adapters/postgres/run-store.ts';
import type { RunStore } from '../../../src/ports/run-store.ts';
import { databases, type TestStore } from './databases.ts';
import {
  appendTo,
  claimOne,
  endOf,
  newItem,
  resumeOf,
  startHeld,
  startOf,
  startPaused,
  startRun,
  warning,
} from './samples.ts';

describe.each(databases)('runs on $name', ({ open }) => {
  let opened: TestStore;
  let store: RunStore;

  beforeAll(async () => {
    opened = await open();
    store = createRunStore(opened.db);
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
      row,
      piece: start.piece,
      settings: start.settings,
      events: [{ ...start.events[0], v: 1, seq: 1, at: start.at }],
    });
  });

  test('of 20 starts at once on one item exactly one starts, and the others name its run', async () => {
    const item = newItem();

    const outcomes = await Promise.all(Array.from({ length: 20 }, () => store.start(startOf(item))));

    const winners = outcomes.filter((outcome) => outcome.kind === 'started');
    const ids = outcomes.map((outcome) => (outcome.kind === 'duplicate' ? null : outcome.run.id));
    expect(winners).toHaveLength(1);
    expect(new Set(ids)).toEqual(new Set([winners[0]?.run.id]));
  });
  test('an append continues the log', async () => {
    const held = await startHeld(store);

    const outcome = await store.append(appendTo(held, { events: [warning('a'), warning('b')] }));

    expect(outcome).toEqual({ kind: 'appended', seq: 3, version: 1 });
    expect((await store.load(held.runId))?.events.map((event) => event.seq)).toEqual([1, 2, 3]);
  });
  test('of 20 continues at once one resumes', async () => {
    const { runId, pauseId } = await startPaused(store);

    const outcomes = await Promise.all(Array.from({ length: 20 }, () => store.resume(resumeOf(runId, pauseId))));

    const kinds = outcomes.map((outcome) => outcome.kind).sort();
    expect(kinds).toEqual([...Array(19).fill('already_continued'), 'resumed']);
  });
  test('an end', async () => {
    const runId = await startRun(store);
    const outcome = await store.end(endOf(runId));
    expect(outcome).toMatchObject({ kind: 'ended', run: { status: 'CANCELED', fence: 1 } });
    expect(await store.claim({ runIds: [runId, randomUUID()], worker: 'w', leaseMs: 1000, maxFormat: 1 })).toEqual([]);
    await expect(claimOne(store, runId)).rejects.toThrow('not claimed');
  });
});
