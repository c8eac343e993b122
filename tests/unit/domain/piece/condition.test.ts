import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { conditionText, parseCondition } from '../../../../src/domain/piece/condition.ts';

describe('parseCondition', () => {
  test.each([
    ['done', { kind: 'text', text: 'done' }],
    ['  done  ', { kind: 'text', text: 'done' }],
    ['問題なし（軽微）', { kind: 'text', text: '問題なし（軽微）' }],
    ['anything else (really)', { kind: 'text', text: 'anything else (really)' }],
    ['all tests pass', { kind: 'text', text: 'all tests pass' }],
    ['all (three) reviewers agree', { kind: 'text', text: 'all (three) reviewers agree' }],
    ['All("x")', { kind: 'text', text: 'All("x")' }],
    ['ai("is it done?")', { kind: 'ai', text: 'is it done?' }],
    ["ai('is it done?')", { kind: 'ai', text: 'is it done?' }],
    ['ai ( "x" ) ', { kind: 'ai', text: 'x' }],
    ['ai("a \\"b\\" c")', { kind: 'ai', text: 'a "b" c' }],
    ['ai("it\'s")', { kind: 'ai', text: "it's" }],
    ['ai(\'say "x"\')', { kind: 'ai', text: 'say "x"' }],
    ['ai("a\\\\")', { kind: 'ai', text: 'a\\' }],
    ['ai("a\\nb")', { kind: 'ai', text: 'a\nb' }],
    ['ai("C:\\dir")', { kind: 'ai', text: 'C:\\dir' }],
    ['ai("f(x), g(y)")', { kind: 'ai', text: 'f(x), g(y)' }],
    ['all("approved")', { kind: 'all', args: ['approved'] }],
    ['all( "a" ,\n\t\'b\' )', { kind: 'all', args: ['a', 'b'] }],
    ['any(" needs_fix ", "failed")', { kind: 'any', args: ['needs_fix', 'failed'] }],
  ])('reads %j', (text, condition) => {
    expect(parseCondition(text)).toEqual({ ok: true, condition });
  });

  test.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['all(approved)', 'write all("approved")'],
    ['any(a, b)', 'write any("a", "b")'],
    ['ai(done', 'write ai("done")'],
    ['all()', 'must stand in quotes'],
    ['all (approved)', 'write all("approved")'],
    ['all("a', 'never closed'],
    ['all("a" "b")', 'expected "," or ")"'],
    ['all("a",)', 'expected a quoted text'],
    ['all("a", b)', 'expected a quoted text'],
    [
      'all("a") && any("b")',
      'nothing may follow the closing bracket, got " && any(\\"b\\")"; write all("…") or all("…", "…")',
    ],
    ['ai("a").', 'nothing may follow the closing bracket, got "."; write ai("…")'],
    ['any("a"; "b")', 'expected "," or ")" at character 8, got "; \\"b\\")"'],
    [`all("a" ${'x'.repeat(30)})`, `got "${'x'.repeat(20)}…"`],
    ['all("")', 'argument 1 is empty'],
    ['ai("a", "b")', 'takes one text, got 2'],
    ['all("a"', 'got the end'],
  ])('refuses %j and says why', (text, part) => {
    const parsed = parseCondition(text);
    expect(parsed.ok ? 'read' : parsed.message).toContain(part);
  });

  test('any quoted text comes back as it was, whatever stands in it', () => {
    const quoted = fc.string({ minLength: 1 }).filter((text) => text.trim() === text && text !== '');
    fc.assert(
      fc.property(fc.array(quoted, { minLength: 1, maxLength: 4 }), fc.constantFrom('"', "'"), (args, quote) => {
        const written = args.map((arg) => quote + arg.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`) + quote);
        expect(parseCondition(`all( ${written.join(' , ')} )`)).toEqual({ ok: true, condition: { kind: 'all', args } });
      }),
    );
  });

  test('never throws', () => {
    const pieces = fc.array(fc.constantFrom('all', 'any', 'ai', '(', ')', '"', "'", '\\', ',', ' ', 'x'), {
      maxLength: 20,
    });
    fc.assert(fc.property(pieces, (parts) => typeof parseCondition(parts.join('')).ok === 'boolean'));
  });
});

test('conditionText shows ai("text") as its text', () => {
  const parsed = parseCondition('ai("is it done?")');
  expect(parsed.ok && conditionText(parsed.condition)).toBe('is it done?');
});
