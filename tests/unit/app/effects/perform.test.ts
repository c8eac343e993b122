import { describe, expect, test } from 'vitest';
import { createPerformer, retrying } from '../../../../src/app/effects/perform.ts';
import type { EffectContext } from '../../../../src/app/runner/advance.ts';
import { loadPiece } from '../../../../src/domain/piece/load.ts';
import type { Effect } from '../../../../src/domain/run/effects.ts';
import { fold } from '../../../../src/domain/run/fold.ts';
import { PermanentFailure, TransientFailure } from '../../../../src/ports/failures.ts';
import { createFakeModel } from '../../../helpers/fakes/model.ts';
import { createFakeSnapshot } from '../../../helpers/fakes/repository.ts';
import { createSkippingClock } from '../../../helpers/fakes/skipping-clock.ts';
import { createService, planningPiece, type Service, startRun } from '../setup.ts';

async function contextOf(service: Service, signal = new AbortController().signal): Promise<EffectContext> {
  const run = await startRun(service.store);
  const { piece } = loadPiece(planningPiece);
  if (!piece) throw new Error('the sample piece does not load');
  return { piece, run, settings: run.settings, state: fold('run-a', run.events), signal };
}

const effects: Effect[] = [
  { kind: 'pin', id: 'e1' },
  { kind: 'replies', id: 'e2', pauseId: 'p1' },
  { kind: 'action', id: 'e3', movement: 'write', action: 'publish_workplan' },
  { kind: 'agent', id: 'e4', movement: 'review', sub: 'one', monitor: null },
  { kind: 'judge', id: 'e5', movement: 'plan', sub: null, stage: 'ai', conditions: [], output: '' },
];
const [pinEffect] = effects as [Effect];

describe('an effect that fails', () => {
  test.each([
    [0, { type: 'pin_failed', effectId: 'e1', code: 'gone', message: 'no more' }],
    [1, { type: 'replies_failed', effectId: 'e2', pauseId: 'p1', code: 'gone', message: 'no more' }],
    [2, { type: 'action_finished', effectId: 'e3', movement: 'write', outcome: 'failed', message: 'no more' }],
    [3, { type: 'agent_failed', effectId: 'e4', movement: 'review', sub: 'one', code: 'gone', message: 'no more' }],
    [4, { type: 'judge_answered', effectId: 'e5', stage: 'ai', index: null, error: 'gone: no more' }],
  ])('for good becomes an event (%i)', async (index, expected) => {
    const service = createService();
    const perform = retrying(service.deps, () => Promise.reject(new PermanentFailure('gone', 'no more')));

    const outcome = await perform(effects[index] as Effect, await contextOf(service));

    expect(outcome.events).toMatchObject([expected]);
  });

  test('for now is tried again, with growing waits, and not before it was asked to', async () => {
    const service = createService();
    const clock = createSkippingClock();
    const failures = [new TransientFailure('down', 'x'), new TransientFailure('limited', 'x', 9000), null];
    const perform = retrying({ ...service.deps, clock }, async () => {
      const failure = failures.shift();
      if (failure) throw failure;
      return { events: [], usage: [] };
    });

    expect(await perform(pinEffect, await contextOf(service))).toEqual({ events: [], usage: [] });

    expect(clock.waits).toEqual([500, 9000]);
  });

  test('for now, again and again, is given up', async () => {
    const service = createService();
    const clock = createSkippingClock();
    const perform = retrying({ ...service.deps, clock }, () => Promise.reject(new TransientFailure('down', 'x')));

    const outcome = await perform(pinEffect, await contextOf(service));

    expect(outcome.events).toMatchObject([{ type: 'pin_failed', code: 'down' }]);
    expect(clock.waits.length).toBeGreaterThanOrEqual(5);
  });

  test('by a bug says nothing of its inside to people, and all to the log', async () => {
    const service = createService();
    const perform = retrying(service.deps, () => Promise.reject(new TypeError('x of undefined')));

    const outcome = await perform(pinEffect, await contextOf(service));

    expect(outcome.events).toMatchObject([{ code: 'internal' }]);
    expect(JSON.stringify(outcome.events)).not.toContain('undefined');
    expect(JSON.stringify(service.log.lines)).toContain('x of undefined');
  });

  test('because it was aborted has no outcome (D8)', async () => {
    const service = createService();
    const perform = retrying(service.deps, () => Promise.reject(new PermanentFailure('gone', 'no more')));

    await expect(perform(pinEffect, await contextOf(service, AbortSignal.abort()))).rejects.toThrow('no more');
  });
});

