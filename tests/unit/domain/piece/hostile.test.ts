import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extractData } from '../../../../src/domain/piece/data.ts';
import { fencedBlocks } from '../../../../src/domain/piece/fences.ts';
import { namedFiles } from '../../../../src/domain/piece/files.ts';
import { loadPiece } from '../../../../src/domain/piece/load.ts';
import { matchAgent } from '../../../../src/domain/piece/match.ts';
import { cleanOutput, limitOutput, summarise } from '../../../../src/domain/piece/output.ts';
import { extractReports } from '../../../../src/domain/piece/reports.ts';
import { lastTag } from '../../../../src/domain/piece/tags.ts';
import { bundleOf, rulesOf } from './helpers.ts';

const MB = 1024 * 1024;

/** Texts of a megabyte that a reader which is not linear would never finish. */
const OUTPUTS: [string, string][] = [
  ['tags without an end', '[STEP:'.repeat(170_000)],
  ['a tag of one long number', `[STEP:${'1'.repeat(MB)}]`],
  ['quoted tags on one line', `> ${'[STEP:0]'.repeat(130_000)}`],
  ['quoted tags on many lines', '> [STEP:0]\n'.repeat(95_000)],
  ['fences', '```\n'.repeat(260_000)],
  ['fences with names', '```js\n'.repeat(170_000)],
  ['reports that never end', '```markdown\n'.repeat(87_000)],
  ['reports that open code', '```markdown\n```js\n'.repeat(58_000)],
  ['reports and bare fences', '```markdown\nx\n```\ny\n'.repeat(52_000)],
  ['backticks', '`'.repeat(MB)],
  ['spaces before a fence', `${' '.repeat(MB)}\`\`\``],
  ['empty lines', '\n \t'.repeat(350_000)],
  ['data fences', '```json:review\n{}\n```\n'.repeat(45_000)],
  ['NUL and lone surrogates', '\0\ud800'.repeat(500_000)],
];

describe('outputs', () => {
  test.each(OUTPUTS)('%s: every reader comes to an end', (_, output) => {
    const tag = lastTag(output);
    expect(tag === null || Number.isFinite(tag) || tag === Number.POSITIVE_INFINITY).toBe(true);
    expect(summarise(output).length).toBeLessThanOrEqual(400);
    expect(cleanOutput(output).length).toBeLessThanOrEqual(output.length);
    expect(limitOutput(output).text.isWellFormed()).toBe(true);
    expect(
      extractReports(
        {
          form: 'list',
          files: [
            { label: 'a', name: 'a.md' },
            { label: 'b', name: 'b.md' },
          ],
        },
        output,
      ).files.length,
    ).toBeGreaterThan(0);
    expect(extractData(output, ['review']).ok).toBe(false);
  });

  test('100 MB on one line with tags in it', () => {
    const output = `${'x[STEP:1]y['.repeat(9_500_000)}[STEP:0]`;
    expect(lastTag(output)).toBe(0);
    expect(limitOutput(output)).toMatchObject({ truncated: true });
  });

  test('a number beyond all numbers is no rule', () => {
    const output = `[STEP:0] [STEP:${'9'.repeat(400)}]`;
    expect(matchAgent({ rules: rulesOf('a'), interactive: false, output, judged: {} }).kind).toBe('judge');
  });

  test('any mixture of marks is read without a throw, blocks in order and within the text', () => {
    const part = fc.constantFrom(
      '```',
      '```markdown',
      '~~~',
      '````',
      '\n',
      '\r\n',
      '[STEP:0]',
      '[STEP:',
      '> ',
      ' ',
      'json:review',
      '{}',
      '# a.md',
      'x',
      '\0',
      '\ud800',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
        const output = parts.join('');
        let end = 0;
        for (const block of fencedBlocks(output)) {
          expect(block.start).toBeGreaterThanOrEqual(end);
          expect(block.contentStart).toBeLessThanOrEqual(block.contentEnd);
          expect(block.contentEnd).toBeLessThanOrEqual(block.end);
          end = block.end;
        }
        expect(end).toBeLessThanOrEqual(output.length);
        lastTag(output);
        cleanOutput(output);
        for (const { file } of extractReports({ form: 'single', name: 'a.md' }, output).files)
          expect(file).toBe('a.md');
        extractData(output, ['review', 'questions']);
      }),
      { numRuns: 500 },
    );
  });
});

