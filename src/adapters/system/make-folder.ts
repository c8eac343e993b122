import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a folder and those above it, step by step: Node's own recursive mkdir never ends where a file system answers ENOENT for a parent that
 * is there, as /proc does.
 */
export async function makeFolder(folder: string): Promise<void> {
  const parent = path.dirname(folder);
  try {
    await mkdir(folder);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'EEXIST') return;
    const missing = code === 'ENOENT' && parent !== folder && !(await isThere(parent));
    if (!missing) throw error;
    await makeFolder(parent);
    await mkdir(folder);
  }
}

async function isThere(folder: string): Promise<boolean> {
  return stat(folder).then(
    () => true,
    () => false,
  );
}
