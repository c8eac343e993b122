import { execFile } from 'node:child_process';
import { constants, existsSync } from 'node:fs';
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const commandTimeoutMs = 180_000;

/** Files of Debian packages unpacked into the cache. */
export interface FetchedPackages {
  /** The folder that stands for `/`. */
  root: string;
  /** Where their shared libraries are, for LD_LIBRARY_PATH. */
  loaderPath: string;
}

/** The first of `names` that is an executable in a folder of PATH. */
export async function findOnPath(names: readonly string[], env: NodeJS.ProcessEnv): Promise<string | undefined> {
  for (const name of names) {
    for (const folder of (env['PATH'] ?? '').split(path.delimiter)) {
      const file = path.join(folder, name);
      if (folder !== '' && (await isExecutable(file))) return file;
    }
  }
  return undefined;
}

/** True for a file this process may execute. */
export async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/**
 * The folder for fetched programs: `$XDG_CACHE_HOME/planwright`, else `~/.cache/planwright`. For root, whose home other accounts
 * cannot read, `/var/cache/planwright`: PostgreSQL has to run as another account.
 */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  const configured = env['XDG_CACHE_HOME'];
  if (configured !== undefined && path.isAbsolute(configured)) return path.join(configured, 'planwright');
  if (process.getuid?.() === 0) return '/var/cache/planwright';
  return path.join(env['HOME'] ?? homedir(), '.cache', 'planwright');
}

/**
 * Downloads a Debian package with everything it needs that is not installed, and unpacks it into the cache; installs nothing,
 * runs no maintainer script and needs no root. What is in the cache already is used as it is.
 * @throws Error when the machine has no apt or the download fails.
 */
export async function fetchPackages(
  name: string,
  candidates: readonly string[],
  env: NodeJS.ProcessEnv,
  log: (line: string) => void,
): Promise<FetchedPackages> {
  const home = path.join(cacheFolder(env), `${name}-${await systemName()}`);
  if (existsSync(home)) return withLibraries(home);
  if ((await findOnPath(['apt-get'], env)) === undefined || (await findOnPath(['dpkg'], env)) === undefined) {
    throw new Error('this system has no apt-get and dpkg to fetch packages with');
  }
  await mkdir(path.dirname(home), { recursive: true, mode: 0o755 });
  const work = await mkdtemp(path.join(path.dirname(home), `.${name}-`));
  try {
    log(`fetching ${candidates.join(' or ')} into ${home}`);
    await downloadAny(candidates, work, env);
    const root = path.join(work, 'root');
    await mkdir(root, { mode: 0o755 });
    for (const file of (await readdir(work)).filter((entry) => entry.endsWith('.deb'))) {
      await run('dpkg', ['-x', path.join(work, file), root], { env, timeout: commandTimeoutMs });
    }
    // One rename makes it visible; of two processes that fetch at once, the second finds the first one's.
    await rename(root, home).catch((error: unknown) => {
      if (!existsSync(home)) throw error;
    });
    return await withLibraries(home);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function downloadAny(candidates: readonly string[], work: string, env: NodeJS.ProcessEnv): Promise<void> {
  const problems: string[] = [];
  // The system's package lists first; images often have none, then private ones are read into the work folder.
  for (const lists of ['system', 'private'] as const) {
    const options = aptOptions(lists, work);
    if (lists === 'private') {
      await mkdir(path.join(work, 'lists', 'partial'), { recursive: true });
      await run('apt-get', [...options, 'update'], { env, timeout: commandTimeoutMs }).catch((error: unknown) => {
        problems.push(message(error));
      });
    }
    for (const candidate of candidates) {
      try {
        const names = await withDependencies(candidate, options, env);
        await run('apt-get', [...options, 'download', ...names], { cwd: work, env, timeout: commandTimeoutMs });
        return;
      } catch (error) {
        problems.push(message(error));
      }
    }
  }
  throw new Error(`apt-get could not download ${candidates.join(' or ')}: ${[...new Set(problems)].join('; ')}`);
}

function aptOptions(lists: 'system' | 'private', work: string): string[] {
  // Root's apt otherwise downloads as an account that may not write into the cache.
  const sandbox = process.getuid?.() === 0 ? ['-o', 'APT::Sandbox::User=root'] : [];
  if (lists === 'system') return ['-q', ...sandbox];
  const state = [
    '-o',
    `Dir::State::lists=${path.join(work, 'lists')}`,
    '-o',
    `Dir::Cache=${path.join(work, 'archives')}`,
  ];
  return ['-q', ...sandbox, ...state];
}

/** The package and what an installation would bring along with it here. */
async function withDependencies(name: string, options: string[], env: NodeJS.ProcessEnv): Promise<string[]> {
  const { stdout } = await run('apt-get', [...options, '-s', 'install', '--no-install-recommends', name], {
    env: { ...env, LC_ALL: 'C' },
    timeout: commandTimeoutMs,
    maxBuffer: 16 * 1024 * 1024,
  });
  const names = [...stdout.matchAll(/^Inst (\S+)/gm)].map((match) => match[1] ?? '');
  return [...new Set([name, ...names])];
}

async function withLibraries(root: string): Promise<FetchedPackages> {
  const folders: string[] = [];
  for (const base of ['usr/lib', 'lib']) {
    const folder = path.join(root, base);
    if (!existsSync(folder)) continue;
    folders.push(folder);
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (entry.isDirectory() && /-linux-/.test(entry.name)) folders.push(path.join(folder, entry.name));
    }
  }
  return { root, loaderPath: folders.join(path.delimiter) };
}

/** Distribution, release and processor: a cache may be shared by machines that are not alike. */
async function systemName(): Promise<string> {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const field = (key: string): string => new RegExp(`^${key}="?([^"\n]*)`, 'm').exec(text)?.[1] ?? 'unknown';
  return `${field('ID')}-${field('VERSION_ID')}-${process.arch}`.replaceAll(/[^\w.-]/g, '_');
}

function message(error: unknown): string {
  const text = error instanceof Error ? ('stderr' in error && String(error.stderr)) || error.message : String(error);
  return text.trim().split('\n').slice(-2).join(' ');
}
