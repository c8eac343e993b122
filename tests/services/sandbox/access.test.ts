import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSandbox, type TestSandbox } from './client.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
});
afterEach(() => sandbox.close());

test.each([
  ['no token', {}],
  ['an unknown token', { 'private-token': 'sandbox-nobody' }],
  ['a name without the prefix', { 'private-token': 'alice' }],
])('%s gets 401', async (_what, headers) => {
  const response = await fetch(`${sandbox.url}/api/v4/user`, { headers: headers as Record<string, string> });

  expect(response.status).toBe(401);
  expect(await response.json()).toEqual({ message: '401 Unauthorized' });
});

test('a bearer token works like a private token', async () => {
  const response = await fetch(`${sandbox.url}/api/v4/user`, { headers: { authorization: 'Bearer sandbox-bob' } });

  expect(await response.json()).toMatchObject({ id: 12, username: 'bob', bot: false });
});

test('the bot says that it is one', async () => {
  expect((await sandbox.api('planwright', 'GET', '/user')).body.bot).toBe(true);
});

test('a private project is found by number and by path, and is not there for others', async () => {
  const byNumber = await sandbox.api('alice', 'GET', '/projects/1');
  const byPath = await sandbox.api('alice', 'GET', '/projects/acme%2Fsample');
  const stranger = await sandbox.api('erin', 'GET', '/projects/1/issues/1');

  expect(byNumber.body).toEqual(byPath.body);
  expect(byNumber.body).toMatchObject({ id: 1, path_with_namespace: 'acme/sample', default_branch: 'main' });
  expect(stranger).toMatchObject({ status: 404, body: { message: '404 Project Not Found' } });
});

test('a long nested project path works', async () => {
  const path = Array.from({ length: 20 }, (_, index) => `group-with-a-long-name-${index}`).join('/');
  await sandbox.control('POST', '/projects', { path: `${path}/service`, members: { alice: 'Developer' } });

  const found = await sandbox.api('alice', 'GET', `/projects/${encodeURIComponent(`${path}/service`)}`);

  expect(found.body.path_with_namespace).toBe(`${path}/service`);
});

test.each([
  ['alice', 30],
  ['bob', 20],
  ['carol', 10],
  ['dave', 15],
  ['maria', 40],
  ['planwright', 30],
])('%s has access level %i', async (username, level) => {
  const [user] = (await sandbox.api('alice', 'GET', `/users?username=${username}`)).body;
  const member = await sandbox.api('alice', 'GET', `/projects/1/members/all/${user.id}`);

  expect(member.body).toMatchObject({ username, access_level: level, state: 'active' });
});

test('who is no member is a 404 in the list of members', async () => {
  expect((await sandbox.api('alice', 'GET', '/projects/1/members/all/15')).status).toBe(404);
});

test('a guest changes their own issue only, and sets no labels', async () => {
  const foreign = await sandbox.api('carol', 'PUT', '/projects/1/issues/1', { title: 'Mine now' });
  const created = await sandbox.api('carol', 'POST', '/projects/1/issues', { title: 'Own', labels: 'x' });
  const own = await sandbox.api('carol', 'PUT', `/projects/1/issues/${created.body.iid}`, {
    title: 'Renamed',
    add_labels: 'y',
  });

  expect(foreign.status).toBe(403);
  expect(own).toMatchObject({ status: 200, body: { title: 'Renamed', labels: [] } });
});

test('a guest reads no code of a private project', async () => {
  expect((await sandbox.api('carol', 'GET', '/projects/1/repository/tree')).status).toBe(403);
  expect((await sandbox.api('bob', 'GET', '/projects/1/repository/tree')).status).toBe(200);
});

test('internal notes are for Planners and up', async () => {
  const internal = await sandbox.api('maria', 'POST', '/projects/1/issues/1/notes', { body: 'psst', internal: true });
  const path = `/projects/1/issues/1/notes/${internal.body.id}`;

  expect((await sandbox.api('dave', 'GET', path)).body.internal).toBe(true);
  expect((await sandbox.api('carol', 'GET', path)).status).toBe(404);
  expect((await sandbox.api('carol', 'POST', '/projects/1/issues/1/notes', { body: 'x', internal: true })).status).toBe(
    403,
  );
});

test('a confidential issue is a 404 for a guest', async () => {
  await sandbox.api('alice', 'PUT', '/projects/1/issues/3', { confidential: true });

  expect((await sandbox.api('carol', 'GET', '/projects/1/issues/3')).body).toEqual({ message: '404 Issue Not Found' });
  expect((await sandbox.api('dave', 'GET', '/projects/1/issues/3')).status).toBe(200);
});

test('a role that is taken away counts at once', async () => {
  await sandbox.control('POST', '/projects/1/members', { username: 'alice', role: null });

  expect((await sandbox.api('alice', 'GET', '/projects/1')).status).toBe(404);
});

test('others may not change a note, its author and Maintainers may', async () => {
  const note = await sandbox.api('carol', 'POST', '/projects/1/issues/1/notes', { body: 'first' });
  const path = `/projects/1/issues/1/notes/${note.body.id}`;

  expect((await sandbox.api('alice', 'PUT', path, { body: 'no' })).status).toBe(403);
  expect((await sandbox.api('carol', 'PUT', path, { body: 'second' })).body.body).toBe('second');
  expect((await sandbox.api('maria', 'DELETE', path)).status).toBe(204);
});
