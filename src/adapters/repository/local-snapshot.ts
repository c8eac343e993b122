import { realpath, stat } from 'node:fs/promises';
import type { Clock } from '../../ports/clock.ts';
import { PermanentFailure } from '../../ports/failures.ts';
import { defaultLimits } from './archive.ts';
import { buildSnapshot } from './build.ts';
import { folderFiles } from './folder.ts';
import { openGit } from './git.ts';
import { type OpenSnapshot, openSnapshot } from './snapshot.ts';

export interface LocalSnapshotOptions {
  /** A git repository (bare too) or a plain folder. */
  folder: string;
  /** Any name of a commit, which must be there; null: the first of `preferred` that is there, else HEAD. */
  at: string | null;
  preferred?: readonly string[];
  clock: Clock;
  signal?: AbortSignal;
}

/**
 * A snapshot of a local repository, in memory; `commit` is empty for a plain folder, whose files are read as they are. Nothing of it is
 * executed. Throws `folder_missing`, `no_git_repository`, `commit_missing`.
 */
export async function openLocalSnapshot(options: LocalSnapshotOptions): Promise<OpenSnapshot> {
  const { at, clock, preferred = [] } = options;
  const signal = options.signal ?? new AbortController().signal;
  const facts = await stat(options.folder).catch(() => null);
  if (!facts?.isDirectory())
    throw new PermanentFailure('folder_missing', `expected the folder of a repository, got ${options.folder}`);
  const folder = await realpath(options.folder);
  const git = await openGit(folder, signal);
  if (git === null && at !== null)
    throw new PermanentFailure('no_git_repository', `${options.folder} is no git repository: it has no commit ${at}`);
  const commit = git ? await commitOf(git, at, preferred) : '';
  const database = await buildSnapshot({
    location: ':memory:',
    projectId: 0,
    commit,
    entries: (leftOut) =>
      git ? git.entries(commit, defaultLimits, leftOut) : folderFiles(folder, defaultLimits, leftOut),
    limits: defaultLimits,
    clock,
    signal,
  });
  return openSnapshot(database);
}

type Git = NonNullable<Awaited<ReturnType<typeof openGit>>>;

async function commitOf(git: Git, at: string | null, preferred: readonly string[]): Promise<string> {
  if (at !== null) return git.commit(at);
  for (const name of preferred) {
    const found = await git.commit(name).catch(() => null);
    if (found !== null) return found;
  }
  return git.commit('HEAD');
}
