import { expect, test } from 'vitest';
import { handleDelivery } from '../../../src/app/delivery/inbox.ts';
import { tokenExpiry, warningsOf } from '../../../src/app/warnings.ts';
import type { RaisedWarning } from '../../../src/ports/project-warnings.ts';
import { deliveryOf, inboxOf } from './delivery/inbox-desk.ts';

const quiet = { hook: null, missedAt: null };
const raised = (code: string, detail: string): RaisedWarning => ({ code, detail, at: '2026-01-05T09:00:00.000Z' });
const at = (day: string) => new Date(`${day}T12:00:00.000Z`);

test('labels that may not be set are told with what GitLab answered', () => {
  const [warning] = warningsOf(quiet, at('2026-01-05'), [raised('labels_refused', 'gitlab_forbidden')]);

  expect(warning).toMatchObject({
    code: 'labels_refused',
    message: expect.stringMatching(/gitlab_forbidden.*Planner/s),
  });
});

test('a token that expires is told until its day is over', () => {
  const token = raised('token_expires', '2026-01-26');
  const codes = (day: string) => warningsOf(quiet, at(day), [token]).map((warning) => warning.code);

  expect([codes('2026-01-20'), codes('2026-01-26'), codes('2026-01-28')]).toEqual([
    ['token_expires'],
    ['token_expires'],
    [],
  ]);
  expect(tokenExpiry([token])?.toISOString()).toBe('2026-01-26T00:00:00.000Z');
  expect(tokenExpiry([])).toBeNull();
});

test('what this version does not know is not shown', () => {
  expect(warningsOf(quiet, at('2026-01-05'), [raised('something', 'else')])).toEqual([]);
});

function expiring(userId: number) {
  return {
    object_kind: 'access_token',
    event_name: 'expiring_access_token',
    object_attributes: { id: 25, user_id: userId, name: 'bot', expires_at: '2026-01-26' },
  };
}

test.each([
  [17, 'warned: token expires 2026-01-26', ['token_expires 2026-01-26 0']],
  [90, 'ignored: not a token of the service', []],
])('GitLab tells that a token of user %i expires', async (userId, result, expected) => {
  const { deps } = inboxOf();
  const kept: string[] = [];
  const warnings = {
    raise: async ({ code, detail, projectId }: { code: string; detail: string; projectId: number }) =>
      void kept.push(`${code} ${detail} ${projectId}`),
  };

  expect(await handleDelivery({ ...deps, warnings }, deliveryOf(expiring(userId)))).toBe(result);

  expect(kept).toEqual(expected);
});
