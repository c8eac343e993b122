import { afterEach, describe, expect, test } from 'vitest';
import { startSandbox } from '../../../sandbox/server.ts';
import { createRepository, type RepositoryOptions } from '../../../src/adapters/repository/repository.ts';
import type { RepositorySnapshot } from '../../../src/ports/repository.ts';
import { createMemoryLog } from '../../helpers/fakes/log.ts';
import { createSkippingClock } from '../../helpers/fakes/skipping-clock.ts';
import { openAdapter } from '../../helpers/gitlab/adapter.ts';
import { commitOf, inPieces, repositoryTar, tarOf } from '../../helpers/repository/tars.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function snapshotOf(tar: Uint8Array, limits: RepositoryOptions['limits'] = {}): Promise<RepositorySnapshot> {
  const repository = createRepository({
    archive: async () => inPieces(tar),
    folder: null,
    clock: createSkippingClock(),
    log: createMemoryLog(),
    limits,
  });
  cleanups.push(() => repository.close());
  return repository.snapshot(1, commitOf('any'));
}

const paths = (snapshot: RepositorySnapshot): string[] => snapshot.list({ limit: 1000 }).files.map(({ path }) => path);

describe('the sample over HTTP', () => {
  test('is read through the GitLab adapter', async () => {
    const sandbox = await startSandbox();
    cleanups.push(() => sandbox.close());
    const { gitlab } = openAdapter(sandbox.url);
    cleanups.push(() => gitlab.close());
    const repository = createRepository({
      archive: (projectId, commit, options) => gitlab.archive(projectId, commit, options),
      folder: null,
      clock: createSkippingClock(),
      log: createMemoryLog(),
    });
    cleanups.push(() => repository.close());
    const head = await gitlab.headCommit(1, 'main');

    const snapshot = await repository.snapshot(1, head?.id ?? '');

    const readme = await gitlab.rawFile(1, head?.id ?? '', 'README.md');
    expect(snapshot.commit).toBe(head?.id);
    expect(snapshot.notes).toEqual([]);
    expect(`${snapshot.read('README.md', 1, 1000)?.text}\n`).toBe(readme);
    await expect(repository.snapshot(1, commitOf('none'))).rejects.toMatchObject({ code: 'repository_missing' });
  });
});

