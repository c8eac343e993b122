import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluate, holds, isVariableName, readNames } from '../../../../src/domain/piece/expression.ts';
import { parseExpression } from '../../../../src/domain/piece/parse-expression.ts';
import type { Expression, Literal } from '../../../../src/domain/piece/types.ts';

function parse(text: string): Expression {
  const parsed = parseExpression(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.expression;
}

function value(text: string, values: Record<string, Literal> = {}): Literal {
  return evaluate(parse(text), (name) => values[name] ?? null);
}

describe('values', () => {
  test.each<[string, Literal]>([
    ['scope == "plan"', true],
    ["scope == 'plan'", true],
    ['scope != "plan"', false],
    ['scope != "ok"', true],
    ['"plan" == scope', true],
    ['scope in ("step", "plan")', true],
    ['scope in ["step"]', false],
    ['scope not in ("step", "ok")', true],
    ['not scope in ("step", "ok")', true],
    ['scope not in ("plan")', false],
    ['gaps > 2', true],
    ['gaps > 3', false],
    ['gaps >= 3', true],
    ['gaps >= 3.5', false],
    ['gaps < 3', false],
    ['gaps < 4', true],
    ['gaps <= 3', true],
    ['gaps <= -1', false],
    ['gaps == 3', true],
    ['gaps == 3e0', true],
    ['cold == -1.5', true],
    ['done', true],
    ['not done', false],
    ['not not done', true],
    ['done == false', false],
    ['true', true],
    ['false', false],
    ['open', false],
    ['not open', true],
    ['unset == null', true],
    ['unset != null', false],
    ['scope == null', false],
    ['unset', null],
    ['unset > 0', false],
    ['unset <= 0', false],
    ['unset == "x"', false],
    ['unset != "x"', true],
    ['unset in ("x", null)', true],
    ['数 == 2', true],
    ['with-dash == "a"', true],
    ['scope == "say \\"x\\"\\n\\\\"', false],
    ['text == "say \\"x\\"\\n\\\\"', true],
    ['text == \'say "x"\\n\\\\\'', true],
    ['scope=="plan"and(gaps>2)', true],
  ])('%s', (text, expected) => {
    const values = {
      scope: 'plan',
      gaps: 3,
      cold: -1.5,
      done: true,
      open: false,
      数: 2,
      'with-dash': 'a',
      text: 'say "x"\n\\',
    };

    expect(value(text, values)).toBe(expected);
  });

  test('only `true` holds', () => {
    expect(holds(parse('x'), () => 'yes')).toBe(false);
    expect(holds(parse('x'), () => null)).toBe(false);
    expect(holds(parse('x'), () => true)).toBe(true);
  });
});

describe('binding', () => {
  test.each<[string, boolean]>([
    ['true or false and false', true],
    ['(true or false) and false', false],
    ['not false and false', false],
    ['not (false and false)', true],
    ['not 1 == 2', true],
    ['false or not false', true],
    ['true and true and false', false],
    ['false or false or true', true],
    ['(1 < 2) == true', true],
  ])('%s', (text, expected) => {
    expect(value(text)).toBe(expected);
  });

  test('agrees with a calculation of its own for every combination of truths', () => {
    const term: fc.Arbitrary<[string, (v: boolean[]) => boolean]> = fc.letrec<{
      any: [string, (v: boolean[]) => boolean];
    }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        fc.nat(2).map((n): [string, (v: boolean[]) => boolean] => [`v${n}`, (v) => v[n] === true]),
        tie('any').map(([text, of]): [string, (v: boolean[]) => boolean] => [`not (${text})`, (v) => !of(v)]),
        fc
          .tuple(tie('any'), tie('any'))
          .map(([[a, f], [b, g]]): [string, (v: boolean[]) => boolean] => [`(${a}) and (${b})`, (v) => f(v) && g(v)]),
        fc
          .tuple(tie('any'), tie('any'))
          .map(([[a, f], [b, g]]): [string, (v: boolean[]) => boolean] => [`(${a} or ${b})`, (v) => f(v) || g(v)]),
      ),
    })).any;
    const truths = fc.tuple(fc.boolean(), fc.boolean(), fc.boolean());

    fc.assert(
      fc.property(term, truths, ([text, of], list) => {
        expect(holds(parse(text), (name) => list[Number(name.slice(1))] ?? null)).toBe(of(list));
      }),
    );
  });
});

