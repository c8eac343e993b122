/**
 * Who may (spec 2), every sentence of it as a table: role × act × what one has to do with the item × state of the item, by the one code path
 * of all actions. What a person who may not even read an item is told is the HTTP side's (tests/e2e/who-may.test.ts).
 */
import { describe, expect, test } from 'vitest';
import { act } from '../../../../src/app/actions/act.ts';
import type { ActionName } from '../../../../src/app/actions/types.ts';
import type { GitLabIssue } from '../../../../src/ports/gitlab.ts';
import { createService, ids, pauseRun, personOf, requestOf, type Service, startRun } from '../setup.ts';

/** GitLab's levels. They do not add up: Planner and Security Manager are beside the ladder. */
const LEVELS = {
  'Minimal Access': 5,
  Guest: 10,
  Planner: 15,
  Reporter: 20,
  'Security Manager': 25,
  Developer: 30,
  Maintainer: 40,
  Owner: 50,
  /** One that this version does not know. */
  'Level 35': 35,
} as const;
type Role = keyof typeof LEVELS | 'no member';
const ROLES: Role[] = [...(Object.keys(LEVELS) as Role[]), 'no member'];

const CONCERNS = ['a stranger', 'the author', 'an assignee'] as const;
type Concern = (typeof CONCERNS)[number];

const STARTERS: Role[] = ['Developer', 'Maintainer', 'Owner'];
const UPDATERS: Role[] = ['Planner', 'Reporter', 'Developer', 'Maintainer', 'Owner'];
/** "plus author and assignees above Guest": of what is not on the list anyway. */
const CONCERNED: Role[] = [...UPDATERS, 'Security Manager', 'Level 35'];

/** Who may do what, by what the item is to them. */
const MAY: Record<ActionName, Record<Concern, Role[]>> = {
  plan: { 'a stranger': STARTERS, 'the author': STARTERS, 'an assignee': STARTERS },
  replan: { 'a stranger': STARTERS, 'the author': STARTERS, 'an assignee': STARTERS },
  continue: { 'a stranger': UPDATERS, 'the author': CONCERNED, 'an assignee': CONCERNED },
  cancel: { 'a stranger': UPDATERS, 'the author': CONCERNED, 'an assignee': CONCERNED },
  approve: { 'a stranger': UPDATERS, 'the author': CONCERNED, 'an assignee': CONCERNED },
  reject: { 'a stranger': UPDATERS, 'the author': CONCERNED, 'an assignee': CONCERNED },
};
const ACTIONS = Object.keys(MAY) as ActionName[];

type State = 'open' | 'confidential' | 'locked' | 'closed' | 'moved' | 'archived';

/** What who may is told, by the state of the item; nothing said: it is done. Discussions that are locked are open to members. */
const TOLD: Record<State, Partial<Record<ActionName, string>>> = {
  open: {},
  confidential: {},
  locked: {},
  // What waits there is ended by its own effect, which reads the item again (at-continue.test.ts).
  closed: { plan: 'item_closed' },
  moved: { plan: 'item_moved' },
  archived: {
    plan: 'project_archived',
    replan: 'project_archived',
    continue: 'project_archived',
    approve: 'project_archived',
    reject: 'project_archived',
  },
};
const CHANGES: Record<State, Partial<GitLabIssue>> = {
  open: {},
  confidential: { confidential: true },
  locked: {},
  closed: { state: 'closed' },
  moved: { state: 'closed', movedToId: 900 },
  archived: {},
};

/** A pause that fits the action, or nothing for `plan`. */
async function arrange(action: ActionName, state: State, concern: Concern): Promise<Service> {
  const service = createService({
    ...CHANGES[state],
    authorId: concern === 'the author' ? ids.bob : ids.maria,
    assigneeIds: concern === 'an assignee' ? [ids.carol, ids.bob] : [ids.carol],
  });
  service.gitlab.world.project.archived = state === 'archived';
  if (action === 'plan' || action === 'replan') return service;
  await startRun(service.store);
  await pauseRun(service, 'run-a', 'p1', action === 'approve' || action === 'reject' ? 'approval' : 'question');
  return service;
}

async function outcome(service: Service, action: ActionName, role: Role): Promise<string> {
  const { roles } = service.gitlab.world;
  if (role === 'no member') delete roles[ids.bob];
  else roles[ids.bob] = { accessLevel: LEVELS[role], role };
  const result = await act(service.deps, await requestOf(service, action, { person: personOf('bob') }));
  return result.kind === 'refused' ? result.code : result.kind;
}

