import { describe, expect, test } from 'vitest';
import { claimRun, createService } from '../setup.ts';
import { freeRun, runnerOf } from './runner-desk.ts';

const gone = { type: 'pin_failed' as const, effectId: 'p', code: 'item_gone', message: 'gone' };

describe('taking runs', () => {
  test('claims what is free and advances it until it ends', async () => {
    const service = createService();
    await freeRun(service);
    const { runner, desk } = runnerOf(service);

    await runner.take(['run-a', 'run-a', 'unknown']);
    await desk.finish('run-a/0//pin/1', gone);
    await runner.idle();

    expect(service.store.run('run-a').row.status).toBe('FAILED');
    expect(runner.active).toBe(0);
  });

  test('of two workers that take a run at the same moment one advances it', async () => {
    const service = createService();
    await freeRun(service);
    const a = runnerOf(service, 'worker-a');
    const b = runnerOf(service, 'worker-b');

    await Promise.all([a.runner.take(['run-a']), b.runner.take(['run-a'])]);

    expect([a.runner.active, b.runner.active].toSorted()).toEqual([0, 1]);
    await Promise.all([a.runner.stop(), b.runner.stop()]);
  });

  test('never takes more than its setting says, however many takes come together', async () => {
    const service = createService();
    for (const [index, id] of ['run-a', 'run-b', 'run-c', 'run-d'].entries())
      await freeRun(service, id, { globalId: 600 + index });
    const { runner } = runnerOf(service, 'worker-a', { maxRuns: 2 });

    await Promise.all([runner.take(['run-a', 'run-b']), runner.take(['run-c', 'run-d'])]);

    expect(runner.active).toBe(2);
    await runner.stop();
  });

  test('an error nobody expects gives the hold back at once and is logged', async () => {
    const service = createService();
    await freeRun(service);
    const { runner, desk } = runnerOf(service);
    await runner.take(['run-a']);

    (await desk.asked('run-a/0//pin/1')).outcome.reject(new Error('a bug'));
    await runner.idle();

    expect(service.store.run('run-a').owner).toBeNull();
    expect(service.log.lines).toContainEqual(
      expect.objectContaining({ level: 'error', message: 'run could not be advanced' }),
    );
  });
});

