import { describe, expect, test } from 'vitest';
import { runTools } from '../../../../src/app/agent/tools-run.ts';
import { initialState } from '../../../../src/domain/run/fold.ts';
import type { RunState } from '../../../../src/domain/run/state.ts';
import type { Workplan } from '../../../../src/domain/workplan/schema.ts';
import { createFakeSnapshot } from '../../../helpers/fakes/repository.ts';

const plan: Workplan = {
  goal: 'Export as CSV.',
  requirements: [{ id: 'R1', text: 'CSV', source: 'description' }],
  findings: [{ text: 'Here.', path: 'src/missing.ts', startLine: 1, endLine: 1 }],
  decisions: [],
  units: [
    {
      id: 'U1',
      title: 'Write',
      why: 'Wanted.',
      files: [],
      dependsOn: [],
      parallelWith: [],
      covers: ['R1'],
      acceptance: ['works'],
      verify: ['run it'],
      size: 'S',
    },
  ],
  outOfScope: [],
  risks: [],
  openQuestions: [],
};

async function ask(state: Partial<RunState>, name: string, input: unknown = {}) {
  const tools = runTools({ ...initialState('run-1'), ...state }, createFakeSnapshot({}));
  const tool = tools.find((candidate) => candidate.definition.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  const { output, isError } = await tool.run(input, new AbortController().signal);
  return { value: JSON.parse(output), isError };
}

test('questions come with their answers', async () => {
  const question = {
    id: 'q1',
    type: 'closed' as const,
    question: 'Which format?',
    why: 'Unsaid.',
    multiple: false,
    options: [
      { id: 'csv', label: 'CSV', recommended: true },
      { id: 'json', label: 'JSON', recommended: false },
    ],
    recommendation: 'CSV opens everywhere.',
  };
  const answer = {
    questionId: 'q1',
    by: { id: 12, username: 'bob', role: 'Reporter' },
    optionIds: ['json'],
    text: 'JSON',
    via: 'reply' as const,
  };

  const { value } = await ask(
    { questions: [{ question, pauseId: 'p1', state: 'answered', answers: [answer], assumed: false }] },
    'questions_read',
  );

  expect(value.questions).toEqual([
    {
      ...question,
      state: 'answered',
      assumed: false,
      answers: [{ by: 'bob', role: 'Reporter', optionIds: ['json'], text: 'JSON' }],
    },
  ]);
});

describe('reports', () => {
  test('are read by their file name', async () => {
    expect((await ask({ reports: { 'plan.md': 'The plan.' } }, 'report_read', { file: 'plan.md' })).value).toEqual({
      file: 'plan.md',
      text: 'The plan.',
    });
  });

  test.each(['other.md', 'constructor'])(
    'that are not there (%s) are an error that names those that are',
    async (file) => {
      const { value, isError } = await ask({ reports: { 'plan.md': 'The plan.' } }, 'report_read', { file });

      expect(isError).toBe(true);
      expect(value.error).toEqual({ code: 'not_found', message: `There is no report ${file}. Reports: plan.md.` });
    },
  );
});

describe('the Workplan', () => {
  test('is null before there is one', async () => {
    expect((await ask({}, 'workplan_read')).value).toEqual({ workplan: null, checks: [] });
  });

  test('comes with what the checks by code say', async () => {
    const { value } = await ask({ data: { workplan: plan } }, 'workplan_read');

    expect(value.workplan).toEqual(plan);
    expect(value.checks).toContainEqual(expect.objectContaining({ code: 'findings_exist', ok: false }));
  });

  test('that is large comes by part', async () => {
    const large = { ...plan, risks: Array.from({ length: 80 }, () => 'x'.repeat(1000)) };

    const whole = await ask({ data: { workplan: large } }, 'workplan_read');
    const units = await ask({ data: { workplan: large } }, 'workplan_read', { part: 'units' });

    expect(whole.value.error.code).toBe('result_too_large');
    expect(units.value).toEqual({ part: 'units', entries: plan.units });
  });
});

test('research is what was handed over', async () => {
  const research = {
    summary: 'Clear.',
    requirements: plan.requirements,
    findings: [],
    risks: [],
    assumptions: [],
  };

  expect((await ask({ data: { research } }, 'research_read')).value).toEqual({ research });
  expect((await ask({}, 'research_read')).value).toEqual({ research: null });
});

test('evaluations come by evaluator, examinations of all sub-movements', async () => {
  const rubric = { coverage: 20, groundedness: 15, specificity: 10, feasibility: 20, completeness: 5, feedback: [] };
  const examination = { of: 'rubric', revised: 60, verdict: 'confirmed', resolutionKnown: true, explanation: 'So.' };
  const data = {
    score: rubric,
    'evaluate/rubric': { kind: 'score', value: rubric },
    examination,
    'examine/examine_rubric': { kind: 'examination', value: examination },
    'examine/examine_coverage': { kind: 'examination', value: { ...examination, of: 'coverage' } },
  };

  const { value } = await ask({ data }, 'evaluations_read');

  expect(value).toEqual({
    rubric,
    coverage: null,
    falsifier: null,
    examinations: [examination, { ...examination, of: 'coverage' }],
  });
});
