import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRepository, type RepositoryOptions } from '../../../src/adapters/repository/repository.ts';
import { PermanentFailure, TransientFailure } from '../../../src/ports/failures.ts';
import type { RepositoryPort } from '../../../src/ports/repository.ts';
import { createMemoryLog } from '../../helpers/fakes/log.ts';
import { createSkippingClock, type SkippingClock } from '../../helpers/fakes/skipping-clock.ts';
import { commitOf, inPieces, repositoryTar } from '../../helpers/repository/tars.ts';

type Archive = RepositoryOptions['archive'];

let folder: string;
let clock: SkippingClock;
const opened: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'planwright-snapshots-'));
  clock = createSkippingClock();
});
afterEach(async () => {
  for (const repository of opened.splice(0)) await repository.close();
  await rm(folder, { recursive: true });
});

function open(archive: Archive, options: Partial<RepositoryOptions> = {}): RepositoryPort & { close(): Promise<void> } {
  const repository = createRepository({ archive, folder, clock, log: createMemoryLog(), ...options });
  opened.push(repository);
  return repository;
}

/** Counts the downloads and gives each the same small repository. */
function counting(): { archive: Archive; downloads: string[] } {
  const downloads: string[] = [];
  return {
    downloads,
    archive: async (projectId, commit) => {
      downloads.push(`${projectId}-${commit}`);
      return inPieces(await repositoryTar({ 'a.txt': `${projectId} ${commit}` }));
    },
  };
}

const commit = commitOf('one');

test('those who ask meanwhile share one download', async () => {
  const { archive, downloads } = counting();
  const repository = open(archive);

  const snapshots = await Promise.all([1, 2, 3].map(() => repository.snapshot(1, commit)));

  expect(downloads).toHaveLength(1);
  expect(new Set(snapshots).size).toBe(1);
});

test('projects and commits are kept apart', async () => {
  const { archive, downloads } = counting();
  const repository = open(archive);

  await Promise.all([
    repository.snapshot(1, commit),
    repository.snapshot(2, commit),
    repository.snapshot(1, commitOf('two')),
  ]);

  expect(downloads).toHaveLength(3);
  expect((await repository.snapshot(2, commit)).read('a.txt', 1, 1)?.text).toBe(`2 ${commit}`);
});

test('a second run, also of another process, reuses the snapshot', async () => {
  const { archive, downloads } = counting();
  const first = open(archive);
  await first.snapshot(1, commit);
  await first.snapshot(1, commit);
  await first.close();

  const snapshot = await open(archive).snapshot(1, commit);

  expect(snapshot).toMatchObject({ commit, fileCount: 1, notes: [] });
  expect(snapshot.search(commit, 1)).toHaveLength(1);
  expect(downloads).toHaveLength(1);
});

test('a file that is no snapshot is built anew', async () => {
  const { archive, downloads } = counting();
  await writeFile(join(folder, `1-${commit}.sqlite`), 'rubbish');

  expect((await open(archive).snapshot(1, commit)).fileCount).toBe(1);
  expect(downloads).toHaveLength(1);
});

test('a failure is not remembered and leaves nothing behind', async () => {
  const { archive } = counting();
  let failing = true;
  const repository = open(async (...given) => {
    if (failing) throw new TransientFailure('gitlab_unavailable', 'no');
    return archive(...given);
  });

  await expect(repository.snapshot(1, commit)).rejects.toMatchObject({ code: 'gitlab_unavailable' });
  expect(await readdir(folder)).toEqual([]);
  failing = false;

  expect((await repository.snapshot(1, commit)).fileCount).toBe(1);
});

test('a download that breaks off fails with its own reason', async () => {
  const broken = new TransientFailure('gitlab_unreachable', 'cut');
  const tar = await repositoryTar({ 'a.txt': 'x'.repeat(5000) });
  const repository = open(async () =>
    (async function* () {
      yield tar.subarray(0, 20);
      throw broken;
    })(),
  );

  await expect(repository.snapshot(1, commit)).rejects.toBe(broken);
  expect(await readdir(folder)).toEqual([]);
});

test('no such commit is a repository that is missing', async () => {
  const repository = open(async () => {
    throw new PermanentFailure('gitlab_not_found', '404');
  });

  await expect(repository.snapshot(1, commit)).rejects.toMatchObject({
    name: 'PermanentFailure',
    code: 'repository_missing',
  });
});

test.each(['main', '', '../../etc', commit.slice(0, 12), commit.toUpperCase()])(
  '%j is not a pinned commit',
  async (name) => {
    const { archive, downloads } = counting();

    await expect(open(archive).snapshot(1, name)).rejects.toMatchObject({ code: 'repository_missing' });
    expect(downloads).toEqual([]);
  },
);

test('who aborts leaves, the others get the snapshot', async () => {
  const { archive } = counting();
  const gate = Promise.withResolvers<void>();
  const repository = open(async (...given) => {
    await gate.promise;
    return archive(...given);
  });
  const control = new AbortController();
  const leaver = repository.snapshot(1, commit, { signal: control.signal });
  const stayer = repository.snapshot(1, commit);

  control.abort(new Error('cancelled'));
  await expect(leaver).rejects.toThrow('cancelled');
  gate.resolve();

  expect((await stayer).fileCount).toBe(1);
});

test('when the last one leaves the download is aborted', async () => {
  const aborted = Promise.withResolvers<unknown>();
  const started = Promise.withResolvers<void>();
  const repository = open(async (_project, _commit, { signal }) => {
    signal.addEventListener('abort', () => aborted.resolve(signal.reason));
    started.resolve();
    throw await aborted.promise;
  });
  const control = new AbortController();
  const leaving = repository.snapshot(1, commit, { signal: control.signal });
  await started.promise;

  const reason = new Error('cancelled');
  control.abort(reason);

  await expect(leaving).rejects.toBe(reason);
  expect(await aborted.promise).toBe(reason);
});

test('nothing begins with a signal that is aborted', async () => {
  const { archive, downloads } = counting();

  await expect(open(archive).snapshot(1, commit, { signal: AbortSignal.abort(new Error('late')) })).rejects.toThrow(
    'late',
  );
  expect(downloads).toEqual([]);
});

test('the longest unused snapshots leave the disk, those in use stay readable', async () => {
  const { archive, downloads } = counting();
  const repository = open(archive, { maxKept: 2, maxOpen: 1 });
  const first = await repository.snapshot(1, commitOf('a'));
  await clock.sleep(1000);
  await repository.snapshot(1, commitOf('b'));
  await clock.sleep(1000);
  await repository.snapshot(1, commitOf('c'));

  expect((await readdir(folder)).sort()).toEqual([`1-${commitOf('b')}.sqlite`, `1-${commitOf('c')}.sqlite`].sort());
  expect(first.read('a.txt', 1, 1)?.text).toContain(commitOf('a'));
  expect(downloads).toHaveLength(3);
});

test('what a crashed process left is cleared, what another builds now is not', async () => {
  const { archive } = counting();
  const now = clock.now();
  const hours = (count: number): Date => new Date(now.getTime() - count * 3_600_000);
  await writeFile(join(folder, 'building-old.sqlite'), '');
  await utimes(join(folder, 'building-old.sqlite'), hours(2), hours(2));
  await writeFile(join(folder, 'building-new.sqlite'), '');
  await utimes(join(folder, 'building-new.sqlite'), now, now);
  await writeFile(join(folder, 'somebody-elses.txt'), '');

  await open(archive).snapshot(1, commit);

  expect((await readdir(folder)).sort()).toEqual([`1-${commit}.sqlite`, 'building-new.sqlite', 'somebody-elses.txt']);
});
