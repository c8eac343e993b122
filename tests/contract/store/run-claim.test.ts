import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ClaimRuns, RunStore } from '../../../src/ports/run-store.ts';
import { type OpenedStores, stores, testIf } from './databases.ts';
import { appendTo, claimOne, endOf, newItem, resumeOf, startHeld, startOf, startPaused, startRun } from './samples.ts';

/** A hold that has lapsed already. */
const LAPSED = -1000;

describe.each(stores)('claiming runs on $name', ({ open, database }) => {
  const onDatabase = testIf(database);
  let opened: OpenedStores;
  let store: RunStore;

  beforeAll(async () => {
    opened = await open();
    store = opened.runs();
  });
  afterAll(() => opened.close());

  function claim(runIds: string[], change: Partial<ClaimRuns> = {}) {
    return store.claim({ runIds, worker: 'worker-b', leaseMs: 60_000, maxFormat: 1, ...change });
  }

  test('a claim raises the fence and brings the log, the piece and the lease token', async () => {
    const start = startOf(newItem(), { leaseToken: 'token-1' });
    await store.start(start);

    const [claimed] = await claim([start.id]);

    expect(claimed).toMatchObject({ fence: 1, row: { id: start.id, fence: 1 }, leaseToken: 'token-1' });
    expect(claimed?.piece).toEqual(start.piece);
    expect(claimed?.settings).toEqual(start.settings);
    expect(claimed?.events).toEqual([{ ...start.events[0], v: 1, seq: 1, at: start.at }]);
  });

  test('a held run is left out, its lapsed hold is taken over under a higher fence', async () => {
    const held = await startRun(store);
    const lapsed = await startRun(store);
    await claim([held], { worker: 'worker-a' });
    await claim([lapsed], { worker: 'worker-a', leaseMs: LAPSED });

    const claimed = await claim([held, lapsed]);

    expect(claimed.map((run) => [run.row.id, run.fence])).toEqual([[lapsed, 2]]);
  });

  test('paused, ended, unknown and newer runs are left out', async () => {
    const paused = await startPaused(store);
    const ended = await startRun(store);
    await store.end(endOf(ended));
    const newer = startOf(newItem());
    await store.start({ ...newer, settings: { ...newer.settings, format: 2 } });

    const claimed = await claim([paused.runId, ended, randomUUID(), newer.id]);

    expect(claimed).toEqual([]);
  });

  // What a queue hands out need not be a run at all.
  onDatabase(
    'an id that the database refuses does not keep those that were claimed beside it, and is told',
    async () => {
      const run = await startRun(store);
      const told: string[] = [];

      const claimed = await claim(['run-of-nobody', run], {
        failed: (runId, error) => told.push(`${runId}: ${error}`),
      });

      expect(claimed.map(({ row }) => row.id)).toEqual([run]);
      expect(told).toEqual([expect.stringMatching(/^run-of-nobody: .*refused/)]);
      await expect(claim(['run-of-nobody'])).rejects.toThrow('refused');
    },
  );

  test('a newer worker claims a newer run', async () => {
    const newer = startOf(newItem());
    await store.start({ ...newer, settings: { ...newer.settings, format: 2 } });

    const claimed = await claim([newer.id], { maxFormat: 2 });

    expect(claimed).toHaveLength(1);
  });

  test('of many claims at once on one run one wins', async () => {
    const runId = await startRun(store);
    const stores = Array.from({ length: 4 }, () => opened.runs());

    const claims = stores.flatMap((each, index) =>
      Array.from({ length: 3 }, () =>
        each.claim({ runIds: [runId, runId], worker: `worker-${index}`, leaseMs: 60_000, maxFormat: 1 }),
      ),
    );

    expect((await Promise.all(claims)).flat()).toHaveLength(1);
  });

  test('a heartbeat keeps a hold, and names those whose fence is gone', async () => {
    const kept = await startRun(store);
    const taken = await startRun(store);
    const canceled = await startRun(store);
    await claim([kept, taken, canceled], { worker: 'worker-a', leaseMs: LAPSED });
    await claim([taken], { worker: 'worker-b' });
    await store.end(endOf(canceled));
    const holds = [kept, taken, canceled].map((runId) => ({ runId, fence: 1 }));

    const lost = await store.heartbeat({ worker: 'worker-a', holds, leaseMs: 60_000 });

    expect(lost.sort()).toEqual([taken, canceled].sort());
    expect((await store.lost(holds)).sort()).toEqual([taken, canceled].sort());
    expect(await claim([kept])).toEqual([]);
  });

  test('a run that its own append paused is not lost', async () => {
    const paused = await startPaused(store);

    const holds = [{ runId: paused.runId, fence: paused.fence }];

    expect(await store.heartbeat({ worker: 'worker-a', holds, leaseMs: 60_000 })).toEqual([]);
    expect(await store.lost(holds)).toEqual([]);
  });

  test('no holds, no complaint', async () => {
    expect(await store.heartbeat({ worker: 'worker-a', holds: [], leaseMs: 1000 })).toEqual([]);
    expect(await store.lost([])).toEqual([]);
    await store.release([]);
    expect(await claim([])).toEqual([]);
  });

  test('a released run can be claimed at once, and a stale release changes nothing', async () => {
    const released = await startHeld(store);
    const takenOver = await startRun(store);
    await claim([takenOver], { worker: 'worker-a', leaseMs: LAPSED });
    await claimOne(store, takenOver, 'worker-c');

    await store.release([
      { runId: released.runId, fence: released.fence },
      { runId: takenOver, fence: 1 },
    ]);

    expect((await claim([released.runId, takenOver])).map((run) => run.row.id)).toEqual([released.runId]);
  });

  test('abandoned are the runs that generate and nobody holds, oldest first', async () => {
    const never = await startRun(store);
    const lapsed = await startRun(store);
    await claim([lapsed], { leaseMs: LAPSED });
    const held = await startHeld(store);
    const paused = await startPaused(store);
    const ended = await startRun(store);
    await store.end(endOf(ended));
    const here = [never, lapsed, held.runId, paused.runId, ended];

    const abandoned = await store.findAbandoned(1000);

    expect(abandoned.filter((id) => here.includes(id))).toEqual([never, lapsed]);
    expect(await store.findAbandoned(1)).toHaveLength(1);
  });

  test('the deadline counts GENERATING time only', async () => {
    const start = startOf(newItem());
    await store.start({ ...start, settings: { ...start.settings, timeoutMs: -1000 } });
    const { fence } = await claimOne(store, start.id);
    const row = { status: 'NEEDS_INPUT', pause: { id: 'p1', kind: 'question' } } as const;
    const overdue = async () => (await store.findOverdue(1000)).filter((run) => run.runId === start.id);

    const generating = await overdue();
    await store.append(appendTo({ runId: start.id, fence, seq: 1 }, { row }));
    const waiting = await overdue();
    await store.resume(resumeOf(start.id, 'p1'));
    const resumed = await overdue();

    expect(generating).toEqual([{ runId: start.id, seq: 1 }]);
    expect(waiting).toEqual([]);
    // It paused after its time: whoever continues it has a minute.
    expect(resumed).toEqual([]);
  });

  onDatabase('a pause keeps what is left of the time', async () => {
    const paused = await startPaused(store);
    // As if it had waited for an hour with a second left.
    await opened.db.execute(
      `update runs set left_ms = 1000, created_at = created_at - interval '1 hour' where id = $1`,
      [paused.runId],
    );

    await store.resume(resumeOf(paused.runId, paused.pauseId));

    const [left] = await opened.db.execute<{ ms: number }>(
      `select extract(epoch from deadline_at - now())::int * 1000 as ms from runs where id = $1`,
      [paused.runId],
    );
    expect(left?.ms).toBeLessThanOrEqual(1000);
    const long = await startPaused(store);
    await store.resume(resumeOf(long.runId, long.pauseId));
    expect((await store.findOverdue(1000)).map((run) => run.runId)).not.toContain(long.runId);
  });
});
