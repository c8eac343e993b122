import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../ports/clock.ts';
import { SNAPSHOT_VERSION } from './build.ts';

export interface ShelfOptions {
  folder: string | null;
  /** Makes a folder and those above it; absent: as Node does, which never ends below /proc. */
  makeFolder?: (folder: string) => Promise<void>;
  clock: Clock;
  maxKept: number;
  maxKeptBytes: number;
}

/** Where a snapshot is built, out of the way until it is whole. */
export interface Place {
  location: string;
  /** Takes the finished database over and gives it open for reading. */
  keep(database: DatabaseSync): Promise<DatabaseSync>;
  discard(): Promise<void>;
}

/** The snapshots on disk, shared with other processes: a file appears whole by a rename and never changes afterwards. */
export interface Shelf {
  /** A kept snapshot; null when there is none that can be used. */
  open(key: string): Promise<DatabaseSync | null>;
  reserve(key: string): Promise<Place>;
}

const NAME = /^\d+-[0-9a-f]{40,64}\.sqlite$/;
const UNFINISHED = /^building-.*\.sqlite$/;
/** A build that began longer ago has no process behind it any more. */
const UNFINISHED_MS = 60 * 60 * 1000;

export function createShelf(options: ShelfOptions): Shelf {
  const { folder, clock, maxKept, maxKeptBytes } = options;
  if (folder === null) return inMemory();
  const home = folder;
  const makeFolder = options.makeFolder ?? (async (path) => void (await mkdir(path, { recursive: true })));
  const pathOf = (key: string): string => join(home, `${key}.sqlite`);

  async function open(key: string): Promise<DatabaseSync | null> {
    const path = pathOf(key);
    const database = openReadOnly(path);
    if (!database) {
      // Of an older version or broken: it is in the way.
      await rm(path, { force: true });
      return null;
    }
    const now = clock.now();
    // Its time says when it was used last; another process may have removed it meanwhile, which does not harm what is open.
    await utimes(path, now, now).catch(() => undefined);
    return database;
  }

  async function reserve(key: string): Promise<Place> {
    await makeFolder(home);
    const location = join(home, `building-${randomUUID()}.sqlite`);
    return {
      location,
      async keep(database) {
        database.close();
        const path = pathOf(key);
        const now = clock.now();
        await utimes(location, now, now);
        await rename(location, path);
        const reopened = openReadOnly(path);
        if (!reopened) throw new Error('a snapshot just built cannot be opened');
        await clear(`${key}.sqlite`);
        return reopened;
      },
      discard: () => rm(location, { force: true }),
    };
  }

  /** Removes the longest unused beyond the limits, and what crashed processes left. */
  async function clear(newest: string): Promise<void> {
    const entries: { name: string; bytes: number; usedAt: number }[] = [];
    for (const name of await readdir(home)) {
      if (!NAME.test(name) && !UNFINISHED.test(name)) continue;
      const facts = await stat(join(home, name)).catch(() => null);
      if (facts) entries.push({ name, bytes: facts.size, usedAt: facts.mtimeMs });
    }
    const now = clock.now().getTime();
    const old = entries.filter(({ name, usedAt }) => UNFINISHED.test(name) && now - usedAt > UNFINISHED_MS);
    const kept = entries
      .filter(({ name }) => NAME.test(name))
      .sort((a, b) => Number(b.name === newest) - Number(a.name === newest) || b.usedAt - a.usedAt);
    let bytes = 0;
    const beyond = kept.filter((entry, index) => {
      bytes += entry.bytes;
      return index > 0 && (index >= maxKept || bytes > maxKeptBytes);
    });
    for (const { name } of [...old, ...beyond]) await rm(join(home, name), { force: true });
  }

  return { open, reserve };
}

function inMemory(): Shelf {
  return {
    open: async () => null,
    reserve: async () => ({ location: ':memory:', keep: async (database) => database, discard: async () => undefined }),
  };
}

function openReadOnly(path: string): DatabaseSync | null {
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    const row = database.prepare("select value from meta where key = 'version'").get();
    if (row?.['value'] === SNAPSHOT_VERSION) return database;
  } catch {
    // No such file, or no snapshot.
  }
  if (database?.isOpen) database.close();
  return null;
}
