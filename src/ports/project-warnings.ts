/** What is wrong around a project that an operator or a Maintainer can repair, for the status to show. */

export interface RaisedWarning {
  /** `labels_refused`, `token_expires`. */
  code: string;
  /** What belongs to it, e.g. the day a token expires. */
  detail: string;
  /** When it was raised last, ISO 8601. */
  at: string;
}

/** The whole service instead of one project. */
export const EVERY_PROJECT = 0;

export interface ProjectWarnings {
  /** A new or changed one raises the version of the project's live runs: people see it. */
  raise(warning: { projectId: number; code: string; detail: string }): Promise<void>;
  clear(projectId: number, code: string): Promise<void>;
  /** Those of the project and of the whole service. */
  of(projectId: number): Promise<RaisedWarning[]>;
}
