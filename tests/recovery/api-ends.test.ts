/** The API ends between what it stored and what it would have done next. PostgreSQL, Redis and the processes are real. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type SandboxHandle, startSandbox } from '../../sandbox/server.ts';
import type { Delivery } from '../../src/ports/inbox.ts';
import { ASKING_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { openStation, openTemplate, type Station, type Template } from '../helpers/recovery.ts';
import { type Actor, openScene, patiently, type Scene } from '../helpers/scene.ts';

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

/** The scene's people and hooks use the API process, which stops at this point of its work; `other` is asked where it is gone. */
async function apiThatEndsAfter(
  point: string,
): Promise<{ station: Station; scene: Scene; other(name: string): Actor }> {
  const station = await openStation({ template, sandbox });
  stations.push(station);
  const { url: apiUrl } = await station.api({ KILL_AT: point, KILL_WHEN: 'after' });
  const scene = await openScene({ ...station, apiUrl }, { files: SMALL_FILES, issues: [ASKING_ISSUE] });
  return { station, scene, other: (name) => scene.as(name, station.apiUrl) };
}

/** No answer comes: the process is gone. */
async function unanswered(call: Promise<unknown>): Promise<void> {
  await expect(call).rejects.toThrow('fetch failed');
}

test('after it stored a plan: the run is found and made, and asking again names it', async () => {
  const { station, scene, other } = await apiThatEndsAfter('start_runs#1');
  await unanswered(scene.as('alice').act(1, 'plan'));

  const again = await other('alice').act(1, 'plan');
  await station.survivor();

  const { runId } = await scene.reach(1, 'NEEDS_INPUT');
  expect(again).toMatchObject({ status: 409, body: { code: 'already_running', runId } });
  expect(scene.markers(1).filter((key) => key.endsWith('kind=status'))).toHaveLength(1);
});

test('after it stored a Continue: the run goes on, and pressing again says so', async () => {
  const { station, scene, other } = await apiThatEndsAfter('write_runs#1');
  await station.survivor();
  await other('alice').act(1, 'plan');
  const { pause } = await scene.reach(1, 'NEEDS_INPUT');

  await unanswered(scene.as('alice').act(1, 'continue', { pauseId: pause?.id }));
  const again = await other('alice').act(1, 'continue', { pauseId: pause?.id });

  expect(again).toMatchObject({ status: 409, body: { code: 'already_continued' } });
  expect((await scene.reach(1, 'COMPLETED', 'FAILED')).generationStatus).toBe('COMPLETED');
});

test('after it stored a cancel: the run stays cancelled, and people are told once', async () => {
  const { station, scene, other } = await apiThatEndsAfter('write_runs#1');
  await station.survivor();
  await other('alice').act(1, 'plan');
  await scene.reach(1, 'NEEDS_INPUT');

  await unanswered(scene.as('alice').act(1, 'cancel'));

  expect((await scene.reach(1, 'CANCELED')).generationStatus).toBe('CANCELED');
  const told = scene.ours(1).filter((note) => note.body.includes('kind=status'));
  expect(told).toHaveLength(1);
  await patiently(async () => ({
    done: scene.ours(1).some((note) => note.body.includes('kind=status') && /cancel/i.test(note.body)),
    value: scene.ours(1).map((note) => note.body.slice(0, 200)),
  }));
});

test('after it stored a delivery: the command is carried out, once also when GitLab sends it again', async () => {
  const { station, scene } = await apiThatEndsAfter('put_deliveries#1');
  await scene.as('alice').comment(1, '/workplan plan');
  await patiently(async () => {
    const [row] = await station.infra.db.execute<{ count: number }>('select count(*)::int as count from inbox');
    return { done: row?.count === 1, value: row };
  });

  const [stored] = await station.infra.db.execute<Delivery>(
    'select id, event, item_key as "itemKey", body, content from inbox',
  );
  if (!stored) throw new Error('nothing is stored');
  const again = await station.infra.inbox.put(stored);
  await station.survivor();

  await scene.reach(1, 'NEEDS_INPUT');
  expect(again).toBe('known');
  expect(await station.infra.db.execute('select id from runs')).toHaveLength(1);
});
