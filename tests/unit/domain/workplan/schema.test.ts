import { describe, expect, test } from 'vitest';
import { Question } from '../../../../src/domain/workplan/schema.ts';
import { Examination } from '../../../../src/domain/workplan/score-schema.ts';
import { closed } from './plans.ts';

describe("an option's description", () => {
  const described = (description: string) => {
    const [first, ...others] = closed().options;
    const options = [{ id: 'csv', label: 'CSV file', recommended: true, ...first, description }, ...others];
    return Question.parse(closed({ options })).options[0]?.description;
  };

  test('is cut at 500', () => {
    expect(described('x'.repeat(600))).toBe('x'.repeat(500));
  });

  test('is never cut in the middle of a character', () => {
    expect(described(`${'x'.repeat(499)}🎉🎉`)).toBe('x'.repeat(499));
  });

  test('keeps a character that just fits', () => {
    expect(described(`${'x'.repeat(498)}🎉🎉`)).toBe(`${'x'.repeat(498)}🎉`);
  });
});

describe('an examination', () => {
  const examination = { verdict: 'confirmed', resolutionKnown: true, explanation: 'So.' };

  test.each([
    ['rubric', 60, true],
    ['coverage', 0, true],
    ['falsifier', null, true],
    ['rubric', null, false],
    ['coverage', null, false],
    ['falsifier', 60, false],
  ])('of %s with the value %s: %s', (of, revised, good) => {
    expect(Examination.safeParse({ ...examination, of, revised }).success).toBe(good);
  });
});
