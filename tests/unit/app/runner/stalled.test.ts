/** A token that GitLab refuses: runs wait for a new one as deliveries do, and nobody's place is taken meanwhile. */
import { describe, expect, test } from 'vitest';
import { retrying } from '../../../../src/app/effects/perform.ts';
import type { EffectContext, PerformEffect } from '../../../../src/app/runner/advance.ts';
import { STALL_MS, Stalled } from '../../../../src/app/stall.ts';
import { readStatus } from '../../../../src/app/status.ts';
import type { Effect } from '../../../../src/domain/run/effects.ts';
import { initialState } from '../../../../src/domain/run/fold.ts';
import type { RunState } from '../../../../src/domain/run/state.ts';
import { PermanentFailure } from '../../../../src/ports/failures.ts';
import { createService, type Service } from '../setup.ts';
import { pinned, types } from './advance-desk.ts';
import { freeRun, runnerOf } from './runner-desk.ts';

const refused = new PermanentFailure('gitlab_unauthorized', 'GitLab answered 401');
const PIN = 'run-a/0//pin/1';

async function stalledRun() {
  const service = createService();
  await freeRun(service);
  const { runner, desk } = runnerOf(service);
  await runner.take(['run-a']);
  (await desk.asked(PIN)).outcome.reject(new Stalled(refused));
  await runner.idle();
  return { service, runner };
}

/** Another worker takes it up and its first effect succeeds. */
async function revived(service: Service) {
  const { runner, desk } = runnerOf(service, 'worker-b');
  await runner.take(['run-a']);
  await desk.finish(PIN, pinned(PIN));
  await desk.asked('run-a/1/plan/run/1');
  return runner;
}

const statusOf = (service: Service) =>
  readStatus({ store: service.store, outbox: service.outbox }, service.store.run('run-a').row);

describe('a run that stalls', () => {
  test('goes on generating, held by nobody, with a warning for all to see', async () => {
    const { service, runner } = await stalledRun();

    expect(runner.active).toBe(0);
    expect(types(service)).toEqual(['run_started', 'stalled']);
    expect(await statusOf(service)).toMatchObject({
      generationStatus: 'GENERATING',
      warnings: [{ code: 'gitlab_unauthorized', message: expect.stringContaining('token') }],
    });
  });

  test('is left alone until its time is over, and then goes on; the warning goes', async () => {
    const { service } = await stalledRun();
    const early = await service.store.findAbandoned(10);
    service.clock.advance(STALL_MS);
    const runner = await revived(service);

    expect(early).toEqual([]);
    expect(types(service)).toEqual(['run_started', 'stalled', 'stall_ended', 'pinned', 'movement_started']);
    expect((await statusOf(service)).warnings).toBeUndefined();
    await runner.stop();
  });

  test('is recorded once, however often it is tried', async () => {
    const { service } = await stalledRun();
    service.clock.advance(STALL_MS);
    const { runner, desk } = runnerOf(service, 'worker-b');
    await runner.take(['run-a']);
    (await desk.asked(PIN)).outcome.reject(new Stalled(refused));
    await runner.idle();

    expect(types(service)).toEqual(['run_started', 'stalled']);
    expect(await service.store.findAbandoned(10)).toEqual([]);
  });

  test('loses nothing of its time', async () => {
    const { service } = await stalledRun();
    service.clock.advance(STALL_MS);
    service.clock.advance(600_000 - 1);

    expect(await service.store.findOverdue(10)).toEqual([]);
  });
});

describe('an effect that GitLab refuses the token for', () => {
  const effect: Effect = { kind: 'pin', id: PIN };
  async function outcomeAt(stalled: RunState['stalled']) {
    const service = createService();
    const perform: PerformEffect = retrying(service, async () => {
      throw refused;
    });
    const context = { state: { ...initialState('run-a'), stalled }, signal: new AbortController().signal };
    return perform(effect, context as EffectContext).catch((error: unknown) => error);
  }

  test('stalls its run', async () => {
    expect(await outcomeAt(null)).toBeInstanceOf(Stalled);
  });

  test.each([
    ['still within a week', '2025-12-29T09:00:01.000Z', 'stalls'],
    ['after a week', '2025-12-29T08:59:59.000Z', 'fails'],
  ])('%s', async (_name, at, what) => {
    const outcome = await outcomeAt({ code: 'gitlab_unauthorized', at });

    if (what === 'stalls') expect(outcome).toBeInstanceOf(Stalled);
    else expect(outcome).toMatchObject({ events: [{ type: 'pin_failed', code: 'gitlab_unauthorized' }] });
  });
});
