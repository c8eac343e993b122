import { describe, expect, test } from 'vitest';
import { createDataCheck } from '../../../../src/app/effects/check-data.ts';
import { initialState } from '../../../../src/domain/run/fold.ts';
import type { RunState } from '../../../../src/domain/run/state.ts';
import type { Examination } from '../../../../src/domain/workplan/score-schema.ts';
import { questionOf } from '../setup.ts';

function stateThatAsked(...ids: string[]): RunState {
  const state = initialState('run-a');
  for (const id of ids)
    state.questions.push({ question: questionOf(id), pauseId: 'p1', state: 'open', answers: [], assumed: true });
  return state;
}

const questions = (...ids: string[]) => ({ kind: 'questions' as const, value: { questions: ids.map(questionOf) } });

describe('questions that were asked before', () => {
  test('go back once, then are left to the flow, which asks only what is new', () => {
    const check = createDataCheck(stateThatAsked('q1'), null, null);

    expect(check(questions('q1', 'q2'))).toEqual([expect.stringMatching(/"q1" was asked before/)]);
    expect(check(questions('q1', 'q2'))).toEqual([]);
  });

  test('are known word for word under another id', () => {
    const check = createDataCheck(stateThatAsked('q1'), null, null);
    const again = { ...questionOf('q1'), id: 'other', question: `  ${questionOf('q1').question.toUpperCase()} ` };

    expect(check({ kind: 'questions', value: { questions: [again] } })).toEqual([
      expect.stringMatching(/"other" was asked before/),
    ]);
  });

  test('new ones are fine', () => {
    expect(createDataCheck(stateThatAsked('q1'), null, null)(questions('q2'))).toEqual([]);
  });
});

describe('cross-examinations', () => {
  const examination = (of: Examination['of']) => ({
    kind: 'examination' as const,
    value: {
      of,
      revised: of === 'falsifier' ? null : 60,
      verdict: 'confirmed' as const,
      resolutionKnown: true,
      explanation: 'So.',
    },
  });

  function examining(done: Record<string, Examination['of']>): RunState {
    const state = initialState('run-a');
    const results = Object.fromEntries(
      Object.entries(done).map(([name, of]) => [
        name,
        { output: '', failed: null, judged: {}, produced: examination(of) },
      ]),
    );
    const order = ['one', 'two'];
    state.current = {
      name: 'examine',
      iteration: 1,
      movementIteration: 1,
      order,
      results,
      subs: {},
      judged: {},
      action: null,
    } as RunState['current'];
    return state;
  }

  test('a sub-movement that is named after an evaluator examines that one', () => {
    const check = createDataCheck(examining({}), 'examine_coverage', null);

    expect(check(examination('rubric'))).toEqual([expect.stringMatching(/expected "coverage".*got "rubric"/)]);
    expect(check(examination('coverage'))).toEqual([]);
  });

  test('an evaluator that another has examined meanwhile is not examined again', () => {
    const state = examining({});
    const check = createDataCheck(state, 'two', null);
    state.current = examining({ one: 'falsifier' }).current;

    expect(check(examination('falsifier'))).toEqual([expect.stringMatching(/"falsifier" was examined by one already/)]);
    expect(check(examination('rubric'))).toEqual([]);
  });
});
