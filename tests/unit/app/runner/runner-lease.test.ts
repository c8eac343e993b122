import { describe, expect, test } from 'vitest';
import { createPieceCache } from '../../../../src/app/runner/piece-cache.ts';
import { createRunner, type RunnerDeps } from '../../../../src/app/runner/runner.ts';
import type { RunStore } from '../../../../src/ports/run-store.ts';
import { claimRun, createService, type Service, startRun } from '../setup.ts';
import { createDesk } from './desk.ts';

function runnerOf(service: Service, worker = 'worker-a', change: { store?: Partial<RunStore>; maxRuns?: number } = {}) {
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
      worker,
      maxRuns: change.maxRuns ?? 10,
      holdMs: 15_000,
      heartbeatMs: 5000,
      leaseMs: 30_000,
      watchMs: 1000,
    },
  };
  return { runner: createRunner(deps), desk };
}

/** A run that nobody holds. */
async function freeRun(service: Service, id = 'run-a', change: { leaseToken?: string; globalId?: number } = {}) {
  const claimed = await startRun(service.store, { id, ...change });
  await service.store.release([{ runId: id, fence: claimed.fence }]);
}

const gone = { type: 'pin_failed' as const, effectId: 'p', code: 'item_gone', message: 'gone' };
const pinned = { type: 'pinned' as const, effectId: 'p', commit: 'c0ffee', language: 'en' };

describe('the lease', () => {
  async function leased() {
    const service = createService();
    const held = await service.lease.acquire(501, 30_000);
    if (held.kind !== 'acquired') throw new Error('not acquired');
    await freeRun(service, 'run-a', { leaseToken: held.lease.token });
    return { service, ...runnerOf(service) };
  }

  test('is given back when the run ends', async () => {
    const { service, runner, desk } = await leased();
    await runner.take(['run-a']);

    await desk.finish('run-a/0//pin/1', gone);
    await runner.idle();

    expect(service.lease.ttl('lease:501')).toBeNull();
  });

  test('is given back when the run waits', async () => {
    const { service, runner, desk } = await leased();
    await runner.take(['run-a']);

    await desk.finish('run-a/0//pin/1', pinned);
    await desk.say('run-a/1/plan/run/1', '[STEP:2]');
    await runner.idle();

    expect(service.store.run('run-a').row.status).toBe('NEEDS_INPUT');
    expect(service.lease.ttl('lease:501')).toBeNull();
  });

  test('stays with a run that another worker took over: it goes on under the same token', async () => {
    const { service, runner } = await leased();
    await runner.take(['run-a']);
    service.clock.advance(16_000);
    await claimRun(service.store, 'run-a', 'worker-b');

    await runner.watch();
    await runner.idle();

    expect(service.lease.ttl('lease:501')).toBe(14_000);
  });
});
