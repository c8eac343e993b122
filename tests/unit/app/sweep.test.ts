import { describe, expect, test } from 'vitest';
import { RUN_FORMAT } from '../../../src/app/run-format.ts';
import { overdueEnd, sweep } from '../../../src/app/sweep.ts';
import { initialState } from '../../../src/domain/run/fold.ts';
import type { Workplan } from '../../../src/domain/workplan/schema.ts';
import type { StartRun } from '../../../src/ports/run-store.ts';
import {
  appendTo,
  createService,
  pauseRun,
  personOf,
  planningPiece,
  runSettings,
  type Service,
  startRun,
} from './setup.ts';

const item = {
  globalId: 700,
  projectId: 1,
  projectPath: 'acme/sample',
  iid: 1,
  title: 'Limit the export',
  webUrl: 'https://gitlab.example/gitlab/acme/sample/-/issues/1',
  reference: 'acme/sample#1',
};

function newerStart(service: Service): Omit<StartRun, 'id' | 'item' | 'settings'> {
  const at = service.clock.now().toISOString();
  const cause = { actionKey: null, deliveryId: null };
  return { startedBy: personOf('alice'), piece: planningPiece, events: [], at, row: {}, outbox: [], cause };
}

describe('abandoned runs', () => {
  test('are looked for after turns were given: whoever left one may have died before it gave it away', async () => {
    const service = createService();
    const asked: string[] = [];
    const findAbandoned = service.store.findAbandoned.bind(service.store);
    service.deps.store.findAbandoned = async (...given) => {
      asked.push('abandoned');
      return findAbandoned(...given);
    };
    const turns = {
      admit: async (projectId: number | null) => {
        asked.push(`turns of ${projectId ?? 'all'}`);
        return [];
      },
    };

    await sweep({ ...service.deps, turns });

    expect(asked).toEqual(['turns of all', 'abandoned']);
  });

  test('are woken: nobody holds them, or their heartbeat lapsed', async () => {
    const service = createService();
    const free = await startRun(service.store, { id: 'run-free', globalId: 601 });
    await service.store.release([{ runId: 'run-free', fence: free.fence }]);
    await startRun(service.store, { id: 'run-lapsed', globalId: 602 });
    service.clock.advance(16_000);
    await startRun(service.store, { id: 'run-held', globalId: 603 });

    expect(await sweep(service.deps)).toEqual({ woken: 2, ended: 0 });

    expect(service.queue.runs).toEqual(['run-free', 'run-lapsed']);
    expect(service.queue.deliveries()).toBe(1);
  });
});

describe('overdue runs', () => {
  test('are ended as FAILED, with their notes', async () => {
    const service = createService();
    await startRun(service.store);
    service.clock.advance(600_000);

    expect(await sweep(service.deps)).toMatchObject({ ended: 1 });

    const { row, events } = service.store.run('run-a');
    expect(row).toMatchObject({ status: 'FAILED', reason: 'deadline' });
    expect(events.slice(-2)).toMatchObject([
      { type: 'deadline_passed', what: 'run' },
      { type: 'ended', status: 'failed', reason: 'deadline' },
    ]);
    expect(service.store.data.outbox.map((one) => one.kind)).toEqual(['end', 'status']);
  });

  test('give the lease of their item back', async () => {
    const service = createService();
    const held = await service.lease.acquire(501, 3_600_000);
    if (held.kind !== 'acquired') throw new Error('not acquired');
    await startRun(service.store, { leaseToken: held.lease.token });
    service.clock.advance(600_000);

    await sweep(service.deps);

    expect(service.lease.ttl('lease:501')).toBeNull();
  });

  test('a paused run is not overdue', async () => {
    const service = createService();
    await startRun(service.store);
    await pauseRun(service, 'run-a', 'p1', 'question');
    service.clock.advance(600_000);

    expect(await sweep(service.deps)).toEqual({ woken: 0, ended: 0 });
  });

  test('a run that moved on meanwhile is left for the next sweep', async () => {
    const service = createService();
    await startRun(service.store);
    service.clock.advance(600_000);
    const { findOverdue } = service.store;
    service.deps.store = {
      ...service.store,
      findOverdue: async (limit) => {
        const found = await findOverdue(limit);
        await appendTo(service.store, 'run-a', [{ type: 'pinned', effectId: 'p', commit: null, language: 'en' }]);
        return found;
      },
    };

    expect(await sweep(service.deps)).toMatchObject({ ended: 0 });
    expect(service.store.run('run-a').row.status).toBe('GENERATING');
  });

  test('one that cannot be ended does not keep the others alive', async () => {
    const service = createService();
    await startRun(service.store);
    await startRun(service.store, { id: 'run-b', globalId: 602 });
    service.clock.advance(600_000);
    service.store.failNext('load');

    expect(await sweep(service.deps)).toMatchObject({ ended: 1 });
    expect(service.store.run('run-b').row.status).toBe('FAILED');
  });

  test('while scoring a run is COMPLETED without a score: the plan stays', () => {
    const scoring = { ...initialState('run-a'), workplan: {} as Workplan, scoreStatus: 'EVALUATING' as const };

    expect(overdueEnd(scoring)).toMatchObject({ status: 'completed', reason: null });
    expect(overdueEnd({ ...scoring, workplan: null })).toMatchObject({ status: 'failed', reason: 'deadline' });
  });
});

describe('runs of a newer format, during a rolling upgrade', () => {
  test('are neither woken nor ended by an older process, and do not keep it from its own', async () => {
    const service = createService();
    const settings = { format: RUN_FORMAT + 1 };
    for (const [index, id] of ['newer-a', 'newer-b'].entries()) {
      await service.store.start({
        ...newerStart(service),
        id,
        item: { ...item, globalId: 700 + index },
        settings: { ...runSettings, ...settings },
      });
    }
    const own = await startRun(service.store, { id: 'run-own', globalId: 800 });
    await service.store.release([{ runId: 'run-own', fence: own.fence }]);
    service.clock.advance(600_000);

    expect(await sweep(service.deps)).toEqual({ woken: 1, ended: 1 });

    expect(service.queue.runs).toEqual(['run-own']);
    for (const id of ['newer-a', 'newer-b'])
      expect(service.store.run(id).row).toMatchObject({ status: 'GENERATING', fence: 0 });
  });

  test('are taken up by a newer process', async () => {
    const service = createService();
    await service.store.start({
      ...newerStart(service),
      id: 'newer',
      item,
      settings: { ...runSettings, format: RUN_FORMAT + 1 },
    });

    const claim = (maxFormat: number) =>
      service.store.claim({ runIds: ['newer'], worker: 'w', leaseMs: 1000, maxFormat });

    expect(await claim(RUN_FORMAT)).toEqual([]);
    expect(await claim(RUN_FORMAT + 1)).toHaveLength(1);
  });
});
