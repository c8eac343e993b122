/** What ends every worker that takes it is set aside after some time, and the rest goes on. The workers are processes that are killed. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type SandboxHandle, startSandbox } from '../../sandbox/server.ts';
import { CLEAR_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { openStation, openTemplate, type Station, type Template } from '../helpers/recovery.ts';
import { openScene, patiently, type Scene } from '../helpers/scene.ts';

let template: Template;
let sandbox: SandboxHandle;
const stations: Station[] = [];

beforeAll(async () => {
  template = await openTemplate();
  sandbox = await startSandbox();
});
afterEach(async () => {
  for (const station of stations.splice(0)) await station.stop();
});
afterAll(async () => {
  await sandbox.close();
  await template.drop();
});

async function stationed(): Promise<{ station: Station; scene: Scene }> {
  const station = await openStation({ template, sandbox });
  stations.push(station);
  const scene = await openScene(station, { files: SMALL_FILES, issues: [CLEAR_ISSUE, CLEAR_ISSUE] });
  return { station, scene };
}

/** Workers one after the other, each ended right after this point, until it is over. */
async function crashAt(station: Station, point: string, over: () => Promise<boolean>): Promise<number> {
  for (let crashes = 0; ; crashes += 1) {
    if (crashes > 30) throw new Error(`still not over after ${crashes} crashes`);
    const worker = station.worker({ KILL_AT: point, KILL_WHEN: 'after' });
    const state = await patiently(async () => {
      const ended = worker.ended() !== null;
      return { done: ended || (await over()), value: ended };
    });
    if (!state) return crashes;
    await worker.exit;
  }
}

test('a run that ends every worker fails with a reason, and the next one is planned', async () => {
  const { station, scene } = await stationed();
  await scene.as('alice').act(1, 'plan');

  const crashes = await crashAt(
    station,
    'claim_runs#1',
    async () => (await scene.now(1)).generationStatus === 'FAILED',
  );
  await scene.as('alice').act(2, 'plan');
  await station.survivor();

  expect(crashes).toBeGreaterThanOrEqual(8);
  expect((await scene.reach(1, 'FAILED')).reason).toBe('worker_lost');
  expect(scene.markers(1).filter((key) => key.includes('kind=end'))).toHaveLength(1);
  expect((await scene.reach(2, 'COMPLETED', 'FAILED')).generationStatus).toBe('COMPLETED');
});

test('a delivery that ends every worker is given up, and the next command is carried out', async () => {
  const { station, scene } = await stationed();
  await scene.as('alice').comment(1, '/workplan plan');
  const states = () =>
    station.infra.db.execute<{ state: string; error: string | null }>(
      'select state, error from inbox order by seq limit 1',
    );

  const crashes = await crashAt(station, 'take_deliveries#1', async () => (await states())[0]?.state === 'failed');
  await scene.as('alice').comment(2, '/workplan plan');
  await station.survivor();

  expect(crashes).toBe(5);
  expect(await states()).toMatchObject([{ state: 'failed', error: expect.stringContaining('set aside') }]);
  expect((await scene.reach(2, 'COMPLETED', 'FAILED')).generationStatus).toBe('COMPLETED');
  expect((await scene.now(1)).generationStatus).toBe('NOT_STARTED');
});

test('a note that ends every deliverer is given up, and the later ones go out', async () => {
  const { station, scene } = await stationed();
  await scene.as('carol').comment(1, '/workplan plan');
  const failed = () =>
    station.infra.db.execute<{ kind: string; error: string }>('select kind, error from outbox_failures');

  const crashes = await crashAt(station, 'take_outbox#1', async () => (await failed()).length > 0);
  await scene.as('alice').comment(1, '/workplan plan');
  await station.survivor();

  expect((await scene.reach(1, 'COMPLETED', 'FAILED')).generationStatus).toBe('COMPLETED');
  expect(crashes).toBe(5);
  expect(await failed()).toEqual([{ kind: 'reply', error: expect.stringContaining('set aside: 5 processes') }]);
  expect(scene.markers(1).filter((key) => key.startsWith('kind=reply'))).toEqual([]);
  expect(scene.markers(1).filter((key) => key.includes('kind=plan'))).toHaveLength(1);
});
