/** Memberships as GitLab answers them (facts: roles), read by numeric id: `members/all/:user_id`, inherited and invited ones included. */
import { afterEach, describe, expect, test } from 'vitest';
import { openAdapter } from '../../helpers/gitlab/adapter.ts';
import { json, startRawServer } from '../../helpers/gitlab/raw-server.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const DEVELOPER = { id: 12, username: 'bob', name: 'Bob', state: 'active', access_level: 30, expires_at: null };

async function read(member: object) {
  const server = await startRawServer((_request, response) => json(response, 200, member));
  const { gitlab, clock } = openAdapter(server.url);
  cleanups.push(
    () => server.close(),
    () => gitlab.close(),
  );
  return { member: await gitlab.member(1, 12), seen: server.seen, clock };
}

test('the person is asked for by number, with what comes by groups', async () => {
  const { seen } = await read(DEVELOPER);

  expect(seen).toMatchObject([{ url: expect.stringMatching(/\/projects\/1\/members\/all\/12$/) }]);
});

describe('roles by level', () => {
  test.each([
    [5, 'Minimal Access'],
    [10, 'Guest'],
    [15, 'Planner'],
    [20, 'Reporter'],
    [25, 'Security Manager'],
    [30, 'Developer'],
    [40, 'Maintainer'],
    [50, 'Owner'],
    [35, 'Level 35'],
  ])('%i is %s', async (access_level, role) => {
    expect((await read({ ...DEVELOPER, access_level })).member).toMatchObject({ accessLevel: access_level, role });
  });

  test('a custom role counts as the role it is based on', async () => {
    const member_role = { id: 7, name: 'Release manager', base_access_level: 30, admin_vulnerability: true };

    expect((await read({ ...DEVELOPER, member_role })).member).toMatchObject({ role: 'Developer', active: true });
  });
});

describe('what counts as active', () => {
  test.each([
    ['active', {}, true],
    ['blocked', { state: 'blocked' }, false],
    ['blocked by LDAP', { state: 'ldap_blocked' }, false],
    ['deactivated', { state: 'deactivated' }, false],
    ['banned', { state: 'banned' }, false],
    ['awaiting approval', { state: 'awaiting' }, false],
    ['of nothing said', { state: null }, false],
    ['a membership that is active', { membership_state: 'active' }, true],
    ['a membership that awaits', { membership_state: 'awaiting' }, false],
    ['one that ends tomorrow', { expires_at: '2026-01-06' }, true],
    ['one that ended as today began', { expires_at: '2026-01-05' }, false],
    ['one that ended long ago', { expires_at: '2025-12-31' }, false],
  ])('%s: %j → %s', async (_name, change, active) => {
    const { member, clock } = await read({ ...DEVELOPER, ...change });

    expect(clock.now().toISOString().slice(0, 10)).toBe('2026-01-05');
    expect(member?.active).toBe(active);
  });
});

describe('the service’s own account', () => {
  test.each([
    ['Your account has been blocked.', 'gitlab_unauthorized'],
    ['Your account has been deactivated by your administrator.', 'gitlab_unauthorized'],
    ['insufficient_scope', 'gitlab_forbidden'],
    ['403 Forbidden', 'gitlab_forbidden'],
  ])('refused with 403 and %j fails as %s', async (said, code) => {
    const server = await startRawServer((_request, response) => json(response, 403, { message: said }));
    const { gitlab } = openAdapter(server.url);
    cleanups.push(
      () => server.close(),
      () => gitlab.close(),
    );

    await expect(gitlab.member(1, 12)).rejects.toMatchObject({ name: 'PermanentFailure', code });
  });
});
