import { expect, test } from 'vitest';
import type { StatusAnswer } from '../../../src/app/status.ts';
import { describeStatus } from '../../../src/cli/status-text.ts';

const HOSTILE = 'a\u202eb\u001b[31mc\nd';

const status: StatusAnswer = {
  generationStatus: 'FAILED',
  reason: HOSTILE,
  message: HOSTILE,
  runId: 'run-1',
  startedBy: null,
  questions: [
    {
      id: 'q',
      type: 'closed',
      question: HOSTILE,
      why: '',
      multiple: false,
      options: [
        { id: 'a', label: HOSTILE, recommended: true },
        { id: 'b', label: 'B', recommended: false },
      ],
      recommendation: '',
      state: 'open',
      noteUrl: `https://gitlab.example/${HOSTILE}`,
    },
  ],
  answers: [{ questionId: 'q', by: { id: 1, username: HOSTILE }, optionIds: [], text: HOSTILE, via: 'reply' }],
  workplan: {
    goal: HOSTILE,
    requirements: [],
    findings: [],
    decisions: [],
    units: [
      {
        id: HOSTILE,
        title: HOSTILE,
        why: '',
        files: [],
        dependsOn: [HOSTILE],
        parallelWith: [],
        covers: [],
        acceptance: [],
        verify: [],
        size: 'S',
      },
    ],
    outOfScope: [],
    risks: [],
    openQuestions: [],
  },
  score: null,
  scoreStatus: 'FAILED',
  executionStatus: 'NONE',
  revision: 1,
  movement: HOSTILE,
  iteration: 1,
  noteUrls: [],
  workplanUrl: `https://gitlab.example/${HOSTILE}`,
  provider: HOSTILE,
  deliveryFailed: [HOSTILE],
  warnings: [{ code: 'c', message: HOSTILE }],
  updatedAt: null,
};

test('what others wrote can neither reorder nor recolour the terminal, nor begin a line', () => {
  const text = describeStatus(status);

  for (const acting of ['\u202e', '\u001b']) expect(text).not.toContain(acting);
  expect(text.split('\n').filter((line) => line.trimStart().startsWith('d'))).toEqual([]);
});

test('says who plans and what a failure means', () => {
  const text = describeStatus({
    ...status,
    reason: 'item_gone',
    message: 'It is gone.',
    provider: 'offline (rule-based)',
  });

  expect(text).toMatch(/^FAILED: item_gone\nIt is gone\.\n/);
  expect(text).toMatch(/\nProvider: offline \(rule-based\)\n$/);
});

test('answers stand under their question, by whom, and the Workplan has its address', () => {
  const [question] = status.questions;
  if (!question) throw new Error('there is a question');
  const asked = { ...question, question: 'How long?', options: [{ id: 'a', label: 'A day', recommended: true }] };
  const answers: StatusAnswer['answers'] = [
    { questionId: 'q', by: { id: 12, username: 'bob' }, optionIds: ['a'], text: '1', via: 'reply' },
    { questionId: 'other', by: { id: 12, username: 'bob' }, optionIds: [], text: 'no', via: 'reply' },
  ];
  const text = describeStatus({ ...status, questions: [asked], answers, workplanUrl: 'https://git.example/n#note_1' });

  expect(text).toContain('? How long?\n    1. A day  (recommended)\n    → A day  (bob)\n');
  expect(text).not.toContain('→ no');
  expect(text).toContain('Workplan: https://git.example/n#note_1');
});

test.each([
  ['context_gate', ['who may see it'], /Add to it:\n {4}- who may see it\nThen: planwright continue/],
  ['approval', [], /planwright approve ISSUE_URL, or planwright reject/],
  ['question', [], /then: planwright continue/],
])('at a pause of the kind %s it says what to do', (kind, missing, said) => {
  expect(describeStatus({ ...status, pause: { id: 'p', kind, missing } })).toMatch(said);
});

test('says which budget is used up, and what the run has used', () => {
  const limits = { tokens: 6000, money: null, wallTimeMs: null };
  const used = { tokens: 5400, cachedTokens: 0, money: 0.125, wallTimeMs: 0, limits };
  const budget = { scope: 'run', what: 'tokens', used: 5400, limit: 6000 } as const;

  const text = describeStatus({
    ...status,
    generationStatus: 'NEEDS_INPUT',
    pause: { id: 'p', kind: 'budget', budget },
    budget: { currency: 'EUR', run: used, day: used },
  });

  expect(text).toContain('The budget of this run is used up: 5,400 / 6,000 tokens.');
  expect(text).toContain('Used: 5,400 tokens, 0.13 EUR');
});

test('says that a price is not known, never that something was free', () => {
  const used = {
    tokens: 10,
    cachedTokens: 0,
    money: null,
    wallTimeMs: 0,
    limits: { tokens: null, money: null, wallTimeMs: null },
  };

  const text = describeStatus({ ...status, budget: { currency: 'EUR', run: used, day: used, unpriced: ['openai:m'] } });

  expect(text).toContain('Used: 10 tokens, at a price that is not known');
});
