import { randomUUID } from 'node:crypto';
import { rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from './make-folder.ts';

/** Can the folder be written to, and how much is free? It is made when it is not there. */
export async function readDisk(
  folder: string,
): Promise<{ folder: string; writable: boolean; freeBytes: number | null }> {
  const probe = path.join(folder, `.probe-${randomUUID()}`);
  try {
    await makeFolder(folder);
    await writeFile(probe, '');
  } catch {
    return { folder, writable: false, freeBytes: null };
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
  const facts = await statfs(folder).catch(() => null);
  return { folder, writable: true, freeBytes: facts === null ? null : facts.bavail * facts.bsize };
}
