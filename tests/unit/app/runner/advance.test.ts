import { describe, expect, test } from 'vitest';
import { advanceRun } from '../../../../src/app/runner/advance.ts';
import { claimRun, createService, questionOf, startRun } from '../setup.ts';
import { depsOf, never, pinned, types } from './advance-desk.ts';

describe('advancing a run', () => {
  test('records what follows from an outcome in the outcome’s own append', async () => {
    const service = createService();
    const { deps, desk, appends } = depsOf(service);
    const stop = new AbortController();
    const advanced = advanceRun(await startRun(service.store), deps, stop.signal);

    await desk.finish('run-a/0//pin/1', pinned('run-a/0//pin/1'));
    await desk.asked('run-a/1/plan/run/1');
    await appends.until(1);

    expect(types(service)).toEqual(['run_started', 'pinned', 'movement_started']);
    stop.abort();
    expect(await advanced).toBe('stopped');
  });

  test('waits with the pause, its row and its notes in one append', async () => {
    const service = createService();
    const { deps, desk, appends, outboxWakes } = depsOf(service);
    const advanced = advanceRun(await startRun(service.store), deps, never);
    await desk.finish('run-a/0//pin/1', pinned('p'));

    await desk.say('run-a/1/plan/run/1', '[STEP:1]', {
      kind: 'questions',
      value: { questions: [questionOf('scope')] },
    });

    expect(await advanced).toBe('waiting');
    const { row } = service.store.run('run-a');
    expect(row).toMatchObject({ status: 'NEEDS_INPUT', pause: { id: 'run-a-1', kind: 'question' } });
    expect(appends.count()).toBe(2);
    expect(service.store.data.outbox.map((one) => one.kind)).toEqual(['question', 'status']);
    expect(outboxWakes()).toBe(1);
  });

  test('ends with the terminal event as the last', async () => {
    const service = createService();
    const { deps, desk } = depsOf(service);
    const advanced = advanceRun(await startRun(service.store), deps, never);

    await desk.finish('run-a/0//pin/1', { type: 'pin_failed', effectId: 'p', code: 'item_gone', message: 'gone' });

    expect(await advanced).toBe('ended');
    expect(types(service).at(-1)).toBe('ended');
    expect(service.store.run('run-a').row).toMatchObject({ status: 'FAILED', reason: 'item_gone' });
  });

  test('parallel effects are recorded one by one, as they come, and none is begun twice', async () => {
    const service = createService();
    const { deps, desk, appends } = depsOf(service);
    const stop = new AbortController();
    const advanced = advanceRun(await startRun(service.store), deps, stop.signal);
    await desk.finish('run-a/0//pin/1', pinned('p'));
    await desk.say('run-a/1/plan/run/1', '[STEP:0]');
    await desk.asked('run-a/2/review/two/run/1');
    await appends.until(2);
    const before = appends.count();

    await desk.say('run-a/2/review/two/run/1', '[STEP:0]');
    await appends.until(before + 1);

    expect(types(service).slice(-2)).toEqual(['agent_finished', 'sub_completed']);
    expect(desk.begun.filter((id) => id.includes('review'))).toEqual([
      'run-a/2/review/one/run/1',
      'run-a/2/review/two/run/1',
    ]);
    await desk.say('run-a/2/review/one/run/1', '[STEP:0]');
    await desk.asked('run-a/3/write/action/1');
    expect(desk.begun.filter((id) => id.includes('review'))).toHaveLength(2);
    stop.abort();
    await advanced;
  });

  test('keeps what each effect used', async () => {
    const service = createService();
    const { deps, desk } = depsOf(service);
    const stop = new AbortController();
    const advanced = advanceRun(await startRun(service.store), deps, stop.signal);

    await desk.finish('run-a/0//pin/1', pinned('p'));
    await desk.asked('run-a/1/plan/run/1');

    expect(service.store.run('run-a').usage).toMatchObject([{ effectId: 'run-a/0//pin/1', inputTokens: 1 }]);
    stop.abort();
    await advanced;
  });

  test('a run taken up again goes on where its log ends', async () => {
    const service = createService();
    const first = depsOf(service);
    const stop = new AbortController();
    const before = advanceRun(await startRun(service.store), first.deps, stop.signal);
    await first.desk.finish('run-a/0//pin/1', pinned('p'));
    await first.desk.asked('run-a/1/plan/run/1');
    stop.abort();
    await before;
    service.clock.advance(20_000);

    const second = depsOf(service);
    const again = advanceRun(await claimRun(service.store, 'run-a', 'worker-b'), second.deps, never);
    await second.desk.say('run-a/1/plan/run/1', '[STEP:2]');

    expect(await again).toBe('waiting');
    expect(second.desk.begun).toEqual(['run-a/1/plan/run/1']);
  });

  test('a piece that cannot be read ends the run with the reason', async () => {
    const service = createService();
    const { deps } = depsOf(service, { pieceOf: () => null });

    expect(await advanceRun(await startRun(service.store), deps, never)).toBe('ended');
    expect(service.store.run('run-a').row).toMatchObject({ status: 'FAILED', reason: 'piece_invalid' });
  });
});