const DONE: Partial<Record<ActionName, string>> = { replan: 'not_supported' };

describe.each(Object.keys(TOLD) as State[])('an item that is %s', (state) => {
  test.each(ACTIONS)('%s', async (action) => {
    const outcomes: Record<string, string> = {};
    const expected: Record<string, string> = {};
    for (const concern of CONCERNS)
      for (const role of ROLES) {
        const service = await arrange(action, state, concern);
        const key = `${role}, ${concern}`;
        outcomes[key] = await outcome(service, action, role);
        const may = MAY[action][concern].includes(role);
        expected[key] = may ? (TOLD[state][action] ?? DONE[action] ?? 'accepted') : 'forbidden';
      }

    expect(outcomes).toEqual(expected);
  });
});

describe('lists in the settings', () => {
  async function listed(yaml: string, action: ActionName): Promise<Role[]> {
    const may: Role[] = [];
    for (const role of ROLES) {
      const service = await arrange(action, 'open', 'a stranger');
      service.gitlab.world.files['.gitlab/planwright.yml'] = yaml;
      if ((await outcome(service, action, role)) !== 'forbidden') may.push(role);
    }
    return may;
  }

  test.each([
    ['plan', 'roles: { plan: [Planner] }', ['Planner']],
    ['plan', 'roles: { plan: [Security Manager, Owner] }', ['Security Manager', 'Owner']],
    ['continue', 'roles: { continue: [Maintainer] }', ['Maintainer']],
    ['cancel', 'roles: { continue: [Reporter, Security Manager] }', ['Reporter', 'Security Manager']],
    ['approve', 'roles: { plan: [Owner] }', UPDATERS],
    // A Guest may update no item of others, whatever a list says.
    ['continue', 'roles: { continue: [Guest, Owner] }', ['Owner']],
  ] as [ActionName, string, Role[]][])('%s with %s', async (action, yaml, expected) => {
    expect(await listed(yaml, action)).toEqual(expected);
  });

  test('a list for an act holds for authors and assignees too where it is plan', async () => {
    const service = await arrange('plan', 'open', 'the author');

    expect(await outcome(service, 'plan', 'Reporter')).toBe('forbidden');
  });
});

describe('whose membership does not count', () => {
  test.each(ACTIONS)(
    '%s: of somebody who is blocked, deactivated or awaits approval, whatever the role',
    async (action) => {
      const service = await arrange(action, 'open', 'the author');
      service.gitlab.world.roles[ids.bob] = { accessLevel: 50, role: 'Owner', active: false };

      const result = await act(service.deps, await requestOf(service, action, { person: personOf('bob') }));

      expect(result).toMatchObject({ kind: 'refused', code: 'forbidden' });
    },
  );
});

describe('who is meant', () => {
  test('is told by the numeric id: another one of the same name has no rights by it', async () => {
    const service = await arrange('plan', 'open', 'a stranger');
    const person = { ...personOf('maria'), id: ids.erin };

    expect(await act(service.deps, await requestOf(service, 'plan', { person }))).toMatchObject({ code: 'forbidden' });
  });

  test('somebody who was renamed keeps theirs', async () => {
    const service = await arrange('plan', 'open', 'a stranger');
    const person = { ...personOf('maria'), username: 'maria-the-second' };

    expect((await act(service.deps, await requestOf(service, 'plan', { person }))).kind).toBe('accepted');
  });
});

describe('a decision to act', () => {
  test('is made by the membership of this moment: who lost the role a second ago is refused', async () => {
    const service = await arrange('continue', 'open', 'a stranger');
    const asked: number[] = [];
    const { member } = service.gitlab;
    service.deps.gitlab = {
      ...service.gitlab,
      member: (projectId, userId) => {
        asked.push(userId);
        return member(projectId, userId);
      },
    };
    const before = await outcome(service, 'continue', 'Developer');
    const after = await outcome(service, 'continue', 'Guest');

    expect([before, after, asked]).toEqual(['accepted', 'forbidden', [ids.bob, ids.bob]]);
  });

  test('a resumed run keeps the identity of who started it, whoever continues', async () => {
    const service = await arrange('continue', 'open', 'a stranger');
    delete service.gitlab.world.roles[ids.alice];

    expect(await outcome(service, 'continue', 'Planner')).toBe('accepted');
    expect(service.store.run('run-a').row.startedBy).toMatchObject({ username: 'alice' });
  });
});
