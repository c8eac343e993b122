import { expect, test } from 'vitest';
import { scriptPosition } from '../../../../src/app/agent/position.ts';
import { initialState } from '../../../../src/domain/run/fold.ts';
import type { AgentResult, CurrentMovement, RunState } from '../../../../src/domain/run/state.ts';

const result: AgentResult = { output: 'x', failed: null, produced: null, judged: {} };

function state(calls: Partial<RunState['calls']>, finished: string[] = []): RunState {
  const current: CurrentMovement = {
    name: 'review',
    iteration: 3,
    order: ['coverage', 'feasibility', 'style'],
    results: Object.fromEntries(finished.map((name) => [name, result])),
    subs: {},
    judged: {},
    action: null,
  };
  return { ...initialState('run-1'), current, calls: { run: 0, judge: 0, movement: {}, judges: {}, ...calls } };
}

test("a movement stands where its run's answers say", () => {
  const position = scriptPosition(
    state({ run: 3, judge: 2, movement: { plan: 2, research: 1 }, judges: { plan: 2 } }),
    'plan',
    null,
  );

  expect(position).toEqual({
    movement: 2,
    run: 3,
    judge: 2,
    byMovement: { plan: 2, research: 1 },
    byJudge: { plan: 2 },
  });
});

test('sub-movements that start together stand one after the other', () => {
  const before = state({ run: 2, movement: { plan: 2 } });

  const runs = ['coverage', 'feasibility', 'style'].map((sub) => scriptPosition(before, 'review', sub).run);

  expect(runs).toEqual([2, 3, 4]);
});

test('a sub-movement that is repeated stands where it stood, whichever of the others finished', () => {
  const calls = { run: 3, movement: { plan: 2, style: 1 } };

  const first = scriptPosition(state({ run: 2, movement: { plan: 2 } }), 'review', 'feasibility');
  const again = scriptPosition(state(calls, ['style']), 'review', 'feasibility');

  expect([again.movement, again.run]).toEqual([first.movement, first.run]);
});

test('a sub-movement of a second round stands behind its first', () => {
  const calls = { run: 3, movement: { coverage: 1, feasibility: 1, style: 1 } };

  const position = scriptPosition(state(calls), 'review', 'feasibility');

  expect([position.movement, position.run]).toEqual([1, 4]);
});
