/** Servers of one's own that can be stopped, killed and started again at the same address (the chaos suite). */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createServerFolder, freePort, type GuardedCommand, type GuardedProcess, startGuarded } from './guarded.ts';
import { findPrograms, initCommand, postgresSettings, saysReady, unprivilegedAccount } from './postgres.ts';
import { findProgram, redisArguments, servesFrom } from './redis.ts';

export interface RestartableServer {
  url: string;
  /** `quick`: it ends in order, at once; `crash`: it is killed in the middle of what it does. Resolves when it is gone. */
  halt(how: 'quick' | 'crash'): Promise<void>;
  /** At the same address, PostgreSQL on the same data; resolves when it serves. */
  start(): Promise<void>;
  /** Halts it for good and removes its files; may be called twice. */
  close(): Promise<void>;
}

const READY_MS = 60_000;
const POLL_MS = 10;

interface Kind {
  url: string;
  folder: string;
  command: Omit<GuardedCommand, 'folder' | 'keepsFolder'>;
  /** What has to succeed before its first start. */
  prepare?: string[];
  ready(process: GuardedProcess): Promise<boolean>;
  /** The process itself, which its guard started. */
  pid(): Promise<number | null>;
  crash: NodeJS.Signals;
}

/** PostgreSQL: what was committed survives its crash, though not one of the machine. */
export async function startRestartablePostgres(log?: (line: string) => void): Promise<RestartableServer> {
  const programs = await findPrograms(process.env, log ?? (() => undefined));
  const account = await unprivilegedAccount();
  const folder = createServerFolder('postgres', account);
  const data = path.join(folder, 'data');
  const port = await freePort();
  return startRestartable({
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    folder,
    prepare: initCommand(programs, data),
    command: {
      file: path.join(programs.bin, 'postgres'),
      args: ['-D', data, ...postgresSettings(port, { fsync: 'off' })],
      signal: 'INT',
      env: { ...programs.env, HOME: folder, LC_ALL: 'C' },
      account,
    },
    ready: (guarded) => saysReady(data, guarded),
    pid: async () => firstNumber(await readFile(path.join(data, 'postmaster.pid'), 'utf8').catch(() => '')),
    // Its children end with it, nothing is written any more: the next start recovers from the log.
    crash: 'SIGQUIT',
  });
}

/** Redis that keeps nothing: whenever it is started again it is empty. */
export async function startRestartableRedis(log?: (line: string) => void): Promise<RestartableServer> {
  const program = await findProgram(process.env, log ?? (() => undefined));
  const folder = createServerFolder('redis', undefined);
  const port = await freePort();
  const pidFile = path.join(folder, 'redis.pid');
  return startRestartable({
    url: `redis://127.0.0.1:${port}`,
    folder,
    command: {
      file: program.file,
      args: [...redisArguments(port, folder), '--pidfile', pidFile],
      signal: 'TERM',
      env: program.env,
      account: undefined,
    },
    ready: () => servesFrom(port, folder),
    pid: async () => firstNumber(await readFile(pidFile, 'utf8').catch(() => '')),
    crash: 'SIGKILL',
  });
}

async function startRestartable(kind: Kind): Promise<RestartableServer> {
  // Holds the folder, which has to outlive every single server, and no longer than this process.
  const holder = startGuarded({
    ...kind.command,
    file: 'sleep',
    args: ['1000000000'],
    folder: kind.folder,
    signal: 'TERM',
  });
  let running: GuardedProcess | null = null;

  async function start(prepare?: string[]): Promise<void> {
    if (running) throw new Error('The server runs already.');
    const { command, folder } = kind;
    const guarded = startGuarded({ ...command, folder, keepsFolder: true, ...(prepare ? { prepare } : {}) });
    running = guarded;
    const deadline = performance.now() + READY_MS;
    while (guarded.exitCode() === null && performance.now() < deadline) {
      if (await kind.ready(guarded)) return;
      await delay(POLL_MS);
    }
    const output = guarded.output();
    await halt('quick');
    throw new Error(`${command.file} does not serve. Its last output:\n${output}`);
  }

  async function halt(how: 'quick' | 'crash'): Promise<void> {
    const guarded = running;
    running = null;
    const pid = how === 'crash' ? await kind.pid() : null;
    if (pid !== null && guarded) {
      process.kill(pid, kind.crash);
      while (guarded.exitCode() === null) await delay(POLL_MS);
    }
    await guarded?.stop();
  }

  async function close(): Promise<void> {
    await halt('quick');
    await holder.stop();
  }

  try {
    await start(kind.prepare);
  } catch (error) {
    await close();
    throw error;
  }
  return { url: kind.url, halt, start: () => start(), close };
}

function firstNumber(text: string): number | null {
  const number = Number.parseInt(text, 10);
  return Number.isNaN(number) ? null : number;
}
