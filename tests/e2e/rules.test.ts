/** Plans that a rule asks for (spec 2: `auto_plan`), and what holds them back. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ASKING_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { addLabels, labelsOf, redeliverAll } from '../helpers/labels.ts';
import { openScene, quiet, type Scene } from '../helpers/scene.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

function ruled(rules: string): Promise<Scene> {
  const settings = `auto_plan:\n${rules}\n`;
  return openScene(service, { files: { ...SMALL_FILES, '.gitlab/planwright.yml': settings }, issues: [] });
}

async function open(scene: Scene, username: string, fields: object = {}): Promise<number> {
  const { title, description } = ASKING_ISSUE;
  const made = await scene.as(username).gitlab('POST', '/issues', { title, description, ...fields });
  if (made.status !== 201) throw new Error(`issue as ${username}: ${made.status}`);
  return made.body.iid;
}

async function settled(scene: Scene, iid: number) {
  await quiet(service);
  return (await scene.now(iid)).generationStatus;
}

test('an item that fits is planned as its author opens it, once', async () => {
  const scene = await ruled('  - { author: alice }');
  const iid = await open(scene, 'alice');

  const planned = await scene.reach(iid, 'NEEDS_INPUT');
  await redeliverAll(service, scene);

  expect(planned).toMatchObject({ startedBy: { username: 'alice' } });
  const issue = service.sandbox.state.project(scene.id).issues[0];
  expect(await service.infra.act.store.runsOfItem(issue?.id ?? 0, 10)).toHaveLength(1);
});

test('one that does not fit is not, nor is one that is edited later', async () => {
  const scene = await ruled('  - { author: alice, type: incident }');
  const iid = await open(scene, 'alice');
  await scene.as('alice').gitlab('PUT', `/issues/${iid}`, { title: 'Another title' });

  expect(await settled(scene, iid)).toBe('NOT_STARTED');
});

test('one that gets the label of a rule is planned, in the name of its author', async () => {
  const scene = await ruled('  - { label: needs plan }');
  const iid = await open(scene, 'alice');
  expect(await settled(scene, iid)).toBe('NOT_STARTED');

  await addLabels(scene, 'bob', iid, 'Needs plan');

  expect((await scene.reach(iid, 'NEEDS_INPUT')).startedBy?.username).toBe('alice');
});

test('workplan-never holds rules back, but no person', async () => {
  const scene = await ruled('  - { author: alice }');
  const iid = await open(scene, 'alice', { labels: 'workplan-never' });
  expect(await settled(scene, iid)).toBe('NOT_STARTED');

  await addLabels(scene, 'alice', iid, 'workplan-do::plan');

  expect((await scene.reach(iid, 'NEEDS_INPUT')).startedBy?.username).toBe('alice');
  expect(await labelsOf(scene, iid)).toEqual(['workplan-never', 'workplan::needs_input']);
});

test('an author who may not plan is refused, and nothing is said on the item', async () => {
  const scene = await ruled('  - { type: issue }');
  const iid = await open(scene, 'carol');

  expect(await settled(scene, iid)).toBe('NOT_STARTED');
  expect(scene.ours(iid)).toEqual([]);
});

test('an item that was planned before is planned by no rule', async () => {
  const scene = await ruled('  - { label: plan me }');
  const iid = await open(scene, 'alice');
  await scene.as('alice').comment(iid, '/workplan plan');
  await scene.reach(iid, 'NEEDS_INPUT');
  await scene.as('alice').comment(iid, '/workplan cancel');
  const first = await scene.reach(iid, 'CANCELED');

  await addLabels(scene, 'alice', iid, 'plan me');
  await quiet(service);

  expect(await scene.now(iid)).toMatchObject({ runId: first.runId, generationStatus: 'CANCELED' });
});
