import { afterAll, beforeAll, expect, test } from 'vitest';
import { ASKING_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { openScene, request, type Scene } from '../helpers/scene.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const asking = (): Promise<Scene> => openScene(service, { files: SMALL_FILES, issues: [ASKING_ISSUE] });

test('unchanged: 304; after a change: 200 with another ETag', async () => {
  const scene = await asking();
  const alice = scene.as('alice');
  await alice.act(1, 'plan');
  await scene.reach(1, 'NEEDS_INPUT');
  const first = await alice.status(1);
  const etag = first.headers.get('etag') ?? '';
  expect(first.body.generationStatus).toBe('NEEDS_INPUT');
  expect(await alice.status(1, { 'if-none-match': etag })).toMatchObject({ status: 304, body: '' });

  await alice.act(1, 'continue');
  await scene.reach(1, 'COMPLETED');
  const changed = await alice.status(1, { 'if-none-match': etag });
  expect(changed).toMatchObject({ status: 200, body: { generationStatus: 'COMPLETED' } });
  expect(changed.headers.get('etag')).not.toBe(etag);
});

test('a note that arrives changes the ETag, because its address is in the answer', async () => {
  const scene = await asking();
  const alice = scene.as('alice');
  await alice.act(1, 'plan');
  const status = await scene.reach(1, 'NEEDS_INPUT');
  expect(status.questions[0]?.noteUrl).toMatch(/#note_\d+$/);
  const { body } = await alice.status(1);
  expect(body.questions[0].noteUrl).toBe(status.questions[0]?.noteUrl);
});

test('the address that an action answers is where the status is', async () => {
  const scene = await asking();
  const { body } = await scene.as('alice').act(1, 'plan');

  const status = await request(body.statusUrl, 'GET', { 'private-token': 'sandbox-alice' });

  expect([status.status, status.body.runId]).toEqual([200, body.runId]);
});

test('who may not read the item gets 404, not 304', async () => {
  const scene = await asking();
  await scene.as('alice').act(1, 'plan');
  await scene.reach(1, 'NEEDS_INPUT');
  const etag = (await scene.as('alice').status(1)).headers.get('etag') ?? '';
  expect((await scene.as('erin').status(1, { 'if-none-match': etag })).status).toBe(404);
});
