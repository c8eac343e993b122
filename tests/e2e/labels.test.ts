/** Acting by label, and the one label that shows where a plan stands (spec 2: Actions). */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ASKING_ISSUE, CLEAR_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { clearFaults, fault } from '../helpers/faults.ts';
import { addLabels, labelsOf, redeliverAll, removeLabels, statusNote } from '../helpers/labels.ts';
import { openScene, quiet, type Scene } from '../helpers/scene.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterEach(async () => {
  Object.assign(service.sandbox.state.settings, { scopedLabels: false, workItemHooks: false });
  await clearFaults(service);
});
afterAll(() => service.stop());

const asking = (): Promise<Scene> => openScene(service, { files: SMALL_FILES, issues: [ASKING_ISSUE] });
const clear = (): Promise<Scene> => openScene(service, { files: SMALL_FILES, issues: [CLEAR_ISSUE] });

async function runsOf(scene: Scene): Promise<number> {
  const issue = service.sandbox.state.project(scene.id).issues[0];
  return (await service.infra.act.store.runsOfItem(issue?.id ?? 0, 10)).length;
}

async function idle(scene: Scene) {
  await quiet(service);
  return scene.now(1);
}

describe('a label that asks for something', () => {
  test('plan, continue: done by who put it on, and taken away', async () => {
    const scene = await asking();
    await addLabels(scene, 'alice', 1, 'workplan-do::plan');
    const paused = await scene.reach(1, 'NEEDS_INPUT');
    expect(paused.startedBy).toMatchObject({ username: 'alice', role: 'Developer' });
    expect(await labelsOf(scene, 1)).toEqual(['workplan::needs_input']);

    await addLabels(scene, 'bob', 1, 'workplan-do::continue');
    const ended = await scene.reach(1, 'COMPLETED', 'FAILED');

    expect(ended).toMatchObject({ generationStatus: 'COMPLETED', runId: paused.runId });
    expect(await labelsOf(scene, 1)).toEqual(['workplan::completed']);
  });

  test('cancel', async () => {
    const scene = await asking();
    await addLabels(scene, 'alice', 1, 'workplan-do::plan');
    await scene.reach(1, 'NEEDS_INPUT');

    await addLabels(scene, 'dave', 1, 'workplan-do::cancel');
    await scene.reach(1, 'CANCELED');

    expect(await labelsOf(scene, 1)).toEqual(['workplan::canceled']);
    expect(statusNote(scene, 1).body).toContain('Canceled');
  });

  test('several at once are done in the order of their events', async () => {
    const scene = await asking();
    await addLabels(scene, 'alice', 1, 'workplan-do::plan', 'workplan-do::cancel');

    await scene.reach(1, 'CANCELED');

    expect(await runsOf(scene)).toBe(1);
    expect(await labelsOf(scene, 1)).toEqual(['workplan::canceled']);
  });

  test('the hook twice, and once more when it was done: once', async () => {
    const scene = await asking();
    await addLabels(scene, 'alice', 1, 'workplan-do::plan');
    await scene.reach(1, 'NEEDS_INPUT');
    const before = scene.notes(1).map(({ id, body }) => ({ id, body }));

    await redeliverAll(service, scene);

    expect(await runsOf(scene)).toBe(1);
    expect(scene.notes(1).map(({ id, body }) => ({ id, body }))).toEqual(before);
  });

  test('one that was taken away before anybody looked asks for nothing', async () => {
    const scene = await clear();
    await fault(service, { method: 'GET', path: '/issues/1$', status: 503, times: 20 });
    await addLabels(scene, 'alice', 1, 'workplan-do::plan');
    await service.sandbox.idle();
    await removeLabels(scene, 'alice', 1, 'workplan-do::plan');
    await clearFaults(service);

    expect((await idle(scene)).generationStatus).toBe('NOT_STARTED');
  });

  test('put on by the service or by a bot that may not act, it asks for nothing', async () => {
    const scene = await clear();
    await addLabels(scene, 'planwright', 1, 'workplan-do::plan');

    expect((await idle(scene)).generationStatus).toBe('NOT_STARTED');
    expect(scene.ours(1)).toEqual([]);
  });

  test('put on before the question was asked, it does not continue', async () => {
    const scene = await asking();
    await addLabels(scene, 'alice', 1, 'workplan-do::plan', 'workplan-do::continue');

    const status = await scene.reach(1, 'NEEDS_INPUT');

    expect(status.pause?.kind).toBe('question');
    await quiet(service);
    expect((await scene.now(1)).generationStatus).toBe('NEEDS_INPUT');
  });

  test('against a comment at the same moment: one of them continues', async () => {
    const scene = await asking();
    await addLabels(scene, 'alice', 1, 'workplan-do::plan');
    const { runId } = await scene.reach(1, 'NEEDS_INPUT');

    await Promise.all([
      addLabels(scene, 'bob', 1, 'workplan-do::continue'),
      scene.as('alice').comment(1, '/workplan continue'),
      scene.as('dave').act(1, 'continue'),
    ]);
    await scene.reach(1, 'COMPLETED', 'FAILED');

    const run = await service.infra.act.store.load(runId ?? '');
    expect(run?.events.filter((event) => event.type === 'resumed')).toHaveLength(1);
    expect(await labelsOf(scene, 1)).toEqual(['workplan::completed']);
  });

  test('of a confidential item, told as a work item', async () => {
    service.sandbox.state.settings.workItemHooks = true;
    const scene = await asking();
    await scene.as('alice').gitlab('PUT', '/issues/1', { confidential: true });
    await addLabels(scene, 'alice', 1, 'workplan-do::plan');

    await scene.reach(1, 'NEEDS_INPUT');

    const sent = service.sandbox.state.deliveries.at(-1);
    expect(sent?.event).toBe('Confidential Issue Hook');
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({ object_kind: 'work_item' });
    expect(await labelsOf(scene, 1)).toEqual(['workplan::needs_input']);
  });

  test('labels of one scope may exclude each other', async () => {
    service.sandbox.state.settings.scopedLabels = true;
    const scene = await asking();
    await addLabels(scene, 'alice', 1, 'workplan-do::cancel', 'workplan-do::plan');
    await scene.reach(1, 'NEEDS_INPUT');
    expect(await labelsOf(scene, 1)).toEqual(['workplan::needs_input']);

    await addLabels(scene, 'alice', 1, 'workplan-do::cancel');
    await scene.reach(1, 'CANCELED');

    expect(await labelsOf(scene, 1)).toEqual(['workplan::canceled']);
  });
});

