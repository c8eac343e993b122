import { constants, copyFile, mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PermanentFailure } from '../../ports/failures.ts';
import type { ReportStore } from '../../ports/report-store.ts';
import { makeFolder } from './make-folder.ts';

const MAX_TRIES = 10_000;

/** Reports as files below `root`, which is made when it is not there. */
export function createReportFolder(root: string): ReportStore {
  let folder: string | null = null;

  async function begin(name: string): Promise<string> {
    checkName(name);
    return orUnwritable(root, async () => {
      await makeFolder(root);
      const taken = await firstFree(async (number) => {
        const candidate = number === 0 ? name : `${name}-${number + 1}`;
        await mkdir(path.join(root, candidate));
        return candidate;
      });
      folder = path.join(root, taken);
      return taken;
    });
  }

  async function write(file: string, text: string): Promise<void> {
    if (folder === null) throw new Error('begin() comes first');
    checkName(file);
    const target = path.join(folder, file);
    await orUnwritable(target, async () => {
      await keepEarlier(target);
      // Written aside and moved: whoever looks at the file never sees half of it, and a link in its place is not followed.
      const aside = path.join(path.dirname(target), '.writing');
      await writeFile(aside, text);
      await rename(aside, target);
    });
  }

  return { begin, write };
}

/** A name with a folder in it would leave the run's; the piece's own check comes first, this one is the last. */
function checkName(name: string): void {
  if (name === '' || name === '.' || name === '..' || /[/\\\0]/.test(name))
    throw new PermanentFailure('reports_unwritable', `Expected a plain file name for a report, got "${name}".`);
}

async function keepEarlier(target: string): Promise<void> {
  try {
    await firstFree((number) => copyFile(target, `${target}.${number + 1}`, constants.COPYFILE_EXCL));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

/** Tries numbers from 0 until one is not taken. */
async function firstFree<T>(take: (number: number) => Promise<T>): Promise<T> {
  for (let number = 0; ; number += 1) {
    try {
      return await take(number);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST' || number >= MAX_TRIES) throw error;
    }
  }
}

async function orUnwritable<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = codeOf(error);
    if (code === null) throw error;
    throw new PermanentFailure('reports_unwritable', `${what}: cannot be written (${code}).`);
  }
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null;
}