describe('a fence that no longer stands (D6)', () => {
  test('stops silently: nothing is written and the other effects are aborted', async () => {
    const service = createService();
    const { deps, desk } = depsOf(service);
    const advanced = advanceRun(await startRun(service.store), deps, never);
    await desk.finish('run-a/0//pin/1', pinned('p'));
    await desk.say('run-a/1/plan/run/1', '[STEP:0]');
    const other = await desk.asked('run-a/2/review/two/run/1');
    service.clock.advance(20_000);
    await claimRun(service.store, 'run-a', 'worker-b');
    const before = service.store.run('run-a').events.length;

    await desk.say('run-a/2/review/one/run/1', '[STEP:0]');

    expect(await advanced).toBe('lost');
    expect(service.store.run('run-a').events).toHaveLength(before);
    expect(other.context.signal.aborted).toBe(true);
  });
});

describe('a signal that is aborted (D8)', () => {
  test('nothing is appended any more, though an outcome came', async () => {
    const service = createService();
    const { deps, desk, appends } = depsOf(service);
    const stop = new AbortController();
    const advanced = advanceRun(await startRun(service.store), deps, stop.signal);
    const pin = await desk.asked('run-a/0//pin/1');

    stop.abort();
    pin.outcome.resolve({ events: [pinned('p')], usage: [] });

    expect(await advanced).toBe('stopped');
    expect(appends.count()).toBe(0);
    expect(pin.context.signal.aborted).toBe(true);
  });

  test('aborted before it began, a run is not touched', async () => {
    const service = createService();
    const { deps, desk } = depsOf(service);

    expect(await advanceRun(await startRun(service.store), deps, AbortSignal.abort())).toBe('stopped');
    expect(desk.begun).toEqual([]);
  });
});

describe('a store that is away', () => {
  test('is tried again, with the outcome kept', async () => {
    const service = createService();
    const { deps, desk, appends } = depsOf(service);
    const stop = new AbortController();
    const advanced = advanceRun(await startRun(service.store), deps, stop.signal);
    service.store.failNext('append', 2);
    await desk.finish('run-a/0//pin/1', pinned('p'));

    await service.clock.untilWaiting(100);
    service.clock.advance(100);
    await service.clock.untilWaiting(200);
    service.clock.advance(200);
    await appends.until(3);

    expect(types(service)).toEqual(['run_started', 'pinned', 'movement_started']);
    stop.abort();
    await advanced;
  });

  test('for too long, the run is given up for whoever takes it over', async () => {
    const service = createService();
    const { deps, desk, appends } = depsOf(service);
    const advanced = advanceRun(await startRun(service.store), deps, never);
    service.store.failNext('append', 6);
    await desk.finish('run-a/0//pin/1', pinned('p'));

    for (const ms of [100, 200, 400, 800, 1600]) {
      await service.clock.untilWaiting(ms);
      service.clock.advance(ms);
    }

    expect(await advanced).toBe('lost');
    expect(appends.count()).toBe(6);
    expect(types(service)).toEqual(['run_started']);
  });

  test('is not waited for once the run is stopped', async () => {
    const service = createService();
    const { deps, desk, appends } = depsOf(service);
    const stop = new AbortController();
    const advanced = advanceRun(await startRun(service.store), deps, stop.signal);
    service.store.failNext('append', 6);
    await desk.finish('run-a/0//pin/1', pinned('p'));
    await service.clock.untilWaiting(100);

    stop.abort();

    expect(await advanced).toBe('stopped');
    expect(appends.count()).toBe(1);
  });
});

test('what nobody expects of an effect is thrown, not swallowed', async () => {
  const service = createService();
  const { deps } = depsOf(service, { perform: () => Promise.reject(new Error('a bug')) });

  await expect(advanceRun(await startRun(service.store), deps, never)).rejects.toThrow('a bug');
});

test('what ended at the moment at which another effect failed is recorded before that is thrown', async () => {
  const service = createService();
  const { deps, desk } = depsOf(service);
  const advanced = advanceRun(await startRun(service.store), deps, never);
  const thrown = expect(advanced).rejects.toThrow('a bug');
  await desk.finish('run-a/0//pin/1', pinned('p'));
  await desk.say('run-a/1/plan/run/1', '[STEP:0]');
  const one = await desk.asked('run-a/2/review/one/run/1');
  await desk.asked('run-a/2/review/two/run/1');

  one.outcome.reject(new Error('a bug'));
  await desk.say('run-a/2/review/two/run/1', '[STEP:0]');

  await thrown;
  expect(types(service).slice(-2)).toEqual(['agent_finished', 'sub_completed']);
});
