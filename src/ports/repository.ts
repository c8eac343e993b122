/** The repository at one pinned commit (spec 2: What agents may read). Read-only; a second run on the same commit reuses the snapshot. */

export interface RepositoryFile {
  path: string;
  /** Bytes. */
  size: number;
  /** Lines of text; 0 for binary files, which can be listed but not read. */
  lines: number;
  binary: boolean;
}

export interface SearchHit {
  path: string;
  /** 1-based line of the best match in the file. */
  line: number;
  /** The line with one before and after, as `N: text` lines. */
  excerpt: string;
  /** Higher is better; comparable within one answer. */
  score: number;
  /** What speaks for the file, in short phrases; absent when the search has no reasons to give. */
  why?: readonly string[];
}

export interface SymbolHit {
  name: string;
  kind: 'function' | 'class' | 'interface' | 'type' | 'method' | 'constant' | 'table' | 'heading' | 'other';
  path: string;
  startLine: number;
  endLine: number;
}

/** Where a name stands in code; found by parsing, so not in comments and texts (in languages without a grammar: as a word). */
export interface ReferenceHit {
  path: string;
  /** 1-based. */
  line: number;
  kind: 'definition' | 'call' | 'import' | 'use';
  /** The line, without the blanks around it. */
  text: string;
}

/** A line that holds a text or fits a regular expression. */
export interface FindHit {
  path: string;
  /** 1-based. */
  line: number;
  text: string;
}

export interface FindOptions {
  /** Looked for as it stands, or a regular expression of JavaScript, line by line. */
  pattern: string;
  regexp: boolean;
  ignoreCase?: boolean;
  /** Only files that fit this glob. */
  glob?: string;
  limit: number;
  signal?: AbortSignal;
}

export interface RepositorySnapshot {
  readonly commit: string;
  readonly fileCount: number;
  /** What of the repository is not in the snapshot (cut files, links), in sentences; empty or absent when all is. */
  readonly notes?: readonly string[];
  /** Files below `under` (a folder, '' for all) that fit `glob` (`*`, `**`, `?`, `[a-z]`, `{a,b}`; without a slash any name), sorted by path, at most `limit`; `more` says whether some were left out. */
  list(options: { under?: string; glob?: string; limit: number }): { files: RepositoryFile[]; more: boolean };
  file(path: string): RepositoryFile | null;
  /** What stands at a path where no listed file stands: no new file can be made there as it is. Null: nothing, or a listed file. */
  otherAt(path: string): 'link' | 'folder' | 'unlisted' | 'below_file' | null;
  /** Lines `startLine`–`endLine` (1-based, inclusive, clamped); null: no such text file. */
  read(
    path: string,
    startLine: number,
    endLine: number,
  ): { text: string; startLine: number; endLine: number; totalLines: number } | null;
  /** The files that a few words or a whole issue (its first line the title) are about, best first; names, paths and traces count. */
  search(query: string, limit: number): SearchHit[];
  symbols(name: string, limit: number): SymbolHit[];
  symbolsOf(path: string): SymbolHit[];
  /** Where a name is defined, called, imported and used, definitions first; `more`: not all files were looked at, or more hits than `limit`. */
  references(name: string, limit: number): Promise<{ references: ReferenceHit[]; more: boolean }>;
  /**
   * Lines with a text or fitting a regular expression, by path. Throws `PermanentFailure` with `pattern_invalid`, or `pattern_too_slow`
   * for an expression that takes longer than its bound.
   */
  find(options: FindOptions): Promise<{ hits: FindHit[]; more: boolean }>;
  /**
   * The files that matter most with what they define, as text of at most about `tokens` tokens; with `about` those that it is about.
   * `files` is how many are shown.
   */
  map(options: { tokens: number; about?: string }): { text: string; files: number };
}

export interface RepositoryPort {
  /** The snapshot, built at most once a project and commit at a time; `PermanentFailure('repository_missing')` when there is none. */
  snapshot(projectId: number, commit: string, options?: { signal?: AbortSignal }): Promise<RepositorySnapshot>;
}
