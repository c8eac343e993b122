import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgres } from '../../src/adapters/postgres/connect.ts';
import { createRunStore } from '../../src/adapters/postgres/run-store.ts';
import { endOf, newItem, startOf } from '../contract/store/samples.ts';
import { testDatabase } from '../helpers/servers.ts';

const root = path.resolve(import.meta.dirname, '../..');
let database: Awaited<ReturnType<typeof testDatabase>>;
const item = newItem();
const ids: string[] = [];

beforeAll(async () => {
  database = await testDatabase();
  const db = await openPostgres({ url: database.url, poolSize: 1 });
  await db.migrate();
  const store = createRunStore(db);
  for (let n = 0; n < 3; n += 1) {
    const started = await store.start(startOf(item, { leaseToken: 'lease-secret' }));
    if (started.kind !== 'started') throw new Error('not started');
    ids.push(started.run.id);
    await store.end(endOf(started.run.id));
  }
  await db.execute(`update runs set updated_at = now() - interval '100 days'`);
  await db.close();
});
afterAll(() => database.drop());

async function runs(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: database.url,
    REDIS_URL: 'redis://127.0.0.1:1',
    GITLAB_URL: 'http://127.0.0.1:1',
    GITLAB_TOKEN: 'token-secret',
    GITLAB_WEBHOOK_TOKEN: 'hook-secret',
  };
  const command = ['src/cli.ts', 'runs', ...args];
  return promisify(execFile)(process.execPath, command, { cwd: root, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error) => ({ code: error.code, stdout: error.stdout, stderr: error.stderr }),
  );
}

test('exports one JSON object a line, in the order of creation, without a secret', async () => {
  const { code, stdout } = await runs('export', '--item', item.reference);

  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(code).toBe(0);
  expect(lines.map((line) => line.run.id)).toEqual(ids);
  expect(lines[0]).toMatchObject({ events: [{ type: 'run_started' }, { type: 'ended' }], usage: [], notes: [] });
  expect(stdout).not.toMatch(/secret/);
});

test('exports nothing where nothing changed since', async () => {
  const { code, stdout } = await runs('export', '--since', new Date().toISOString().slice(0, 10));

  expect([code, stdout]).toEqual([0, '']);
});

test('says what would be pruned, prunes it, and leaves the newest run of the item', async () => {
  const dry = await runs('prune', '--older-than', '90d', '--dry-run');
  const done = await runs('prune', '--older-than', '90d');
  const left = await runs('export');

  const pruned = { runs: 2, events: 4, deliveries: 0, actions: 0, outboxFailures: 0, pieceBundles: 0 };
  expect(JSON.parse(dry.stdout)).toEqual({ dryRun: true, ...pruned });
  expect(JSON.parse(done.stdout)).toEqual({ dryRun: false, ...pruned });
  expect(JSON.parse(left.stdout).run.id).toBe(ids[2]);
});

test.each([
  [[], 'expected export or prune, got nothing'],
  [['delete'], 'expected export or prune, got "delete"'],
  [['prune'], '--older-than: expected an age of at least a day as 90d, 12w or 48h, got nothing'],
  [['prune', '--older-than', '2h'], 'got "2h"'],
  [['prune', '--older-than', '90'], 'got "90"'],
  [['export', '--since', 'yesterday'], '--since: expected a date as 2026-01-31 or a time in ISO 8601, got "yesterday"'],
  [['prune', '--force'], "Unknown option '--force'"],
])('refuses %j', async (args, message) => {
  const { code, stdout, stderr } = await runs(...args);

  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
});
