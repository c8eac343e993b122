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

export interface RepositorySnapshot {
  readonly commit: string;
  readonly fileCount: number;
  /** What of the repository is not in the snapshot (cut files, links), in sentences; empty or absent when all is. */
  readonly notes?: readonly string[];
  /** Files below `under` (a folder, '' for all), sorted by path, at most `limit`; `more` says whether some were left out. */
  list(options: { under?: string; limit: number }): { files: RepositoryFile[]; more: boolean };
  file(path: string): RepositoryFile | null;
  /** What stands at a path where no listed file stands: no new file can be made there as it is. Null: nothing, or a listed file. */
  otherAt(path: string): 'link' | 'folder' | 'unlisted' | 'below_file' | null;
  /** Lines `startLine`–`endLine` (1-based, inclusive, clamped); null: no such text file. */
  read(
    path: string,
    startLine: number,
    endLine: number,
  ): { text: string; startLine: number; endLine: number; totalLines: number } | null;
  /** Full-text search over words (identifiers are also split at case and underscores), best first. */
  search(query: string, limit: number): SearchHit[];
  symbols(name: string, limit: number): SymbolHit[];
  symbolsOf(path: string): SymbolHit[];
}

export interface RepositoryPort {
  /** The snapshot, built at most once a project and commit at a time; `PermanentFailure('repository_missing')` when there is none. */
  snapshot(projectId: number, commit: string, options?: { signal?: AbortSignal }): Promise<RepositorySnapshot>;
}
