import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanOutput, limitOutput, MAX_OUTPUT_BYTES, summarise } from '../../../../src/domain/piece/output.ts';
import { joinOutputs } from '../../../../src/domain/piece/parallel.ts';

const bytes = (text: string) => new TextEncoder().encode(text).length;

describe('limitOutput', () => {
  test('keeps what fits', () => {
    expect(limitOutput('ok 日本')).toEqual({ text: 'ok 日本', truncated: false });
    const full = 'x'.repeat(MAX_OUTPUT_BYTES);
    expect(limitOutput(full)).toEqual({ text: full, truncated: false });
  });

  test.each([
    ['letters', 'x'],
    ['three bytes', '日'],
    ['pairs', '😀'],
  ])('cuts at the beginning: %s', (_, sign) => {
    const { text, truncated } = limitOutput(`START${sign.repeat(MAX_OUTPUT_BYTES)}[STEP:1]`);
    expect(truncated).toBe(true);
    expect(text.endsWith(`${sign}[STEP:1]`)).toBe(true);
    expect(text.includes('START')).toBe(false);
    expect(bytes(text)).toBeLessThanOrEqual(MAX_OUTPUT_BYTES);
    expect(bytes(text)).toBeGreaterThan(MAX_OUTPUT_BYTES - 4);
    expect(text.includes('\uFFFD')).toBe(false);
  });

  test('one byte too many is cut', () => {
    expect(limitOutput(`a${'x'.repeat(MAX_OUTPUT_BYTES)}`)).toEqual({
      text: 'x'.repeat(MAX_OUTPUT_BYTES),
      truncated: true,
    });
  });

  test('lone surrogates and NUL become replacement characters', () => {
    expect(limitOutput('a\ud800b\0c')).toEqual({ text: 'a\ufffdb\ufffdc', truncated: false });
  });
});

describe('cleanOutput', () => {
  test.each([
    ['the tag', 'Which colour?\n\n[STEP:2]', 'Which colour?'],
    ['reports', 'before\n```markdown\n# R\n```js\n1\n```\n```\nafter', 'before\nafter'],
    ['data', 'before\n```json:questions\n{}\n```\nafter', 'before\nafter'],
    ['not other code', 'a\n```js\n[STEP:0]\n```\nb', 'a\n```js\n[STEP:0]\n```\nb'],
    ['empty lines that are left', 'a\n\n[STEP:1]\n\n\nb', 'a\n\nb'],
  ])('takes out %s', (_, output, expected) => {
    expect(cleanOutput(output)).toBe(expected);
  });
});

describe('summarise', () => {
  test('is one line without tags', () => {
    expect(summarise('It failed.\n\nSee log.\n[STEP:9]')).toBe('It failed. See log.');
  });

  test('of an output that is a report alone says what the report says', () => {
    expect(summarise('```markdown\n# R\n```')).toContain('# R');
  });

  test('never is longer than 400 characters, and well-formed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => {
        const summary = summarise(text);
        expect(summary.length).toBeLessThanOrEqual(400);
        expect(summary.isWellFormed()).toBe(true);
      }),
    );
  });

  test('of a long output shows both ends', () => {
    const summary = summarise(`begin ${'x '.repeat(100_000)} the end`);
    expect(summary.length).toBeLessThanOrEqual(400);
    expect(summary).toMatch(/^begin .* … .* the end$/);
  });
});

test('joinOutputs puts each output under its name, with a line between', () => {
  expect(
    joinOutputs([
      { name: 'a', output: 'x' },
      { name: 'レビュー 2', output: 'y' },
    ]),
  ).toBe('## a\n\nx\n\n---\n\n## レビュー 2\n\ny');
});
