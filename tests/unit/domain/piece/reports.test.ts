import { describe, expect, test } from 'vitest';
import { extractReports } from '../../../../src/domain/piece/reports.ts';
import type { ReportSpec } from '../../../../src/domain/piece/types.ts';

const single: ReportSpec = { form: 'single', name: '01-plan.md' };
const list: ReportSpec = {
  form: 'list',
  files: [
    { label: 'Summary', name: 'summary.md' },
    { label: 'Scope', name: '01-scope.md' },
    { label: 'Decisions', name: 'decisions.md' },
  ],
};

function block(text: string, info = 'markdown'): string {
  return `\`\`\`${info}\n${text}\n\`\`\``;
}

function taken(spec: ReportSpec, output: string): Record<string, string> {
  return Object.fromEntries(extractReports(spec, output).files.map(({ file, text }) => [file, text]));
}

describe('extractReports, one file', () => {
  test.each([
    ['a block', `Done.\n${block('# Plan\n\nbody')}\n[STEP:0]`, '# Plan\n\nbody'],
    ['a block named md', block('x', 'md'), 'x'],
    ['a block named Markdown', block('x', 'Markdown'), 'x'],
    ['an empty block', '```markdown\n```', ''],
    ['code with an info string inside', block('# P\n```js\nx()\n```\nend'), '# P\n```js\nx()\n```\nend'],
    [
      'code without one inside',
      `${block('# P\n\n```\ntree/\n```\n\nend')}\n\n[STEP:0]`,
      '# P\n\n```\ntree/\n```\n\nend',
    ],
    [
      'two codes without one inside',
      `${block('# P\n```\na\n```\nmid\n```\nb\n```\nend')}\n`,
      '# P\n```\na\n```\nmid\n```\nb\n```\nend',
    ],
    ['a longer fence', '````markdown\n```\nx\n```\n````', '```\nx\n```'],
    ['tildes', '~~~markdown\n```\nx\n```\n~~~', '```\nx\n```'],
    ['an indented block', '- report:\n  ```markdown\n  # P\n    x\n  ```', '# P\n  x'],
    ['a block that is never closed', '```markdown\n# P\nbody', '# P\nbody'],
    ['CRLF', '```markdown\r\n# P\r\nbody\r\n```\r\n', '# P\r\nbody'],
    ['of two the first', `${block('one')}\n\n${block('two')}`, 'one'],
    ['of two the one that is named', `${block('one')}\n\n01-plan.md:\n${block('two')}`, 'two'],
    ['other code is no report', `${block('x', 'js')}\n\n${block('y')}`, 'y'],
  ])('%s', (_, output, expected) => {
    const { files, warnings } = extractReports(single, output);
    expect(files).toEqual([{ file: '01-plan.md', text: expected }]);
    expect(warnings).toEqual([]);
  });

  test('without a block the whole output, with a warning', () => {
    const { files, warnings } = extractReports(single, 'just text\n[STEP:0]');
    expect(files).toEqual([{ file: '01-plan.md', text: 'just text\n[STEP:0]' }]);
    expect(warnings.map(({ code }) => code)).toEqual(['report_unmatched']);
  });
});

describe('extractReports, several files', () => {
  test('by order, when nothing names them', () => {
    expect(taken(list, [block('a'), block('b'), block('c')].join('\n\n'))).toEqual({
      'summary.md': 'a',
      '01-scope.md': 'b',
      'decisions.md': 'c',
    });
  });

  test.each([
    ['headings', `## Scope\n${block('s')}\n\n## Summary\n${block('m')}`],
    ['headings in other letters', `### **SCOPE**\n\n${block('s')}\n\n2. summary:\n${block('m')}`],
    ['file names', `Written to \`01-scope.md\`:\n${block('s')}\n\n(summary.md)\n${block('m')}`],
    ['a label within a sentence', `Here is the scope, as asked:\n${block('s')}\n\nAnd the summary:\n${block('m')}`],
  ])('matched by %s, one stays unwritten with a warning', (_, output) => {
    const { files, warnings } = extractReports(list, output);
    expect(files).toEqual([
      { file: 'summary.md', text: 'm' },
      { file: '01-scope.md', text: 's' },
    ]);
    expect(warnings).toEqual([
      { code: 'report_missing', message: 'the output has no block for the report decisions.md: it was not written' },
    ]);
  });

  test('matched by the heading or comment inside the block', () => {
    const output = [block('# Scope\ns'), block('<!-- summary.md -->\nm')].join('\n\n');
    expect(taken(list, output)).toEqual({ 'summary.md': '<!-- summary.md -->\nm', '01-scope.md': '# Scope\ns' });
  });

  test('what is named goes first, the rest by order', () => {
    const output = [block('a'), `## Summary\n${block('m')}`, block('b')].join('\n\n');
    expect(taken(list, output)).toEqual({ 'summary.md': 'm', '01-scope.md': 'a', 'decisions.md': 'b' });
  });

  test('a file name within a longer one does not count', () => {
    const spec: ReportSpec = {
      form: 'list',
      files: [
        { label: 'A', name: 'scope.md' },
        { label: 'B', name: '01-scope.md' },
      ],
    };
    expect(taken(spec, `01-scope.md\n${block('b')}\n\nscope.md\n${block('a')}`)).toEqual({
      'scope.md': 'a',
      '01-scope.md': 'b',
    });
  });

  test('no block at all: the whole output is the first file, each other is missing', () => {
    const { files, warnings } = extractReports(list, 'text');
    expect(files).toEqual([{ file: 'summary.md', text: 'text' }]);
    expect(warnings.map(({ code }) => code)).toEqual(['report_unmatched', 'report_missing', 'report_missing']);
  });

  test('names in the output never make files', () => {
    const output = `../../etc/passwd\n${block('x', 'markdown ../../etc/passwd')}`;
    expect(Object.keys(taken(list, output))).toEqual(['summary.md']);
  });
});