describe('a refusal', () => {
  test('of an item that was never planned is told in one note, edited with the next, and the label goes', async () => {
    const scene = await clear();
    await addLabels(scene, 'bob', 1, 'workplan-do::plan');
    await quiet(service);
    await addLabels(scene, 'bob', 1, 'workplan-do::cancel');
    await quiet(service);

    const ours = scene.ours(1);
    expect(ours).toHaveLength(1);
    expect(ours[0]?.body).toMatch(/@bob `workplan-do::plan`.*`forbidden`.*Developer/);
    expect(ours[0]?.body).toMatch(/@bob `workplan-do::cancel`.*`not_running`/);
    expect(await labelsOf(scene, 1)).toEqual([]);
    await redeliverAll(service, scene);
    expect(scene.ours(1).map((note) => note.body)).toEqual(ours.map((note) => note.body));
  });

  test('is a line in the status note, which stays there when the note changes', async () => {
    const scene = await asking();
    await addLabels(scene, 'alice', 1, 'workplan-do::plan');
    await scene.reach(1, 'NEEDS_INPUT');
    const notes = scene.ours(1).length;

    await addLabels(scene, 'bob', 1, 'workplan-do::plan');
    await quiet(service);
    expect(scene.ours(1)).toHaveLength(notes);
    expect(statusNote(scene, 1).body).toMatch(/Waiting for input[\s\S]*@bob `workplan-do::plan`.*`forbidden`/);

    await addLabels(scene, 'bob', 1, 'workplan-do::cancel');
    await scene.reach(1, 'CANCELED');
    expect(statusNote(scene, 1).body).toMatch(/Canceled[\s\S]*@bob `workplan-do::plan`.*`forbidden`/);
  });

  test.each([
    ['workplan-do::replan', 'not_supported'],
    ['workplan-do::approve', 'not_resumable'],
    ['workplan-do::begin', 'unknown_action'],
  ])('%s is answered %s', async (label, code) => {
    const scene = await clear();
    await addLabels(scene, 'alice', 1, label);
    await quiet(service);

    expect(scene.ours(1).map((note) => note.body)).toEqual([expect.stringContaining(`\`${code}\``)]);
    expect(await labelsOf(scene, 1)).toEqual([]);
  });
});

