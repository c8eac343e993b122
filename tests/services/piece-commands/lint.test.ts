import { expect, test } from 'vitest';
import { folderWith, PIECE, planwright } from './planwright.ts';

const BROKEN = PIECE.replace('rules:', 'rulez:').replace('max_iterations: 4\n', '');

test('a clean piece says nothing and exits with 0', async () => {
  const cwd = await folderWith({ 'a.yaml': PIECE });

  expect(await planwright(['piece', 'lint', 'a.yaml'], { cwd })).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('warnings alone exit with 0', async () => {
  const cwd = await folderWith({ 'a.yaml': PIECE.replace('max_iterations: 4\n', '') });

  const result = await planwright(['piece', 'lint', 'a.yaml'], { cwd });

  expect(result).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^a\.yaml:1:1 warning `max_iterations`.*\n$/),
  });
});

test('errors exit with 1, each as FILE:LINE:COLUMN LEVEL MESSAGE', async () => {
  const cwd = await folderWith({ 'sub dir/b.yaml': BROKEN });

  const result = await planwright(['piece', 'lint', 'sub dir/b.yaml'], { cwd });

  expect(result.code).toBe(1);
  expect(result.stdout.split('\n')).toContain('sub dir/b.yaml:7:5 error unknown key `rulez`; did you mean `rules`?');
});

test('a file that cannot be read is a finding of its own; the others are checked all the same', async () => {
  const cwd = await folderWith({ 'a.yaml': PIECE, 'b.yaml': BROKEN });

  const result = await planwright(['piece', 'lint', 'a.yaml', 'missing.yaml', 'b.yaml', '.', '--json'], { cwd });

  const findings = JSON.parse(result.stdout) as { file: string; level: string; code: string }[];
  expect(result.code).toBe(1);
  expect(new Set(findings.map(({ file }) => file))).toEqual(new Set(['missing.yaml', 'b.yaml', '.']));
  expect(findings.find(({ file }) => file === 'missing.yaml')).toMatchObject({ level: 'error', code: 'piece_missing' });
});

test('--json is an array of findings with these fields, empty for a clean piece', async () => {
  const cwd = await folderWith({ 'a.yaml': PIECE, 'b.yaml': BROKEN });

  const clean = await planwright(['piece', 'lint', 'a.yaml', '--json'], { cwd });
  const broken = await planwright(['piece', 'lint', 'b.yaml', '--json'], { cwd });

  expect(JSON.parse(clean.stdout)).toEqual([]);
  const [first] = JSON.parse(broken.stdout) as object[];
  expect(Object.keys(first ?? {})).toEqual(['file', 'line', 'column', 'level', 'code', 'message']);
});

test.each([[[]], [['--nope', 'a.yaml']]])('a wrong call exits with 2 and says how to call: %j', async (args) => {
  const result = await planwright(['piece', 'lint', ...args]);

  expect(result).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('Usage: planwright piece lint FILE…'),
  });
});

test('what would move the cursor of a terminal is left out of what people read', async () => {
  const cwd = await folderWith({ 'a.yaml': PIECE.replace('next: COMPLETE', 'next: "x\\e[2Jy\\u202e"') });

  const result = await planwright(['piece', 'lint', 'a.yaml'], { cwd });

  expect(result.stdout).toContain('names no movement');
  expect(result.stdout).not.toContain('\u001b');
  expect(result.stdout).not.toContain('\u202e');
});
