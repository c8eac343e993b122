import { describe, expect, test } from 'vitest';
import { toInputs } from '../../../../src/domain/workplan/answers.ts';
import type { Answer, Person } from '../../../../src/domain/workplan/people.ts';
import { closed } from './plans.ts';

const ALICE: Person = { id: 1, username: 'alice', role: 'Developer' };
const BOB: Person = { id: 2, username: 'bob', role: 'Reporter' };

describe('what agents are told', () => {
  const answer = (by: Person, optionIds: string[], text = ''): Answer => ({
    questionId: 'format',
    by,
    optionIds,
    text,
    via: 'reply',
  });

  test('who chose what, with role and label', () => {
    const [input] = toInputs({
      questions: [closed()],
      answers: [answer(ALICE, ['xlsx'], 'Option 2, because of the formulas')],
    });
    expect(input?.question).toBe('format: Which format?');
    expect(input?.answer).toMatch(
      /alice \(Developer\): chose \[xlsx\] Excel — in their words: Option 2, because of the formulas/,
    );
    expect(input?.answer).toContain('confirmed true');
  });

  test('a contradiction, with name and role', () => {
    const [input] = toInputs({ questions: [closed()], answers: [answer(ALICE, ['csv']), answer(BOB, ['json'])] });
    expect(input?.answer).toMatch(/contradict each other: alice \(Developer\) says csv; bob \(Reporter\) says json/);
  });

  test('agreement is no contradiction', () => {
    const [input] = toInputs({
      questions: [closed()],
      answers: [answer(ALICE, ['csv'], '1'), answer(BOB, ['csv'], 'yes')],
    });
    expect(input?.answer).not.toContain('contradict');
  });

  test('without an answer the recommendation, not confirmed', () => {
    const [input] = toInputs({ questions: [closed()], answers: [] });
    expect(input?.answer).toMatch(/NOT confirmed: \[csv\] CSV file — because: Every tool reads it\./);
    expect(input?.answer).toContain('confirmed false');
  });

  test('an entry is at most 10,000 characters, and says that it was cut', () => {
    const [input] = toInputs({ questions: [closed()], answers: [answer(ALICE, [], 'x'.repeat(20_000))] });
    expect(`${input?.question}${input?.answer}`.length).toBeLessThanOrEqual(10_000);
    expect(input?.answer).toMatch(/\(cut: \d+ characters were given\)$/);
  });

  test('all together are at most 65,536 characters, oldest first, and say what is left out', () => {
    const questions = Array.from({ length: 12 }, (_, n) => closed({ id: `q${n}` }));
    const answers = questions.map((question) => ({
      ...answer(ALICE, [], 'x'.repeat(20_000)),
      questionId: question.id,
    }));
    const inputs = toInputs({ questions, answers });
    expect(inputs.reduce((sum, input) => sum + input.question.length + input.answer.length, 0)).toBeLessThanOrEqual(
      65_536,
    );
    expect(inputs[0]?.question).toMatch(/^q0:/);
    expect(inputs.at(-1)).toEqual({
      question: 'Cut',
      answer: 'The answers to 5 further question(s) do not fit and are left out.',
    });
  });
});
