import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const here = import.meta.dirname;

/** The peers' packages, as their lock file names them; nothing when they are there. */
export async function installPeers(log: (line: string) => void): Promise<void> {
  if (existsSync(path.join(here, 'node_modules'))) return;
  log('installing the peers');
  await promisify(execFile)('npm', ['ci'], { cwd: here });
}
