import { describe, expect, test } from 'vitest';
import { RUN_FORMAT } from '../../../../src/app/run-format.ts';
import { createPieceCache } from '../../../../src/app/runner/piece-cache.ts';
import { createRunner } from '../../../../src/app/runner/runner.ts';
import { createService, type Service, startRun } from '../setup.ts';
import { createDesk } from './desk.ts';

const PIN = 'run-a/0//pin/1';
const GRACE_MS = 20_000;
const pinned = { type: 'pinned' as const, effectId: 'p', commit: 'c0ffee', language: 'en' };

/** A worker that has begun the first effect of a run. */
async function atWork(service: Service) {
  const claimed = await startRun(service.store, { leaseToken: 'token-1' });
  await service.store.release([{ runId: 'run-a', fence: claimed.fence }]);
  const desk = createDesk();
  const runner = createRunner({
    store: service.store,
    lease: service.lease,
    perform: desk.perform,
    pieceOf: createPieceCache(),
    clock: service.clock,
    log: service.log,
    onOutbox: () => undefined,
    settings: { worker: 'worker-a', maxRuns: 10, holdMs: 15_000, heartbeatMs: 5000, leaseMs: 30_000, watchMs: 1000 },
  });
  await runner.take(['run-a']);
  await desk.asked(PIN);
  return { runner, desk };
}

const claimAgain = (service: Service) =>
  service.store.claim({ runIds: ['run-a'], worker: 'worker-b', leaseMs: 15_000, maxFormat: RUN_FORMAT });

describe('stopping with a grace time', () => {
  test('an effect that ends within it is recorded, none is begun after it, and the run can be claimed at once', async () => {
    const service = createService();
    const { runner, desk } = await atWork(service);

    const stopping = runner.stop(GRACE_MS);
    await desk.finish(PIN, pinned);
    await stopping;

    expect(service.store.run('run-a').events.map((event) => event.type)).toContain('pinned');
    expect(desk.begun).toEqual([PIN]);
    expect(await claimAgain(service)).toMatchObject([{ leaseToken: 'token-1' }]);
  });

  test('an effect that takes longer is aborted and nothing of it recorded: the run is resumable', async () => {
    const service = createService();
    const { runner, desk } = await atWork(service);
    const { context } = await desk.asked(PIN);

    const stopping = runner.stop(GRACE_MS);
    await service.clock.untilWaiting(GRACE_MS);
    expect(context.signal.aborted).toBe(false);
    service.clock.advance(GRACE_MS);
    await stopping;

    expect(context.signal.aborted).toBe(true);
    expect(service.store.run('run-a').events.map((event) => event.type)).toEqual(['run_started']);
    expect(await claimAgain(service)).toHaveLength(1);
  });

  test('takes nothing more meanwhile', async () => {
    const service = createService();
    const { runner, desk } = await atWork(service);
    await startRun(service.store, { id: 'run-b', globalId: 602 });
    service.clock.advance(16_000);

    const stopping = runner.stop(GRACE_MS);
    await runner.take(['run-b']);
    await desk.finish(PIN, pinned);
    await stopping;

    expect(service.store.run('run-b').owner).toBe('worker-a');
    expect(service.store.run('run-b').row.fence).toBe(1);
  });

  test('a run that ends within the grace time ends', async () => {
    const service = createService();
    const { runner, desk } = await atWork(service);

    const stopping = runner.stop(GRACE_MS);
    await desk.finish(PIN, { type: 'pin_failed', effectId: 'p', code: 'item_gone', message: 'gone' });
    await stopping;

    expect(service.store.run('run-a').row.status).toBe('FAILED');
  });
});
