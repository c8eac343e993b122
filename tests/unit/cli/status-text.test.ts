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
  answers: [],
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
