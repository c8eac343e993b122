/** Every check of a Workplan with a plan that fails it, what the planner is told, and the corrected plan. */
import { expect, test } from 'vitest';
import { CHECK_CODES, checkWorkplan, failedChecks } from '../../../../src/domain/workplan/checks.ts';
import { FILE_ROWS } from './check-rows/files.ts';
import { decided, existing, FACTS, finding, good, made, sourced, units } from './check-rows/parts.ts';
import { UNIT_ROWS } from './check-rows/units.ts';
import { unit } from './plans.ts';

const TABLE = [...UNIT_ROWS, ...FILE_ROWS];

test.each(TABLE)('%s: %s', (code, _what, wrong, told, right) => {
  const failed = failedChecks(checkWorkplan(good(wrong), FACTS));
  expect(failed.filter((check) => check.code === code).map((check) => check.message)).toContainEqual(
    expect.stringMatching(told),
  );
  expect(failedChecks(checkWorkplan(good(right), FACTS))).toEqual([]);
});

test('every check is in the table', () => {
  expect([...new Set(TABLE.map(([code]) => code))].toSorted()).toEqual([...CHECK_CODES].toSorted());
});

test('a contradiction on one question is told once', () => {
  const again = { text: 'x', questionId: 'background', confirmed: false };
  const failed = failedChecks(checkWorkplan(good(decided(again, again)), FACTS));
  expect(failed.filter(({ code }) => code === 'decisions_consistent')).toHaveLength(1);
});

test('without repository and questions what needs them is not looked at', () => {
  const wrong = good({
    ...units({ files: existing('none.ts') }),
    ...finding({ path: 'none.ts' }),
    decisions: [{ text: 'x', questionId: 'price', confirmed: true }],
    ...sourced('answer:price'),
  });
  const checks = checkWorkplan(wrong, FACTS, { files: false, questions: false });
  expect(failedChecks(checks)).toEqual([]);
  expect(CHECK_CODES.filter((code) => !checks.some((check) => check.code === code))).toEqual([
    'sources_answered',
    'findings_exist',
    'findings_pinned',
    'files_exist',
    'new_files',
    'decisions_asked',
    'decisions_answered',
    'questions_decided',
  ]);
});

test('a file that is made twice in one unit is told once', () => {
  const twice = good(units({ files: [...made('n.ts'), ...made('n.ts')] }));
  expect(failedChecks(checkWorkplan(twice, FACTS)).map(({ code }) => code)).toEqual(['new_once']);
});

test('another case is excused by the file it renames alone', () => {
  const other = good(units({ files: [...made('docs/guide.md'), ...existing('src/app.ts')] }));
  const both = good(units({ files: made('docs/guide.md', 'docs/Guide.md') }));
  expect(failedChecks(checkWorkplan(other, FACTS)).map(({ code }) => code)).toEqual(['new_files']);
  expect(failedChecks(checkWorkplan(both, FACTS)).map(({ code }) => code)).toEqual([
    'new_files',
    'new_files',
    'new_once',
  ]);
});

test('one unit that needs it is enough for a unit that covers nothing', () => {
  const all = [unit('A', { covers: ['R1'], dependsOn: ['C'] }), unit('B', { covers: ['R2'] }), unit('C')];
  expect(failedChecks(checkWorkplan(good({ units: all }), FACTS))).toEqual([]);
});
