import { createConnection } from 'node:net';
import path from 'node:path';
import { createServerFolder, startGuarded } from './guarded.ts';
import { fetchPackages, findOnPath, isExecutable } from './packages.ts';
import { type LaunchedServer, type LaunchOptions, requireListening, startOnFreePort } from './server.ts';

const programs = ['redis-server', 'valkey-server'] as const;

/**
 * A Redis (or Valkey) to work with: `REDIS_URL` if set, else a private one on a free loopback port, whose program is found on
 * PATH or fetched into the cache. A private one keeps nothing, evicts nothing and ends with this process.
 * @throws Error that says the ways out when none can be had.
 */
export async function ensureRedis(options: LaunchOptions = {}): Promise<LaunchedServer> {
  const env = options.env ?? process.env;
  const configured = env['REDIS_URL'];
  if (configured !== undefined && configured !== '') {
    await requireListening('REDIS_URL', configured, 6379);
    return { url: configured, origin: 'environment', stop: async () => undefined };
  }
  const program = await findProgram(env, options.log ?? (() => undefined));
  const started = await startOnFreePort('Redis', 10_000, (port) => {
    const folder = createServerFolder('redis', undefined);
    const guarded = startGuarded({
      file: program.file,
      args: redisArguments(port, folder),
      folder,
      signal: 'TERM',
      env: program.env,
      account: undefined,
    });
    return { process: guarded, ready: () => servesFrom(port, folder) };
  });
  return { url: `redis://127.0.0.1:${started.port}`, origin: program.origin, stop: () => started.process.stop() };
}

export interface Program {
  file: string;
  origin: 'path' | 'cache';
  env: NodeJS.ProcessEnv;
}

/** The server's program, found or fetched; throws with the ways out. */
export async function findProgram(env: NodeJS.ProcessEnv, log: (line: string) => void): Promise<Program> {
  const installed = await findOnPath(programs, env);
  if (installed !== undefined) return { file: installed, origin: 'path', env };
  try {
    const fetched = await fetchPackages('redis', programs, env, log);
    for (const name of programs) {
      const file = path.join(fetched.root, 'usr', 'bin', name);
      if (!(await isExecutable(file))) continue;
      return { file, origin: 'cache', env: { ...env, LD_LIBRARY_PATH: fetched.loaderPath } };
    }
    throw new Error(`no ${programs.join(' or ')} in ${fetched.root}; remove that folder and try again`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `Planwright needs Redis or Valkey, and none was found: ${reason}.\n` +
        'Ways out: set REDIS_URL to one that runs (redis://host:6379), or put redis-server or valkey-server on PATH\n' +
        '(Debian, Ubuntu: apt-get install redis-server; Fedora: dnf install valkey; macOS: brew install redis;\n' +
        'or a container: docker run -d -p 6379:6379 redis:7, then REDIS_URL=redis://127.0.0.1:6379).',
    );
  }
}

/** Arguments of a private server: it keeps nothing and evicts nothing. */
export function redisArguments(port: number, folder: string): string[] {
  const values = {
    port: String(port),
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: 'no',
    'maxmemory-policy': 'noeviction',
    daemonize: 'no',
    // Tests take a database each.
    databases: '2048',
  };
  return Object.entries(values).flatMap(([name, value]) => [`--${name}`, value]);
}

/** Asks the server on the port for its folder: on a port that another server took first the answer is another one. */
export function servesFrom(port: number, folder: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port, timeout: 1000 });
    let answer = '';
    const finish = (serves: boolean): void => {
      socket.destroy();
      resolve(serves);
    };
    socket.once('connect', () => socket.write('CONFIG GET dir\r\n'));
    socket.on('data', (data) => {
      answer += data.toString('utf8');
      if (answer.includes(`${folder}\r\n`)) finish(true);
      else if (answer.startsWith('-') && answer.endsWith('\r\n')) finish(false);
    });
    socket.once('timeout', () => finish(false));
    socket.once('error', () => finish(false));
    socket.once('close', () => finish(false));
  });
}