const nested = Array.from(
  { length: 20 },
  (_, index) =>
    `a${index}: &a${index} [${
      index === 0
        ? 'x'
        : Array(9)
            .fill(`*a${index - 1}`)
            .join(', ')
    }]\n`,
).join('');
const FILES: [string, string, string][] = [
  ['an alias bomb', nested, 'alias_bomb'],
  ['brackets', '['.repeat(900_000), 'too_deep'],
  ['101 levels', `a: ${'['.repeat(101)}${']'.repeat(101)}`, 'too_deep'],
  ['indentation', Array.from({ length: 1300 }, (_, index) => `${' '.repeat(index)}a:`).join('\n'), 'too_deep'],
  ['dashes', '- '.repeat(400_000), 'too_deep'],
  ['more than a megabyte', `name: ${'x'.repeat(MB)}`, 'too_large'],
  ['more than a megabyte of wide characters', `name: ${'日'.repeat(400_000)}`, 'too_large'],
  ['many keys', Array.from({ length: 60_000 }, (_, index) => `k${index}: v`).join('\n'), 'too_large'],
  [
    'keys that are just allowed',
    Array.from({ length: 10_000 }, (_, index) => `k${index}: v`).join('\n'),
    'unknown_key',
  ],
  ['closing brackets', ']'.repeat(70_000), 'yaml_syntax'],
  ['commas', `[${','.repeat(70_000)}`, 'yaml_syntax'],
  ['anchors', '&a '.repeat(20_000), 'yaml_syntax'],
];

describe('files', () => {
  test.each(FILES)('%s: refused', (_, text, code) => {
    const { piece, diagnostics } = loadPiece(bundleOf(text));
    expect(piece).toBeNull();
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toContain(code);
  });

  test('100 levels are read', () => {
    const text = `a: ${'['.repeat(98)}${']'.repeat(98)}`;
    expect(loadPiece(bundleOf(text)).diagnostics.map(({ code }) => code)).not.toContain('too_deep');
  });

  const base = `name: demo
max_iterations: 3
initial_movement: a
movements:
  - name: a
    agent: x.md
    edit: false
    parallel: [{name: s, edit: true, rules: [{condition: ok}]}]
    report: [{A: a.md}]
    rules:
      - {condition: all("ok"), next: b}
  - name: b
    gate: input
    rules: [{condition: continued, next: COMPLETE}]
loop_monitors:
  - {cycle: [a, b], judge: {rules: [{condition: ok, next: a}]}}
`;

  test('mutated files give findings, never an exception; a piece if and only if there is no error', () => {
    const word = fc.constantFrom(
      '',
      ':',
      '- ',
      '[',
      ']',
      '{',
      '}',
      '"',
      "'",
      '&a',
      '*a',
      '<<: *a',
      '\n',
      '  ',
      '!',
      '|',
      '>',
      '#',
      'name',
      'rules',
      'null',
      '0',
      '日',
      '\0',
      '\t',
      'all(',
      '? ',
    );
    const edit = fc.tuple(fc.nat(base.length), fc.nat(12), word);
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), (edits) => {
        let text = base;
        for (const [at, length, insert] of edits) text = text.slice(0, at) + insert + text.slice(at + length);
        const { piece, diagnostics } = loadPiece(bundleOf(text, { 'x.md': '' }));
        expect(piece === null).toBe(diagnostics.some(({ level }) => level === 'error'));
        for (const { column, line } of diagnostics) expect(line >= 1 && column >= 1).toBe(true);
        expect(Array.isArray(namedFiles(text))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
