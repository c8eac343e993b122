import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ASKING_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { fault, faultsLeft } from '../helpers/faults.ts';
import { openScene, patiently, quiet, type Scene } from '../helpers/scene.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const asking = (): Promise<Scene> => openScene(service, { files: SMALL_FILES, issues: [ASKING_ISSUE] });

function questions(scene: Scene): string[] {
  return scene.markers(1).filter((key) => key.includes('kind=question'));
}

/** The one status note, without its marker. */
function statusNote(scene: Scene): string {
  const found = scene.ours(1).filter((note) => note.body.includes('kind=status'));
  expect(found).toHaveLength(1);
  return found[0]?.body ?? '';
}

const used = () => patiently(async () => ({ done: (await faultsLeft(service)) === 0, value: 'the fault waits' }));

describe('while the run is at work', () => {
  test('it is CANCELED at once, the status note says so, and what is found later is not posted', async () => {
    const scene = await asking();
    await fault(service, { method: 'GET', path: `^/projects/${scene.id}/repository/archive`, delayMs: 1500 });
    await scene.as('alice').act(1, 'plan');
    await used();
    expect(await scene.as('alice').act(1, 'cancel')).toMatchObject({
      status: 202,
      body: { generationStatus: 'CANCELED' },
    });
    await scene.reach(1, 'CANCELED');
    expect(statusNote(scene)).toContain('Canceled');
    // The slow answer has come: nothing follows from it.
    const before = service.sandbox.state.journal.length;
    await patiently(async () => {
      const slow = service.sandbox.state.journal.some((entry) =>
        entry.path.startsWith(`/projects/${scene.id}/repository/archive`),
      );
      return { done: slow, value: 'the archive is still on its way' };
    });
    const after = service.sandbox.state.journal.slice(before).filter((entry) => !entry.path.includes('/archive'));
    expect(after).toEqual([]);
    expect(questions(scene)).toEqual([]);
    expect((await scene.now(1)).generationStatus).toBe('CANCELED');
  });

  test('closing the item cancels with item_closed', async () => {
    const scene = await asking();
    await scene.as('alice').act(1, 'plan');
    await scene.reach(1, 'NEEDS_INPUT');
    await scene.as('alice').gitlab('PUT', '/issues/1', { state_event: 'close' });
    const ended = await scene.reach(1, 'CANCELED');
    expect(ended.reason).toBe('item_closed');
    expect(statusNote(scene)).toContain('`item_closed`');
  });
});

describe('while the run waits', () => {
  test('the status note says so and a late Continue is refused', async () => {
    const scene = await asking();
    await scene.as('alice').act(1, 'plan');
    const { pause } = await scene.reach(1, 'NEEDS_INPUT');
    await scene.as('alice').act(1, 'cancel');
    await scene.reach(1, 'CANCELED');
    expect(statusNote(scene)).toContain('Canceled');
    expect((await scene.as('alice').act(1, 'continue', { pauseId: pause?.id })).status).toBe(409);
    await quiet(service);
    expect(questions(scene)).toHaveLength(1);
    expect((await scene.now(1)).generationStatus).toBe('CANCELED');
  });

  test('a question that could not be posted yet is not posted any more', async () => {
    const scene = await asking();
    await fault(service, { method: 'POST', path: `^/projects/${scene.id}/issues/1/discussions$`, status: 500 });
    await scene.as('alice').act(1, 'plan');
    await used();
    await scene.until(1, (status) => status.generationStatus === 'NEEDS_INPUT');
    await scene.as('alice').act(1, 'cancel');
    await scene.reach(1, 'CANCELED');
    expect(questions(scene)).toEqual([]);
  });

  test('a question that GitLab stored but did not confirm is taken away', async () => {
    const scene = await asking();
    const path = `^/projects/${scene.id}/issues/1/discussions$`;
    await fault(service, { method: 'POST', path, status: 502, afterCommit: true, delayMs: 1000 });
    await scene.as('alice').act(1, 'plan');
    await patiently(async () => ({ done: questions(scene).length === 1, value: scene.markers(1) }));
    await scene.as('alice').act(1, 'cancel');
    await scene.reach(1, 'CANCELED');
    expect(questions(scene)).toEqual([]);
    expect(statusNote(scene)).toContain('Canceled');
  });

  test('twice: the second one is told that nothing runs', async () => {
    const scene = await asking();
    await scene.as('alice').act(1, 'plan');
    await scene.reach(1, 'NEEDS_INPUT');
    await scene.as('alice').act(1, 'cancel');
    expect(await scene.as('alice').act(1, 'cancel')).toMatchObject({ status: 409, body: { code: 'not_running' } });
  });
});
