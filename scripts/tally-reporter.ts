/** Counts for `npm test`, in the shape of vitest's JSON report, which would announce itself among the results. Into TEST_REPORT_FILE. */
import { writeFile } from 'node:fs/promises';
import type { Reporter, TestModule } from 'vitest/node';

// vitest takes the default export of a reporter's file.
// biome-ignore lint/style/noDefaultExport: see above.
export default class TallyReporter implements Reporter {
  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const file = process.env['TEST_REPORT_FILE'];
    if (file === undefined) return;
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
    const count = (...wanted: string[]): number => states.filter((state) => wanted.includes(state)).length;
    const testResults = modules.map((module) => ({
      status: module.state() === 'failed' ? 'failed' : 'passed',
      assertionResults: [...module.children.allTests()].map((test) => test.fullName),
    }));
    const report = {
      numPassedTests: count('passed'),
      numFailedTests: count('failed'),
      numPendingTests: count('skipped', 'pending'),
      testResults,
    };
    await writeFile(file, JSON.stringify(report));
  }
}
