import { describe, expect, test } from 'vitest';
import { createPieceCache } from '../../../../src/app/runner/piece-cache.ts';
import { createRunner, type RunnerDeps } from '../../../../src/app/runner/runner.ts';
import type { RunStore } from '../../../../src/ports/run-store.ts';
import { createService, type Service, startRun } from '../setup.ts';
import { createDesk } from './desk.ts';

function runnerOf(service: Service, change: { store?: Partial<RunStore>; maxRuns?: number } = {}) {
  const desk = createDesk();
  const deps: RunnerDeps = {
    store: { ...service.store, ...change.store },
    lease: service.lease,
    perform: desk.perform,
    pieceOf: createPieceCache(),
    clock: service.clock,
    log: service.log,
    onOutbox: () => undefined,
    settings: {
      worker: 'worker-a',
      maxRuns: change.maxRuns ?? 10,
      holdMs: 15_000,
      heartbeatMs: 5000,
      leaseMs: 20_000,
      watchMs: 1000,
    },
  };
  return { runner: createRunner(deps), desk };
}

async function freeRun(service: Service, id: string, change: { leaseToken?: string; globalId?: number } = {}) {
  const claimed = await startRun(service.store, { id, ...change });
  await service.store.release([{ runId: id, fence: claimed.fence }]);
}

const gone = { type: 'pin_failed' as const, effectId: 'p', code: 'item_gone', message: 'gone' };

describe('a worker that is full', () => {
  test('goes on with what came meanwhile as soon as a place is free', async () => {
    const service = createService();
    await freeRun(service, 'run-a', { globalId: 601 });
    await freeRun(service, 'run-b', { globalId: 602 });
    await freeRun(service, 'run-c', { globalId: 603 });
    const { runner, desk } = runnerOf(service, { maxRuns: 1 });
    await runner.take(['run-a', 'run-b']);
    await runner.take(['run-c']);

    for (const id of ['run-a', 'run-b', 'run-c']) await desk.finish(`${id}/0//pin/1`, gone);
    await desk.asked('run-c/0//pin/1');
    await runner.idle();

    expect(['run-a', 'run-b', 'run-c'].map((id) => service.store.run(id).row.status)).toEqual(Array(3).fill('FAILED'));
  });

  test('takes none of it once it is to stop', async () => {
    const service = createService();
    await freeRun(service, 'run-a', { globalId: 601 });
    await freeRun(service, 'run-b', { globalId: 602 });
    const { runner, desk } = runnerOf(service, { maxRuns: 1 });
    await runner.take(['run-a', 'run-b']);

    await runner.stop();

    expect(desk.begun).toEqual(['run-a/0//pin/1']);
  });
});

describe('a worker cut off from the store', () => {
  test('lets a run go when no heartbeat got through for as long as its hold stands', async () => {
    const service = createService();
    await freeRun(service, 'run-a');
    const { runner, desk } = runnerOf(service, { store: { heartbeat: () => Promise.reject(new Error('away')) } });
    await runner.take(['run-a']);
    const pin = await desk.asked('run-a/0//pin/1');

    service.clock.advance(14_999);
    runner.guard();
    const before = pin.context.signal.aborted;
    service.clock.advance(1);
    runner.guard();
    await runner.idle();

    expect([before, pin.context.signal.aborted]).toEqual([false, true]);
  });

  test('keeps it while heartbeats get through', async () => {
    const service = createService();
    await freeRun(service, 'run-a');
    const { runner, desk } = runnerOf(service);
    await runner.take(['run-a']);
    const pin = await desk.asked('run-a/0//pin/1');
    service.clock.advance(10_000);
    await runner.beat();

    service.clock.advance(14_999);
    runner.guard();

    expect(pin.context.signal.aborted).toBe(false);
    await runner.stop();
  });

  test('looks at it by itself once started, even while a heartbeat hangs', async () => {
    const service = createService();
    await freeRun(service, 'run-a');
    const never = () => Promise.withResolvers<string[]>().promise;
    const { runner, desk } = runnerOf(service, { store: { heartbeat: never, lost: never } });
    await runner.take(['run-a']);
    const pin = await desk.asked('run-a/0//pin/1');
    const aborted = Promise.withResolvers<void>();
    pin.context.signal.addEventListener('abort', () => aborted.resolve());
    runner.start();

    service.clock.advance(16_000);

    await aborted.promise;
    await runner.stop();
  });
});

describe('the lease', () => {
  test('is renewed for as long as a lease stands', async () => {
    const service = createService();
    const held = await service.lease.acquire(501, 30_000);
    if (held.kind !== 'acquired') throw new Error('not acquired');
    await freeRun(service, 'run-a', { leaseToken: held.lease.token });
    const { runner } = runnerOf(service);
    await runner.take(['run-a']);
    service.clock.advance(5000);

    await runner.beat();

    expect(service.lease.ttl('lease:501')).toBe(20_000);
    await runner.stop();
  });
});
