import { describe, expect, test } from 'vitest';
import { type AdvanceDeps, advanceRun, type Bell } from '../../../../src/app/runner/advance.ts';
import { TransientFailure } from '../../../../src/ports/failures.ts';
import { claimRun, createService, type Service, startRun } from '../setup.ts';
import { depsOf, never, pinned, types } from './advance-desk.ts';

describe('an append whose answer was lost', () => {
  /** Written, but the first answer never came. */
  function losing(service: Service) {
    let lost = false;
    const append: AdvanceDeps['store']['append'] = async (input) => {
      const outcome = await service.store.append(input);
      if (lost) return outcome;
      lost = true;
      throw new TransientFailure('store_unavailable', 'the connection broke');
    };
    return { ...service.store, append };
  }

  test('is found to be written, and the run goes on at once', async () => {
    const service = createService();
    const { deps, desk } = depsOf(service, { store: losing(service) });
    const stop = new AbortController();
    const advanced = advanceRun(await startRun(service.store), deps, stop.signal);
    await desk.finish('run-a/0//pin/1', pinned('p'));
    await service.clock.untilWaiting(100);
    service.clock.advance(100);

    await desk.asked('run-a/1/plan/run/1');

    expect(types(service)).toEqual(['run_started', 'pinned', 'movement_started']);
    stop.abort();
    await advanced;
  });

  test('is not taken for written when somebody else holds the run', async () => {
    const service = createService();
    const { deps, desk } = depsOf(service, { store: losing(service) });
    const advanced = advanceRun(await startRun(service.store), deps, never);
    await desk.finish('run-a/0//pin/1', pinned('p'));
    await service.clock.untilWaiting(100);
    service.clock.advance(20_000);
    await claimRun(service.store, 'run-a', 'worker-b');

    expect(await advanced).toBe('lost');
  });
});

describe('a movement that lasts', () => {
  async function research(change: { beginsAfterMs: number }) {
    const service = createService();
    const bell: Bell = { listener: null };
    const { deps, desk } = depsOf(service, { bell });
    const stop = new AbortController();
    const advanced = advanceRun(await startRun(service.store), deps, stop.signal);
    await desk.asked('run-a/0//pin/1');
    service.clock.advance(change.beginsAfterMs);
    await desk.finish('run-a/0//pin/1', pinned('p'));
    await desk.asked('run-a/1/plan/run/1');
    const ring = async (ms: number) => {
      service.clock.advance(ms);
      bell.listener?.();
      await new Promise((resolve) => setImmediate(resolve));
    };
    const statuses = () => service.store.data.outbox.filter((row) => row.kind === 'status').map((row) => row.body);
    const end = async () => {
      stop.abort();
      await advanced;
    };
    return { service, ring, statuses, end };
  }

  test('shows in the status note later, though it began right after the one before', async () => {
    const { ring, statuses, end, service } = await research({ beginsAfterMs: 100 });
    const before = statuses();

    await ring(3000);

    expect(before).toEqual([]);
    expect(statuses()).toEqual([expect.stringContaining('plan')]);
    expect(types(service)).toHaveLength(3);
    await end();
  });

  test('is told once', async () => {
    const { ring, statuses, end } = await research({ beginsAfterMs: 100 });

    for (const ms of [1000, 2000, 5000, 5000]) await ring(ms);

    expect(statuses()).toHaveLength(1);
    await end();
  });

  test('told already, it is not told again', async () => {
    const { ring, statuses, end } = await research({ beginsAfterMs: 3001 });

    await ring(5000);

    expect(statuses()).toHaveLength(1);
    await end();
  });
});
