import { describe, expect, test } from 'vitest';
import { CHECK_CODES, checkWorkplan, failedChecks } from '../../../../src/domain/workplan/checks.ts';
import type { OtherEntry, PlanFacts } from '../../../../src/domain/workplan/plan-facts.ts';
import type { Workplan } from '../../../../src/domain/workplan/schema.ts';
import { plan, unit } from './plans.ts';

const FILES: Record<string, number> = { 'src/orders.ts': 10, 'src/app.ts': 3 };
const OTHERS: Record<string, OtherEntry> = { src: 'folder', current: 'link', 'huge.bin': 'unlisted' };
const FACTS: PlanFacts = {
  fileLines: (path) => FILES[path] ?? null,
  otherAt: (path) => OTHERS[path] ?? (path.startsWith('src/app.ts/') ? 'below_file' : null),
  answered: new Set(['background']),
  asked: new Set(['background']),
};
/** Asked, and nobody answered. */
const OPEN: PlanFacts = { ...FACTS, asked: new Set(['background', 'format']) };
const finding = (path: string, startLine: number, endLine: number) => ({ text: 'Here.', path, startLine, endLine });

test('a good plan passes every check', () => {
  const checks = checkWorkplan(plan(), FACTS);
  expect(failedChecks(checks)).toEqual([]);
  expect(checks.map((check) => check.code)).toEqual(CHECK_CODES);
});

const ANSWER = { text: 'Export in the background.', questionId: 'background', confirmed: true };

test('a question that nobody answered needs its assumption', () => {
  const failed = failedChecks(checkWorkplan(plan(), OPEN));
  expect(failed.map((check) => [check.code, check.message])).toEqual([
    ['questions_decided', expect.stringMatching(/nobody eligible answered format.*confirmed false/)],
  ]);
});

test.each([
  ['./src/app.ts', 'src/app.ts'],
  ['src//app.ts', 'src/app.ts'],
  ['src/x/../app.ts', 'src/app.ts'],
  ['src/./app.ts', 'src/app.ts'],
  ['/src/app.ts', 'src/app.ts'],
  ['src\\app.ts', 'src/app.ts'],
  ['src/new/', 'src/new'],
])('a new file %s is written oddly, whether it exists or not', (path, canonical) => {
  const units = [unit('A', { covers: ['R1', 'R2'], files: [{ path, state: 'new' }] })];
  const failed = failedChecks(checkWorkplan(plan({ units }), FACTS));
  expect(failed.map((check) => [check.code, check.message])).toEqual([
    ['paths_canonical', `unit A, files: ${path} is written oddly; write ${canonical}.`],
  ]);
});

test.each(['../app.ts', 'src/../../app.ts', '.', '/'])('a path %s leads out of the repository', (path) => {
  const units = [unit('A', { covers: ['R1', 'R2'], files: [{ path, state: 'new' }] })];
  const failed = failedChecks(checkWorkplan(plan({ units }), FACTS));
  expect(failed.map((check) => check.message)).toEqual([expect.stringMatching(/no path inside the repository/)]);
});

describe('what fails', () => {
  const two = (a: Parameters<typeof unit>[1], b: Parameters<typeof unit>[1] = {}): Partial<Workplan> => ({
    units: [unit('A', { covers: ['R1', 'R2'], ...a }), unit('B', { covers: ['R1'], ...b })],
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
    ['a unit that waits for itself', two({ dependsOn: ['A'] }), 'no_cycle', /A, dependsOn: it names itself/],
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
      { decisions: [ANSWER, { text: 'x', questionId: 'price', confirmed: false }] },
      'decisions_asked',
      /price/,
    ],
    [
      'a decision confirmed without an answer',
      { decisions: [ANSWER, { text: 'x', questionId: 'format', confirmed: true }] },
      'decisions_answered',
      /nobody eligible answered format/,
    ],
    [
      'a decision confirmed without a question',
      { decisions: [ANSWER, { text: 'x', confirmed: true }] },
      'decisions_answered',
      /names no question/,
    ],
    [
      'a new file at a link',
      two({ files: [{ path: 'current', state: 'new' }] }),
      'new_files',
      /current is called new, but there is a link/,
    ],
    [
      'a new file at a folder',
      two({ files: [{ path: 'src', state: 'new' }] }),
      'new_files',
      /src is called new, but there is a folder/,
    ],
    [
      'a new file at one that the snapshot does not list',
      two({ files: [{ path: 'huge.bin', state: 'new' }] }),
      'new_files',
      /huge.bin is called new, but it exists/,
    ],
    [
      'a new file below a file',
      two({ files: [{ path: 'src/app.ts/x.ts', state: 'new' }] }),
      'new_files',
      /src\/app.ts\/x.ts.*its folder is a file/,
    ],
    ['an existing file that is a folder', two({ files: [{ path: 'src', state: 'existing' }] }), 'files_exist', /src/],
    ['an answer without a decision', { decisions: [] }, 'questions_decided', /background was answered; add a decision/],
    [
      'an answer that is called an assumption',
      { decisions: [{ ...ANSWER, confirmed: false }] },
      'questions_decided',
      /background was answered/,
    ],
    [
      'a path written oddly in a finding',
      { findings: [finding('./src/orders.ts', 1, 1)] },
      'paths_canonical',
      /findings\[0\], path: .*write src\/orders.ts/,
    ],
  ])('%s', (_name, changes, code, message) => {
    const facts = code === 'decisions_answered' ? OPEN : FACTS;
    const failed = failedChecks(checkWorkplan(plan(changes), facts));
    expect(failed.filter((check) => check.code === code).map((check) => check.message)).toEqual([
      expect.stringMatching(message),
    ]);
  });
});

const EXISTING = unit('A', {
  covers: ['R1', 'R2'],
  files: [
    { path: 'current', state: 'existing' },
    { path: 'huge.bin', state: 'existing' },
  ],
});

describe('what holds', () => {
  test('an assumption on a question that nobody answered', () => {
    const decisions = [ANSWER, { text: 'x', questionId: 'format', confirmed: false }];
    expect(failedChecks(checkWorkplan(plan({ decisions }), OPEN))).toEqual([]);
  });

  test.each<[string, Partial<Workplan>]>([
    ['the last line of a file', { findings: [finding('src/orders.ts', 10, 10)] }],
    ['an existing file that a unit before creates', {}],
    ['an assumption without a question', { decisions: [ANSWER, { text: 'x', confirmed: false }] }],
    ['a link and a file that is not listed, called existing', { units: [EXISTING] }],
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
      unit('B', { covers: ['R1'], parallelWith: ['A'], files }),
    ];
    expect(failedChecks(checkWorkplan(plan({ units }), FACTS))).toHaveLength(1);
  });
});
