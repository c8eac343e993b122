import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PermanentFailure } from '../../ports/failures.ts';

/** Locks this process holds: its own pid in a file says nothing after a restart in a container, where every process is number 1. */
const own = new Set<string>();

/**
 * Takes `FOLDER.lock`, beside the folder: PGlite opens one folder twice without a word and would damage it. The lock of a process that
 * is gone is taken over. Answers the function that gives it back.
 * @throws PermanentFailure `database_in_use`
 */
export async function lockFolder(
  folder: string,
  makeFolder: (folder: string) => Promise<void> = async (path) => void (await mkdir(path, { recursive: true })),
): Promise<() => Promise<void>> {
  const file = `${path.resolve(folder)}.lock`;
  await makeFolder(path.dirname(file));
  for (;;) {
    try {
      await writeFile(file, `${process.pid}\n`, { flag: 'wx' });
      own.add(file);
      return async () => {
        own.delete(file);
        await rm(file, { force: true });
      };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      await removeIfStale(file, folder);
    }
  }
}

async function removeIfStale(file: string, folder: string): Promise<void> {
  const holder = await readHolder(file);
  if (holder === null) return;
  if (holder === process.pid ? own.has(file) : isAlive(holder)) {
    throw new PermanentFailure(
      'database_in_use',
      `The embedded database ${folder} is in use by process ${holder}, and only one may open it: stop that process, ` +
        `use another folder, or set DATABASE_URL to a PostgreSQL server. (If no such process runs, remove ${file}.)`,
    );
  }
  // Renaming lets only one of several takers have the stale file; what turns out to be a newer lock goes back.
  const aside = `${file}.${randomUUID()}`;
  await rename(file, aside).catch(() => undefined);
  const taken = await readHolder(aside);
  if (taken !== null && taken !== holder) await rename(aside, file);
  else await rm(aside, { force: true });
}

/** The process number in the file; null when there is no file any more. A file without a number counts as process 0: nobody. */
async function readHolder(file: string): Promise<number | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  return text === null ? null : Number.parseInt(text, 10) || 0;
}

function isAlive(pid: number): boolean {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
