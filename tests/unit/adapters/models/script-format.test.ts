import { expect, test } from 'vitest';
import { parseScript, ScriptError } from '../../../../src/adapters/models/script-format.ts';

function problemsOf(text: string): string[] {
  try {
    parseScript(text, 'script.yaml');
  } catch (error) {
    if (error instanceof ScriptError) return error.problems;
    throw error;
  }
  return [];
}

test('every kind of entry is read', () => {
  const text = `
- output: "First. [STEP:0]"
- movement: plan
  tools: [{name: item_read}, {name: repo_read, input: {path: a.ts}}]
  output: |
    Second.
- {movement: plan, error: it broke}
- {judge: review, answer: -1}
- {judge: loop_judge, error: no answer}
- {input: yes}
- {input: approve}
`;

  expect(parseScript(text, 'script.yaml')).toEqual([
    { kind: 'agent', index: 0, movement: null, tools: [], answer: { output: 'First. [STEP:0]' } },
    {
      kind: 'agent',
      index: 1,
      movement: 'plan',
      tools: [
        { name: 'item_read', input: {} },
        { name: 'repo_read', input: { path: 'a.ts' } },
      ],
      answer: { output: 'Second.\n' },
    },
    { kind: 'agent', index: 2, movement: 'plan', tools: [], answer: { error: 'it broke' } },
    { kind: 'judge', index: 3, judge: 'review', answer: { rule: -1 } },
    { kind: 'judge', index: 4, judge: 'loop_judge', answer: { error: 'no answer' } },
    { kind: 'input', index: 5, text: 'yes' },
    { kind: 'input', index: 6, text: 'approve' },
  ]);
});

test('an empty list is a script', () => {
  expect(parseScript('[]', 'script.yaml')).toEqual([]);
});

test('every problem is told with its line', () => {
  const text = `- {movement: plan}
- output: fine
- {output: a, error: b}
- {judge: review, answer: -2}
- {judge: review, answer: 1, output: x}

- {ouput: typo}
- just text
- {tools: [{input: {}}], output: a}
- {output: 5}
`;

  expect(problemsOf(text)).toEqual([
    'script.yaml:1: entry 1: expected either output or error',
    'script.yaml:3: entry 3: expected either output or error',
    'script.yaml:4: entry 4: answer: Too small: expected number to be >=-1',
    'script.yaml:5: entry 5: Unrecognized key: "output"',
    'script.yaml:7: entry 6: Unrecognized key: "ouput"',
    'script.yaml:7: entry 6: expected either output or error',
    'script.yaml:8: entry 7: expected {movement?, output}, {judge, answer} or {input}, got a string',
    'script.yaml:9: entry 8: tools.0.name: expected string, received undefined',
    'script.yaml:10: entry 9: output: expected string, received number',
  ]);
});

test.each([
  ['an object', 'output: a', 'script.yaml:1: expected a list of entries, got an object'],
  ['an empty file', '', 'script.yaml:1: expected a list of entries, got nothing'],
])('%s is no script', (_case, text, problem) => {
  expect(problemsOf(text)).toEqual([problem]);
});

test('broken YAML is told with its line', () => {
  expect(problemsOf('- output: a\n- output: "b\n')).toEqual([expect.stringMatching(/^script\.yaml:[23]: /)]);
});

test('an alias bomb is refused', () => {
  const bomb = `- &a {output: x}\n- &b [${'*a,'.repeat(40)}]\n- &c [${'*b,'.repeat(40)}]\n- [${'*c,'.repeat(40)}]\n`;

  expect(problemsOf(bomb)).toEqual([expect.stringContaining('alias')]);
});
