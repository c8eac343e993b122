import { describe, expect, test } from 'vitest';
import { mayAct } from '../../../../src/app/actions/permissions.ts';
import type { ActionName } from '../../../../src/app/actions/types.ts';
import { ProjectSettings } from '../../../../src/app/project-settings.ts';

const LEVELS = {
  'Minimal Access': 5,
  Guest: 10,
  Planner: 15,
  Reporter: 20,
  'Security Manager': 25,
  Developer: 30,
  Maintainer: 40,
  Owner: 50,
} as const;
type Role = keyof typeof LEVELS;
const ROLES = Object.keys(LEVELS) as Role[];
const { roles } = ProjectSettings.parse({});

function member(role: Role, active = true) {
  return { userId: 7, username: 'someone', accessLevel: LEVELS[role], role, active };
}

const strangers = { authorId: 1, assigneeIds: [2] };
const own = { authorId: 7, assigneeIds: [] };
const assigned = { authorId: 1, assigneeIds: [2, 7] };

function allowed(action: ActionName, issue: typeof strangers, lists = roles): Role[] {
  return ROLES.filter((role) => mayAct(action, member(role), issue, lists).ok);
}

describe('who may', () => {
  test.each(['plan', 'replan'] as const)('%s: Developer, Maintainer and Owner, whoever wrote the item', (action) => {
    const expected = ['Developer', 'Maintainer', 'Owner'];

    expect(allowed(action, strangers)).toEqual(expected);
    expect(allowed(action, own)).toEqual(expected);
    expect(allowed(action, assigned)).toEqual(expected);
  });

  test.each(['continue', 'cancel', 'approve', 'reject'] as const)('%s: the longer list', (action) => {
    expect(allowed(action, strangers)).toEqual(['Planner', 'Reporter', 'Developer', 'Maintainer', 'Owner']);
  });

  test.each(['continue', 'cancel', 'approve', 'reject'] as const)(
    '%s: authors and assignees above Guest too',
    (action) => {
      const expected = ['Planner', 'Reporter', 'Security Manager', 'Developer', 'Maintainer', 'Owner'];

      expect(allowed(action, own)).toEqual(expected);
      expect(allowed(action, assigned)).toEqual(expected);
    },
  );

  test('lists of the settings replace the defaults; levels do not count', () => {
    const lists = ProjectSettings.parse({ roles: { plan: ['Planner'], continue: ['Planner'] } }).roles;

    expect(allowed('plan', strangers, lists)).toEqual(['Planner']);
    expect(allowed('continue', strangers, lists)).toEqual(['Planner']);
  });

  test('a Guest in the list may act on own items alone: the item must be theirs to update', () => {
    const lists = ProjectSettings.parse({ roles: { continue: ['Guest'] } }).roles;

    expect(mayAct('continue', member('Guest'), strangers, lists).ok).toBe(false);
    expect(mayAct('continue', member('Guest'), own, lists).ok).toBe(true);
  });

  test('nobody who is no member, or whose membership is not active', () => {
    expect(mayAct('continue', null, own, roles)).toMatchObject({
      ok: false,
      message: expect.stringContaining('member'),
    });
    expect(mayAct('plan', member('Owner', false), own, roles).ok).toBe(false);
  });

  test('a refusal says what is needed and what one has', () => {
    expect(mayAct('plan', member('Reporter'), own, roles)).toEqual({
      ok: false,
      message: 'plan needs one of the roles Developer, Maintainer, Owner; yours is Reporter.',
    });
  });
});