describe('what cannot be read', () => {
  test.each([
    ['', 'the expression is empty'],
    ['  ', 'the expression is empty'],
    ['scope = "plan"', '`=` at character 7 means nothing here; write `==`'],
    ['a && b', '`&` at character 3 means nothing here; write `and`'],
    ['a || b', '`|` at character 3 means nothing here; write `or`'],
    ['!a', '`!` at character 1 means nothing here; write `not`'],
    ['a + 1', '`+` at character 3 means nothing here; write e.g.'],
    ['a ==', 'expected a variable, a quoted text, a number, true or false at character 5, got the end'],
    ['== 1', 'expected a variable, a quoted text, a number, true or false at character 1, got `==`'],
    ['a b', 'expected nothing more, or `and`, `or` at character 3, got `b`'],
    ['1 < 2 < 3', 'expected `and` between two comparisons at character 7, got `<`'],
    ['a in "x"', 'expected a list such as ("step", "plan") at character 6, got `x`'],
    ['a in ("x"', 'expected `,` or `)` at character 10, got the end'],
    ['a in ["x")', 'expected `,` or `]` at character 10, got `)`'],
    ['a in ()', 'at character 7, got `)`'],
    ['a not b', 'expected `in` after `not` at character 7, got `b`'],
    ['(a', 'expected `)` at character 3, got the end'],
    ['a and', 'at character 6, got the end'],
    ['and', 'expected a variable or a literal at character 1, got `and`'],
    ['a == "x', 'the quote opened at character 6 is never closed'],
    ['a == "x\\"', 'the quote opened at character 6 is never closed'],
    ['("a".b)', '`.` at character 5 means nothing here'],
    [`${'('.repeat(51)}a${')'.repeat(51)}`, 'nested too deep, at most 50 levels'],
    [`${'not '.repeat(51)}a`, 'nested too deep, at most 50 levels'],
    ['a'.repeat(2001), 'longer than 2000 characters'],
  ])('%j', (text, part) => {
    const parsed = parseExpression(text);

    expect(parsed.ok ? 'read' : parsed.message).toContain(part);
  });

  test.each([`${'('.repeat(50)}a${')'.repeat(50)}`, `${'not '.repeat(50)}a`, `"${'a'.repeat(1998)}"`])(
    'just within the limits: %#',
    (text) => {
      expect(parseExpression(text).ok).toBe(true);
    },
  );

  test('whatever stands there, it is read or refused with a message, never thrown', () => {
    const part = fc.constantFrom(
      'a',
      '==',
      '!=',
      '<',
      '(',
      ')',
      '[',
      ']',
      ',',
      'in',
      'not',
      'and',
      'or',
      '"x"',
      '1',
      '"',
    );
    const text = fc.oneof(
      fc.array(part, { maxLength: 12 }).map((parts) => parts.join(' ')),
      fc.string({ unit: 'binary', maxLength: 30 }),
    );

    fc.assert(
      fc.property(text, (written) => {
        const parsed = parseExpression(written);
        if (parsed.ok) evaluate(parsed.expression, () => null);
        else expect(parsed.message).not.toBe('');
      }),
    );
  });
});

test('readNames names each variable once, in order', () => {
  expect(readNames(parse('b == "a" and (a in (c, 1) or not b) and produced == "x"'))).toEqual([
    'b',
    'a',
    'c',
    'produced',
  ]);
});

test.each<[string, boolean]>([
  ['step_scope', true],
  ['数', true],
  ['a-b', true],
  ['_x1', true],
  ['constructor', true],
  ['1a', false],
  ['a b', false],
  ['', false],
  ['in', false],
  ['produced', false],
  ['null', false],
  ['__proto__', false],
  ['a'.repeat(80), true],
  ['a'.repeat(81), false],
])('can %s name a variable?', (name, expected) => {
  expect(isVariableName(name)).toBe(expected);
});
