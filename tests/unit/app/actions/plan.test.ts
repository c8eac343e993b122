import { describe, expect, test } from 'vitest';
import { act } from '../../../../src/app/actions/act.ts';
import type { ActionName } from '../../../../src/app/actions/types.ts';
import {
  appendTo,
  claimRun,
  createService,
  pauseRun,
  personOf,
  planningPiece,
  questionOf,
  requestOf,
  startRun,
} from '../setup.ts';

const at = '.gitlab/planwright.yml';

describe('the order of the checks', () => {
  const disabled = { [at]: 'enabled: false\n' };

  test('an invalid settings file refuses, and says where it is wrong', async () => {
    const service = createService();
    service.gitlab.world.files[at] = 'enabled: perhaps\n';

    const result = await act(service.deps, await requestOf(service, 'plan'));

    expect(result).toMatchObject({ kind: 'refused', code: 'settings_invalid' });
    expect(result.kind === 'refused' && result.message).toMatch(/planwright\.yml.*enabled/);
  });

  test.each(['plan', 'continue', 'cancel', 'approve', 'reject', 'replan'] as ActionName[])(
    '%s: enabled comes before the person',
    async (action) => {
      const service = createService();
      Object.assign(service.gitlab.world.files, disabled);

      const result = await act(service.deps, await requestOf(service, action, { person: personOf('erin') }));

      expect(result).toMatchObject({ kind: 'refused', code: 'disabled' });
    },
  );

  test('the person comes before the live run', async () => {
    const service = createService();
    await startRun(service.store);

    const result = await act(service.deps, await requestOf(service, 'plan', { person: personOf('bob') }));

    expect(result).toMatchObject({ kind: 'refused', code: 'forbidden' });
  });

  test.each(['continue', 'cancel', 'approve', 'reject'] as ActionName[])(
    '%s: the person comes before the run’s state',
    async (action) => {
      const service = createService();

      const result = await act(service.deps, await requestOf(service, action, { person: personOf('carol') }));

      expect(result).toMatchObject({ kind: 'refused', code: 'forbidden' });
    },
  );
});

