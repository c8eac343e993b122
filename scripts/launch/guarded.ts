import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, closeSync, fstatSync, mkdtempSync, openSync, readSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A numeric user and group; used where a server refuses to run as root. */
export interface Account {
  uid: number;
  gid: number;
}

/** A server process that cannot outlive this one. */
export interface GuardedProcess {
  /** Null while it runs, else its exit code (128 + n for a signal). */
  exitCode(): number | null;
  /** The last lines of what it wrote. */
  output(): string;
  /** Stops it and removes its folder; may be called twice. */
  stop(): Promise<void>;
}

export interface GuardedCommand {
  file: string;
  args: string[];
  /** Working folder, removed with everything in it when the server has ended. */
  folder: string;
  /** The signal that ends it quickly, without the SIG. */
  signal: 'TERM' | 'INT';
  env: NodeJS.ProcessEnv;
  account: Account | undefined;
  /** A program with its arguments that has to succeed before the server starts. */
  prepare?: string[];
  /** True: the folder stays when the server has ended, for another one on the same data. */
  keepsFolder?: boolean;
}

// The guard's standard input is a pipe nobody writes to. It ends when this process closes it or dies, however it dies
// (SIGKILL too), and then the guard ends what it runs and removes the folder. It also ends when the server does.
const guard = `
signal=$1; folder=$2; prepare=$3; shift 3
exec 3<&0
guarded() {
  how=$1; shift
  "$@" 3<&- </dev/null & child=$!
  {
    read -r _ <&3
    kill -s "$how" "$child" 2>/dev/null
    n=0
    while [ "$n" -lt 50 ] && kill -0 "$child" 2>/dev/null; do sleep 0.1; n=$((n + 1)); done
    kill -s KILL "$child" 2>/dev/null
  } & watch=$!
  wait "$child"; code=$?
  kill "$watch" 2>/dev/null
}
code=0
[ -z "$prepare" ] || eval "guarded TERM $prepare"
[ "$code" -ne 0 ] || guarded "$signal" "$@"
cd / && { [ -z "$folder" ] || rm -rf "$folder"; }
exit "$code"
`;

/** Makes a private folder for one server, owned by the account that will run it. */
export function createServerFolder(name: string, account: Account | undefined): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), `planwright-${name}-`)));
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
  return folder;
}

/** Starts a server under a guard that ends it with this process. Does not wait until it serves. */
export function startGuarded(command: GuardedCommand): GuardedProcess {
  const log = openSync(path.join(command.folder, 'server.log'), 'a+');
  const prepare = (command.prepare ?? []).map(quote).join(' ');
  const words = [command.signal, command.keepsFolder ? '' : command.folder, prepare, command.file, ...command.args];
  const child = spawn('/bin/sh', ['-c', guard, 'guard', ...words], {
    cwd: command.folder,
    env: command.env,
    stdio: ['pipe', log, log],
    // A session of its own: Ctrl-C in the terminal must not end the server before its users have finished.
    detached: true,
    ...(command.account ?? {}),
  });
  let code: number | null = null;
  let kept = '';
  const ended = new Promise<void>((resolve) => {
    const finish = (value: number): void => {
      if (code !== null) return;
      code = value;
      kept = readTail(log);
      closeSync(log);
      resolve();
    };
    child.once('exit', (value) => finish(value ?? 1));
    child.once('error', () => finish(127));
  });
  child.stdin?.on('error', () => undefined);
  letGo(child);
  return {
    exitCode: () => code,
    output: () => (code === null ? readTail(log) : kept),
    stop: async () => {
      child.ref();
      child.stdin?.destroy();
      await ended;
      if (!command.keepsFolder) rmSync(command.folder, { recursive: true, force: true });
    },
  };
}

/** A port of the loopback interface that is free now. Another process may take it first: callers try again. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('no TCP address'));
        else resolve(address.port);
      });
    });
  });
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Neither the guard nor its pipe keeps this process running: a forgotten stop() must not hang a script. */
function letGo(child: ChildProcess): void {
  child.unref();
  const pipe = child.stdin;
  if (pipe !== null && 'unref' in pipe && typeof pipe.unref === 'function') pipe.unref();
}

function readTail(file: number): string {
  const size = fstatSync(file).size;
  const start = Math.max(0, size - 4000);
  const buffer = Buffer.alloc(size - start);
  readSync(file, buffer, 0, buffer.length, start);
  return buffer.toString('utf8').trim();
}
