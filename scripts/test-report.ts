import { z } from 'zod';

/** How many tests ended how. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

const Report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
});

/** Counts the tests of vitest's JSON report. A file that failed before its tests were known counts as one failed test. */
export function tallyReport(value: unknown): Tally {
  const report = Report.parse(value);
  const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests,
  };
}

/** False when the arguments choose unit tests only, which need no server. */
export function needsServers(args: readonly string[]): boolean {
  const projects: string[] = [];
  const files: string[] = [];
  for (let n = 0; n < args.length; n += 1) {
    const arg = args[n] ?? '';
    if (arg.startsWith('--project=')) projects.push(arg.slice('--project='.length));
    else if (arg === '--project') projects.push(args[++n] ?? '');
    else if (!arg.startsWith('-')) files.push(arg);
  }
  const onlyUnitLane = projects.length > 0 && projects.every((name) => name === 'unit');
  const onlyUnitFiles = files.length > 0 && files.every((name) => name.includes('tests/unit/'));
  return !onlyUnitLane && !onlyUnitFiles;
}
