import { describe, expect, test } from 'vitest';
import { checkWorkplan, failedChecks, type PlanFacts } from '../../../../src/domain/workplan/checks.ts';
import type { Workplan } from '../../../../src/domain/workplan/schema.ts';
import { plan, unit } from './plans.ts';

const FILES: Record<string, number> = { 'src/orders.ts': 10, 'src/app.ts': 3 };
const FACTS: PlanFacts = {
  fileLines: (path) => FILES[path] ?? null,
  answered: new Set(['background']),
  asked: new Set(['background', 'format']),
};
const finding = (path: string, startLine: number, endLine: number) => ({ text: 'Here.', path, startLine, endLine });

test('a good plan passes every check', () => {
  const checks = checkWorkplan(plan(), FACTS);
  expect(failedChecks(checks)).toEqual([]);
  expect(checks.map((check) => check.code)).toHaveLength(11);
});

describe('what fails', () => {
  const two = (a: Parameters<typeof unit>[1], b: Parameters<typeof unit>[1] = {}): Partial<Workplan> => ({
    units: [unit('A', { covers: ['R1', 'R2'], ...a }), unit('B', b)],
  });
  test.each<[string, Partial<Workplan>, string, RegExp]>([
    [
      'a requirement without a unit',
      { units: [unit('A', { covers: ['R1'] })] },
      'requirements_covered',
      /R2.*add it to the covers/,
    ],
    ['an unknown requirement', two({ covers: ['R1', 'R2', 'R9'] }), 'references_exist', /unit A, covers:.*R9/],
    ['an unknown dependency', two({ dependsOn: ['Z'] }), 'references_exist', /unit A, dependsOn:.*Z/],
    ['an unknown parallel unit', two({ parallelWith: ['Z'] }), 'references_exist', /unit A, parallelWith:.*Z/],
    [
      'a requirement id twice',
      { requirements: ['R1', 'R1', 'R2'].map((id) => ({ id, text: 'x', source: 'description' })) },
      'unique_ids',
      /R1/,
    ],
    ['a unit id twice', { units: [unit('A', { covers: ['R1', 'R2'] }), unit('A')] }, 'unique_ids', /the id A/],
    ['a unit that waits for itself', two({ dependsOn: ['A'] }), 'no_cycle', /A → A/],
    ['two units that wait for each other', two({ dependsOn: ['B'] }, { dependsOn: ['A'] }), 'no_cycle', /A → B → A/],
    [
      'a long cycle behind a unit that is not on it',
      {
        units: [
          unit('A', { covers: ['R1', 'R2'], dependsOn: ['B'] }),
          unit('B', { dependsOn: ['C'] }),
          unit('C', { dependsOn: ['D'] }),
          unit('D', { dependsOn: ['B'] }),
        ],
      },
      'no_cycle',
      /B → C → D → B/,
    ],
    [
      'a parallel unit it depends on',
      two({ parallelWith: ['B'], dependsOn: ['B'] }),
      'parallel_independent',
      /A depends on B/,
    ],
    [
      'a parallel unit that depends on it',
      two({ parallelWith: ['B'] }, { dependsOn: ['A'] }),
      'parallel_independent',
      /B depends on A/,
    ],
    [
      'a parallel unit that depends on it through another',
      {
        units: [
          unit('A', { covers: ['R1', 'R2'], parallelWith: ['C'] }),
          unit('B', { dependsOn: ['A'] }),
          unit('C', { dependsOn: ['B'] }),
        ],
      },
      'parallel_independent',
      /C depends on A/,
    ],
    ['a unit beside itself', two({ parallelWith: ['A'] }), 'parallel_independent', /names itself/],
    [
      'parallel units with a file in common',
      two(
        { parallelWith: ['B'], files: [{ path: 'src/app.ts', state: 'existing' }] },
        { files: [{ path: './src/app.ts', state: 'existing' }] },
      ),
      'parallel_files',
      /A and B both touch src\/app.ts/,
    ],
    [
      'a cited file that is not there',
      { findings: [finding('src/none.ts', 1, 1)] },
      'findings_exist',
      /findings\[0\], path:.*src\/none.ts/,
    ],
    [
      'a cited line that is not there',
      { findings: [finding('src/orders.ts', 1, 11)] },
      'findings_exist',
      /has 10 lines, not 11/,
    ],
    [
      'cited lines in the wrong order',
      { findings: [finding('src/orders.ts', 4, 2)] },
      'findings_exist',
      /startLine 4 is after endLine 2/,
    ],
    [
      'an existing file that is not there',
      two({ files: [{ path: 'src/none.ts', state: 'existing' }] }),
      'files_exist',
      /unit A, files: src\/none.ts/,
    ],
    [
      'a file that a later unit creates',
      two({ files: [{ path: 'n.ts', state: 'existing' }] }, { files: [{ path: 'n.ts', state: 'new' }] }),
      'files_exist',
      /n.ts/,
    ],
    [
      'a new file that is there',
      two({ files: [{ path: 'src/app.ts', state: 'new' }] }),
      'new_files',
      /unit A, files: src\/app.ts is called new/,
    ],
    [
      'a decision on a question nobody asked',
      { decisions: [{ text: 'x', questionId: 'price', confirmed: false }] },
      'decisions_asked',
      /price/,
    ],
    [
      'a decision confirmed without an answer',
      { decisions: [{ text: 'x', questionId: 'format', confirmed: true }] },
      'decisions_answered',
      /nobody eligible answered format/,
    ],
    [
      'a decision confirmed without a question',
      { decisions: [{ text: 'x', confirmed: true }] },
      'decisions_answered',
      /names no question/,
    ],
  ])('%s', (_name, changes, code, message) => {
    const failed = failedChecks(checkWorkplan(plan(changes), FACTS));
    expect(failed.filter((check) => check.code === code).map((check) => check.message)).toEqual([
      expect.stringMatching(message),
    ]);
  });
});

describe('what holds', () => {
  test.each<[string, Partial<Workplan>]>([
    ['the last line of a file', { findings: [finding('src/orders.ts', 10, 10)] }],
    ['an existing file that a unit before creates', {}],
    ['an assumption without a question', { decisions: [{ text: 'x', confirmed: false }] }],
    ['an assumption on an asked question', { decisions: [{ text: 'x', questionId: 'format', confirmed: false }] }],
    [
      'parallel units with own files, said on one side',
      { units: [unit('A', { covers: ['R1'], parallelWith: ['B'] }), unit('B', { covers: ['R2'] })] },
    ],
    [
      'parallel units after the same one',
      {
        units: [
          unit('Z'),
          unit('A', { covers: ['R1'], parallelWith: ['B'], dependsOn: ['Z'] }),
          unit('B', { covers: ['R2'], parallelWith: ['A'], dependsOn: ['Z'] }),
        ],
      },
    ],
  ])('%s', (_name, changes) => {
    expect(failedChecks(checkWorkplan(plan(changes), FACTS))).toEqual([]);
  });

  test('a pair said on both sides fails once', () => {
    const files = [{ path: 'src/app.ts', state: 'existing' as const }];
    const units = [
      unit('A', { covers: ['R1', 'R2'], parallelWith: ['B'], files }),
      unit('B', { parallelWith: ['A'], files }),
    ];
    expect(failedChecks(checkWorkplan(plan({ units }), FACTS))).toHaveLength(1);
  });
});
