/** The repositories of the evaluation: packages that are installed, and others fetched at exact versions into the cache. */
import { execFile } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../../scripts/launch/packages.ts';
import { archiveFiles, defaultLimits } from '../../src/adapters/repository/archive.ts';
import type { BuildInput } from '../../src/adapters/repository/build.ts';
import { folderFiles } from '../../src/adapters/repository/folder.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** What is in a package, given as `name` (installed) or `name@version`; null when it cannot be fetched. */
export async function packageEntries(name: string): Promise<BuildInput['entries'] | null> {
  const at = name.lastIndexOf('@');
  if (at <= 0) {
    const folder = path.join(root, 'node_modules', name);
    return existsSync(folder) ? (leftOut) => folderFiles(folder, defaultLimits, leftOut) : null;
  }
  const folder = path.join(cacheFolder(process.env), 'bench-packages');
  const file = path.join(folder, `${name.replace(/^@/, '').replace('/', '-').replace('@', '-')}.tgz`);
  if (!existsSync(file)) {
    await mkdir(folder, { recursive: true });
    const args = ['pack', name, '--pack-destination', folder, '--ignore-scripts', '--silent'];
    await promisify(execFile)('npm', args, { cwd: folder, timeout: 120_000 }).catch(() => undefined);
  }
  if (!existsSync(file)) return null;
  return (leftOut) => archiveFiles(createReadStream(file), defaultLimits, leftOut);
}
