import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunStore } from '../../../src/ports/run-store.ts';
import type { TakeoverStore } from '../../../src/ports/takeovers.ts';
import { type OpenedStores, stores } from './databases.ts';
import { appendTo, startRun } from './samples.ts';

describe.each(stores)('lost holders on $name', ({ open }) => {
  let opened: OpenedStores;
  let store: RunStore;
  let takeovers: TakeoverStore;

  beforeAll(async () => {
    opened = await open();
    store = opened.runs();
    takeovers = opened.takeovers();
  });
  afterAll(() => opened.close());

  async function claim(runId: string, leaseMs: number) {
    const [claimed] = await store.claim({ runIds: [runId], worker: 'w', leaseMs, maxFormat: 1 });
    if (!claimed) throw new Error(`not claimed: ${runId}`);
    return { runId, fence: claimed.fence, seq: claimed.row.seq };
  }

  /** A worker takes the run and is lost, so often. */
  async function lose(runId: string, times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      await claim(runId, -1000);
      await takeovers.note([runId]);
    }
  }
  const countOf = async (runId: string) => (await takeovers.note([runId])).lost[0]?.count ?? 0;

  test('count once each, however often they are noted', async () => {
    const runId = await startRun(store);
    await lose(runId, 2);

    const { lost } = await takeovers.note([runId]);

    expect(lost).toEqual([{ runId, seq: expect.any(Number), count: 2 }]);
    expect(await countOf(runId)).toBe(2);
  });

  test('do not count while the hold stands, nor where it was given back', async () => {
    const [held, released] = [await startRun(store), await startRun(store)];
    await claim(held, 60_000);
    const hold = await claim(released, 60_000);
    await store.release([hold]);

    expect((await takeovers.note([held, released])).lost).toEqual([]);
  });

  test('count anew after an event', async () => {
    const runId = await startRun(store);
    await lose(runId, 2);
    const hold = await claim(runId, -1000);
    await store.append(appendTo(hold));

    expect(await countOf(runId)).toBe(1);
  });

  test('do not count of a run that is parked', async () => {
    const runId = await startRun(store);
    const { fence } = await claim(runId, 60_000);
    await store.park({ runId, fence, forMs: -1000 });

    expect(await countOf(runId)).toBe(0);
  });

  test('tell whether a run that lost three is at work', async () => {
    const [runId, other] = [await startRun(store), await startRun(store)];
    await lose(runId, 3);
    const before = await takeovers.note([other]);
    const hold = await claim(runId, 60_000);
    const meanwhile = await takeovers.note([other]);
    await store.append(appendTo(hold));
    const after = await takeovers.note([other]);

    expect([before, meanwhile, after].map(({ suspectHeld }) => suspectHeld)).toEqual([false, true, false]);
  });
});
