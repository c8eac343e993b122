/** Two APIs, processes of their own, on one PostgreSQL and one Redis: what is pressed on both at the same moment happens once. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SandboxHandle, startSandbox } from '../../sandbox/server.ts';
import { ASKING_ISSUE, CLEAR_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { openStation, openTemplate, type Station, type Template } from '../helpers/recovery.ts';
import { type Answer, openScene, type Scene } from '../helpers/scene.ts';

const TWENTY = Array.from({ length: 20 }, (_, index) => index);

let template: Template;
let sandbox: SandboxHandle;
let station: Station;
let scene: Scene;
let apis: string[];

beforeAll(async () => {
  template = await openTemplate();
  sandbox = await startSandbox();
  station = await openStation({ template, sandbox });
  const [one, two] = await Promise.all([station.api(), station.api()]);
  apis = [one.url, two.url];
  const issues = [ASKING_ISSUE, ASKING_ISSUE, CLEAR_ISSUE];
  scene = await openScene({ ...station, apiUrl: one.url }, { files: SMALL_FILES, issues });
  await station.survivor();
});
afterAll(async () => {
  await station.stop();
  await sandbox.close();
  await template.drop();
});

/** Pressed twenty times at once, on both APIs in turn. */
function press(iid: number, action: string, body?: object): Promise<Answer[]> {
  return Promise.all(
    TWENTY.map((index) => scene.as(index % 4 < 2 ? 'alice' : 'maria', apis[index % 2]).act(iid, action, body)),
  );
}

function counted(answers: Answer[]): Record<string, number> {
  const keys = answers.map(({ status, body }) => (status === 202 ? '202' : `${status} ${body.code}`));
  return Object.fromEntries([...Map.groupBy(keys, (key) => key)].map(([key, all]) => [key, all.length]));
}

test('twenty plans: one run, the others are told of it', async () => {
  const answers = await press(1, 'plan');

  const { runId } = await scene.reach(1, 'NEEDS_INPUT');
  expect(counted(answers)).toEqual({ '202': 1, '409 already_running': 19 });
  expect(new Set(answers.map(({ body }) => body.runId))).toEqual(new Set([runId]));
  expect(scene.markers(1).filter((key) => key.endsWith('kind=status'))).toHaveLength(1);
});

test('twenty Continues of one pause: one is taken, and the run goes on once', async () => {
  await press(2, 'plan');
  const { pause, runId } = await scene.reach(2, 'NEEDS_INPUT');

  const answers = await press(2, 'continue', { pauseId: pause?.id });

  expect(counted(answers)).toEqual({ '202': 1, '409 already_continued': 19 });
  expect((await scene.reach(2, 'COMPLETED', 'FAILED')).generationStatus).toBe('COMPLETED');
  const resumed = await station.infra.db.execute(`select seq from events where run_id = $1 and type = 'resumed'`, [
    runId,
  ]);
  expect(resumed).toHaveLength(1);
});

test('what one API took the other one shows at once', async () => {
  const [here = '', there = ''] = apis;
  const before = await scene.as('alice', there).status(3);
  const known = { 'if-none-match': String(before.headers.get('etag')) };

  await scene.as('alice', here).act(3, 'plan');
  const after = await scene.as('alice', there).status(3, known);

  expect(before.body.generationStatus).toBe('NOT_STARTED');
  expect(after).toMatchObject({ status: 200, body: { runId: expect.any(String) } });
});
