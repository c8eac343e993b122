import type { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { foldersOf } from './git.ts';
import type { Commit } from './model.ts';

const BLOCK = 512;

/** The first two blocks of what `git archive` writes: a pax global header that names the commit. */
function globalHeader(commitId: string, mtime: Date): Buffer {
  const record = ` comment=${commitId}\n`;
  // A pax record begins with its own length, these two digits included.
  const data = `${record.length + 2}${record}`;
  const blocks = Buffer.alloc(2 * BLOCK);
  const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');
  blocks.write('pax_global_header', 0);
  blocks.write('0000666\0', 100);
  blocks.write('0000000\0', 108);
  blocks.write('0000000\0', 116);
  blocks.write(`${octal(data.length, 11)}\0`, 124);
  blocks.write(`${octal(Math.floor(mtime.getTime() / 1000), 11)}\0`, 136);
  blocks.write('        g', 148);
  blocks.write('ustar\x0000', 257);
  blocks.write('root', 265);
  blocks.write('root', 297);
  const sum = blocks.subarray(0, BLOCK).reduce((total, byte) => total + byte, 0);
  blocks.write(`${octal(sum, 6)}\0 `, 148);
  blocks.write(data, BLOCK);
  return blocks;
}

/**
 * A gzipped tar as `git archive` writes it: a global header with the commit's id, then all folders and files under one
 * top folder. With `path` only what lies under it.
 */
export function archiveStream(commit: Commit, folder: string, path: string): Readable {
  const tar = pack();
  const mtime = new Date(commit.date);
  const inside = (entry: string): boolean => path === '' || entry === path || entry.startsWith(`${path}/`);
  const folders = foldersOf(commit);
  const add = (at: string): void => {
    if (at === '' || inside(at)) {
      tar.entry({ name: `${folder}/${at === '' ? '' : `${at}/`}`, type: 'directory', mtime, mode: 0o775 });
    }
    for (const entry of folders.get(at) ?? []) {
      if (entry.type === 'tree') {
        if (inside(entry.path) || path.startsWith(`${entry.path}/`)) add(entry.path);
        continue;
      }
      const file = commit.files.get(entry.path);
      if (!file || !inside(entry.path)) continue;
      tar.entry({ name: `${folder}/${entry.path}`, mtime, mode: file.executable ? 0o775 : 0o664 }, file.bytes);
    }
  };
  add('');
  tar.finalize();
  const gzip = createGzip();
  tar.on('error', (error) => gzip.destroy(error));
  gzip.write(globalHeader(commit.id, mtime));
  return tar.pipe(gzip);
}
