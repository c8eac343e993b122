/** What code knows of the repository and of the questions when it checks a Workplan. */

/** A link, a folder, a file that is too much for the snapshot, or a path below a file. */
export type OtherEntry = 'link' | 'folder' | 'unlisted' | 'below_file';

export interface PlanFacts {
  /** Number of lines of a file at the run's commit; null: there is no such file. */
  fileLines(path: string): number | null;
  /** What stands at a path that is no file which can be read there; null or absent: nothing. */
  otherAt?(path: string): OtherEntry | null;
  /** The path as the repository spells it, where only upper and lower case (or the form of an accent) differ; null or absent: no such path. */
  spelled?(path: string): string | null;
  /** The commit that the run is pinned to; null or absent: not known. */
  commit?: string | null;
  /** The project's web address; null or absent: not known. */
  projectUrl?: string | null;
  /** Ids of questions an eligible person answered, and of all that were asked. */
  answered: ReadonlySet<string>;
  asked: ReadonlySet<string>;
}
