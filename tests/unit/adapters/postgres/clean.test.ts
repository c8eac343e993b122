import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanJson, cleanText } from '../../../../src/adapters/postgres/clean.ts';

test('NUL and lone surrogates are replaced, pairs stay', () => {
  expect(cleanText('a\0b\uD83Dc\uDE80d🚀')).toBe('a\uFFFDb\uFFFDc\uFFFDd🚀');
});

test('keys and nested strings are cleaned', () => {
  expect(JSON.parse(cleanJson({ 'k\0': [{ v: '\uDC00' }, 1, null, true] }))).toEqual({
    'k\uFFFD': [{ v: '\uFFFD' }, 1, null, true],
  });
});

test('text that only looks like an escape stays as it is', () => {
  const value = { text: '\\u0000 \\ud800' };

  expect(JSON.parse(cleanJson(value))).toEqual(value);
});

test('a key __proto__ stays a key', () => {
  const value: unknown = JSON.parse('{"__proto__":"\\u0000"}');

  expect(cleanJson(value)).toBe('{"__proto__":"\uFFFD"}');
});

test('undefined is null', () => {
  expect(cleanJson(undefined)).toBe('null');
});

test('cleaned JSON holds no raw control character, no NUL and no lone surrogate, and is clean already', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const text = cleanJson(value);
      expect(text.isWellFormed()).toBe(true);
      expect([...text].every((character) => character >= ' ')).toBe(true);
      expect(text).not.toMatch(/(?<!\\)(\\\\)*\\u0000/);
      expect(cleanJson(JSON.parse(text))).toBe(text);
    }),
  );
});
