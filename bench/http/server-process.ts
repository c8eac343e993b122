/** Servers that are measured, each a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

export interface ServerProcess {
  port: number;
  /** Milliseconds of processor time so far, of all its threads; NaN where the system does not tell. */
  cpuMs(): number;
  rssBytes(): number;
  stop(): Promise<void>;
}

/** Starts `node ARGS` and waits until something answers at the port. */
export async function startServer(args: string[], port: number, env: NodeJS.ProcessEnv = {}): Promise<ServerProcess> {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH, HOME, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4000);
  });
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const deadline = performance.now() + 30_000;
  while (!(await answers(port))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`node ${args.join(' ')} does not serve:\n${said}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    port,
    cpuMs: () => cpuMsOf(child),
    rssBytes: () => rssBytesOf(child),
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await exit;
      clearTimeout(timer);
    },
  };
}

async function answers(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(1000) });
    await answer.arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

/** The kernel counts in ticks of 10 ms. */
const TICK_MS = 10;

function cpuMsOf({ pid }: ChildProcess): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return Number.NaN;
  }
}

function rssBytesOf({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1024;
}
