import { describe, expect, test } from 'vitest';
import type { RunEventBody } from '../../../../src/domain/run/events.ts';
import { apply, fold, initialState } from '../../../../src/domain/run/fold.ts';
import { pieceOf } from '../piece/helpers.ts';
import { alice, endOf, RUN, scripted, simulate, storyOf } from './driver.ts';
import { samplePlan } from './samples.ts';

const scoredPiece = (onFailure = '', maxIterations = 5) =>
  pieceOf(`
name: demo
max_iterations: ${maxIterations}
initial_movement: write
movements:
  - name: write
    action: publish_workplan
    rules:
      - { condition: done, next: evaluate }
      - { condition: failed, next: ABORT }
  - name: evaluate
    edit: false${onFailure}
    rules:
      - { condition: evaluated, next: compute }
  - name: compute
    action: compute_score
    rules:
      - { condition: done, next: COMPLETE }
      - { condition: failed, next: COMPLETE }
`);
const published = (scoring: boolean) => ({ outcome: 'done' as const, data: { workplan: samplePlan, scoring } });
const value = { value: 80, band: 'High', feedback: [], checks: [] };

describe('scoreStatus', () => {
  test('a plan that is scored is EVALUATING, then EVALUATED', () => {
    const { log } = simulate({
      piece: scoredPiece(),
      perform: scripted({
        agents: { evaluate: ['[STEP:0]'] },
        actions: { write: [published(true)], compute: [{ outcome: 'done', data: { score: value } }] },
      }),
    });
    const statuses = log.map((_event, index) => fold(RUN, log.slice(0, index + 1)).scoreStatus);

    expect([...new Set(statuses)]).toEqual(['NOT_EVALUATED', 'EVALUATING', 'EVALUATED']);
    expect(fold(RUN, log).score).toEqual(value);
  });

  test('with scoring off the run ends after the plan is published', () => {
    const { log, state } = simulate({
      piece: scoredPiece(),
      perform: scripted({ actions: { write: [published(false)] } }),
    });

    expect(storyOf(log)).toEqual(['start write 1/1', 'complete write #0 action > COMPLETE', 'completed']);
    expect(state.scoreStatus).toBe('NOT_EVALUATED');
  });

  test('a score that cannot be computed is FAILED, the run COMPLETED', () => {
    const { log, state } = simulate({
      piece: scoredPiece(),
      perform: scripted({
        agents: { evaluate: ['[STEP:0]'] },
        actions: { write: [published(true)], compute: [{ outcome: 'failed', message: 'No score.' }] },
      }),
    });

    expect(endOf(log).status).toBe('completed');
    expect(state).toMatchObject({ scoreStatus: 'FAILED', score: null, workplan: samplePlan });
  });

  test.each([
    ['an evaluator that failed for good', scoredPiece(), { evaluate: [{ error: 'timeout' }] }, {}],
    ['no rule that matches', scoredPiece(), { evaluate: ['hm'] }, { evaluate: [null] }],
    ['the limit of iterations', scoredPiece('', 1), {}, {}],
  ])('%s while scoring never undoes the plan', (_name, piece, agents, judges) => {
    const { log, state } = simulate({
      piece,
      perform: scripted({ agents, judges, actions: { write: [published(true)] } }),
    });

    expect(endOf(log)).toMatchObject({ status: 'completed', reason: null });
    expect(log.at(-2)?.type).toBe('warning');
    expect(state).toMatchObject({ scoreStatus: 'FAILED', workplan: samplePlan });
  });

  test('without a plan the same ends the run as failed', () => {
    const { log, state } = simulate({
      piece: scoredPiece('', 1),
      perform: scripted({ actions: { write: [{ outcome: 'failed', message: 'No plan.' }] } }),
    });

    expect(endOf(log)).toMatchObject({ status: 'failed' });
    expect(state.scoreStatus).toBe('NOT_EVALUATED');
  });
});