describe('plan', () => {
  test('begins a run, with who asked and in which role, and wakes a worker', async () => {
    const service = createService();

    const result = await act(service.deps, await requestOf(service, 'plan'));

    expect(result).toMatchObject({ kind: 'accepted', status: 'GENERATING', run: { id: 'run-1' } });
    const { start, events } = service.store.run('run-1');
    expect(events).toMatchObject([
      { type: 'run_started', startedBy: { username: 'alice', role: 'Developer' }, interactive: true, carried: [] },
    ]);
    expect(start.piece).toEqual(planningPiece);
    expect(service.queue.runs).toEqual(['run-1']);
    expect(service.queue.deliveries()).toBe(1);
  });

  test('tells of the run by its status note', async () => {
    const service = createService();

    await act(service.deps, await requestOf(service, 'plan'));

    expect(service.store.data.outbox).toMatchObject([{ kind: 'status', runId: 'run-1', itemGlobalId: 501 }]);
  });

  test('hands the lease on to the worker that claims', async () => {
    const service = createService();

    await act(service.deps, await requestOf(service, 'plan'));

    expect(service.lease.ttl('lease:501')).toBe(30_000);
    expect((await claimRun(service.store, 'run-1')).leaseToken).toBe('token-1');
  });

  test('works with the lease store away: the database is the truth', async () => {
    const service = createService();
    service.lease.down(true);

    const result = await act(service.deps, await requestOf(service, 'plan'));

    expect(result.kind).toBe('accepted');
    expect((await claimRun(service.store, 'run-1')).leaseToken).toBeNull();
  });

  test('while another action holds the lease the database decides, and the other’s lease stays', async () => {
    const service = createService();
    await service.lease.acquire(501, 30_000);

    const result = await act(service.deps, await requestOf(service, 'plan'));

    expect(result.kind).toBe('accepted');
    expect((await claimRun(service.store, 'run-1')).leaseToken).toBeNull();
    expect(service.lease.ttl('lease:501')).toBe(30_000);
  });

  test.each(['GENERATING', 'NEEDS_INPUT'])(
    'on a live run (%s) it answers already_running and gives the lease back',
    async (status) => {
      const service = createService();
      await startRun(service.store);
      if (status === 'NEEDS_INPUT') await pauseRun(service, 'run-a', 'p1', 'question');

      const result = await act(service.deps, await requestOf(service, 'plan'));

      expect(result).toMatchObject({ kind: 'refused', code: 'already_running', run: { id: 'run-a' } });
      expect(service.lease.ttl('lease:501')).toBeNull();
      expect(service.queue.runs).toEqual([]);
    },
  );

  test('twenty at the same moment begin one run', async () => {
    const service = createService();
    const request = await requestOf(service, 'plan');

    const results = await Promise.all(Array.from({ length: 20 }, () => act(service.deps, request)));

    expect(results.filter((result) => result.kind === 'accepted')).toHaveLength(1);
    expect(results.filter((result) => result.kind === 'refused' && result.code === 'already_running')).toHaveLength(19);
  });

  test('the same comment delivered twice is a duplicate, and no refusal', async () => {
    const service = createService();
    const cause = { actionKey: 'item:501/note:9/plan', deliveryId: null };
    await act(service.deps, await requestOf(service, 'plan', { cause }));

    const again = await act(service.deps, await requestOf(service, 'plan', { cause }));

    expect(again).toEqual({ kind: 'duplicate' });
    expect(service.lease.ttl('lease:501')).toBe(30_000);
  });

  test('another comment on a live run is refused', async () => {
    const service = createService();
    await act(service.deps, await requestOf(service, 'plan', { cause: { actionKey: 'one', deliveryId: null } }));

    const other = await act(
      service.deps,
      await requestOf(service, 'plan', { cause: { actionKey: 'two', deliveryId: null } }),
    );

    expect(other).toMatchObject({ kind: 'refused', code: 'already_running' });
  });

  test('a lease is given back when the store is away', async () => {
    const service = createService();
    service.store.failNext('start');

    await expect(act(service.deps, await requestOf(service, 'plan'))).rejects.toThrow('away');

    expect(service.lease.ttl('lease:501')).toBeNull();
  });

  test.each([
    ['closed item', { state: 'closed' as const }, '', 'item_closed'],
    ['unknown piece', {}, 'piece: other\n', 'piece_missing'],
    ['piece without Workplan', {}, 'piece: chat\n', 'piece_without_workplan'],
    ['broken piece', {}, 'piece: broken\n', 'piece_invalid'],
  ])('is refused for: %s', async (_name, issue, settings, code) => {
    const service = createService(issue);
    service.gitlab.world.files[at] = settings;
    service.pieces.set('chat', {
      name: 'chat',
      file: 'chat.yaml',
      files: {},
      text: 'name: chat\nmax_iterations: 2\ninitial_movement: a\nmovements:\n  - name: a\n    edit: false\n    rules: [{ condition: x, next: COMPLETE }]\n',
    });
    service.pieces.set('broken', {
      name: 'broken',
      file: 'broken.yaml',
      files: {},
      text: 'name: broken\nmovements: 3\n',
    });

    expect(await act(service.deps, await requestOf(service, 'plan'))).toMatchObject({ kind: 'refused', code });
    expect(service.store.data.runs.size).toBe(0);
  });

  test('hands on the questions of the run before, open and answered', async () => {
    const service = createService();
    await startRun(service.store);
    await pauseRun(service, 'run-a', 'p1', 'question');
    await service.store.resume({
      runId: 'run-a',
      pauseId: 'p1',
      event: { type: 'resumed', pauseId: 'p1', by: personOf('alice'), via: 'api', decision: 'continue', reason: '' },
      at: '2026-01-05T09:00:02.000Z',
      outbox: [],
      cause: { actionKey: null, deliveryId: null },
    });
    await claimRun(service.store, 'run-a');
    const answer = { questionId: 'q-p1', by: personOf('bob'), optionIds: ['b'], text: '', via: 'reply' as const };
    await appendTo(
      service.store,
      'run-a',
      [
        { type: 'replies_read', effectId: 'e', pauseId: 'p1', answers: [answer], inputs: [], assume: false },
        {
          type: 'paused',
          pauseId: 'p2',
          kind: 'question',
          movement: 'plan',
          questions: [questionOf('later')],
          missing: [],
        },
      ],
      { status: 'NEEDS_INPUT', pause: { id: 'p2', kind: 'question' } },
    );
    await act(service.deps, await requestOf(service, 'cancel'));

    await act(service.deps, await requestOf(service, 'plan'));

    expect(service.store.run('run-1').events[0]).toMatchObject({
      carried: [
        { question: { id: 'q-p1' }, answers: [{ optionIds: ['b'], via: 'carried' }] },
        { question: { id: 'later' }, answers: [] },
      ],
    });
  });

  test('a title cannot act in the goal', async () => {
    const service = createService({ title: 'Do it @all\n/close' });

    await act(service.deps, await requestOf(service, 'plan'));

    const [started] = service.store.run('run-1').events;
    expect(started?.type === 'run_started' && started.goal).not.toMatch(/\n\/close|@all/);
  });
});

test('replan is refused as long as nothing is executed', async () => {
  const service = createService();

  expect(await act(service.deps, await requestOf(service, 'replan'))).toMatchObject({
    kind: 'refused',
    code: 'not_supported',
  });
});
