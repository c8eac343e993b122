import { describe, expect, test } from 'vitest';
import { type PauseSettings, tendPauses } from '../../../src/app/pauses.ts';
import { fold } from '../../../src/domain/run/fold.ts';
import type { UpkeepStore, WaitingPause } from '../../../src/ports/upkeep.ts';
import { createService, pauseRun, type Service, startRun } from './setup.ts';

const HOUR_MS = 3_600_000;
const daily: PauseSettings = { expiryMs: null, reminderMs: 24 * HOUR_MS };
const weekly: PauseSettings = { expiryMs: 168 * HOUR_MS, reminderMs: null };

/** Pauses of the memory store by their age on its clock. */
function upkeepOf(service: Service): Pick<UpkeepStore, 'pausesOlderThan' | 'pausesToRemind' | 'reminded'> {
  const done = new Set<string>();
  const older = ({ ageMs, maxFormat }: { ageMs: number; maxFormat: number }): WaitingPause[] =>
    [...service.store.data.runs.values()].flatMap(({ row, pauses, start }) =>
      pauses
        .filter(
          (pause) => pause.closedAt === null && row.status === 'NEEDS_INPUT' && start.settings.format <= maxFormat,
        )
        .filter((pause) => Date.parse(pause.openedAt) < service.clock.now().getTime() - ageMs)
        .map(({ id, kind, openedAt }) => ({ runId: row.id, seq: row.seq, pauseId: id, kind, openedAt })),
    );
  return {
    pausesOlderThan: async (input) => older(input),
    pausesToRemind: async (input) => older(input).filter((pause) => !done.has(pause.pauseId)),
    reminded: async (_runId, pauseId) => void done.add(pauseId),
  };
}

async function paused(kind: 'question' | 'context_gate' | 'approval' = 'question') {
  const service = createService();
  await startRun(service.store);
  await pauseRun(service, 'run-a', 'p1', kind);
  const deps = { ...service.deps, outbox: service.outbox, upkeep: upkeepOf(service) };
  return { service, deps, tend: (settings: PauseSettings) => tendPauses(deps, settings) };
}

describe('expiry', () => {
  test('ends the run as FAILED with its notes once the pause is older', async () => {
    const { service, tend } = await paused();

    service.clock.advance(167 * HOUR_MS);
    expect(await tend(weekly)).toEqual({ expired: 0, reminded: 0 });
    service.clock.advance(2 * HOUR_MS);
    expect(await tend(weekly)).toEqual({ expired: 1, reminded: 0 });

    expect(service.store.run('run-a').row).toMatchObject({ status: 'FAILED', reason: 'pause_expired', pause: null });
    expect(service.store.data.outbox.map((row) => row.kind)).toEqual(['end', 'status']);
    expect(service.queue.deliveries()).toBe(1);
  });

  test('the log says that the time was over before it says that the run ended (D1)', async () => {
    const { service, tend } = await paused();
    service.clock.advance(169 * HOUR_MS);
    await tend(weekly);

    const { events, row } = service.store.run('run-a');

    expect(events.slice(-2)).toMatchObject([
      { type: 'deadline_passed', what: 'pause' },
      { type: 'ended', status: 'failed', reason: 'pause_expired' },
    ]);
    expect(events.at(-1)?.seq).toBe(row.seq);
    const before = fold('run-a', events.slice(0, -1));
    expect(before.phase).toEqual({ kind: 'overdue', what: 'pause' });
  });

  test('two processes at it end the run once', async () => {
    const { service, tend } = await paused();
    service.clock.advance(169 * HOUR_MS);

    const both = await Promise.all([tend(weekly), tend(weekly)]);

    expect(both.map(({ expired }) => expired).toSorted()).toEqual([0, 1]);
    expect(service.store.run('run-a').events.filter((event) => event.type === 'ended')).toHaveLength(1);
  });

  test('without a setting a pause waits for ever', async () => {
    const { service, tend } = await paused();
    service.clock.advance(10_000 * HOUR_MS);

    expect(await tend({ expiryMs: null, reminderMs: null })).toEqual({ expired: 0, reminded: 0 });
  });

  test('a Continue that was quicker wins', async () => {
    const { service, deps } = await paused();
    service.clock.advance(169 * HOUR_MS);
    const found = await deps.upkeep.pausesOlderThan({ ageMs: HOUR_MS, limit: 1, maxFormat: 1 });
    const by = { id: 11, username: 'alice' };
    const event = { type: 'resumed', pauseId: 'p1', by, via: 'api', decision: 'continue', reason: '' } as const;
    const cause = { actionKey: null, deliveryId: null };
    await service.store.resume({
      runId: 'run-a',
      pauseId: 'p1',
      event,
      at: '2026-01-12T10:00:00.000Z',
      outbox: [],
      cause,
    });

    const upkeep = { ...deps.upkeep, pausesOlderThan: async () => found };

    expect(await tendPauses({ ...deps, upkeep }, weekly)).toMatchObject({ expired: 0 });
    expect(service.store.run('run-a').row.status).toBe('GENERATING');
  });

  test('a Continue between the look and the end wins', async () => {
    const { service, deps } = await paused();
    service.clock.advance(169 * HOUR_MS);
    const { load } = service.store;
    const by = { id: 11, username: 'alice' };
    const event = { type: 'resumed', pauseId: 'p1', by, via: 'api', decision: 'continue', reason: '' } as const;
    const cause = { actionKey: null, deliveryId: null };
    const at = '2026-01-12T10:00:00.000Z';
    const store = {
      ...service.store,
      load: async (runId: string) => {
        const loaded = await load(runId);
        await service.store.resume({ runId, pauseId: 'p1', event, at, outbox: [], cause });
        return loaded;
      },
    };

    expect(await tendPauses({ ...deps, store }, weekly)).toMatchObject({ expired: 0 });
    expect(service.store.run('run-a').row.status).toBe('GENERATING');
  });

  test('one that cannot be ended does not keep the others waiting', async () => {
    const { service, tend } = await paused();
    await startRun(service.store, { id: 'run-b', globalId: 602 });
    await pauseRun(service, 'run-b', 'p2', 'question');
    service.clock.advance(169 * HOUR_MS);
    service.store.failNext('load');

    expect(await tend(weekly)).toMatchObject({ expired: 1 });
    expect(service.store.run('run-b').row.status).toBe('FAILED');
  });
});

