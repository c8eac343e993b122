/** A command of `planwright`. `run` answers the exit code: 0 done, 1 refused or failed, 2 called wrongly. */
export interface Command {
  usage: string;
  summary: string;
  /** It has commands of its own below it and answers `--help` itself. */
  nested?: true;
  run(args: string[]): Promise<number>;
}
