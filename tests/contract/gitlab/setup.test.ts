/** What setting up and looking need of GitLab, against the sandbox as instances of several kinds. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type SandboxHandle, startSandbox } from '../../../sandbox/server.ts';
import { defaultSettings } from '../../../sandbox/settings.ts';
import { createGitLab, type GitLab } from '../../../src/adapters/gitlab/client.ts';
import { createSystemClock } from '../../../src/adapters/system/clock.ts';
import { createMemoryLog } from '../../helpers/fakes/log.ts';

let sandbox: SandboxHandle;
const opened: GitLab[] = [];

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterEach(async () => {
  Object.assign(sandbox.state.settings, defaultSettings());
  for (const gitlab of opened.splice(0)) await gitlab.close();
});
afterAll(() => sandbox.close());

function as(token: string): GitLab {
  const clock = createSystemClock();
  const gitlab = createGitLab({ baseUrl: sandbox.url, token, timeoutMs: 10_000, clock, log: createMemoryLog() });
  opened.push(gitlab);
  return gitlab;
}

async function lever<T>(path: string, body: object): Promise<T> {
  const answer = await fetch(`${sandbox.url}/_sandbox${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as T;
}

test('version, edition and clock of the instance', async () => {
  Object.assign(sandbox.state.settings, { version: '17.3.1', enterprise: true });

  const facts = await as('sandbox-planwright').setup.instance();

  expect(facts).toMatchObject({ version: '17.3.1-ee', enterprise: true });
  expect(Math.abs(Date.parse(facts.clock ?? '') - Date.now())).toBeLessThan(60_000);
});

test('scopes and expiry of the token', async () => {
  const made = await lever<{ token: string }>('/tokens', {
    username: 'planwright',
    scopes: ['read_api'],
    expiresAt: '2099-01-31',
  });

  expect(await as(made.token).setup.token()).toMatchObject({ scopes: ['read_api'], expiresAt: '2099-01-31' });
});

describe('GraphQL', () => {
  test('tells who edited a comment last', async () => {
    expect(await as('sandbox-planwright').setup.graphql()).toBe('tells_editors');
  });

  test('cannot be had behind a proxy that lets REST through only', async () => {
    sandbox.state.settings.graphql = false;

    expect(await as('sandbox-planwright').setup.graphql()).toBe('absent');
  });
});

test('whether threads can be resolved is seen on a thread', async () => {
  const { setup } = as('sandbox-planwright');
  const empty = await lever<{ id: number }>('/projects', {
    path: 'team/empty',
    members: { planwright: 'Developer' },
    issues: [],
  });
  const talked = await lever<{ id: number }>('/projects', {
    path: 'team/talked',
    members: { planwright: 'Developer' },
    issues: [{ title: 'One', description: 'x' }],
  });
  await as('sandbox-planwright').createDiscussion(talked.id, 1, 'A question');

  expect(await setup.threadsResolve(empty.id)).toBeNull();
  expect(await setup.threadsResolve(talked.id)).toBe(true);
});

test('silent mode is not told to who is no administrator', async () => {
  expect(await as('sandbox-planwright').setup.silentMode()).toBeNull();
});

test('hooks are for Maintainers', async () => {
  await expect(as('sandbox-planwright').setup.projectHooks(1)).rejects.toMatchObject({ code: 'gitlab_forbidden' });
});
