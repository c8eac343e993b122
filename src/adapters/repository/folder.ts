/** A plain folder as a repository: its files as they are now. Links are not followed, nothing of it is executed. */
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchiveFile, ArchiveOther, LeftOut, SnapshotLimits } from './archive.ts';
import { wholeLines } from './text.ts';

/** Not of the project itself, and large. */
const SKIPPED = new Set([
  '.git',
  '.hg',
  '.svn',
  'node_modules',
  '__pycache__',
  '.venv',
  '.tox',
  '.mypy_cache',
  '.cache',
]);
const MAX_DEPTH = 60;

/** Files opened side by side. */
const AT_ONCE = 32;

/** The files below a folder, sorted by path within each. */
export async function* folderFiles(
  root: string,
  limits: SnapshotLimits,
  leftOut: LeftOut,
): AsyncGenerator<ArchiveFile | ArchiveOther> {
  let kept = 0;
  let listed = 0;
  const folders = [''];
  while (folders.length > 0) {
    const under = folders.shift() ?? '';
    const entries = await readdir(join(root, under), { withFileTypes: true }).catch(() => []);
    const files: string[] = [];
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = under === '' ? entry.name : `${under}/${entry.name}`;
      if (entry.isSymbolicLink()) {
        leftOut.links += 1;
        yield { kind: 'link', path };
      } else if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name) && path.split('/').length < MAX_DEPTH) folders.push(path);
      } else if (entry.isFile()) {
        listed += 1;
        if (listed <= limits.files) files.push(path);
        else {
          leftOut.unlisted += 1;
          yield { kind: 'unlisted', path };
        }
      }
    }
    for (let start = 0; start < files.length; start += AT_ONCE) {
      const most = kept >= limits.totalBytes ? 0 : limits.fileBytes;
      const portion = files.slice(start, start + AT_ONCE);
      const starts = await Promise.all(portion.map((path) => readStart(join(root, path), most)));
      for (const [index, { size, bytes }] of starts.entries()) {
        const path = (portion[index] ?? '').toWellFormed();
        const whole = bytes !== null && size > bytes.length ? wholeLines(bytes) : bytes;
        if (whole === null) leftOut.withoutText += 1;
        else if (size > whole.length) leftOut.cut.push({ path, size, kept: whole.length });
        kept += whole?.length ?? 0;
        yield { kind: 'file', path, size, bytes: whole };
      }
    }
  }
}

/** The beginning of a file; null when nothing is wanted of it or it cannot be read. */
async function readStart(path: string, most: number): Promise<{ size: number; bytes: Buffer | null }> {
  if (most === 0) return { size: (await stat(path).catch(() => null))?.size ?? 0, bytes: null };
  let handle: FileHandle | null = null;
  try {
    handle = await open(path, 'r');
    const { size } = await handle.stat();
    const buffer = Buffer.alloc(Math.min(size, most));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    return { size, bytes: buffer.subarray(0, bytesRead) };
  } catch {
    return { size: 0, bytes: null };
  } finally {
    await handle?.close();
  }
}
