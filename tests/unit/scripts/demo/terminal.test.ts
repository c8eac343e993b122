import { describe, expect, test } from 'vitest';
import { planInShort } from '../../../../scripts/demo/plan-text.ts';
import { noteForTerminal, questionForTerminal, wrap } from '../../../../scripts/demo/terminal.ts';

describe('a note on the terminal', () => {
  test.each([
    ['comments and tags', 'a<!-- x -->\n\n<sub>b</sub>', 'a\n\nb'],
    ['a table', '| A | B |\n| --- | --- |\n| 1 | x \\| y |', 'A  B\n1  x | y'],
    ['a graph', '```mermaid\ngraph LR\n```', '(a graph of the units)'],
    ['breaks and emphasis', '1. One ⭐ *recommended*\\\n   two', '1. One ⭐ recommended\n   two'],
    ['links', '[file](https://git.example/a_(b)#L1)', 'file'],
    ['escapes', 'a \\* b \\`c\\`', 'a * b `c`'],
  ])('has no marks left of %s', (_what, body, text) => {
    expect(noteForTerminal(body)).toBe(text);
  });

  test('a question does not say each time how to answer', () => {
    expect(questionForTerminal('#### Which?\n\n1. A\n\n**How to answer**\n\n- Reply\n\n<sub>Provider: x</sub>')).toBe(
      '#### Which?\n\n1. A',
    );
  });
});

describe('lines', () => {
  test('are broken at blanks and go on under their text', () => {
    expect(wrap('- one two three four', 10)).toEqual(['- one two', '  three', '  four']);
    expect(wrap('R10 one two three', 9)).toEqual(['R10 one', '    two', '    three']);
  });

  test('keep a word that is too long, and short lines as they are', () => {
    expect(wrap(`short\n${'x'.repeat(30)} y`, 10)).toEqual(['short', 'x'.repeat(30), 'y']);
  });
});

test('the plan in short has what one wants to see first', () => {
  const text = planInShort({
    goal: 'Goal.',
    requirements: [{ id: 'R1', text: 'Do it', source: { kind: 'description' } }] as never,
    findings: [],
    decisions: [{ text: 'A day', confirmed: false }],
    units: [
      {
        id: 'U1',
        title: 'Do',
        why: '',
        files: [
          { path: 'a.ts', state: 'existing' },
          { path: 'b.ts', state: 'new' },
        ],
        dependsOn: ['U0'],
        parallelWith: ['U2'],
        covers: ['R1'],
        acceptance: [],
        verify: [],
        size: 'S',
      },
    ],
    outOfScope: [],
    risks: [],
    openQuestions: [],
  });

  expect(text).toContain('R1 Do it');
  expect(text).toContain('- A day  (assumed)');
  expect(text).toContain('U1 Do  [S]\n   after U0; beside U2; covers R1\n   a.ts, b.ts (new)');
  expect(text).not.toContain('Risks');
});
