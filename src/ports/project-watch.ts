/**
 * Projects in which runs were started, looked at now and then for what no event told (disabled hooks, silent mode), and what is wrong
 * with their events.
 */

/** State of the service's hook in a project, as GitLab told last; null: not known (the bot may not read hooks). */
export interface HookState {
  state: 'ok' | 'disabled' | 'missing';
  /** Until when a hook is disabled for a time, ISO 8601; null: for good, or not disabled. */
  until: string | null;
}

export interface WatchedProject {
  id: number;
  path: string;
  /** What changed before this was looked at, ISO 8601. */
  seenUntil: string;
  hook: HookState | null;
}

export interface ProjectSigns {
  hook: HookState | null;
  /** When something was found last that no delivery had told, ISO 8601; null: never. */
  missedAt: string | null;
}

export interface ProjectWatch {
  /** Takes over the projects of runs that were started since it was called last. */
  learn(): Promise<void>;
  /**
   * Takes projects to look at now: those with a live run or something going on within `recentMs`, looked at over `everyMs` ago, longest ago
   * first. Each is given to one taker only.
   */
  take(input: { limit: number; everyMs: number; recentMs: number }): Promise<WatchedProject[]>;
  /** What a look found. A change of the signs raises the version of the project's live runs: people see it. */
  looked(input: {
    projectId: number;
    seenUntil: string;
    /** Something was going on in it. */
    active: boolean;
    /** Null: could not be told; what was known stays. */
    hook: HookState | null;
    /** Something was found that no delivery had told. */
    missed: boolean;
  }): Promise<void>;
  signs(projectId: number): Promise<ProjectSigns>;
}
