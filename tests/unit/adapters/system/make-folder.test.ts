import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDisk } from '../../../../src/adapters/system/disk.ts';
import { makeFolder } from '../../../../src/adapters/system/make-folder.ts';

let home: string;

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'planwright-folder-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

test('makes what is missing of a path, and nothing of what is there', async () => {
  const folder = path.join(home, 'a/b/c');
  await makeFolder(folder);
  await makeFolder(folder);

  expect((await stat(folder)).isDirectory()).toBe(true);
});

test('ends with an error below a file and below /proc', async () => {
  await writeFile(path.join(home, 'file'), '');

  await expect(makeFolder(path.join(home, 'file/x/y'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  await expect(makeFolder('/proc/planwright/x')).rejects.toMatchObject({ code: expect.any(String) });
});

test('a disk tells whether it can be written to and what is free, and keeps nothing', async () => {
  const facts = await readDisk(path.join(home, 'snapshots'));

  expect(facts).toMatchObject({ writable: true, freeBytes: expect.any(Number) });
  expect(await readDisk('/proc/planwright/x')).toMatchObject({ writable: false });
});
