import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { folderWith, PIECE, planwright } from './planwright.ts';

test('piece graph prints a state diagram', async () => {
  const cwd = await folderWith({ 'a.yaml': PIECE });

  const result = await planwright(['piece', 'graph', 'a.yaml'], { cwd });

  expect(result).toMatchObject({ code: 0, stderr: '' });
  expect(result.stdout).toMatch(/^stateDiagram-v2\n {2}state "plan" as m1\n/);
});

test('piece graph of a piece that does not load says why and exits with 1', async () => {
  const cwd = await folderWith({ 'a.yaml': PIECE.replace('next: plan', 'next: plam') });

  const result = await planwright(['piece', 'graph', 'a.yaml'], { cwd });

  expect(result).toMatchObject({ code: 1, stdout: '' });
  expect(result.stderr).toMatch(/^a\.yaml:10:\d+ error `plam` names no movement; did you mean `plan`\?/);
});

test('piece graph of two files is a wrong call', async () => {
  expect(await planwright(['piece', 'graph', 'a', 'b'])).toMatchObject({ code: 2, stdout: '' });
});

test('piece schema prints what the file for editors holds', async () => {
  const result = await planwright(['piece', 'schema']);

  const file = path.join(import.meta.dirname, '../../../schema/piece.schema.json');
  expect(result).toEqual({ code: 0, stdout: readFileSync(file, 'utf8'), stderr: '' });
});

test.each([[[]], [['nope']]])('an unknown command exits with 2 and names the known ones: %j', async (args) => {
  const result = await planwright(['piece', ...args]);

  expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('lint, graph, run, schema') });
});

test.each(['lint', 'graph', 'run', 'schema'])('piece %s --help tells its own usage', async (name) => {
  const result = await planwright(['piece', name, '--help']);

  expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining(`Usage: planwright piece ${name}`) });
});
