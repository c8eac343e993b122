import { describe, expect, test } from 'vitest';
import { claimRun, createService } from '../setup.ts';
import { freeRun, runnerOf } from './runner-desk.ts';

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
