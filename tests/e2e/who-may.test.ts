/** Who may (spec 2) through the whole service: what GitLab says of people, by HTTP and by comment. The table is tests/unit/app/actions/who-may.test.ts. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ASKING_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { openScene, quiet, request, type Scene } from '../helpers/scene.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const sandbox = (method: string, path: string, body?: object) =>
  request(`${service.sandbox.url}/_sandbox${path}`, method, {}, body);
const setRole = (scene: Scene, username: string, role: string | null, more: object = {}) =>
  sandbox('POST', `/projects/${scene.id}/members`, { username, role, ...more });

const members = { alice: 'Developer', maria: 'Owner', planwright: 'Developer' };
const open = (change: object = {}) =>
  openScene(service, { files: SMALL_FILES, issues: [ASKING_ISSUE], members, ...change });

const ACTIONS = ['plan', 'continue', 'cancel', 'replan', 'approve', 'reject'];

/** Statuses and codes of every call on the item, and on one that does not exist, must be the same. */
async function everyCall(scene: Scene, username: string, iid: number) {
  const as = scene.as(username);
  const answers = [await as.status(iid, { 'if-none-match': '*' })];
  for (const action of ACTIONS) answers.push(await as.act(iid, action));
  return answers.map(({ status, body }) => [status, body?.code, body?.detail]);
}

describe('an item that one may not read is the same as one that does not exist, on every call', () => {
  test.each([
    ['of a private project, for no member', 'erin', {}],
    ['of a private project, for a member with minimal access', 'erin', { erin: 'Minimal Access' }],
    ['that is confidential, for a Guest', 'carol', { carol: 'Guest' }],
  ])('%s', async (_name, username, more) => {
    const scene = await open({ members: { ...members, ...more } });
    await scene.as('alice').gitlab('PUT', '/issues/1', { confidential: true });
    await scene.as('alice').act(1, 'plan');
    await scene.reach(1, 'NEEDS_INPUT');

    const hidden = await everyCall(scene, username, 1);

    expect(hidden).toEqual(await everyCall(scene, username, 99));
    expect(new Set(hidden.map(([status]) => status))).toEqual(new Set([404]));
  });
});

describe('membership', () => {
  async function mayPlan(scene: Scene, username: string): Promise<boolean> {
    const { status } = await scene.as(username).act(1, 'plan');
    expect([202, 403]).toContain(status);
    return status === 202;
  }

  test('by a group above the project counts', async () => {
    const group = 'team-above';
    await sandbox('POST', '/groups', { path: group, members: { erin: 'Developer' } });

    expect(await mayPlan(await open({ path: `${group}/inherited` }), 'erin')).toBe(true);
  });

  test.each([
    ['Developer', true],
    ['Reporter', false],
  ])('by a group invited as %s counts up to that role', async (role, may) => {
    const group = `guests-${role.toLowerCase()}`;
    const { body } = await sandbox('POST', '/groups', { path: group, members: { erin: 'Maintainer' } });
    const scene = await open();
    const level = { Developer: 30, Reporter: 20 }[role];
    await scene.as('maria').gitlab('POST', '/share', { group_id: body.id, group_access: level });

    expect(await mayPlan(scene, 'erin')).toBe(may);
  });

  test('that has ended counts no more', async () => {
    const scene = await open({ visibility: 'public' });
    await setRole(scene, 'erin', 'Developer', { expiresAt: '2020-01-01' });

    expect(await mayPlan(scene, 'erin')).toBe(false);
  });

  test('that was taken away counts no more from the next action on', async () => {
    const scene = await open({ visibility: 'public', members: { ...members, erin: 'Developer' } });
    const before = await mayPlan(scene, 'erin');
    await scene.reach(1, 'NEEDS_INPUT');
    await setRole(scene, 'erin', null);

    expect([before, (await scene.as('erin').act(1, 'continue')).status]).toEqual([true, 403]);
  });

  test('off the ladder: a Planner continues what a Security Manager may not, and neither plans', async () => {
    const scene = await open({ members: { ...members, dave: 'Planner', erin: 'Security Manager' } });
    const plans = [await mayPlan(scene, 'dave'), await mayPlan(scene, 'erin')];
    await scene.as('alice').act(1, 'plan');
    await scene.reach(1, 'NEEDS_INPUT');

    const continues = [await scene.as('erin').act(1, 'continue'), await scene.as('dave').act(1, 'continue')];

    expect([plans, continues.map(({ status }) => status)]).toEqual([
      [false, false],
      [403, 202],
    ]);
  });
});

test('a blocked account is nobody: its token is not accepted, and what it wrote before answers nothing', async () => {
  const scene = await open({ members: { ...members, bob: 'Reporter' } });
  await scene.as('alice').act(1, 'plan');
  await scene.reach(1, 'NEEDS_INPUT');
  const question = scene.ours(1).find((note) => note.body.includes('kind=question'));
  await scene.as('bob').reply(1, question?.discussionId ?? '', '1');
  await scene.until(1, (status) => status.questions[0]?.state === 'answered');
  await sandbox('PUT', '/users/bob', { state: 'blocked' });
  try {
    const own = await scene.as('bob').status(1);
    await scene.as('alice').act(1, 'continue');
    const status = await scene.reach(1, 'COMPLETED', 'FAILED');

    expect(own.status).toBe(401);
    expect(status).toMatchObject({ generationStatus: 'COMPLETED', answers: [] });
  } finally {
    await sandbox('PUT', '/users/bob', { state: 'active' });
  }
});

test('a refusal by comment is told once, below the command, in the item’s language', async () => {
  const scene = await open({
    members: { ...members, bob: 'Reporter' },
    issues: [
      {
        ...ASKING_ISSUE,
        title: 'Notizen teilen',
        description:
          'Wir wollen Notizen mit anderen teilen können, und zwar über einen Link. Es ist noch nicht entschieden, wie lange der Link gilt.',
      },
    ],
  });
  await scene.as('bob').comment(1, '/workplan plan');
  await quiet(service);

  const replies = scene.ours(1);

  expect(replies).toHaveLength(1);
  expect(replies[0]?.body).toContain('Dazu fehlt die Berechtigung.');
  expect(replies[0]?.discussionId).toBe(scene.notes(1).find((note) => note.author === 'bob')?.discussionId);
});
