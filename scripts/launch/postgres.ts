import { randomBytes } from 'node:crypto';
import { readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { Client } from 'pg';
import { type Account, createServerFolder, type GuardedProcess, startGuarded } from './guarded.ts';
import { fetchPackages, findOnPath, isExecutable } from './packages.ts';
import {
  type LaunchedServer,
  type LaunchOptions,
  requireListening,
  type ServerAttempt,
  startOnFreePort,
} from './server.ts';

export interface PostgresOptions extends LaunchOptions {
  /** True: a private server writes as safely as in production (benchmarks). Default false: nothing survives a power cut. */
  fsync?: boolean | undefined;
}

/**
 * A PostgreSQL database to work with: a new one on the server of `DATABASE_URL`, dropped at the end, else the one of a private
 * server on a free loopback port. Its programs are found on the machine (the Debian folders before PATH, where they may be
 * wrappers) or fetched into the cache. A private server runs as an unprivileged account when this process is root, and ends
 * with this process. The account of the URL may create further databases.
 * @throws Error that says the ways out when none can be had.
 */
export async function ensurePostgres(options: PostgresOptions = {}): Promise<LaunchedServer> {
  const env = options.env ?? process.env;
  const configured = env['DATABASE_URL'];
  if (configured !== undefined && configured !== '') {
    await requireListening('DATABASE_URL', configured, 5432);
    const database = await createDatabase(configured, 'planwright');
    return { url: database.url, origin: 'environment', stop: database.drop };
  }
  const programs = await findPrograms(env, options.log ?? (() => undefined));
  const account = await unprivilegedAccount();
  const started = await startOnFreePort('PostgreSQL', 30_000, (port) =>
    startServer(programs, account, port, options.fsync ?? false),
  );
  return {
    url: `postgresql://postgres@127.0.0.1:${started.port}/postgres`,
    origin: programs.origin,
    stop: () => started.process.stop(),
  };
}

/** A database of one's own on a server, empty, until `drop()`, which ends what is still connected to it. */
export interface OwnDatabase {
  url: string;
  /** May be called twice. */
  drop(): Promise<void>;
}

/** Creates a database with a fresh name that begins with `prefix` on the server of `adminUrl`. */
export async function createDatabase(adminUrl: string, prefix: string): Promise<OwnDatabase> {
  const name = `${prefix}_${randomBytes(8).toString('hex')}`;
  await administer(adminUrl, `create database ${name} template template0`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => administer(adminUrl, `drop database if exists ${name} with (force)`),
  };
}

async function administer(adminUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

export interface Programs {
  /** The folder with `postgres` and `initdb`. */
  bin: string;
  origin: 'path' | 'cache';
  env: NodeJS.ProcessEnv;
}

/** The server's programs, found or fetched; throws with the ways out. */
export async function findPrograms(env: NodeJS.ProcessEnv, log: (line: string) => void): Promise<Programs> {
  const debian = await newestUnder('/usr/lib/postgresql');
  if (debian !== undefined) return { bin: debian, origin: 'path', env };
  const onPath = await findOnPath(['postgres'], env);
  if (onPath !== undefined) {
    const bin = path.dirname(await realpath(onPath));
    if (await isExecutable(path.join(bin, 'initdb'))) return { bin, origin: 'path', env };
  }
  try {
    const fetched = await fetchPackages('postgres', ['postgresql'], env, log);
    const bin = await newestUnder(path.join(fetched.root, 'usr/lib/postgresql'));
    if (bin === undefined) throw new Error(`no postgres in ${fetched.root}; remove that folder and try again`);
    return { bin, origin: 'cache', env: { ...env, LD_LIBRARY_PATH: fetched.loaderPath } };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `A PostgreSQL server (15 or newer) is needed, and none was found: ${reason}.\n` +
        'Ways out: set DATABASE_URL to one whose account may create databases (postgresql://user:password@host/postgres),\n' +
        'or put postgres and initdb on PATH (Debian, Ubuntu: apt-get install postgresql; macOS: brew install postgresql;\n' +
        'or a container: docker run -d -p 5432:5432 -e POSTGRES_HOST_AUTH_METHOD=trust postgres:17).',
    );
  }
}

/** The `bin` folder of the newest version in a folder of versions, as Debian lays them out. */
async function newestUnder(folder: string): Promise<string | undefined> {
  const versions = await readdir(folder).catch(() => []);
  for (const version of versions.sort((a, b) => Number(b) - Number(a))) {
    const bin = path.join(folder, version, 'bin');
    const complete = await Promise.all(['postgres', 'initdb'].map((file) => isExecutable(path.join(bin, file))));
    if (complete.every(Boolean)) return bin;
  }
  return undefined;
}

/** PostgreSQL refuses to run as root: the account `postgres`, else `nobody`; undefined when this process is not root. */
export async function unprivilegedAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = await readFile('/etc/passwd', 'utf8');
  for (const name of ['postgres', 'nobody']) {
    const fields = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(accounts);
    if (fields !== null) return { uid: Number(fields[1]), gid: Number(fields[2]) };
  }
  throw new Error('PostgreSQL does not run as root, and this system has neither an account postgres nor nobody');
}

function startServer(programs: Programs, account: Account | undefined, port: number, fsync: boolean): ServerAttempt {
  const folder = createServerFolder('postgres', account);
  const data = path.join(folder, 'data');
  const safety = fsync ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  const guarded = startGuarded({
    prepare: initCommand(programs, data),
    file: path.join(programs.bin, 'postgres'),
    args: ['-D', data, ...postgresSettings(port, safety)],
    folder,
    signal: 'INT',
    // The starting account's home may not be readable for the one that runs it.
    env: { ...programs.env, HOME: folder, LC_ALL: 'C' },
    account,
  });
  return { process: guarded, ready: () => saysReady(data, guarded) };
}

/** What makes a data folder. */
export function initCommand(programs: Programs, data: string): string[] {
  const options = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync'];
  return [path.join(programs.bin, 'initdb'), ...options, `--pgdata=${data}`];
}

/** Arguments of a private server on the loopback interface. */
export function postgresSettings(port: number, safety: Record<string, string>): string[] {
  const values = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: '64MB',
    jit: 'off',
    ...safety,
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** The eighth line of `postmaster.pid` in its own data folder: no other server can be meant. */
export async function saysReady(data: string, guarded: GuardedProcess): Promise<boolean> {
  const text = await readFile(path.join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  return guarded.exitCode() === null && text.split('\n')[7]?.trim() === 'ready';
}