describe('the status label', () => {
  test('others of its kind are taken away in the same request, what is of people stays', async () => {
    const scene = await asking();
    await addLabels(scene, 'alice', 1, 'bug', 'workplan::failed', 'workplan::mine');

    await scene.as('alice').comment(1, '/workplan plan');
    await scene.reach(1, 'NEEDS_INPUT');

    expect(await labelsOf(scene, 1)).toEqual(['bug', 'workplan::mine', 'workplan::needs_input']);
    const writes = service.sandbox.state.journal.filter(
      (entry) =>
        entry.method === 'PUT' && entry.actor === 'planwright' && entry.path.endsWith(`projects/${scene.id}/issues/1`),
    );
    expect(writes.length).toBeLessThanOrEqual(2);
  });

  test('does not go along with an item that is moved', async () => {
    const [from, to] = [await asking(), await openScene(service, { issues: [] })];
    await from.as('alice').comment(1, '/workplan plan');
    await from.reach(1, 'NEEDS_INPUT');

    await from.as('maria').gitlab('POST', '/issues/1/move', { to_project_id: to.id });
    await quiet(service);

    expect(await labelsOf(to, 1)).toEqual([]);
    expect((await from.now(1)).reason).toBe('item_moved');
  });

  test('may not be set: the run completes all the same, and the status warns', async () => {
    const scene = await clear();
    const path = `/projects/${scene.id}/issues/1$`;
    await fault(service, { method: 'PUT', path, status: 403, times: 20 });

    await scene.as('alice').comment(1, '/workplan plan');
    const ended = await scene.reach(1, 'COMPLETED', 'FAILED');

    expect(ended.generationStatus).toBe('COMPLETED');
    expect(ended.deliveryFailed).toBeUndefined();
    const { body } = await scene.as('alice').status(1);
    expect(body.warnings).toMatchObject([{ code: 'labels_refused' }]);
  });

  test('that GitLab leaves out in silence is a warning too, which goes when labels can be set', async () => {
    const members = { alice: 'Developer', maria: 'Maintainer', planwright: 'Guest' };
    const scene = await openScene(service, {
      files: SMALL_FILES,
      issues: [ASKING_ISSUE],
      members,
      visibility: 'public',
    });
    await scene.as('alice').comment(1, '/workplan plan');
    await scene.reach(1, 'NEEDS_INPUT');
    const before = await scene.as('alice').status(1);
    service.sandbox.state.project(scene.id).members.set(17, 30);

    await scene.as('alice').comment(1, '/workplan continue');
    await scene.reach(1, 'COMPLETED', 'FAILED');
    const after = await scene.as('alice').status(1);

    expect(before.body.warnings).toMatchObject([{ code: 'labels_refused' }]);
    expect(after.body.warnings).toBeUndefined();
    expect(await labelsOf(scene, 1)).toEqual(['workplan::completed']);
  });
});