describe('list and read', () => {
  test('files come sorted, by folder, and with what is left out told', async () => {
    const snapshot = await snapshotOf(
      await repositoryTar({ 'b.md': 'x', 'src/b.ts': '', 'src/a.ts': '', 'src2/c.ts': '' }),
    );

    expect(paths(snapshot)).toEqual(['b.md', 'src/a.ts', 'src/b.ts', 'src2/c.ts']);
    expect(snapshot.fileCount).toBe(4);
    for (const under of ['src', 'src/', './src', '/src']) {
      expect(snapshot.list({ under, limit: 10 }).files.map(({ path }) => path)).toEqual(['src/a.ts', 'src/b.ts']);
    }
    expect(snapshot.list({ limit: 2 })).toMatchObject({ files: [{ path: 'b.md' }, { path: 'src/a.ts' }], more: true });
    expect(snapshot.list({ under: 'nothing', limit: 2 })).toEqual({ files: [], more: false });
  });

  test('lines are numbered from 1 and clamped', async () => {
    const snapshot = await snapshotOf(await repositoryTar({ 'a.txt': 'one\r\ntwo\nthree\n' }));

    expect(snapshot.file('a.txt')).toEqual({ path: 'a.txt', size: 15, lines: 3, binary: false });
    expect(snapshot.read('a.txt', 2, 3)).toEqual({ text: 'two\nthree', startLine: 2, endLine: 3, totalLines: 3 });
    expect(snapshot.read('a.txt', -5, 99)).toEqual({
      text: 'one\ntwo\nthree',
      startLine: 1,
      endLine: 3,
      totalLines: 3,
    });
    expect(snapshot.read('a.txt', 9, 1)).toEqual({ text: 'three', startLine: 3, endLine: 3, totalLines: 3 });
    expect(snapshot.read('b.txt', 1, 1)).toBeNull();
    expect(snapshot.file('b.txt')).toBeNull();
  });

  test('an empty file has no lines', async () => {
    const snapshot = await snapshotOf(await repositoryTar({ empty: '' }));

    expect(snapshot.file('empty')).toMatchObject({ lines: 0, binary: false });
    expect(snapshot.read('empty', 1, 10)).toEqual({ text: '', startLine: 1, endLine: 0, totalLines: 0 });
  });

  test('a repository without files is one', async () => {
    expect((await snapshotOf(await tarOf([]))).fileCount).toBe(0);
  });

  test('binary files are listed but not read', async () => {
    const snapshot = await snapshotOf(
      await repositoryTar({ 'logo.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]) }),
    );

    expect(snapshot.file('logo.png')).toEqual({ path: 'logo.png', size: 7, lines: 0, binary: true });
    expect(snapshot.read('logo.png', 1, 1)).toBeNull();
  });

  test.each([
    ['UTF-8 with a mark', Buffer.from('\uFEFFcafé'), 'café'],
    ['UTF-16', Buffer.from('\uFEFFcafé', 'utf16le'), 'café'],
    ['Latin-1', Buffer.from('café à la carte', 'latin1'), 'café à la carte'],
    ['Shift_JIS', Buffer.from([0x92, 0x8d, 0x95, 0xb6, 0x82, 0xcc]), '注文の'],
    ['EUC-JP', Buffer.from([0xc3, 0xed, 0xca, 0xb8, 0xa4, 0xce]), '注文の'],
  ])('%s is text', async (_name, bytes, text) => {
    const snapshot = await snapshotOf(await repositoryTar({ 'a.txt': bytes }));

    expect(snapshot.read('a.txt', 1, 1)?.text).toBe(text);
  });

  test('names beyond ASCII and long ones are kept', async () => {
    const long = `${'folder-with-a-long-name/'.repeat(12)}日本語の長い名前のファイル.md`;
    const snapshot = await snapshotOf(await repositoryTar({ '設計/注文 一覧.md': '# 注文', [long]: 'x' }));

    expect(snapshot.read('設計/注文 一覧.md', 1, 1)?.text).toBe('# 注文');
    expect(snapshot.list({ under: '設計', limit: 5 }).files).toHaveLength(1);
    expect(snapshot.file(long)?.lines).toBe(1);
  });
});

describe('hostile and oversized archives', () => {
  test('paths outside of the repository and links are left out, and told', async () => {
    const tar = await tarOf([
      { name: 'top/ok.txt', content: 'fine' },
      { name: 'top/../../etc/passwd', content: 'x' },
      { name: '/etc/passwd', content: 'x' },
      { name: '../up.txt', content: 'x' },
      { name: 'top/./dot.txt', content: 'x' },
      { name: 'loose.txt', content: 'x' },
      { name: 'top/link', type: 'symlink', linkname: '/etc/passwd' },
      { name: 'top/hard', type: 'link', linkname: 'top/ok.txt' },
      { name: 'top/pipe', type: 'fifo' },
    ]);

    const snapshot = await snapshotOf(tar);

    expect(paths(snapshot)).toEqual(['ok.txt']);
    expect(snapshot.notes).toEqual([
      expect.stringContaining('2 links'),
      expect.stringMatching(/^5 entries with paths outside/),
    ]);
  });

  test('what stands at a path without being a file that is listed is known', async () => {
    const tar = await tarOf([
      { name: 'top/src/a.ts', content: 'a' },
      { name: 'top/vendored/', type: 'directory' },
      { name: 'top/current', type: 'symlink', linkname: 'src' },
      { name: 'top/src/b.ts', content: 'b' },
      { name: 'top/many/c.ts', content: 'c' },
    ]);
    const snapshot = await snapshotOf(tar, { files: 2 });

    const others = ['src/a.ts', 'src', 'vendored', 'current', 'many/c.ts', 'many', 'src/a.ts/x.ts', 'src/new.ts', 'sr'];

    expect(others.map((path) => snapshot.otherAt(path))).toEqual([
      null,
      'folder',
      'folder',
      'link',
      'unlisted',
      'folder',
      'below_file',
      null,
      null,
    ]);
    expect(snapshot.fileCount).toBe(2);
  });

  test('a path that comes twice is there once', async () => {
    const tar = await tarOf([
      { name: 'top/a', content: 'first' },
      { name: 'top/a', content: 'second' },
    ]);

    expect((await snapshotOf(tar)).read('a', 1, 1)?.text).toBe('first');
  });

  test('of a huge file the beginning is kept in whole lines', async () => {
    const snapshot = await snapshotOf(await repositoryTar({ 'big.txt': 'line\n'.repeat(1000), 'z.txt': 'z' }), {
      fileBytes: 52,
    });

    expect(snapshot.file('big.txt')).toEqual({ path: 'big.txt', size: 5000, lines: 10, binary: false });
    expect(snapshot.read('z.txt', 1, 1)?.text).toBe('z');
    expect(snapshot.notes).toEqual(['big.txt: only its first 50 of 5000 bytes can be read and searched.']);
  });

  test('a cut in the middle of a character breaks nothing', async () => {
    const snapshot = await snapshotOf(await repositoryTar({ 'ja.txt': '注'.repeat(100) }), { fileBytes: 50 });

    expect(snapshot.read('ja.txt', 1, 1)?.text).toMatch(/^注+$/);
  });

  test('beyond the total, files are listed without text', async () => {
    const snapshot = await snapshotOf(await repositoryTar({ a: 'x'.repeat(60), b: 'y'.repeat(60), c: 'z' }), {
      totalBytes: 100,
    });

    expect(paths(snapshot)).toEqual(['a', 'b', 'c']);
    expect(snapshot.read('b', 1, 1)).not.toBeNull();
    expect(snapshot.read('c', 1, 1)).toBeNull();
    expect(snapshot.file('c')).toMatchObject({ lines: 0, binary: false });
    expect(snapshot.notes).toEqual([expect.stringContaining('1 files are listed without their text')]);
  });

  test('more files than may be listed are told', async () => {
    const snapshot = await snapshotOf(await repositoryTar({ a: '', b: '', c: '' }), { files: 2 });

    expect(paths(snapshot)).toEqual(['a', 'b']);
    expect(snapshot.notes).toEqual([expect.stringContaining('1 files are not listed')]);
  });

  test('an archive that unpacks without end is refused', async () => {
    const tar = await repositoryTar({ bomb: Buffer.alloc(2_000_000) });

    await expect(snapshotOf(tar, { archiveBytes: 1_000_000 })).rejects.toMatchObject({ code: 'repository_too_large' });
  });

  test.each([
    ['cut', (tar: Buffer) => tar.subarray(0, tar.length / 2)],
    ['no gzip', () => Buffer.from('<html>sign in</html>')],
    ['empty', () => Buffer.alloc(0)],
  ])('an archive that is %s is a failure worth repeating', async (_name, broken) => {
    const tar = broken(
      await repositoryTar({ a: Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 251)) }),
    );

    await expect(snapshotOf(tar)).rejects.toMatchObject({
      name: 'TransientFailure',
      code: 'repository_archive_broken',
    });
  });
});
