import type { Clock } from '../../ports/clock.ts';
import { PermanentFailure } from '../../ports/failures.ts';
import type { Log } from '../../ports/log.ts';
import type { RepositoryPort, RepositorySnapshot } from '../../ports/repository.ts';
import { archiveFiles, defaultLimits, type SnapshotLimits } from './archive.ts';
import { buildSnapshot } from './build.ts';
import { createShared } from './shared.ts';
import { createShelf } from './shelf.ts';
import { type OpenSnapshot, openSnapshot } from './snapshot.ts';
import { loadGrammars } from './symbols/grammars.ts';

export interface RepositoryOptions {
  /** The gzipped tar of a repository at a commit; throws `PermanentFailure('gitlab_not_found')` when there is none. */
  archive(projectId: number, commit: string, options: { signal: AbortSignal }): Promise<AsyncIterable<Uint8Array>>;
  /** Where snapshots are kept between runs; null: in memory only. */
  folder: string | null;
  /** As `ShelfOptions.makeFolder`. */
  makeFolder?: (folder: string) => Promise<void>;
  clock: Clock;
  log: Log;
  limits?: Partial<SnapshotLimits>;
  /** Snapshots held ready; others in use stay usable, others on disk are opened again. Default 4. */
  maxOpen?: number;
  /** Snapshots kept on disk, and their bytes together. Defaults 50 and 4 GiB. */
  maxKept?: number;
  maxKeptBytes?: number;
}

/** Full length, as runs pin it: a name that moves would make a snapshot of something else. */
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** Snapshots by archive, each one SQLite database with a full-text index; `close()` closes them all. */
export function createRepository(options: RepositoryOptions): RepositoryPort & { close(): Promise<void> } {
  const { clock, log } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const shelf = createShelf({
    folder: options.folder,
    ...(options.makeFolder ? { makeFolder: options.makeFolder } : {}),
    clock,
    maxKept: options.maxKept ?? 50,
    maxKeptBytes: options.maxKeptBytes ?? 4 * 1024 * 1024 * 1024,
  });
  const maxOpen = options.maxOpen ?? 4;
  /** Held ready, the longest unused first. */
  const ready = new Map<string, OpenSnapshot>();
  /** Whoever still works with a snapshot keeps it alive, also after it left `ready`. */
  const alive = new Map<string, WeakRef<OpenSnapshot>>();
  const building = createShared<OpenSnapshot>();

  async function snapshot(
    projectId: number,
    commit: string,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<RepositorySnapshot> {
    signal?.throwIfAborted();
    if (!COMMIT.test(commit)) {
      throw new PermanentFailure('repository_missing', 'A snapshot needs the full id of a commit');
    }
    const key = `${projectId}-${commit}`;
    const known = ready.get(key) ?? alive.get(key)?.deref();
    return keep(
      key,
      known ?? (await building.get(key, (shared) => openOrBuild(projectId, commit, key, shared), signal)),
    );
  }

  async function openOrBuild(
    projectId: number,
    commit: string,
    key: string,
    signal: AbortSignal,
  ): Promise<OpenSnapshot> {
    const kept = await shelf.open(key);
    if (kept) {
      log.debug({ projectId, commit }, 'Repository snapshot is reused');
      return await withGrammars(openSnapshot(kept));
    }
    const startedAt = clock.now().getTime();
    const place = await shelf.reserve(key);
    try {
      const archive = await archiveOf(projectId, commit, signal);
      const database = await buildSnapshot({
        location: place.location,
        projectId,
        commit,
        entries: (leftOut) => archiveFiles(archive, limits, leftOut),
        limits,
        clock,
        signal,
      });
      const built = await withGrammars(openSnapshot(await place.keep(database)));
      const durationMs = clock.now().getTime() - startedAt;
      log.info(
        { projectId, commit, files: built.fileCount, durationMs, notes: built.notes },
        'Repository snapshot is built',
      );
      return built;
    } catch (error) {
      await place.discard();
      throw error;
    }
  }

  /** A grammar that cannot be loaded costs exactness, not the snapshot. */
  async function withGrammars(opened: OpenSnapshot): Promise<OpenSnapshot> {
    try {
      await loadGrammars(opened.paths());
    } catch (error) {
      log.warn({ error: error instanceof Error ? error.message : String(error) }, 'Grammars cannot be loaded');
    }
    return opened;
  }

  async function archiveOf(projectId: number, commit: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    try {
      return await options.archive(projectId, commit, { signal });
    } catch (error) {
      if (!(error instanceof PermanentFailure) || error.code !== 'gitlab_not_found') throw error;
      throw new PermanentFailure(
        'repository_missing',
        `Project ${projectId} has no repository with the commit ${commit}`,
      );
    }
  }

  function keep(key: string, opened: OpenSnapshot): OpenSnapshot {
    ready.delete(key);
    ready.set(key, opened);
    alive.set(key, new WeakRef(opened));
    for (const oldest of ready.keys()) {
      if (ready.size <= maxOpen) break;
      // Not closed: a run may be reading it. Without anybody it goes with the next collection.
      ready.delete(oldest);
    }
    for (const [name, reference] of alive) if (!reference.deref()) alive.delete(name);
    return opened;
  }

  async function close(): Promise<void> {
    await building.close();
    for (const reference of alive.values()) reference.deref()?.close();
    ready.clear();
    alive.clear();
  }

  return { snapshot, close };
}