describe('pinning', () => {
  function performerOf(service: Service) {
    return createPerformer({
      ...service.deps,
      repository: { snapshot: async () => createFakeSnapshot({}) },
      outbox: service.outbox,
      model: createFakeModel(),
      allowedBots: [],
      limits: { agentSteps: 5, agentTimeoutMs: 1000 },
    });
  }

  test('keeps the branch’s head and the language of the settings', async () => {
    const service = createService();

    const { events } = await performerOf(service)(pinEffect, await contextOf(service));

    const description = expect.stringMatching(/^[0-9a-f]{16}$/);
    expect(events).toEqual([
      { type: 'pinned', effectId: 'e1', commit: service.gitlab.commit, language: 'en', description },
    ]);
  });

  test('finds the language of the item', async () => {
    const service = createService({ title: '検索を速くする', description: '注文の一覧が遅いので速くしたい。' });
    const context = await contextOf(service);

    const { events } = await performerOf(service)(pinEffect, {
      ...context,
      settings: { ...context.settings, language: 'auto' },
    });

    expect(events).toMatchObject([{ type: 'pinned', language: 'ja' }]);
  });

  test('a project without a repository has no commit', async () => {
    const service = createService();
    service.gitlab.world.project.defaultBranch = null;

    const { events } = await performerOf(service)(pinEffect, await contextOf(service));

    expect(events).toMatchObject([{ type: 'pinned', commit: null }]);
  });

  test('an item that is gone is said to be gone', async () => {
    const service = createService();
    const context = await contextOf(service);
    service.gitlab.world.issues.length = 0;

    const { events } = await performerOf(service)(pinEffect, context);

    expect(events).toMatchObject([{ type: 'pin_failed', code: 'item_gone' }]);
  });
});

describe('the model of an agent', () => {
  const piece = (produces: string) => ({
    ...planningPiece,
    text: planningPiece.text.replace('produces: [questions, workplan]', `produces: [${produces}]`),
  });

  test.each([
    ['questions, workplan', 'of-plan'],
    ['questions, research, context_request', 'of-research'],
    ['review', 'of-judge'],
    ['examination', 'of-judge'],
    ['questions', 'of-the-rest'],
  ])('that hands over %s is %s', async (produces, expected) => {
    const service = createService();
    const model = createFakeModel(new PermanentFailure('refused', 'enough'));
    const perform = createPerformer({
      ...service.deps,
      repository: { snapshot: async () => createFakeSnapshot({}) },
      outbox: service.outbox,
      model,
      allowedBots: [],
      limits: { agentSteps: 5, agentTimeoutMs: 1000 },
    });
    const context = await contextOf(service);
    const loaded = loadPiece(piece(produces)).piece;
    if (!loaded) throw new Error('the piece does not load');
    const models = { default: 'of-the-rest', research: 'of-research', plan: 'of-plan', judge: 'of-judge' };

    await perform(
      { kind: 'agent', id: 'e', movement: 'plan', sub: null, monitor: null },
      { ...context, piece: loaded, settings: { ...context.settings, models } },
    );

    expect(model.requests.map((request) => request.model)).toEqual([expected]);
  });
});

test('what an agent may do is what stands with its run, not what this process says (D9)', async () => {
  const service = createService();
  const deps = { ...service.deps, outbox: service.outbox, allowedBots: [] };
  const limits = { agentSteps: 500, agentTimeoutMs: 60_000 };
  const repository = { snapshot: async () => createFakeSnapshot({}) };
  const search = { text: '', toolCalls: [{ id: 'c', name: 'repo_list', input: {} }] };
  const perform = createPerformer({ ...deps, limits, repository, model: createFakeModel(...Array(10).fill(search)) });
  const context = await contextOf(service);
  const settings = { ...context.settings, agent: { steps: 2, timeoutMs: 1000 } };

  const { events } = await perform(effects[3] as Effect, { ...context, settings });

  expect(events).toMatchObject([
    { type: 'agent_failed', code: 'steps_exceeded', message: 'No output within 2 steps.' },
  ]);
});
