/** Where a local run keeps the reports that its movements write. */
export interface ReportStore {
  /**
   * Makes the run's folder and answers its name: `name`, or with a number behind it where that is taken.
   * @throws PermanentFailure `reports_unwritable`.
   */
  begin(name: string): Promise<string>;
  /**
   * Writes a report; the earlier version of a file stays beside it as `FILE.1`, `FILE.2`, …, the oldest first. `file` is a plain name:
   * nothing is ever written outside the run's folder. @throws PermanentFailure `reports_unwritable`.
   */
  write(file: string, text: string): Promise<void>;
}
