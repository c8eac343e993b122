import { describe, expect, test } from 'vitest';
import { advanceRun } from '../../../../src/app/runner/advance.ts';
import { claimRun, createService, startRun } from '../setup.ts';
import { depsOf, pinned, types } from './advance-desk.ts';

const said = (id: string) => ({
  type: 'agent_finished' as const,
  effectId: id,
  movement: 'plan',
  sub: null,
  output: 'Done. [STEP:0]',
  truncated: false,
  produced: null,
  session: null,
  messages: [],
});

async function pinning() {
  const service = createService();
  const { deps, desk, appends } = depsOf(service, { readsWaitMs: 20 });
  const stop = new AbortController();
  const advanced = advanceRun(await startRun(service.store), deps, stop.signal);
  await desk.finish('run-a/0//pin/1', pinned('p'));
  await desk.asked('run-a/1/plan/run/1');
  return { service, desk, appends, stop, advanced };
}

describe('what was only read', () => {
  test('is not waited for: the movement has begun, and nothing is written yet', async () => {
    const { service, stop, advanced } = await pinning();

    expect(types(service)).toEqual(['run_started']);
    stop.abort();
    await advanced;
  });

  test('is recorded in one append with what comes soon', async () => {
    const { service, desk, appends, stop, advanced } = await pinning();

    await desk.finish('run-a/1/plan/run/1', said('run-a/1/plan/run/1'));
    await appends.until(1);
    await new Promise((resolve) => setImmediate(resolve));

    expect(types(service).slice(0, 4)).toEqual(['run_started', 'pinned', 'movement_started', 'agent_finished']);
    expect(service.store.run('run-a').usage).toHaveLength(2);
    stop.abort();
    await advanced;
  });

  test('is recorded by itself after a moment, once', async () => {
    const { service, appends, stop, advanced } = await pinning();

    service.clock.advance(20);
    await new Promise((resolve) => setImmediate(resolve));

    expect(types(service)).toEqual(['run_started', 'pinned', 'movement_started']);
    expect(appends.count()).toBe(1);
    stop.abort();
    await advanced;
  });

  test('is written under the fence that stands: who took the run over meanwhile is not disturbed', async () => {
    const { service, desk, advanced } = await pinning();
    service.clock.advance(16_000);
    await claimRun(service.store, 'run-a', 'worker-b');

    await desk.finish('run-a/1/plan/run/1', said('run-a/1/plan/run/1'));

    expect(await advanced).toBe('lost');
  });
});
