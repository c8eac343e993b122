/** Processes of the service that can be killed and started again; each start has a name of its own in the database's audit. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const MOST_LINES = 200;

export interface ServiceProcess {
  readonly name: string;
  readonly pid: number | undefined;
  /** Null while it lives. */
  ended(): string | null;
  kill(signal: NodeJS.Signals): void;
  exit: Promise<void>;
  /** What it logged last. */
  lines(): readonly string[];
  /** Resolves when it has logged this message; rejects when it ends before. */
  logged(message: string): Promise<void>;
}

export interface StartOptions {
  name: string;
  command: 'api' | 'worker';
  env: NodeJS.ProcessEnv;
  databaseUrl: string;
  /** Loads the preload that stops the process at a point which `env` names. */
  stopsItself?: boolean;
}

export function startProcess({ name, command, env, databaseUrl, stopsItself = false }: StartOptions): ServiceProcess {
  const preload = ['./scripts/chaos/leash.ts', ...(stopsItself ? ['./tests/helpers/kill-at.ts'] : [])];
  const url = new URL(databaseUrl);
  url.searchParams.set('application_name', name);
  const child = spawn(process.execPath, [...preload.flatMap((file) => ['--import', file]), 'src/cli.ts', command], {
    cwd: root,
    env: { ...inherited(), ...env, DATABASE_URL: url.href },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const waiting = new Map<string, () => void>();
  listen(child, (line) => {
    lines.push(line);
    if (lines.length > MOST_LINES) lines.shift();
    for (const [message, resolve] of waiting) if (line.includes(`"msg":"${message}"`)) resolve();
  });
  let ended: string | null = null;
  const exit = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      ended ??= String(error);
      resolve();
    });
    child.once('exit', (code, signal) => {
      ended = signal ?? `code ${code}`;
      resolve();
    });
  });
  return {
    name,
    pid: child.pid,
    ended: () => ended,
    kill: (signal) => void child.kill(signal),
    exit,
    lines: () => lines,
    async logged(message) {
      const seen = new Promise<void>((resolve) => waiting.set(message, resolve));
      const early = exit.then(() => {
        throw new Error(`${name} ended (${ended}) before it said "${message}":\n${lines.slice(-5).join('\n')}`);
      });
      await Promise.race([seen, early]);
      early.catch(() => undefined);
    },
  };
}

/** Nothing of the person's settings reaches the service. */
function inherited(): NodeJS.ProcessEnv {
  const { PATH, HOME, NODE_COMPILE_CACHE = path.join(root, 'node_modules', '.cache', 'compile') } = process.env;
  return { PATH, HOME, NODE_COMPILE_CACHE };
}

function listen(child: ChildProcess, told: (line: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream?.on('data', (data: Buffer) => {
      const parts = (rest + data.toString('utf8')).split('\n');
      rest = parts.pop() ?? '';
      for (const part of parts) told(part);
    });
  }
}