describe('beats', () => {
  test('renew the holds, so that nobody takes the runs over', async () => {
    const service = createService();
    await freeRun(service);
    const { runner } = runnerOf(service);
    await runner.take(['run-a']);
    service.clock.advance(10_000);

    await runner.beat();
    service.clock.advance(10_000);

    expect(await service.store.findAbandoned(10)).toEqual([]);
    await runner.stop();
  });

  test('renew the lease that was handed on', async () => {
    const service = createService();
    const held = await service.lease.acquire(501, 30_000);
    if (held.kind !== 'acquired') throw new Error('not acquired');
    await freeRun(service, 'run-a', { leaseToken: held.lease.token });
    const { runner } = runnerOf(service);
    await runner.take(['run-a']);
    service.clock.advance(10_000);

    await runner.beat();

    expect(service.lease.ttl('lease:501')).toBe(30_000);
    await runner.stop();
  });

  test('a run that was taken over is aborted', async () => {
    const service = createService();
    await freeRun(service);
    const { runner, desk } = runnerOf(service);
    await runner.take(['run-a']);
    const pin = await desk.asked('run-a/0//pin/1');
    service.clock.advance(20_000);
    await claimRun(service.store, 'run-a', 'worker-b');

    await runner.beat();
    await runner.idle();

    expect(pin.context.signal.aborted).toBe(true);
    expect(service.store.run('run-a').owner).toBe('worker-b');
  });

  test('a cancelled run is found by watching, between two beats', async () => {
    const service = createService();
    await freeRun(service);
    const { runner, desk } = runnerOf(service);
    await runner.take(['run-a']);
    const pin = await desk.asked('run-a/0//pin/1');
    await service.store.end({
      runId: 'run-a',
      event: { type: 'ended', status: 'canceled', reason: 'canceled', message: '', by: null },
      at: '2026-01-05T09:00:02.000Z',
      status: 'CANCELED',
      reason: 'canceled',
      outbox: [],
      cause: { actionKey: null, deliveryId: null },
      onlyAtSeq: null,
    });

    await runner.watch();
    await runner.idle();

    expect(pin.context.signal.aborted).toBe(true);
  });

  test('an answer about an older hold does not abort the run that was claimed anew', async () => {
    const service = createService();
    await freeRun(service);
    const answer = Promise.withResolvers<void>();
    const { runner, desk } = runnerOf(service, 'worker-a', {
      store: {
        lost: async (holds) => {
          await answer.promise;
          return holds.map(({ runId }) => runId);
        },
      },
    });
    await runner.take(['run-a']);
    const watching = runner.watch();
    (await desk.asked('run-a/0//pin/1')).outcome.reject(new Error('a bug'));
    await runner.idle();
    await runner.take(['run-a']);

    answer.resolve();
    await watching;

    expect(runner.active).toBe(1);
    expect(service.store.run('run-a').row.fence).toBe(3);
    await runner.stop();
  });

  test('come by themselves once started, and a failed one does not end them', async () => {
    const service = createService();
    await freeRun(service);
    const beats: number[] = [];
    let failed = Promise.withResolvers<void>();
    const { runner } = runnerOf(service, 'worker-a', {
      store: {
        heartbeat: async () => {
          beats.push(service.clock.now().getTime());
          failed.resolve();
          throw new Error('away');
        },
      },
    });
    await runner.take(['run-a']);
    runner.start();

    for (const _beat of [1, 2]) {
      failed = Promise.withResolvers();
      await service.clock.untilWaiting(5000);
      service.clock.advance(5000);
      await failed.promise;
    }

    expect(beats).toHaveLength(2);
    await runner.stop();
  });
});

describe('stopping', () => {
  test('aborts what runs and gives the holds back: everything can be claimed at once', async () => {
    const service = createService();
    await freeRun(service);
    const { runner, desk } = runnerOf(service);
    await runner.take(['run-a']);
    const pin = await desk.asked('run-a/0//pin/1');

    await runner.stop();

    expect(pin.context.signal.aborted).toBe(true);
    expect((await claimRun(service.store, 'run-a', 'worker-b')).row.id).toBe('run-a');
  });

  test('takes nothing more', async () => {
    const service = createService();
    await freeRun(service);
    const { runner } = runnerOf(service);
    await runner.stop();

    await runner.take(['run-a']);

    expect(runner.active).toBe(0);
    expect(service.store.run('run-a').owner).toBeNull();
  });

  test('gives back what was claimed while it stopped', async () => {
    const service = createService();
    await freeRun(service);
    const answer = Promise.withResolvers<void>();
    const { runner } = runnerOf(service, 'worker-a', {
      store: {
        claim: async (input) => {
          const claimed = await service.store.claim(input);
          await answer.promise;
          return claimed;
        },
      },
    });
    const taking = runner.take(['run-a']);
    const stopping = runner.stop();

    answer.resolve();
    await Promise.all([taking, stopping]);

    expect(service.store.run('run-a').owner).toBeNull();
    expect(runner.active).toBe(0);
  });

  test('warns of a run that could not be claimed beside others', async () => {
    const service = createService();
    await freeRun(service);
    const { runner } = runnerOf(service, 'worker-a', {
      store: {
        claim: async (input) => {
          input.failed?.('run-b', new Error('The piece is not stored any more.'));
          return service.store.claim(input);
        },
      },
    });

    await runner.take(['run-a', 'run-b']);

    expect(runner.active).toBe(1);
    expect(service.log.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', message: 'run could not be claimed, it is tried again' }),
    );
  });
});
