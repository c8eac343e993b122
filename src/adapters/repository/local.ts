import { realpath, stat } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../ports/clock.ts';
import { PermanentFailure } from '../../ports/failures.ts';
import { defaultLimits, type SnapshotLimits } from './archive.ts';
import { buildSnapshot } from './build.ts';
import { folderFiles } from './folder.ts';
import { openGit } from './git.ts';
import type { Commit } from './ranking/commits.ts';
import { createRankIndex } from './ranking/index-of.ts';
import { readQuestion } from './ranking/question.ts';
import { rank } from './ranking/rank.ts';
import { decodeText } from './text.ts';

/** A file that an issue is about; a higher score is better, comparable within one answer. */
export interface Located {
  path: string;
  score: number;
  why: string[];
}

export interface LocateOptions {
  /** A git repository (bare too) or a plain folder. */
  folder: string;
  /** The issue as bytes: text (its first line is the title), or JSON with `title` and `description` or `body`. */
  issue: Uint8Array;
  /** Any name of a commit; null: HEAD, or the files of a plain folder as they are. */
  at: string | null;
  top: number;
  clock: Clock;
  limits?: Partial<SnapshotLimits>;
  signal?: AbortSignal;
}

export interface LocateAnswer {
  /** Null for a plain folder. */
  commit: string | null;
  files: Located[];
  /** What was not looked at, in sentences. */
  notes: string[];
}

/** Files whose text is looked at again, as for an issue that an agent searches with. */
const CANDIDATES = 120;
/** Commits looked at; more say little of how the code is now. */
const COMMITS = 3_000;

/**
 * The files of a local repository that an issue is about, best first: the ranking of the agents' search by itself, with the
 * history on top where there is one. Reads git objects or files only; nothing of the repository is executed.
 */
export async function locate(options: LocateOptions): Promise<LocateAnswer> {
  const { clock, top } = options;
  const signal = options.signal ?? new AbortController().signal;
  const limits = { ...defaultLimits, ...options.limits };
  const folder = await folderOf(options.folder);
  const question = readQuestion(issueText(options.issue));
  const git = await openGit(folder, signal);
  if (git === null && options.at !== null)
    throw new PermanentFailure(
      'no_git_repository',
      `${options.folder} is no git repository: it has no commit to look at`,
    );
  const commit = git ? await git.commit(options.at ?? 'HEAD') : null;
  const commits: readonly Commit[] = git && commit ? await git.history(commit, COMMITS).catch(() => []) : [];
  const database = await buildSnapshot({
    location: ':memory:',
    projectId: 0,
    commit: commit ?? '',
    entries: (leftOut) => (git && commit ? git.entries(commit, limits, leftOut) : folderFiles(folder, limits, leftOut)),
    limits,
    clock,
    signal,
  });
  try {
    const index = createRankIndex((sql, ...values) => database.prepare(sql).all(...values));
    const ranked = rank(index, question, { limit: top, candidates: CANDIDATES, commits });
    return {
      commit,
      files: ranked.map(({ path, score, why }) => ({ path, score: Math.round(score * 10_000) / 10_000, why })),
      notes: notesIn(database),
    };
  } finally {
    database.close();
  }
}

async function folderOf(folder: string): Promise<string> {
  const facts = await stat(folder).catch(() => null);
  if (!facts?.isDirectory())
    throw new PermanentFailure('folder_missing', `expected the folder of a repository, got ${folder}`);
  return realpath(folder);
}

function issueText(bytes: Uint8Array): string {
  const text = decodeText(bytes);
  if (text === null) throw new PermanentFailure('issue_unreadable', 'the issue is no text');
  if (!text.trimStart().startsWith('{')) return text;
  try {
    const { title, description, body } = JSON.parse(text) as Record<string, unknown>;
    if (typeof title !== 'string') return text;
    const said = typeof description === 'string' ? description : typeof body === 'string' ? body : '';
    return `${title}\n\n${said}`;
  } catch {
    return text;
  }
}

function notesIn(database: DatabaseSync): string[] {
  const row = database.prepare("select value from meta where key = 'notes'").get();
  return JSON.parse(String(row?.['value'] ?? '[]'));
}