describe('folding', () => {
  function stateAfter(...bodies: RunEventBody[]) {
    const state = initialState(RUN);
    bodies.forEach((body, index) => {
      apply(state, { ...body, v: 1, seq: index + 1, at: '2026-01-05T09:00:00.000Z' });
    });
    return state;
  }
  const publishing: RunEventBody = {
    type: 'action_finished',
    effectId: 'e',
    movement: 'write',
    outcome: 'done',
    message: '',
    data: { workplan: samplePlan, scoring: true },
  };
  const scoring: RunEventBody = { ...publishing, data: { score: value } };
  const ended = (status: 'completed' | 'failed' | 'canceled'): RunEventBody => ({
    type: 'ended',
    status,
    reason: null,
    message: '',
    by: alice,
  });

  test('a new plan text clears score and feedback', () => {
    expect(stateAfter(publishing, scoring, publishing)).toMatchObject({ score: null, scoreStatus: 'EVALUATING' });
  });

  test.each([
    ['canceled', 'CANCELED'],
    ['failed', 'FAILED'],
    ['completed', 'FAILED'],
  ] as const)('ended %s while scoring: the score is %s, the plan stays', (status, expected) => {
    expect(stateAfter(publishing, ended(status))).toMatchObject({ scoreStatus: expected, workplan: samplePlan });
  });

  test('a score that is there stays at the end', () => {
    expect(stateAfter(publishing, scoring, ended('canceled')).scoreStatus).toBe('EVALUATED');
  });

  test('what failed computes nothing', () => {
    const failed: RunEventBody = { ...publishing, outcome: 'failed' };

    expect(stateAfter(failed)).toMatchObject({ workplan: null, scoreStatus: 'NOT_EVALUATED' });
  });

  test('a terminal event is the last: later ones change nothing (D5)', () => {
    const state = stateAfter(publishing, ended('canceled'));
    const before = structuredClone(state);

    apply(state, { ...scoring, v: 1, seq: 9, at: '2026-02-02T00:00:00.000Z' });

    expect(state).toEqual(before);
  });

  test('events of a newer version are passed over', () => {
    const unknown = { type: 'compacted', v: 2, seq: 2, at: '2026-01-05T09:00:00.000Z' } as never;
    const state = stateAfter(publishing);

    apply(state, unknown);

    expect(state).toMatchObject({ seq: 2, workplan: samplePlan });
  });

  test('a Continue of another pause changes nothing', () => {
    const paused: RunEventBody = {
      type: 'paused',
      pauseId: 'r1-1',
      kind: 'question',
      movement: 'plan',
      questions: [],
      missing: [],
    };
    const resumed: RunEventBody = {
      type: 'resumed',
      pauseId: 'r1-0',
      by: alice,
      via: 'api',
      decision: 'continue',
      reason: '',
    };

    expect(stateAfter(paused, resumed).phase.kind).toBe('paused');
    expect(stateAfter(paused, { ...resumed, pauseId: 'r1-1' }).phase.kind).toBe('collecting');
  });

  test('replies that nobody waits for change nothing', () => {
    const read: RunEventBody = {
      type: 'replies_read',
      effectId: 'e',
      pauseId: 'r1-1',
      answers: [],
      inputs: [{ question: 'q', answer: 'a' }],
      assume: true,
    };

    expect(stateAfter(read)).toMatchObject({ userInputs: [], assume: false, phase: { kind: 'new' } });
  });

  test('conversations go on, and refresh begins them anew', () => {
    const said = (text: string, refresh: boolean): RunEventBody => ({
      type: 'agent_finished',
      effectId: text,
      movement: 'plan',
      sub: null,
      output: text,
      truncated: false,
      produced: null,
      session: { key: 'planner', refresh },
      messages: [{ role: 'assistant', text, toolCalls: [] }],
    });
    const texts = (...bodies: RunEventBody[]) =>
      stateAfter(...bodies).sessions['planner']?.map((message) => 'text' in message && message.text);

    expect(texts(said('one', false), said('two', false))).toEqual(['one', 'two']);
    expect(texts(said('one', false), said('two', true))).toEqual(['two']);
  });

  test('data of sub-movements is kept by place and the latest by kind', () => {
    const review = (sub: string, finding: number): RunEventBody => ({
      type: 'agent_finished',
      effectId: sub,
      movement: 'review',
      sub,
      output: '',
      truncated: false,
      produced: { kind: 'review', value: finding },
      session: null,
      messages: [],
    });

    expect(stateAfter(review('one', 1), review('two', 2)).data).toEqual({
      review: 2,
      'review/one': { kind: 'review', value: 1 },
      'review/two': { kind: 'review', value: 2 },
    });
  });
});
