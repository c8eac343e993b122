import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMaintenance } from '../../src/wire/maintenance.ts';
import { type Running, startDeliveries, startRuns } from '../../src/wire/processes.ts';
import { ASKING_ISSUE, CLEAR_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { openScene, type Scene } from '../helpers/scene.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

let service: TestService;
const working: Running[] = [];

// Nobody advances runs before a test says so: what waits stays as it is, however slow the machine.
beforeAll(async () => {
  service = await startTestService({ workers: false });
  working.push(await startDeliveries(service.infra));
});
afterAll(async () => {
  for (const part of working) await part.stop();
  await service.stop();
});

/** Three items of a project that has one planned at a time, all asked for. */
async function limited(): Promise<Scene> {
  const files = { ...SMALL_FILES, '.gitlab/planwright.yml': 'max_live_runs: 1\n' };
  const scene = await openScene(service, { files, issues: [ASKING_ISSUE, CLEAR_ISSUE, CLEAR_ISSUE] });
  for (const iid of [1, 2, 3]) expect((await scene.as('alice').act(iid, 'plan')).status).toBe(202);
  await service.delivered();
  return scene;
}

const shown = async (scene: Scene, iid: number) => (await scene.as('bob').status(iid)).body;

test('a place that changed is seen by who asks with an ETag; a run that waits is cancelled like any other', async () => {
  const scene = await limited();
  const before = await scene.as('bob').status(3);
  const headers = { 'if-none-match': before.headers.get('etag') ?? '' };
  expect((await scene.as('bob').status(3, headers)).status).toBe(304);

  expect(await scene.as('alice').act(2, 'cancel')).toMatchObject({
    status: 202,
    body: { generationStatus: 'CANCELED' },
  });

  const after = await scene.as('bob').status(3, headers);
  expect([after.status, after.body.waitsForTurn]).toEqual([200, { ahead: 0 }]);
});

test('further runs wait in the queue and say so, then each is planned in its turn', async () => {
  const scene = await limited();

  expect(await shown(scene, 1)).not.toHaveProperty('waitsForTurn');
  expect(await shown(scene, 2)).toMatchObject({ generationStatus: 'GENERATING', waitsForTurn: { ahead: 0 } });
  expect(await shown(scene, 3)).toMatchObject({ generationStatus: 'GENERATING', waitsForTurn: { ahead: 1 } });
  expect(scene.ours(3).map((note) => note.body)).toEqual([expect.stringContaining('waiting for its turn: 1 ahead')]);

  working.push(await startRuns(service.infra), await startMaintenance(service.infra));
  await scene.reach(1, 'NEEDS_INPUT');
  await scene.reach(2, 'COMPLETED');
  await scene.reach(3, 'COMPLETED');
  expect(await shown(scene, 3)).not.toHaveProperty('waitsForTurn');
  expect(
    scene
      .ours(3)
      .map((note) => note.body)
      .join(),
  ).not.toContain('waiting for its turn');
  await scene.as('alice').act(1, 'continue');
  await scene.reach(1, 'COMPLETED');
});
