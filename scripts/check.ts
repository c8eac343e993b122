import { spawn } from 'node:child_process';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);

interface Check {
  name: string;
  /** A script of a package, run by this Node whatever the system has, and its arguments. */
  command: string[];
}

const checks: Check[] = [
  { name: 'types', command: ['tsc', '--noEmit', '--project', '.'] },
  { name: 'format and lint', command: ['biome', 'check', '--error-on-warnings', '.'] },
  { name: 'architecture', command: ['vitest', 'run', '--project', 'unit', 'tests/unit/architecture.test.ts'] },
  { name: 'unused code', command: ['knip', '--no-progress'] },
];

interface Outcome {
  check: Check;
  ok: boolean;
  output: string;
  durationMs: number;
}

/** `npm run check`: everything that can be said about the code without its tests. All checks run, whatever fails. */
async function main(): Promise<number> {
  const outcomes = await Promise.all(checks.map(runCheck));
  const failures = outcomes.filter((outcome) => !outcome.ok);
  for (const { check, output } of failures) console.log(`\n── ${check.name} ──\n${output.trim()}`);
  console.log('');
  for (const { check, ok, durationMs } of outcomes) {
    console.log(`${ok ? 'ok    ' : 'FAILED'} ${check.name.padEnd(16)} ${(durationMs / 1000).toFixed(1)} s`);
  }
  console.log(failures.length === 0 ? 'check: all good' : `check: ${failures.length} of ${checks.length} failed`);
  return failures.length === 0 ? 0 : 1;
}

function runCheck(check: Check): Promise<Outcome> {
  const [program = '', ...args] = check.command;
  const started = performance.now();
  const child = spawn(process.execPath, [path.join(root, 'node_modules', '.bin', program), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve) => {
    const finish = (ok: boolean, extra: string): void => {
      const output = Buffer.concat(chunks).toString('utf8') + extra;
      resolve({ check, ok, output, durationMs: performance.now() - started });
    };
    child.once('error', (error) => finish(false, error.message));
    child.once('close', (code) => finish(code === 0, ''));
  });
}

process.exitCode = await main();
