import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '../..');

test('a reader that closes the pipe early ends a command quietly', () => {
  const script = `"${process.execPath}" src/cli.ts piece schema | head -1`;

  const { stdout, stderr } = spawnSync('sh', ['-c', script], { cwd: root, encoding: 'utf8' });

  expect(stdout).toBe('{\n');
  expect(stderr).toBe('');
});
