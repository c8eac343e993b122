import { describe, expect, test } from 'vitest';
import { needsServers, tallyReport } from '../../../scripts/test-report.ts';

describe('tallyReport', () => {
  test('counts passed, failed and skipped tests', () => {
    const report = {
      numPassedTests: 5,
      numFailedTests: 2,
      numPendingTests: 1,
      testResults: [{ status: 'failed', assertionResults: [{}, {}] }],
    };

    expect(tallyReport(report)).toEqual({ passed: 5, failed: 2, skipped: 1 });
  });

  test('counts a file that failed before its tests were known as a failed test', () => {
    const report = {
      numPassedTests: 5,
      numFailedTests: 0,
      numPendingTests: 0,
      testResults: [
        { status: 'failed', assertionResults: [] },
        { status: 'passed', assertionResults: [{}] },
      ],
    };

    expect(tallyReport(report)).toEqual({ passed: 5, failed: 1, skipped: 0 });
  });

  test('refuses what is no report', () => {
    expect(() => tallyReport({ tests: 3 })).toThrow(/numPassedTests/);
  });
});

describe('needsServers', () => {
  test.each([
    [['--project', 'unit'], false],
    [['--project=unit'], false],
    [['tests/unit/domain/score.test.ts'], false],
    [['tests/unit/a.test.ts', 'tests/services/b.test.ts'], true],
    [['--project', 'unit', '--project', 'services'], true],
    [['-t', 'score'], true],
    [[], true],
  ])('%j: %s', (args, expected) => {
    expect(needsServers(args)).toBe(expected);
  });
});
