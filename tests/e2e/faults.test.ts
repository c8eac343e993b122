import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findMarkers } from '../../src/domain/text/marker.ts';
import { ASKING_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { clearFaults, type Fault, fault, faultsLeft } from '../helpers/faults.ts';
import { openScene, type Scene } from '../helpers/scene.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterEach(() => clearFaults(service));
afterAll(() => service.stop());

/** Plan, question, answer, Continue, with GitLab failing as told; `below` the item's address. */
async function lived(faults: (Omit<Fault, 'path'> & { below: string })[]): Promise<Scene> {
  const scene = await openScene(service, { files: SMALL_FILES, issues: [ASKING_ISSUE] });
  for (const { below, ...rest } of faults)
    await fault(service, { ...rest, path: `^/projects/${scene.id}/issues/1${below}$` });
  await scene.as('alice').act(1, 'plan');
  await scene.reach(1, 'NEEDS_INPUT');
  const question = scene.ours(1).find((note) => note.body.includes('kind=question'));
  await answer(scene, question?.discussionId ?? '');
  await scene.as('alice').act(1, 'continue');
  await scene.reach(1, 'COMPLETED', 'FAILED');
  return scene;
}

/** Bob's reply must come through: the faults are for the service. */
async function answer(scene: Scene, discussionId: string): Promise<void> {
  await scene.as('bob').gitlab('POST', `/issues/1/discussions/${discussionId}/notes`, { body: '1' });
}

/** The kinds of the service's notes in the order in which they stand on the item. */
function kinds(scene: Scene): (string | undefined)[] {
  return scene.ours(1).map((note) => findMarkers(note.body)[0]?.['kind']);
}

/** The status note's newest text replaces older ones that could not be posted yet, so it may come later. */
function expectOnceInOrder(scene: Scene): void {
  expect(kinds(scene).filter((kind) => kind !== 'status')).toEqual(['question', 'plan']);
  expect(kinds(scene).filter((kind) => kind === 'status')).toHaveLength(1);
}

const NOTES = '/notes';
const DISCUSSIONS = '/discussions';

describe('each note stands on the item exactly once, in order', () => {
  test.each<[string, (Omit<Fault, 'path'> & { below: string })[]]>([
    [
      'POST notes answers 502 after having stored',
      [{ method: 'POST', below: NOTES, status: 502, afterCommit: true, times: 2 }],
    ],
    ['POST notes answers 500 without having stored', [{ method: 'POST', below: NOTES, status: 500, times: 2 }]],
    [
      'POST discussions answers 502 after having stored',
      [{ method: 'POST', below: DISCUSSIONS, status: 502, afterCommit: true }],
    ],
    ['POST discussions answers 500 twice', [{ method: 'POST', below: DISCUSSIONS, status: 500, times: 2 }]],
    [
      'POST is limited, with Retry-After',
      [
        { method: 'POST', below: NOTES, status: 429, headers: { 'retry-after': '1' } },
        { method: 'POST', below: DISCUSSIONS, status: 429, headers: { 'retry-after': '1' } },
      ],
    ],
    [
      'an edit answers 502 after having stored',
      [{ method: 'PUT', below: '/notes/\\d+', status: 502, afterCommit: true, times: 2 }],
    ],
    ['an edit answers 503', [{ method: 'PUT', below: '/notes/\\d+', status: 503, times: 2 }]],
    [
      'the list of discussions fails after a stored note',
      [
        { method: 'POST', below: NOTES, status: 502, afterCommit: true },
        { method: 'GET', below: DISCUSSIONS, status: 502, times: 5 },
      ],
    ],
    ['the list fails right after a post', [{ method: 'GET', below: DISCUSSIONS, status: 500, skip: 1, times: 5 }]],
    [
      'everything about notes fails now and then',
      [
        { method: 'POST', below: NOTES, status: 504, afterCommit: true },
        { method: 'POST', below: DISCUSSIONS, status: 503 },
        { method: 'GET', below: DISCUSSIONS, status: 500, skip: 2 },
        { method: 'PUT', below: '/notes/\\d+', status: 500 },
      ],
    ],
  ])('when %s', async (_what, faults) => {
    const scene = await lived(faults);
    const status = await scene.now(1);
    expect(status.generationStatus).toBe('COMPLETED');
    expect(await faultsLeft(service)).toBe(0);
    expectOnceInOrder(scene);
    expect(status.answers).toMatchObject([{ by: { username: 'bob' } }]);
    expect(status.deliveryFailed).toBeUndefined();
  });
});

describe('a note that people or GitLab take away', () => {
  test('the status note comes again when it was deleted', async () => {
    const scene = await openScene(service, { files: SMALL_FILES, issues: [ASKING_ISSUE] });
    await scene.as('alice').act(1, 'plan');
    await scene.reach(1, 'NEEDS_INPUT');
    const status = scene.ours(1).find((note) => note.body.includes('kind=status'));
    await scene.as('maria').gitlab('DELETE', `/issues/1/notes/${status?.id}`);
    await scene.as('alice').act(1, 'continue');
    await scene.reach(1, 'COMPLETED');
    expect(kinds(scene).toSorted()).toEqual(['plan', 'question', 'status']);
  });

  test('a question that GitLab refuses for good shows in the status, and the run can go on', async () => {
    const scene = await openScene(service, { files: SMALL_FILES, issues: [ASKING_ISSUE] });
    await fault(service, { method: 'POST', path: `^/projects/${scene.id}/issues/1/discussions$`, status: 403 });
    await scene.as('alice').act(1, 'plan');
    const waiting = await scene.reach(1, 'NEEDS_INPUT');
    expect(waiting.deliveryFailed).toEqual(['question']);
    await scene.as('alice').act(1, 'continue');
    expect((await scene.reach(1, 'COMPLETED', 'FAILED')).generationStatus).toBe('COMPLETED');
    expect(kinds(scene)).toEqual(['status', 'plan']);
  });
});

test('each note stands there once when posts get no answer in time', async () => {
  await service.stop();
  service = await startTestService({ config: { gitlabTimeoutMs: 2000 } });
  const scene = await lived([
    { method: 'POST', below: NOTES, afterCommit: true, delayMs: 3000 },
    { method: 'POST', below: DISCUSSIONS, afterCommit: true, delayMs: 3000 },
  ]);
  expect(await faultsLeft(service)).toBe(0);
  expectOnceInOrder(scene);
});
