import { describe, expect, test } from 'vitest';
import { act } from '../../../../src/app/actions/act.ts';
import { createService, pauseRun, personOf, requestOf, startRun } from '../setup.ts';

async function paused() {
  const service = createService();
  await startRun(service.store);
  await pauseRun(service, 'run-a', 'p1', 'question');
  return service;
}

describe('cancel', () => {
  test('ends a run at work, with no worker alive, and raises the fence', async () => {
    const service = createService();
    const claimed = await startRun(service.store);

    const result = await act(service.deps, await requestOf(service, 'cancel', { person: personOf('bob') }));

    expect(result).toMatchObject({ kind: 'accepted', status: 'CANCELED' });
    const { row, events } = service.store.run('run-a');
    expect(row).toMatchObject({ status: 'CANCELED', reason: 'canceled', fence: claimed.fence + 1 });
    expect(events.at(-1)).toMatchObject({ type: 'ended', status: 'canceled', by: { username: 'bob' } });
    expect(service.store.data.outbox.map((one) => one.kind)).toEqual(['cancel']);
    expect(service.queue.runs).toEqual([]);
  });

  test('ends a paused run', async () => {
    const service = await paused();

    await act(service.deps, await requestOf(service, 'cancel'));

    expect(service.store.run('run-a').row).toMatchObject({ status: 'CANCELED', pause: null });
  });

  test('a worker that writes in between is not overwritten: the end shows what it wrote', async () => {
    const service = createService();
    const claimed = await startRun(service.store);
    const { end } = service.store;
    const workplan = {
      goal: 'g',
      requirements: [{ id: 'R1', text: 't', source: 'description' }],
      findings: [],
      decisions: [],
      units: [],
      outOfScope: [],
      risks: [],
      openQuestions: [],
    };
    let raced = false;
    service.deps.store = {
      ...service.store,
      end: async (input) => {
        if (!raced) {
          raced = true;
          const events = [
            { type: 'pinned' as const, effectId: 'p', commit: null, language: 'en' },
            {
              type: 'action_finished' as const,
              effectId: 'e',
              movement: 'write',
              outcome: 'done' as const,
              message: '',
              data: { workplan, scoring: true },
            },
          ];
          const { fence } = claimed;
          await service.store.append({
            runId: 'run-a',
            fence,
            expectedSeq: 1,
            at: input.at,
            events,
            row: {},
            outbox: [],
            usage: [],
          });
        }
        return end(input);
      },
    };

    const result = await act(service.deps, await requestOf(service, 'cancel'));

    expect(result.kind).toBe('accepted');
    expect(service.store.run('run-a').row).toMatchObject({
      status: 'CANCELED',
      scoreStatus: 'CANCELED',
      view: { workplan: { goal: 'g' } },
    });
  });

  test('of nothing is refused', async () => {
    const service = createService();

    expect(await act(service.deps, await requestOf(service, 'cancel'))).toMatchObject({ code: 'not_running' });
  });

  test('twice is refused, but the same comment twice is a duplicate', async () => {
    const service = createService();
    await startRun(service.store);
    const cause = { actionKey: 'k', deliveryId: null };
    await act(service.deps, await requestOf(service, 'cancel', { cause }));

    expect(await act(service.deps, await requestOf(service, 'cancel', { cause }))).toEqual({ kind: 'duplicate' });
    expect(await act(service.deps, await requestOf(service, 'cancel'))).toMatchObject({ code: 'not_running' });
    const other = await act(
      service.deps,
      await requestOf(service, 'cancel', { cause: { actionKey: 'l', deliveryId: null } }),
    );
    expect(other).toMatchObject({ code: 'not_running' });
  });
});

describe('an item that the bot cannot see', () => {
  test.each(['plan', 'continue'] as const)('%s is refused, and nothing begins', async (action) => {
    const service = action === 'plan' ? createService() : await paused();
    const request = await requestOf(service, action);
    service.deps.gitlab = { ...service.gitlab, issue: async () => null };
    const before = service.store.data.runs.get('run-a')?.row.seq;

    expect(await act(service.deps, request)).toMatchObject({ kind: 'refused', code: 'bot_cannot_see_item' });
    expect(service.store.data.runs.get('run-a')?.row.seq).toBe(before);
  });

  test('can still be cancelled', async () => {
    const service = await paused();
    const request = await requestOf(service, 'cancel');
    service.deps.gitlab = { ...service.gitlab, issue: async () => null };

    expect((await act(service.deps, request)).kind).toBe('accepted');
  });
});
