/** `planwright doctor` as a process, on a real PostgreSQL, the test run's Redis and the sandbox. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SandboxHandle, startSandbox } from '../../sandbox/server.ts';
import { openPostgres } from '../../src/adapters/postgres/connect.ts';
import { createUpkeepStore } from '../../src/adapters/postgres/upkeep-store.ts';
import type { Finding } from '../../src/app/doctor/finding.ts';
import { testDatabase, testRedis } from '../helpers/servers.ts';

const root = path.join(import.meta.dirname, '../..');
let sandbox: SandboxHandle;
let database: Awaited<ReturnType<typeof testDatabase>>;
let env: Record<string, string>;

beforeAll(async () => {
  sandbox = await startSandbox();
  database = await testDatabase();
  const redis = await testRedis();
  env = {
    PATH: process.env['PATH'] ?? '',
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    GITLAB_URL: sandbox.url,
    GITLAB_TOKEN: 'sandbox-planwright',
    GITLAB_WEBHOOK_TOKEN: 'hook-secret',
    PUBLIC_URL: 'http://127.0.0.1:9',
  };
});
afterAll(async () => {
  await sandbox.close();
  await database.drop();
});

async function doctor(args: string[], change: Record<string, string> = {}) {
  return promisify(execFile)(process.execPath, ['src/cli.ts', 'doctor', ...args], {
    cwd: root,
    env: { ...env, ...change },
  }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error) => ({ code: error.code as number, stdout: error.stdout as string }),
  );
}

const levelsOf = (stdout: string): Record<string, string> => {
  const findings = JSON.parse(stdout) as Finding[];
  return Object.fromEntries(findings.map(({ check, level }) => [check, level]));
};

test('an empty database and no worker are failures, the rest is looked at all the same', async () => {
  const { code, stdout } = await doctor(['acme/sample', '--json']);

  expect(code).toBe(1);
  expect(levelsOf(stdout)).toMatchObject({
    environment: 'ok',
    gitlab: 'ok',
    token_scopes: 'ok',
    graphql: 'ok',
    migrations: 'failure',
    redis: 'ok',
    model: 'info',
    public_url: 'warning',
    role: 'ok',
    hook: 'info',
    labels: 'warning',
    settings: 'ok',
  });
  expect(stdout).not.toContain('hook-secret');
});

test('with all that must be there it ends with 0, warnings or not', async () => {
  const db = await openPostgres({ url: database.url, poolSize: 1 });
  await db.migrate();
  await createUpkeepStore(db).sign({
    owner: 'w',
    parts: ['runs', 'deliveries', 'maintenance'],
    ready: true,
    detail: '',
  });
  await db.close();

  const { code, stdout } = await doctor([]);

  expect(stdout).toContain('0 failures');
  expect(stdout).toMatch(/⚠ public_url .*\n +→ see that planwright api runs/);
  expect(code).toBe(0);
});

test('nothing set is told as such, without a stack', async () => {
  const nothing = {
    DATABASE_URL: '',
    REDIS_URL: '',
    GITLAB_URL: '',
    GITLAB_TOKEN: '',
    GITLAB_WEBHOOK_TOKEN: '',
    PUBLIC_URL: '',
  };
  const { code, stdout } = await doctor([], nothing);

  expect(code).toBe(1);
  for (const name of [
    'DATABASE_URL is not set',
    'REDIS_URL is not set',
    'GITLAB_URL or GITLAB_TOKEN is not set',
    'GITLAB_WEBHOOK_SIGNING_TOKEN: not set',
  ])
    expect(stdout).toContain(name);
  expect(stdout).not.toMatch(/ at .*\.ts:\d/);
});

test('servers that are away are failures with their remedy', async () => {
  const away = {
    DATABASE_URL: 'postgres://127.0.0.1:9/x',
    REDIS_URL: 'redis://127.0.0.1:9',
    GITLAB_URL: 'http://127.0.0.1:9',
  };
  const { code, stdout } = await doctor(['--json'], away);

  expect(code).toBe(1);
  expect(levelsOf(stdout)).toMatchObject({ gitlab: 'failure', postgres: 'failure', redis: 'failure' });
});
