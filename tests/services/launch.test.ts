import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ensurePostgres } from '../../scripts/launch/postgres.ts';
import { ensureRedis } from '../../scripts/launch/redis.ts';
import { testDatabase, testPostgresUrl, testRedis, testRedisUrl } from '../helpers/servers.ts';

/** The environment without servers named in it. */
function bareEnv(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { REDIS_URL: _redis, DATABASE_URL: _database, ...rest } = process.env;
  return { ...rest, ...extra };
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'launch-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function redisCall<T>(url: string, call: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await call(client);
  } finally {
    client.disconnect();
  }
}

async function sqlCall(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

function isListening(url: string): Promise<boolean> {
  return redisCall(url, (client) => client.ping()).then(
    () => true,
    () => false,
  );
}

/** The value that `probe` gives as soon as `accept` takes it; fails by the test's own time limit. */
async function eventually<T>(probe: () => Promise<T>, accept: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await probe();
    if (accept(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('ensureRedis', () => {
  test('starts a private server that keeps nothing and evicts nothing', async () => {
    const redis = await ensureRedis({ env: bareEnv() });
    onTestFinished(() => redis.stop());

    const [pong, settings] = await redisCall(redis.url, async (client) => [
      await client.ping(),
      await client.config('GET', 'maxmemory-policy'),
    ]);

    expect(pong).toBe('PONG');
    expect(settings).toEqual(['maxmemory-policy', 'noeviction']);
    expect(['path', 'cache']).toContain(redis.origin);
  });

  test('leaves neither process nor folder behind when stopped', async () => {
    const redis = await ensureRedis({ env: bareEnv() });
    const [folder, info] = await redisCall(redis.url, async (client) => [
      (await client.config('GET', 'dir')) as string[],
      await client.info('server'),
    ]);
    const pid = Number(/process_id:(\d+)/.exec(info)?.[1]);

    await redis.stop();
    await redis.stop();

    expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
    await expect(readdir(folder[1] ?? '')).rejects.toThrow(/ENOENT/);
  });

  test('two servers at once take different ports', async () => {
    const servers = await Promise.all([ensureRedis({ env: bareEnv() }), ensureRedis({ env: bareEnv() })]);
    onTestFinished(async () => {
      await Promise.all(servers.map((server) => server.stop()));
    });

    expect(servers[0].url).not.toBe(servers[1].url);
  });

  test('uses REDIS_URL and does not stop it', async () => {
    const shared = await testRedisUrl();

    const redis = await ensureRedis({ env: bareEnv({ REDIS_URL: shared }) });
    await redis.stop();

    expect(redis).toMatchObject({ url: shared, origin: 'environment' });
    expect(await isListening(shared)).toBe(true);
  });

  test('says so when nothing listens where REDIS_URL points', async () => {
    const closed = await closedPort();

    const attempt = ensureRedis({ env: bareEnv({ REDIS_URL: `redis://127.0.0.1:${closed}` }) });

    await expect(attempt).rejects.toThrow(new RegExp(`REDIS_URL points at 127.0.0.1:${closed}.*unset it`));
  });

  test('prefers a program on PATH to the cache', async () => {
    const folder = await temporaryFolder();
    await symlink(await runningRedisProgram(), path.join(folder, 'redis-server'));
    const env = bareEnv({
      PATH: `${folder}${path.delimiter}${process.env['PATH']}`,
      LD_LIBRARY_PATH: await libraries(),
    });

    const redis = await ensureRedis({ env });
    onTestFinished(() => redis.stop());

    expect(redis.origin).toBe('path');
    expect(await redisCall(redis.url, (client) => client.ping())).toBe('PONG');
  });

  test('names the ways out when a server can be neither found nor fetched', async () => {
    const folder = await temporaryFolder();

    const attempt = ensureRedis({ env: { PATH: folder, XDG_CACHE_HOME: folder } });

    await expect(attempt).rejects.toThrow(/no apt-get and dpkg[\s\S]*set REDIS_URL[\s\S]*brew install redis/);
  });

  test('the server ends when the process that started it is killed', async () => {
    const launcher = path.join(import.meta.dirname, '../../scripts/launch/redis.ts');
    const code = `const { ensureRedis } = await import(${JSON.stringify(launcher)});
      console.log((await ensureRedis()).url); setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', code], { env: bareEnv() });
    onTestFinished(() => {
      parent.kill('SIGKILL');
    });
    const url = await new Promise<string>((resolve) =>
      parent.stdout.once('data', (data) => resolve(String(data).trim())),
    );
    const folder = await redisCall(url, async (client) => ((await client.config('GET', 'dir')) as string[])[1] ?? '');

    parent.kill('SIGKILL');

    const listening = await eventually(
      () => isListening(url),
      (value) => !value,
    );
    const left = await eventually(
      () => readdir(folder).catch(() => undefined),
      (value) => value === undefined,
    );
    expect([listening, left]).toEqual([false, undefined]);
  });
});

describe('ensurePostgres', () => {
  test('starts a private server that answers and may create databases', async () => {
    const postgres = await ensurePostgres({ env: bareEnv() });
    onTestFinished(() => postgres.stop());

    const rows = await sqlCall(postgres.url, "select 1 as one, current_setting('fsync') as fsync");
    await sqlCall(postgres.url, 'create database another');

    expect(rows).toEqual([{ one: 1, fsync: 'off' }]);
  });

  test('writes safely when asked to', async () => {
    const postgres = await ensurePostgres({ env: bareEnv(), fsync: true });
    onTestFinished(() => postgres.stop());

    const rows = await sqlCall(
      postgres.url,
      `select name, setting from pg_settings
       where name in ('fsync', 'full_page_writes', 'synchronous_commit') order by name`,
    );

    expect(rows).toEqual([
      { name: 'fsync', setting: 'on' },
      { name: 'full_page_writes', setting: 'on' },
      { name: 'synchronous_commit', setting: 'on' },
    ]);
  });

  test('leaves neither process nor folder behind when stopped, even with a client connected', async () => {
    const postgres = await ensurePostgres({ env: bareEnv() });
    const client = new Client({ connectionString: postgres.url });
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query("select current_setting('data_directory') as data");
    const data: string = rows[0].data;
    const pid = Number((await readFile(path.join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]);

    await postgres.stop();

    expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
    await expect(readdir(path.dirname(data))).rejects.toThrow(/ENOENT/);
  });

  test('makes a database of its own on the server of DATABASE_URL and drops it', async () => {
    const shared = await testPostgresUrl();

    const postgres = await ensurePostgres({ env: bareEnv({ DATABASE_URL: shared }) });
    const [row] = await sqlCall(postgres.url, 'select current_database() as name');
    await postgres.stop();

    const { name } = row as { name: string };
    expect(postgres.origin).toBe('environment');
    expect(name).not.toBe(new URL(shared).pathname.slice(1));
    expect(await sqlCall(shared, `select 1 from pg_database where datname = '${name}'`)).toEqual([]);
  });
});

describe('servers of the test run', () => {
  test('every testDatabase is empty and its own', async () => {
    const first = await testDatabase();
    const second = await testDatabase();
    onTestFinished(async () => {
      await Promise.all([first.drop(), second.drop()]);
    });
    await sqlCall(first.url, 'create table things (id int)');

    const rows = await sqlCall(second.url, "select to_regclass('things') as found");

    expect(rows).toEqual([{ found: null }]);
  });

  test('every testRedis is its own', async () => {
    const first = await testRedis();
    const second = await testRedis();

    expect(first.prefix).not.toBe(second.prefix);
  });
});

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no TCP address');
  return address.port;
}

/** The program file of a Redis the launcher starts here, whatever branch found it. */
async function runningRedisProgram(): Promise<string> {
  const redis = await ensureRedis({ env: bareEnv() });
  try {
    const info = await redisCall(redis.url, (client) => client.info('server'));
    const file = /executable:(.+)\r/.exec(info)?.[1];
    if (file === undefined) throw new Error('INFO names no executable');
    return file;
  } finally {
    await redis.stop();
  }
}

/** The folders with the libraries that belong to that program, when it is one from the cache. */
async function libraries(): Promise<string> {
  const folder = path.resolve(await runningRedisProgram(), '../../lib');
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.includes('-linux-'))
    .map((name) => path.join(folder, name))
    .join(path.delimiter);
}
