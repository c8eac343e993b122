import { describe, expect, test } from 'vitest';
import { loadPiece } from '../../../../src/domain/piece/load.ts';
import { amountsOf, leastOf, reachedOf, UNLIMITED } from '../../../../src/domain/run/budget.ts';
import { decide } from '../../../../src/domain/run/decide.ts';
import type { RunEventBody } from '../../../../src/domain/run/events.ts';
import { EVENT_VERSION } from '../../../../src/domain/run/events.ts';
import { apply, initialState } from '../../../../src/domain/run/fold.ts';
import { workedMs } from '../../../../src/domain/run/fold-budget.ts';
import type { RunState } from '../../../../src/domain/run/state.ts';
import { alice } from './driver.ts';

const { piece } = loadPiece({
  name: 'p',
  file: 'p.yaml',
  files: {},
  text: `name: p
max_iterations: 3
movements:
  - { name: plan, edit: false, rules: [{ condition: done, next: COMPLETE }] }
`,
});
if (!piece) throw new Error('bad piece');
const known = piece;

const item = { globalId: 1, projectId: 1, projectPath: 'a/b', iid: 1, title: 't', webUrl: 'w', reference: 'a/b#1' };
const reached: RunEventBody = { type: 'budget_reached', scope: 'run', what: 'tokens', used: 10, limit: 10 };

function run(interactive = true): { state: RunState; add(at: string, ...events: RunEventBody[]): void } {
  const state = initialState('r1');
  const add = (at: string, ...events: RunEventBody[]): void => {
    for (const event of events)
      apply(state, { ...event, v: EVENT_VERSION, seq: state.seq + 1, at: `2026-01-05T09:${at}.000Z` });
  };
  const started: RunEventBody = {
    type: 'run_started',
    goal: 'g',
    startedBy: alice,
    item,
    interactive,
    reportDir: 'r',
    carried: [],
  };
  add('00:00', started, { type: 'pinned', effectId: 'p', commit: null, language: 'en' });
  add('00:00', { type: 'movement_started', movement: 'plan', iteration: 1, movementIteration: 1, subs: [] });
  return { state, add };
}

const interrupted: RunEventBody = {
  type: 'agent_interrupted',
  effectId: 'r1/1/plan/run/1',
  movement: 'plan',
  sub: null,
  messages: [{ role: 'user', text: 'Plan.' }],
  answers: 0,
  steps: 2,
};

const resumed = (pauseId: string, budget?: Extract<RunEventBody, { type: 'resumed' }>['budget']): RunEventBody => ({
  type: 'resumed',
  pauseId,
  by: alice,
  via: 'api',
  decision: 'continue',
  reason: '',
  ...(budget ? { budget } : {}),
});

describe('a budget that is reached', () => {
  test('pauses the run; Continue asks the same agent again, with what it had said, in the same iteration', () => {
    const { state, add } = run();
    add('01:00', interrupted, reached);

    const decision = decide(known, state);
    expect(decision).toMatchObject({ kind: 'record', events: [{ type: 'paused', kind: 'budget', movement: 'plan' }] });
    if (decision.kind === 'record') add('01:00', ...decision.events);
    expect(decide(known, state)).toMatchObject({ kind: 'wait', pauseId: 'r1-1' });
    add('05:00', resumed('r1-1'));

    expect(decide(known, state)).toMatchObject({
      kind: 'effects',
      effects: [{ kind: 'agent', id: 'r1/1/plan/run/1' }],
    });
    expect(state).toMatchObject({ iteration: 1, interrupted: { 'r1/1/plan/run/1': { steps: 2 } } });
  });

  test('ends a run that nobody can be asked about', () => {
    const { state, add } = run(false);
    add('01:00', reached);

    expect(decide(known, state)).toMatchObject({
      kind: 'record',
      events: [{ type: 'ended', status: 'failed', reason: 'budget' }],
    });
  });

  test('ends a run whose plan is being scored with the plan', () => {
    const { state, add } = run();
    add(
      '01:00',
      {
        type: 'action_finished',
        effectId: 'w',
        movement: 'plan',
        outcome: 'done',
        message: '',
        data: { workplan: {}, scoring: true },
      },
      reached,
    );

    expect(decide(known, state)).toMatchObject({
      kind: 'record',
      events: [
        { type: 'warning', code: 'budget' },
        { type: 'ended', status: 'completed' },
      ],
    });
  });

  test('by several agents at once is told once', () => {
    const { state, add } = run();
    add('01:00', reached, { ...reached, used: 99 });

    expect(state.phase).toMatchObject({ kind: 'spent', reached: { used: 10 }, before: { kind: 'running' } });
  });

  test('what the last Continue allowed holds from then on', () => {
    const { state, add } = run();
    const budget = { run: { ...UNLIMITED, tokens: 50 }, day: UNLIMITED };
    add('01:00', reached, {
      type: 'paused',
      pauseId: 'r1-1',
      kind: 'budget',
      movement: 'plan',
      questions: [],
      missing: [],
    });
    add('02:00', resumed('r1-1', budget));

    expect(state.budget).toEqual(budget);
  });

  test('an agent that ends is no longer interrupted', () => {
    const { state, add } = run();
    add('01:00', interrupted);
    add('02:00', {
      type: 'agent_failed',
      effectId: 'r1/1/plan/run/1',
      movement: 'plan',
      sub: null,
      code: 'timeout',
      message: '',
    });

    expect(state.interrupted).toEqual({});
  });
});

test('the time of work stands during a pause', () => {
  const { state, add } = run();
  add('02:00', { type: 'paused', pauseId: 'r1-1', kind: 'question', movement: 'plan', questions: [], missing: [] });
  add('30:00', resumed('r1-1'));

  expect(workedMs(state, Date.parse('2026-01-05T09:31:00.000Z'))).toBe(180_000);
});

describe('limits', () => {
  test('the lower one counts, and none is no limit', () => {
    const one = { tokens: 10, money: null, wallTimeMs: 5 };

    expect(leastOf(one, { tokens: 20, money: 2, wallTimeMs: null })).toEqual({ tokens: 10, money: 2, wallTimeMs: 5 });
    expect(leastOf(UNLIMITED, UNLIMITED)).toEqual(UNLIMITED);
  });

  test('one that is met exactly is reached, one that the next call would pass too', () => {
    const limits = { ...UNLIMITED, tokens: 10 };
    const spent = { tokens: 9, money: 0, wallTimeMs: 0 };

    expect(reachedOf('run', limits, spent)).toBeNull();
    expect(reachedOf('run', limits, spent, { ...spent, tokens: 2 })).toMatchObject({ used: 9, next: 2 });
    expect(reachedOf('run', limits, { ...spent, tokens: 10 })).toMatchObject({ used: 10 });
  });

  test.each([
    [{ what: 'tokens', used: 1_234_567, limit: 1000 }, '1,234,567 / 1,000 tokens'],
    [{ what: 'money', used: 2.414, limit: 2, currency: 'EUR' }, '2.41 / 2.00 EUR'],
    [{ what: 'wall_time', used: 1_860_000, limit: 1_800_000 }, '31 / 30 min'],
  ] as const)('are written the same in every language: %o', (amounts, text) => {
    expect(amountsOf({ scope: 'run', ...amounts })).toBe(text);
  });
});