describe('reminders', () => {
  test('mention who started the run, once a pause', async () => {
    const { service, tend } = await paused();
    service.clock.advance(25 * HOUR_MS);

    expect(await tend(daily)).toEqual({ expired: 0, reminded: 1 });
    expect(await tend(daily)).toEqual({ expired: 0, reminded: 0 });

    const [row, ...more] = service.store.data.outbox;
    expect(more).toEqual([]);
    expect(row).toMatchObject({ kind: 'reminder', pauseId: 'p1', runId: 'run-a', discussion: false });
    expect(row?.body).toContain('@alice');
    expect(row?.body).toContain('`/workplan continue`');
    expect(row?.body).toContain(row?.marker);
  });

  test('two processes at it write one', async () => {
    const { service, tend } = await paused();
    service.clock.advance(25 * HOUR_MS);

    await Promise.all([tend(daily), tend(daily)]);

    expect(service.store.data.outbox.map((row) => row.kind)).toEqual(['reminder']);
  });

  test.each([
    ['context_gate', '`/workplan continue`'],
    ['approval', '`/workplan approve`'],
  ] as const)('of a %s say what is waited for', async (kind, command) => {
    const { service, tend } = await paused(kind);
    service.clock.advance(25 * HOUR_MS);

    await tend(daily);

    expect(service.store.data.outbox[0]?.body).toContain(command);
  });

  test('say when the run ends without an answer', async () => {
    const { service, tend } = await paused();
    service.clock.advance(25 * HOUR_MS);

    await tend({ ...daily, expiryMs: 168 * HOUR_MS });

    expect(service.store.data.outbox[0]?.body).toContain('2026-01-12 09:00 (UTC)');
  });

  test('that were not delivered before the pause was over are dropped', async () => {
    const { service, tend } = await paused();
    service.clock.advance(25 * HOUR_MS);
    await tend(daily);
    const by = { id: 11, username: 'alice' };
    const event = { type: 'resumed', pauseId: 'p1', by, via: 'api', decision: 'continue', reason: '' } as const;
    const cause = { actionKey: null, deliveryId: null };
    await service.store.resume({
      runId: 'run-a',
      pauseId: 'p1',
      event,
      at: '2026-01-06T10:00:00.000Z',
      outbox: [],
      cause,
    });

    expect(await service.outbox.take({ owner: 'a', limit: 10, leaseMs: 1000 })).toEqual([]);
  });
});
