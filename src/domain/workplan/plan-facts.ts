/** What code knows of the repository and of the questions when it checks a Workplan. */

/** A link, a folder, a file that is too much for the snapshot, or a path below a file. */
export type OtherEntry = 'link' | 'folder' | 'unlisted' | 'below_file';

export interface PlanFacts {
  /** Number of lines of a file at the run's commit; null: there is no such file. */
  fileLines(path: string): number | null;
  /** What stands at a path that is no file which can be read there; null or absent: nothing. */
  otherAt?(path: string): OtherEntry | null;
  /** Ids of questions an eligible person answered, and of all that were asked. */
  answered: ReadonlySet<string>;
  asked: ReadonlySet<string>;
}
