import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aggregateHolds, isResult, type SubResult } from '../../../../src/domain/piece/aggregate.ts';

describe('isResult', () => {
  test.each<[string, SubResult, boolean]>([
    ['x', { condition: 'x' }, true],
    ['x', { condition: ' x ' }, true],
    ['x', { condition: 'y' }, false],
    ['x', { condition: null }, false],
    ['x', { condition: 'ai("x")' }, true],
    ['ai("x")', { condition: 'ai("x")' }, true],
    ["ai('x')", { condition: 'ai("x")' }, true],
    ['ai("x")', { condition: 'x' }, false],
    ['ai("x")', { condition: 'x', ai: true }, true],
    ['x', { condition: 'ai("x")', ai: false }, false],
    ['ai("x")', { condition: 'ai("x")', ai: false }, true],
    ['y', { condition: 'ai("x")' }, false],
    ['air', { condition: 'air' }, true],
  ])('%j is the result %j: %s', (arg, sub, expected) => {
    expect(isResult(arg, sub)).toBe(expected);
  });
});

test('aggregates hold exactly as their truth table says, for any results and texts', () => {
  const text = fc.constantFrom('x', 'y', 'z');
  const results = fc.array(fc.option(text, { nil: null }), { maxLength: 5 });
  const args = fc.array(text, { minLength: 1, maxLength: 5 });

  fc.assert(
    fc.property(results, args, fc.constantFrom('all' as const, 'any' as const), (found, texts, kind) => {
      const subs = found.map((condition) => ({ condition }));
      const [first = ''] = texts;
      const expected =
        kind === 'any'
          ? found.some((one) => one !== null && texts.includes(one))
          : found.length > 0 &&
            (texts.length === 1
              ? found.every((one) => one === first)
              : texts.length === found.length && found.every((one, index) => one === texts[index]));

      expect(aggregateHolds({ kind, args: texts }, subs)).toBe(expected);
    }),
    { numRuns: 500 },
  );
});
