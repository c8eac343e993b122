import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'planwright-locate-'));
  await mkdir(path.join(folder, 'repo'));
  await writeFile(path.join(folder, 'repo', 'refund.ts'), 'export function refundOrder() {}\n');
  await writeFile(path.join(folder, 'issue.md'), 'Refund is wrong\n');
});
afterAll(() => rm(folder, { recursive: true }));

async function locate(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const command = ['src/cli.ts', 'locate', ...args];
  const env = { PATH: process.env['PATH'] };
  return promisify(execFile)(process.execPath, command, { cwd: root, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

test('prints an array of files with score and reasons, and nothing else', async () => {
  const { code, stdout } = await locate(
    path.join(folder, 'repo'),
    '--issue',
    path.join(folder, 'issue.md'),
    '--top',
    '1',
    '--json',
  );

  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual([
    { path: 'refund.ts', score: expect.any(Number), why: expect.arrayContaining([expect.stringMatching(/refund/i)]) },
  ]);
});

test.each([
  [['--issue', 'x'], 2, 'expected one REPO_DIR'],
  [['.'], 2, 'expected --issue FILE'],
  [['.', '--issue', 'x', '--top', '0'], 2, '--top: expected a number'],
  [['.', '--issue', '/nowhere.md'], 1, 'cannot be read (ENOENT)'],
  [['/nowhere', '--issue', 'README.md'], 1, 'folder_missing'],
])('called with %j it says what is wrong', async (args, exit, hint) => {
  const { code, stderr } = await locate(...args);

  expect(code).toBe(exit);
  expect(stderr).toContain(hint);
});
