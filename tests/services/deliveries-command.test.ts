import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Database, openPostgres } from '../../src/adapters/postgres/connect.ts';
import { createInboxStore } from '../../src/adapters/postgres/inbox-store.ts';
import { createOutboxStore } from '../../src/adapters/postgres/outbox-store.ts';
import { newItem, outboxRow } from '../contract/store/samples.ts';
import { testDatabase } from '../helpers/servers.ts';

const root = path.resolve(import.meta.dirname, '../..');
let database: Awaited<ReturnType<typeof testDatabase>>;
let db: Database;

beforeAll(async () => {
  database = await testDatabase();
  db = await openPostgres({ url: database.url, poolSize: 1 });
  await db.migrate();
});
beforeEach(async () => {
  await db.execute('truncate inbox');
  const inbox = createInboxStore(db);
  for (const id of ['one', 'two', 'open']) {
    await inbox.put({ id, event: 'Note Hook', itemKey: `1/${id}`, body: '{"secret":"text of a comment"}' });
  }
  await inbox.take({ owner: 'a', limit: 10, leaseMs: 60_000 });
  await inbox.fail('one', 'a', 'gitlab_forbidden: no');
  await inbox.fail('two', 'a', 'gitlab_forbidden: no');
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

async function deliveries(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env['PATH'], DATABASE_URL: database.url };
  const command = ['src/cli.ts', 'deliveries', ...args];
  return promisify(execFile)(process.execPath, command, { cwd: root, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error) => ({ code: error.code, stdout: error.stdout, stderr: error.stderr }),
  );
}

const states = async () =>
  Object.fromEntries(
    (await db.execute<{ id: string; state: string }>('select id, state from inbox')).map(({ id, state }) => [
      id,
      state,
    ]),
  );

test('lists what was given up, newest first, without its text', async () => {
  const { code, stdout } = await deliveries('list');

  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(code).toBe(0);
  expect(lines).toMatchObject([
    { id: 'two', event: 'Note Hook', itemKey: '1/two', attempts: 1, error: 'gitlab_forbidden: no' },
    { id: 'one' },
  ]);
  expect(stdout).not.toContain('text of a comment');
});

test('lists the notes that were given up after them, but those that stand on their item by now', async () => {
  const outbox = createOutboxStore(db);
  for (const text of ['first', 'second']) {
    const row = outboxRow(newItem(), 'reply', { body: `text of a ${text} comment` });
    await outbox.add([row], { actionKey: null, deliveryId: null });
    const [taken] = await outbox.take({ owner: 'a', limit: 1, leaseMs: 60_000 });
    if (!taken) throw new Error('nothing to take');
    await outbox.fail(taken.id, 'a', `gitlab_forbidden: ${text}`);
    if (text === 'first') {
      const stands = `insert into notes (item_global_id, marker, kind, note_id, url) values ($1, $2, 'reply', 7, '')`;
      await db.execute(stands, [row.itemGlobalId, row.marker]);
    }
  }

  const { stdout } = await deliveries('list');

  const lines = stdout.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line)).slice(2)).toMatchObject([
    { box: 'outbox', kind: 'reply', runId: null, item: null, attempts: 1, error: 'gitlab_forbidden: second' },
  ]);
  expect(stdout).not.toContain('comment');
});

test('reopens those that are named, and says when one was not given up', async () => {
  const named = await deliveries('reopen', 'one');
  const unknown = await deliveries('reopen', 'two', 'open');

  expect(named).toMatchObject({ code: 0, stdout: '{"reopened":1}\n' });
  expect(unknown).toMatchObject({ code: 1, stdout: '{"reopened":1}\n', stderr: expect.stringContaining('not all') });
  expect(await states()).toEqual({ one: 'open', two: 'open', open: 'open' });
});

test('reopens all', async () => {
  expect(await deliveries('reopen', '--all')).toMatchObject({ code: 0, stdout: '{"reopened":2}\n' });
  expect(await states()).toEqual({ one: 'open', two: 'open', open: 'open' });
});

test.each([
  [['show'], 'expected list or reopen, got "show"'],
  [[], 'expected list or reopen, got nothing'],
  [['reopen'], 'expected the ids of deliveries, or --all'],
  [['reopen', '--all', 'one'], 'expected the ids of deliveries, or --all'],
])('says how it is called where it was called wrongly: %j', async (args, message) => {
  expect(await deliveries(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});
