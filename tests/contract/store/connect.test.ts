import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPglite, openPostgres } from '../../../src/adapters/postgres/connect.ts';
import { createRunStore } from '../../../src/adapters/postgres/run-store.ts';
import { testDatabase } from '../../helpers/servers.ts';
import { databases, type TestStore } from './databases.ts';
import { startRun } from './samples.ts';

describe.each(databases)('migrations on $name', ({ open }) => {
  let opened: TestStore;

  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());

  test('a second run applies nothing, and nothing is pending', async () => {
    expect(await opened.db.migrate()).toEqual([]);
    expect(await opened.db.pendingMigrations()).toEqual([]);
  });

  test('what a query answers is of the same types everywhere', async () => {
    const sql = `select 9007199254740991::bigint as big, '2026-01-02 03:04:05.006+00'::timestamptz as at, null::bigint as none`;

    const rows = await opened.db.execute(sql);

    expect(rows).toEqual([{ big: 9007199254740991, at: '2026-01-02T03:04:05.006Z', none: null }]);
  });
});

const migrations = (await readdir('migrations')).map((file) => file.replace(/\.sql$/, '')).sort();

describe('PostgreSQL', () => {
  test('an empty database says what is pending, and a store what to do', async () => {
    const own = await testDatabase();
    const db = await openPostgres({ url: own.url });
    try {
      expect(await db.pendingMigrations()).toEqual(migrations);
      await expect(createRunStore(db).latestForItem(1)).rejects.toMatchObject({
        code: 'store_not_migrated',
        message: expect.stringContaining('planwright migrate'),
      });
      expect(await db.migrate()).toEqual(migrations);
    } finally {
      await db.close();
      await own.drop();
    }
  });

  test('two processes that migrate at once apply each migration once', async () => {
    const own = await testDatabase();
    const dbs = await Promise.all([openPostgres({ url: own.url }), openPostgres({ url: own.url })]);
    try {
      const applied = await Promise.all(dbs.map((db) => db.migrate()));

      expect(applied.flat().sort()).toEqual(migrations);
    } finally {
      await Promise.all(dbs.map((db) => db.close()));
      await own.drop();
    }
  });

  test('a server that is not there is a transient failure that does not tell the address', async () => {
    const db = await openPostgres({ url: 'postgresql://planwright:secret-word@127.0.0.1:1/none' });
    try {
      const failure = await db.execute('select 1').catch((error: unknown) => error);

      expect(failure).toMatchObject({ name: 'TransientFailure', code: 'store_unavailable' });
      expect(String(failure)).not.toMatch(/secret-word|127\.0\.0\.1|select/);
    } finally {
      await db.close();
    }
  });

  test('a connection that the server ends fails its statement as transient, and the next one works', async () => {
    const own = await testDatabase();
    const db = await openPostgres({ url: own.url, poolSize: 1 });
    try {
      const ended = db.execute('select pg_terminate_backend(pg_backend_pid())');

      await expect(ended).rejects.toMatchObject({ code: 'store_unavailable' });
      expect(await db.execute('select 1 as one')).toEqual([{ one: 1 }]);
    } finally {
      await db.close();
      await own.drop();
    }
  });

  test.each(['', 'localhost:5432', 'mysql://localhost/x'])('the address %j is refused', async (url) => {
    await expect(openPostgres({ url })).rejects.toMatchObject({ code: 'database_url_invalid' });
  });

  test('a closed database is unavailable', async () => {
    const db = await openPostgres({ url: 'postgresql://127.0.0.1:1/none' });
    await db.close();

    await expect(db.execute('select 1')).rejects.toMatchObject({ code: 'store_unavailable' });
  });
});

describe('PGlite in a folder', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'planwright-pglite-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('keeps its runs, and refuses a second opener until it is closed', async () => {
    const dataDir = path.join(folder, 'kept', 'pg');
    const db = await openPglite({ dataDir });
    await db.migrate();
    const runId = await startRun(createRunStore(db));

    await expect(openPglite({ dataDir })).rejects.toMatchObject({
      code: 'database_in_use',
      message: expect.stringContaining(`in use by process ${process.pid}`),
    });
    await db.close();
    const reopened = await openPglite({ dataDir });

    expect((await createRunStore(reopened).byId(runId))?.id).toBe(runId);
    await reopened.close();
  });

  test('takes over the lock of a process that is gone, and gives it back', async () => {
    const dataDir = path.join(folder, 'left');
    const gone = spawnSync(process.execPath, ['--version']).pid;
    await writeFile(`${dataDir}.lock`, `${gone}\n`);

    const db = await openPglite({ dataDir });

    expect(await readFile(`${dataDir}.lock`, 'utf8')).toBe(`${process.pid}\n`);
    await db.close();
    await expect(readFile(`${dataDir}.lock`)).rejects.toThrow('ENOENT');
  });

  test('refuses the folder of another living process', async () => {
    const dataDir = path.join(folder, 'other');
    await writeFile(`${dataDir}.lock`, `${process.ppid}\n`);

    await expect(openPglite({ dataDir })).rejects.toMatchObject({ code: 'database_in_use' });
  });
});
