import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

const root = path.join(import.meta.dirname, '../../..');

export interface Result {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface Options {
  cwd?: string;
  /** What standard input holds; it is closed after it. */
  input?: string;
  /** Sends a signal as soon as standard output holds this. */
  interruptAt?: string;
}

/** Runs `planwright …` as people do: a process of its own, without any server's address in its environment. */
export function planwright(args: string[], options: Options = {}): Promise<Result> {
  const child = spawn(process.execPath, [path.join(root, 'src/cli.ts'), ...args], {
    cwd: options.cwd ?? root,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const out: Result = { code: null, stdout: '', stderr: '' };
  let interrupted = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out.stdout += text;
    if (options.interruptAt === undefined || interrupted || !out.stdout.includes(options.interruptAt)) return;
    interrupted = true;
    child.kill('SIGINT');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    out.stderr += text;
  });
  // With an interruption standard input stays open: the person sits there and has not answered yet.
  if (options.interruptAt === undefined) child.stdin.end(options.input ?? '');
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ ...out, code }));
  });
}

/** A folder of its own with these files; gone after the test. */
export async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'planwright-pieces-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return folder;
}

/** The lines of `--json`. */
export function linesOf(result: Result): Record<string, unknown>[] {
  return result.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

export const PIECE = `name: small
max_iterations: 4
initial_movement: plan
movements:
  - name: plan
    edit: false
    report: { name: plan.md }
    rules:
      - { condition: planned, next: COMPLETE }
      - { condition: again, next: plan }
      - { condition: hopeless, next: ABORT }
`;
