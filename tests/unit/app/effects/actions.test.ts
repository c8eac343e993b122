import { describe, expect, test } from 'vitest';
import { type ActionInput, performAction } from '../../../../src/app/effects/actions.ts';
import { initialState } from '../../../../src/domain/run/fold.ts';
import type { RunState } from '../../../../src/domain/run/state.ts';
import type { Workplan } from '../../../../src/domain/workplan/schema.ts';
import { createFakeSnapshot } from '../../../helpers/fakes/repository.ts';
import { runSettings } from '../setup.ts';

const plan: Workplan = {
  goal: 'Limit the export',
  requirements: [{ id: 'R1', text: 'At most 10,000 rows', source: 'description' }],
  findings: [{ text: 'Exports all rows', path: 'src/export.ts', startLine: 1, endLine: 2 }],
  decisions: [],
  units: [
    {
      id: 'U1',
      title: 'Limit the rows',
      why: 'It is asked for.',
      files: [{ path: 'src/export.ts', state: 'existing' }],
      dependsOn: [],
      parallelWith: [],
      covers: ['R1'],
      acceptance: ['10,001 rows are cut'],
      verify: ['npm test'],
      size: 'S',
    },
  ],
  outOfScope: [],
  risks: [],
  openQuestions: [],
};

const rubric = { coverage: 16, groundedness: 16, specificity: 16, feasibility: 16, completeness: 16, feedback: [] };
const coverage = { requirements: [{ id: 'R1', covered: true }], units: [{ id: 'U1', traced: true }], feedback: [] };
const defect = { defect: 'none', confidence: 0.9, explanation: 'Nothing found.', feedback: [] };
const evaluations = { score: rubric, coverage, defect };

function inputOf(
  action: ActionInput['action'],
  state: Partial<RunState>,
  change: Partial<ActionInput> = {},
): ActionInput {
  return {
    effectId: 'e1',
    movement: 'write',
    action,
    state: { ...initialState('run-a'), ...state },
    settings: { ...runSettings, score: true },
    scores: true,
    snapshot: createFakeSnapshot({ 'src/export.ts': 'one\ntwo\n' }),
    projectUrl: 'https://gitlab.example/acme/sample',
    ...change,
  };
}

describe('publish_workplan', () => {
  test('writes the plan with permalinks at the pinned commit, and says that it will be scored', () => {
    const { outcome, data } = performAction(inputOf('publish_workplan', { data: { workplan: plan } }));

    expect(outcome).toBe('done');
    expect(data).toMatchObject({
      scoring: true,
      workplan: {
        findings: [{ commit: 'c0ffee', url: 'https://gitlab.example/acme/sample/-/blob/c0ffee/src/export.ts#L1-2' }],
      },
    });
  });

  test.each([
    ['score: off', { settings: { ...runSettings, score: false } }],
    ['a piece that computes no score', { scores: false }],
  ])('%s: the plan is not going to be scored', (_name, change) => {
    expect(performAction(inputOf('publish_workplan', { data: { workplan: plan } }, change)).data.scoring).toBe(false);
  });

  test('fails without a plan', () => {
    expect(performAction(inputOf('publish_workplan', {}))).toMatchObject({ outcome: 'failed', data: {} });
  });

  test('fails with what the checks say, for the planner', () => {
    const wrong = { ...plan, findings: [{ ...plan.findings[0], endLine: 99 }] };

    const { outcome, message } = performAction(inputOf('publish_workplan', { data: { workplan: wrong } }));

    expect(outcome).toBe('failed');
    expect(message).toContain('src/export.ts');
  });

  test('a link that an agent made up does not survive', () => {
    const forged = { ...plan, findings: [{ ...plan.findings[0], url: 'https://evil.example', commit: 'dead' }] };

    const { data } = performAction(inputOf('publish_workplan', { data: { workplan: forged } }, { projectUrl: null }));

    expect(JSON.stringify(data)).not.toMatch(/evil|dead/);
  });
});

describe('compute_score', () => {
  test('computes from what the evaluators gave', () => {
    const { outcome, data } = performAction(inputOf('compute_score', { workplan: plan, data: evaluations }));

    expect(outcome).toBe('done');
    expect(data.score).toMatchObject({ value: 90, band: 'High' });
  });

  test('cross-examinations change it', () => {
    const examination = {
      of: 'rubric',
      revised: 60,
      verdict: 'confirmed',
      resolutionKnown: true,
      explanation: 'Thin.',
    };
    const data = { ...evaluations, 'examine/rubric': { kind: 'examination', value: examination } };

    const { data: result } = performAction(inputOf('compute_score', { workplan: plan, data }));

    expect((result.score as { value: number }).value).toBeLessThan(90);
  });

  test.each([
    ['a plan', { data: evaluations }],
    ['an evaluator', { workplan: plan, data: { score: rubric, defect } }],
  ])('fails without %s', (_name, state) => {
    expect(performAction(inputOf('compute_score', state)).outcome).toBe('failed');
  });
});

test('publish_score needs a score', () => {
  const score = { value: 1, band: 'Low' as const, feedback: [], checks: [] };

  expect(performAction(inputOf('publish_score', {})).outcome).toBe('failed');
  expect(performAction(inputOf('publish_score', { score })).outcome).toBe('done');
});

test('a run that plans delivers nothing', () => {
  expect(performAction(inputOf('deliver', {})).outcome).toBe('failed');
});
