import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSandbox, type TestSandbox } from './client.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
  await sandbox.api('alice', 'POST', '/projects/1/repository/branches', { branch: 'work', ref: 'main' });
});
afterEach(() => sandbox.close());

const REQUESTS = '/projects/1/merge_requests';
const branches = { source_branch: 'work', target_branch: 'main' };
const open = (title: string, description = '') =>
  sandbox.api('alice', 'POST', REQUESTS, { ...branches, title, description });
const titles = async (path: string, as = 'alice'): Promise<string[]> =>
  (await sandbox.api(as, 'GET', path)).body.map(({ title }: { title: string }) => title);

test('it is opened once for two branches, by Developers', async () => {
  const first = await open('One');
  const second = await open('Two');
  const byReporter = await sandbox.api('bob', 'POST', REQUESTS, { ...branches, title: 'Three' });
  const unknown = await sandbox.api('alice', 'POST', REQUESTS, { ...branches, title: 'x', source_branch: 'nowhere' });

  expect([first.status, second.status, byReporter.status, unknown.status]).toEqual([201, 409, 403, 422]);
  expect(first.body).toMatchObject({ iid: 1, state: 'opened', author: { username: 'alice' }, reference: '!1' });
});

test('it is related to the issues it names, and closes those behind a keyword', async () => {
  await open('See #1', 'Closes #2, #3 and acme/sample#4. Not 5, nor x#5.');

  expect(await titles('/projects/1/issues/1/related_merge_requests')).toEqual(['See #1']);
  expect(await titles('/projects/1/issues/1/closed_by')).toEqual([]);
  for (const iid of [2, 3, 4]) expect(await titles(`/projects/1/issues/${iid}/closed_by`)).toEqual(['See #1']);
  expect(await titles('/projects/1/issues/5/related_merge_requests')).toEqual([]);
});

test('who may not read the code sees none', async () => {
  await open('See #1');
  expect(await titles('/projects/1/issues/1/related_merge_requests', 'carol')).toEqual([]);
  expect((await sandbox.api('carol', 'GET', REQUESTS)).status).toBe(403);
});

test('merging closes what it says', async () => {
  await open('Fixes #3');
  const merged = await sandbox.api('alice', 'PUT', `${REQUESTS}/1/merge`);

  expect(merged.body).toMatchObject({ state: 'merged', merged_by: { username: 'alice' } });
  expect((await sandbox.api('alice', 'GET', '/projects/1/issues/3')).body.state).toBe('closed');
  expect((await sandbox.api('alice', 'GET', '/projects/1/issues/1')).body.state).toBe('opened');
  expect((await sandbox.api('alice', 'PUT', `${REQUESTS}/1/merge`)).status).toBe(405);
});

test('it is closed, reopened and found by its state', async () => {
  await open('One');
  await sandbox.api('alice', 'PUT', `${REQUESTS}/1`, { state_event: 'close', title: 'Other' });
  expect(await titles(`${REQUESTS}?state=closed`)).toEqual(['Other']);
  await sandbox.api('alice', 'PUT', `${REQUESTS}/1`, { state_event: 'reopen' });
  expect(await titles(`${REQUESTS}?state=opened`)).toEqual(['Other']);
});
