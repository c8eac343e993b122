/** Debian's `python3-gitlab`: the installed one, or one fetched into the cache without installing anything. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { fetchPackages } from '../../scripts/launch/packages.ts';

const run = promisify(execFile);
const PYTHON = '/usr/bin/python3';

export interface PythonGitlab {
  /** Runs a Python file with arguments; resolves with what it printed. */
  run(file: string, ...args: string[]): Promise<string>;
}

/** The client, or why there is none here. */
export async function findPythonGitlab(): Promise<PythonGitlab | { missing: string }> {
  const python = existsSync(PYTHON) ? PYTHON : 'python3';
  if (await imports(python, process.env)) return runner(python, process.env);
  try {
    const { root } = await fetchPackages('python3-gitlab', ['python3-gitlab'], process.env, () => undefined);
    const env = { ...process.env, PYTHONPATH: path.join(root, 'usr', 'lib', 'python3', 'dist-packages') };
    const fetched = path.join(root, 'usr', 'bin', 'python3');
    const program = existsSync(PYTHON) || !existsSync(fetched) ? python : fetched;
    if (await imports(program, env)) return runner(program, env);
    return { missing: `what was fetched into ${root} does not import with ${program}` };
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) };
  }
}

function runner(python: string, env: NodeJS.ProcessEnv): PythonGitlab {
  return {
    run: async (file, ...args) => (await run(python, [file, ...args], { env, maxBuffer: 16 * 1024 * 1024 })).stdout,
  };
}

function imports(python: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  return run(python, ['-c', 'import gitlab'], { env }).then(
    () => true,
    () => false,
  );
}
