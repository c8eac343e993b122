import { describe, expect, test } from 'vitest';
import type { LocalPause } from '../../../../src/app/local/pause.ts';
import { readApproval, repliesOf, resumedBy } from '../../../../src/app/local/pause.ts';
import { Question } from '../../../../src/domain/workplan/schema.ts';

const AT = '2026-01-05T09:00:00.000Z';

const choice = Question.parse({
  id: 'db',
  type: 'closed',
  question: 'Which database?',
  why: 'It decides the migrations.',
  multiple: false,
  options: [
    { id: 'pg', label: 'PostgreSQL', recommended: true },
    { id: 'lite', label: 'SQLite', recommended: false },
  ],
  recommendation: 'It is there already.',
});
const open = Question.parse({
  id: 'open-1',
  type: 'open',
  question: 'Who uses it?',
  why: 'Who uses it?',
  multiple: false,
  options: [],
  recommendation: 'Everybody.',
});

function pauseOf(changes: Partial<LocalPause> = {}): LocalPause {
  return { id: 'local-1', kind: 'question', movement: 'plan', questions: [open], missing: [], ...changes };
}

describe('a question pause', () => {
  test('an open question is answered by the words as they are', () => {
    const replies = repliesOf('e', pauseOf(), ['  Only $& {task} people'], AT);

    expect(replies.inputs).toEqual([
      { question: 'Who uses it?', answer: expect.stringContaining('Only $& {task} people') },
    ]);
    expect(replies).toMatchObject({ assume: false, answers: [{ questionId: 'open-1', optionIds: [] }] });
  });

  test('a choice is told with what was chosen', () => {
    const replies = repliesOf('e', pauseOf({ questions: [choice] }), ['2'], AT);

    expect(replies.answers).toMatchObject([{ questionId: 'db', optionIds: ['lite'] }]);
    expect(replies.inputs[0]?.answer).toContain('SQLite');
  });

  test('a text a question answers each', () => {
    const replies = repliesOf('e', pauseOf({ questions: [choice, open] }), ['1', 'staff'], AT);

    expect(replies.answers.map(({ questionId }) => questionId)).toEqual(['db', 'open-1']);
    expect(replies.inputs).toHaveLength(2);
    expect(replies.inputs[1]).toEqual({ question: 'Who uses it?', answer: 'staff' });
  });

  test('one text for several questions stands as one entry', () => {
    const replies = repliesOf('e', pauseOf({ questions: [choice, open] }), ['As you like'], AT);

    expect(replies.inputs).toEqual([{ question: 'Which database?\n  Who uses it?', answer: 'As you like' }]);
  });

  test('an empty text leaves the recommendation as an assumption', () => {
    const replies = repliesOf('e', pauseOf({ questions: [choice] }), [''], AT);

    expect(replies).toMatchObject({ answers: [], assume: true });
    expect(replies.inputs[0]?.answer).toContain('PostgreSQL');
  });

  test('what a discussion would not count is an answer here', () => {
    const replies = repliesOf('e', pauseOf(), ['> only a quote'], AT);

    expect(replies.answers).toMatchObject([{ text: '> only a quote' }]);
  });

  test('answers that are known stay known', () => {
    const known = repliesOf('e', pauseOf(), ['staff'], AT).answers;

    const replies = repliesOf('e', pauseOf({ questions: [choice], known }), ['1'], AT);

    expect(replies.answers.map(({ questionId }) => questionId)).toEqual(['open-1', 'db']);
  });
});

test('what is said at a context gate answers what was missing', () => {
  const pause = pauseOf({ kind: 'context_gate', questions: [], missing: ['The goal.', 'The users.'] });

  expect(repliesOf('e', pause, ['A login page'], AT).inputs).toEqual([
    { question: 'The goal. The users.', answer: 'A login page' },
  ]);
  expect(repliesOf('e', pause, [''], AT).inputs).toEqual([]);
});

describe('an approval', () => {
  test.each([
    ['approve', { decision: 'approve', reason: '' }],
    [' Approve looks good ', { decision: 'approve', reason: 'looks good' }],
    ['reject too large\nand late', { decision: 'reject', reason: 'too large\nand late' }],
    ['REJECT: no', { decision: 'reject', reason: 'no' }],
    ['rejected', null],
    ['yes', null],
    ['', null],
  ])('%j', (text, expected) => {
    expect(readApproval(text)).toEqual(expected);
  });

  test('resumes with the decision; other pauses go on whatever was said', () => {
    expect(resumedBy(pauseOf({ kind: 'approval' }), ['reject no'])).toMatchObject({ decision: 'reject', reason: 'no' });
    expect(resumedBy(pauseOf({ kind: 'approval' }), ['maybe'])).toBeNull();
    expect(resumedBy(pauseOf(), ['reject no'])).toMatchObject({ decision: 'continue' });
  });
});
