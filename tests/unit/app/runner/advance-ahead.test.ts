import { describe, expect, test } from 'vitest';
import { advanceRun } from '../../../../src/app/runner/advance.ts';
import type { RunStore } from '../../../../src/ports/run-store.ts';
import { claimRun, createService, questionOf, type Service, startRun } from '../setup.ts';
import { depsOf, never, pinned, types } from './advance-desk.ts';

const turns = () => new Promise((resolve) => setImmediate(resolve));

/** The service's store with a door before its appends: shut, each waits there until the door is opened. */
function withDoor(service: Service) {
  let door = Promise.withResolvers<void>();
  door.resolve();
  const asked: Parameters<RunStore['append']>[0][] = [];
  const append: RunStore['append'] = async (input) => {
    asked.push(input);
    await door.promise;
    return service.store.append(input);
  };
  return {
    store: { ...service.store, append },
    asked,
    shut() {
      door = Promise.withResolvers<void>();
    },
    open: () => door.resolve(),
  };
}

async function begin(change: { mostAhead?: number } = {}) {
  const service = createService();
  const door = withDoor(service);
  const { deps, desk } = depsOf(service, { store: door.store, ...change });
  const stop = new AbortController();
  const advanced = advanceRun(await startRun(service.store), deps, stop.signal);
  door.shut();
  await desk.finish('run-a/0//pin/1', pinned('p'));
  if (change.mostAhead !== 0) await desk.asked('run-a/1/plan/run/1');
  return { service, door, desk, stop, advanced };
}

describe('while an append is under way', () => {
  test('the run goes on; what it learns goes with the next append, in order and with all that belongs to it', async () => {
    const { service, door, desk, advanced } = await begin();

    await desk.say('run-a/1/plan/run/1', '[STEP:0]');
    await desk.say('run-a/2/review/one/run/1', '[STEP:0]');
    await desk.say('run-a/2/review/two/run/1', '[STEP:0]');
    await desk.asked('run-a/3/write/action/1');
    expect(types(service)).toEqual(['run_started']);
    expect(door.asked).toHaveLength(1);

    door.open();
    await turns();
    expect(door.asked).toHaveLength(2);
    expect(door.asked[1]?.expectedSeq).toBe(3);
    expect(types(service).filter((type) => type === 'agent_finished')).toHaveLength(3);
    expect(service.store.run('run-a').usage).toHaveLength(4);
    expect(service.store.run('run-a').row.view).toMatchObject({ movement: 'write' });

    await desk.finish('run-a/3/write/action/1', {
      type: 'action_finished',
      effectId: 'run-a/3/write/action/1',
      movement: 'write',
      outcome: 'failed',
      message: 'no plan',
      data: {},
    });
    expect(await advanced).toBe('ended');
  });

  test('a pause is not told before everything up to it is recorded', async () => {
    const { service, door, desk, advanced } = await begin();
    let told = false;
    void advanced.then(() => {
      told = true;
    });

    await desk.say('run-a/1/plan/run/1', '[STEP:1]', {
      kind: 'questions',
      value: { questions: [questionOf('scope')] },
    });
    await turns();
    expect(told).toBe(false);
    expect(service.store.run('run-a').row.status).toBe('GENERATING');

    door.open();
    expect(await advanced).toBe('waiting');
    expect(service.store.run('run-a').row).toMatchObject({ status: 'NEEDS_INPUT', pause: { id: 'run-a-1' } });
  });

  test('that turns out to be stale, all that was learned since is dropped and the effects are aborted (D6)', async () => {
    const { service, door, desk, advanced } = await begin();
    await desk.say('run-a/1/plan/run/1', '[STEP:0]');
    const later = await desk.asked('run-a/2/review/one/run/1');
    service.clock.advance(20_000);
    await claimRun(service.store, 'run-a', 'worker-b');

    door.open();

    expect(await advanced).toBe('lost');
    expect(door.asked).toHaveLength(1);
    expect(later.context.signal.aborted).toBe(true);
    expect(types(service)).toEqual(['run_started']);
  });

  test('nothing further is sent once the run is stopped, and it is not left before the answer came (D8)', async () => {
    const { door, desk, stop, advanced } = await begin();
    await desk.say('run-a/1/plan/run/1', '[STEP:0]');
    await desk.asked('run-a/2/review/one/run/1');
    let left = false;
    void advanced.then(() => {
      left = true;
    });

    stop.abort();
    await turns();
    expect(left).toBe(false);

    door.open();
    expect(await advanced).toBe('stopped');
    expect(door.asked).toHaveLength(1);
  });

  test('what is sent again is the same; what came meanwhile follows it', async () => {
    const { service, door, desk, stop, advanced } = await begin();
    service.store.failNext('append', 1);
    await desk.say('run-a/1/plan/run/1', '[STEP:0]');
    await desk.asked('run-a/2/review/one/run/1');

    door.open();
    await service.clock.untilWaiting(100);
    service.clock.advance(100);
    await turns();

    expect(door.asked.map((append) => [append.expectedSeq, append.events.length])).toEqual([
      [1, 2],
      [1, 2],
      [3, 3],
    ]);
    expect(types(service)).toHaveLength(6);
    stop.abort();
    await advanced;
  });

  test('nothing is begun where a run may not be ahead', async () => {
    const { door, desk, stop, advanced } = await begin({ mostAhead: 0 });
    await turns();
    const begun = [...desk.begun];

    door.open();
    await desk.asked('run-a/1/plan/run/1');

    expect(begun).toEqual(['run-a/0//pin/1']);
    stop.abort();
    await advanced;
  });

  test('a failure of the store that is no outage ends the attempt with that failure', async () => {
    const { deps, desk } = depsOf(createService(), {
      store: { append: () => Promise.reject(new Error('a fault')) },
    });
    const advanced = advanceRun(await startRun(createService().store), deps, never);

    await desk.finish('run-a/0//pin/1', pinned('p'));

    await expect(advanced).rejects.toThrow('a fault');
  });
});
