import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createReportFolder } from '../../../../src/adapters/system/report-folder.ts';

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'planwright-reports-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test('a report written again keeps its earlier versions, the oldest first', async () => {
  const root = path.join(await emptyFolder(), 'new', 'root');
  const reports = createReportFolder(root);

  const name = await reports.begin('20260102-030405-план');
  for (const text of ['one', 'two', 'three']) await reports.write('отчёт.md', text);

  const folder = path.join(root, name);
  const texts = await Promise.all(
    ['отчёт.md', 'отчёт.md.1', 'отчёт.md.2'].map((file) => readFile(path.join(folder, file), 'utf8')),
  );
  expect(texts).toEqual(['three', 'one', 'two']);
  expect(await readdir(folder)).toHaveLength(3);
});

test('two runs of one moment have folders of their own', async () => {
  const root = await emptyFolder();

  const names = [await createReportFolder(root).begin('a'), await createReportFolder(root).begin('a')];

  expect(names).toEqual(['a', 'a-2']);
});

test.each(['../../etc/passwd', '..', '', 'a/b.md', 'a\\b.md', 'a\0b'])(
  'nothing is written outside: %j',
  async (name) => {
    const root = await emptyFolder();
    const reports = createReportFolder(path.join(root, 'out'));
    await reports.begin('run');

    await expect(reports.write(name, 'x')).rejects.toMatchObject({ code: 'reports_unwritable' });
    await expect(createReportFolder(root).begin(name)).rejects.toMatchObject({ code: 'reports_unwritable' });

    expect(await readdir(root, { recursive: true })).toEqual(['out', path.join('out', 'run')]);
  },
);

test('a link in the place of a report is replaced, not followed', async () => {
  const root = await emptyFolder();
  const outside = path.join(root, 'outside.txt');
  await writeFile(outside, 'untouched');
  const reports = createReportFolder(path.join(root, 'out'));
  await reports.begin('run');
  await symlink(outside, path.join(root, 'out', 'run', 'a.md'));

  await reports.write('a.md', 'report');

  expect(await readFile(outside, 'utf8')).toBe('untouched');
  expect(await readFile(path.join(root, 'out', 'run', 'a.md'), 'utf8')).toBe('report');
});

test('what cannot be written is told with its place', async () => {
  const root = await emptyFolder();
  const reports = createReportFolder(root);
  await reports.begin('run');
  await mkdir(path.join(root, 'run', 'a.md'));

  await expect(reports.write('a.md', 'x')).rejects.toMatchObject({
    code: 'reports_unwritable',
    message: expect.stringContaining(path.join('run', 'a.md')),
  });
});

test.runIf(existsSync('/proc/self'))(
  'a place where no folder can be made is told, and not tried for ever',
  async () => {
    await expect(createReportFolder('/proc/planwright/reports').begin('a')).rejects.toMatchObject({
      code: 'reports_unwritable',
    });
  },
);
