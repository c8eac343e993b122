import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSandbox, type TestSandbox } from './client.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
});
afterEach(() => sandbox.close());

const ERIN = 15;
const ALL = '/projects/1/members/all';
const levelOf = async (id: number): Promise<number | null> =>
  (await sandbox.api('maria', 'GET', `${ALL}/${id}`)).body.access_level ?? null;

test('a Maintainer adds, changes and removes a member', async () => {
  const added = await sandbox.api('maria', 'POST', '/projects/1/members', { user_id: ERIN, access_level: 20 });
  const twice = await sandbox.api('maria', 'POST', '/projects/1/members', { user_id: ERIN, access_level: 20 });
  const changed = await sandbox.api('maria', 'PUT', `/projects/1/members/${ERIN}`, { access_level: 30 });
  const removed = await sandbox.api('maria', 'DELETE', `/projects/1/members/${ERIN}`);

  expect([added.status, added.body.access_level, twice.status]).toEqual([201, 20, 409]);
  expect(changed.body.access_level).toBe(30);
  expect([removed.status, await levelOf(ERIN)]).toEqual([204, null]);
});

test.each([
  ['a Developer adds nobody', 'alice', { user_id: ERIN, access_level: 10 }, 403],
  ['a Maintainer makes no Owner', 'maria', { user_id: ERIN, access_level: 50 }, 403],
  ['a level nobody has', 'maria', { user_id: ERIN, access_level: 33 }, 400],
  ['no level', 'maria', { user_id: ERIN }, 400],
  ['nobody named', 'maria', { access_level: 20 }, 400],
  ['somebody unknown', 'maria', { user_id: 9999, access_level: 20 }, 404],
  ['a day that is over', 'maria', { user_id: ERIN, access_level: 20, expires_at: '2020-01-01' }, 400],
])('%s: refused', async (_what, as, body, status) => {
  expect((await sandbox.api(as, 'POST', '/projects/1/members', body)).status).toBe(status);
  expect(await levelOf(ERIN)).toBeNull();
});

test('a membership ends on its day', async () => {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await sandbox.api('maria', 'POST', '/projects/1/members', { user_id: ERIN, access_level: 20, expires_at: tomorrow });
  const before = await sandbox.api('maria', 'GET', `${ALL}/${ERIN}`);
  await sandbox.control('POST', '/projects/1/members', { username: 'erin', role: 'Reporter', expiresAt: '2026-01-01' });

  expect(before.body).toMatchObject({ access_level: 20, expires_at: tomorrow });
  expect(await levelOf(ERIN)).toBeNull();
});

describe('groups', () => {
  test('members of a group above are members of the project, the highest role counts', async () => {
    await sandbox.control('POST', '/groups', { path: 'acme', members: { erin: 'Developer', carol: 'Reporter' } });
    await sandbox.api('maria', 'POST', '/projects/1/members', { user_id: ERIN, access_level: 10 });

    expect([await levelOf(ERIN), await levelOf(13)]).toEqual([30, 20]);
    expect((await sandbox.api('maria', 'GET', `/projects/1/members/${ERIN}`)).body.access_level).toBe(10);
    const carol = await sandbox.api('carol', 'GET', '/projects/1');
    expect(carol.body.permissions).toMatchObject({
      project_access: { access_level: 10 },
      group_access: { access_level: 20 },
    });
  });

  test('an inherited member is in members/all only', async () => {
    await sandbox.control('POST', '/groups', { path: 'acme', members: { erin: 'Developer' } });

    const direct = (await sandbox.api('maria', 'GET', '/projects/1/members')).body;
    const all = (await sandbox.api('maria', 'GET', ALL)).body;

    const names = (list: { username: string }[]) => list.map(({ username }) => username);
    expect(names(direct)).not.toContain('erin');
    expect(names(all)).toContain('erin');
  });

  test('an invited group brings its members, with the lower of both roles, until it goes', async () => {
    const group = await sandbox.control('POST', '/groups', { path: 'guests/inner', members: { erin: 'Owner' } });
    const shared = await sandbox.api('maria', 'POST', '/projects/1/share', {
      group_id: group.body.id,
      group_access: 20,
    });
    const invited = await levelOf(ERIN);
    await sandbox.api('maria', 'DELETE', `/projects/1/share/${group.body.id}`);

    expect([shared.status, invited, await levelOf(ERIN)]).toEqual([201, 20, null]);
  });

  test('an owner manages the members of a group', async () => {
    await sandbox.control('POST', '/groups', { path: 'acme', members: { maria: 'Owner' } });
    await sandbox.api('maria', 'POST', '/groups/acme/members', { user_id: ERIN, access_level: 15 });
    const level = await levelOf(ERIN);
    const refused = await sandbox.api('erin', 'POST', '/groups/acme/members', { user_id: 13, access_level: 50 });
    await sandbox.api('maria', 'DELETE', `/groups/acme/members/${ERIN}`);

    expect([level, refused.status, await levelOf(ERIN)]).toEqual([15, 403, null]);
  });
});

test.each([
  ['blocked', 'block', 'unblock'],
  ['deactivated', 'deactivate', 'activate'],
  ['banned', 'ban', 'unban'],
])('an administrator makes a user %s and back', async (state, act, back) => {
  expect((await sandbox.api('maria', 'POST', `/users/11/${act}`)).status).toBe(403);
  await sandbox.control('PUT', '/users/maria', { admin: true });
  await sandbox.api('maria', 'POST', `/users/11/${act}`);
  const refused = await sandbox.api('alice', 'GET', '/user');
  const member = await sandbox.api('maria', 'GET', `${ALL}/11`);
  await sandbox.api('maria', 'POST', `/users/11/${back}`);

  expect([refused.status, member.body.state]).toEqual([403, state]);
  expect((await sandbox.api('alice', 'GET', '/user')).status).toBe(200);
});
