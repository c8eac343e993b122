/** What happens to runs from outside while they wait: for people (observe), or for the world to be in order (park). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunEventBody } from '../../../src/domain/run/events.ts';
import type { RunStore } from '../../../src/ports/run-store.ts';
import { type OpenedStores, stores } from './databases.ts';
import { appendTo, claimOne, endOf, outboxRow, resumeOf, startHeld, startPaused } from './samples.ts';

describe.each(stores)('runs that wait on $name', ({ open }) => {
  let opened: OpenedStores;
  let store: RunStore;

  beforeAll(async () => {
    opened = await open();
    store = opened.runs();
  });
  afterAll(() => opened.close());

  const event: RunEventBody = { type: 'answers_seen', questionIds: ['scope'] };
  const at = '2026-01-02T03:08:00.000Z';

  describe('what is seen while a run waits', () => {
    test('stands in its log and in what people see; its pause goes on', async () => {
      const { runId, pauseId, seq, item } = await startPaused(store);
      const before = await store.byId(runId);
      const row = outboxRow(item, 'status', { runId });

      const outcome = await store.observe({
        runId,
        onlyAtSeq: seq,
        event,
        at,
        // As what people see is announced: with the pause that stands.
        row: { view: { seen: 1 }, pause: before?.pause ?? null },
        outbox: [row],
      });

      expect(outcome).toBe('observed');
      const after = await store.load(runId);
      expect(after?.row).toMatchObject({
        status: 'NEEDS_INPUT',
        pause: { id: pauseId },
        seq: seq + 1,
        view: { seen: 1 },
      });
      expect(after?.row.version).toBe((before?.version ?? 0) + 1);
      expect(after?.events.at(-1)).toMatchObject(event);
      expect(await store.pauses(runId)).toMatchObject([{ id: pauseId, closedAt: null }]);
      const posted = await opened.outbox().take({ owner: 'w', limit: 1000, leaseMs: 60_000 });
      expect(posted.filter((each) => each.runId === runId).map((each) => each.kind)).toEqual(['status']);
    });

    test('changes nothing once the run has gone on', async () => {
      const [early, resumed, ended] = [await startPaused(store), await startPaused(store), await startPaused(store)];
      await store.resume(resumeOf(resumed.runId, resumed.pauseId));
      await store.end(endOf(ended.runId));
      const seen = (runId: string, onlyAtSeq: number) =>
        store.observe({ runId, onlyAtSeq, event, at, row: {}, outbox: [] });

      const outcomes = [
        await seen(early.runId, early.seq - 1),
        await seen(resumed.runId, resumed.seq + 1),
        await seen(ended.runId, ended.seq + 1),
      ];

      expect(outcomes).toEqual(['passed', 'passed', 'passed']);
      expect((await store.load(early.runId))?.events).toHaveLength(early.seq);
    });

    test('leaves its pause to be continued', async () => {
      const { runId, pauseId, seq } = await startPaused(store);
      await store.observe({ runId, onlyAtSeq: seq, event, at, row: {}, outbox: [] });

      expect((await store.resume(resumeOf(runId, pauseId))).kind).toBe('resumed');
    });
  });

  describe('a parked run', () => {
    const HOUR_MS = 3_600_000;

    test('is nobody’s until its time is over', async () => {
      const held = await startHeld(store);
      await store.park({ runId: held.runId, fence: held.fence, forMs: HOUR_MS });

      const [claimed] = await store.claim({ runIds: [held.runId], worker: 'other', leaseMs: 1000, maxFormat: 1 });

      expect(claimed).toBeUndefined();
      expect(await store.findAbandoned(10_000)).not.toContain(held.runId);
    });

    test('is taken up by whoever comes when all are let go', async () => {
      const held = await startHeld(store);
      await store.park({ runId: held.runId, fence: held.fence, forMs: HOUR_MS });

      await store.unpark();

      expect(await claimOne(store, held.runId, 'other')).toMatchObject({ fence: held.fence + 1 });
    });

    test('is written by nobody who held it before another claimed it', async () => {
      const held = await startHeld(store);
      await store.park({ runId: held.runId, fence: held.fence, forMs: HOUR_MS });
      await store.unpark();
      await claimOne(store, held.runId, 'other');

      expect((await store.append(appendTo(held))).kind).toBe('stale');
    });

    test('is cancelled like any other', async () => {
      const held = await startHeld(store);
      await store.park({ runId: held.runId, fence: held.fence, forMs: HOUR_MS });

      expect((await store.end(endOf(held.runId))).kind).toBe('ended');
    });

    test('is not parked by who lost it', async () => {
      const held = await startHeld(store);
      await store.release([{ runId: held.runId, fence: held.fence }]);
      const { fence } = await claimOne(store, held.runId, 'other');
      await store.park({ runId: held.runId, fence: held.fence, forMs: HOUR_MS });

      const lost = await store.heartbeat({ worker: 'other', holds: [{ runId: held.runId, fence }], leaseMs: 1000 });

      expect(lost).toEqual([]);
      await store.release([{ runId: held.runId, fence }]);
      expect((await claimOne(store, held.runId, 'third')).fence).toBe(fence + 1);
    });
  });
});
