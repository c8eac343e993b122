/** The status note is the service's: whoever writes over it, it says again what its run says. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ASKING_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { statusNote } from '../helpers/labels.ts';
import { addHook, openScene, patiently, quiet, type Scene } from '../helpers/scene.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

async function waiting(): Promise<Scene> {
  const scene = await openScene(service, { files: SMALL_FILES, issues: [ASKING_ISSUE] });
  await scene.as('alice').comment(1, '/workplan plan');
  await scene.reach(1, 'NEEDS_INPUT');
  return scene;
}

function edits(): number {
  const { journal } = service.sandbox.state;
  return journal.filter(
    ({ actor, method, path }) => actor === 'planwright' && method === 'PUT' && /\/notes\/\d+$/.test(path),
  ).length;
}

test.each([
  [
    'an old text of the service',
    'planwright',
    (body: string) => body.replace(/^.*\n/, '**🔄 Planning** · at `plan`\n'),
  ],
  ['a person with a word of their own', 'maria', () => 'Nothing to see here.'],
])('%s is put right, also where two hooks tell of it', async (_what, username, change) => {
  const scene = await waiting();
  await addHook(service, scene.id, `${service.apiUrl}/webhooks/gitlab?second`);
  const { id, body } = statusNote(scene, 1);
  const wrong = change(body);

  const answer = await scene.as(username).gitlab('PUT', `/issues/1/notes/${id}`, { body: wrong });
  const now = () => scene.ours(1).find((note) => note.id === id)?.body;
  await patiently(async () => ({ done: now() === body, value: now() }));

  expect(answer.status).toBe(200);
  expect(wrong).not.toBe(body);
});

test('edits of the service itself lead to no further ones', async () => {
  const scene = await waiting();
  await scene.as('alice').act(1, 'continue');
  await scene.reach(1, 'COMPLETED');
  const before = edits();

  await quiet(service);
  const results = await service.infra.db.execute<{ result: string }>(
    `select distinct result from inbox where item_key = $1 and body like '%"action":"update"%' and body like '%kind=status%'`,
    [`${scene.id}/1`],
  );

  expect(edits()).toBe(before);
  const words = results.map(({ result }) => result);
  expect(words).toContain('ignored: status note as it should be');
  expect(words).not.toContain('told');
});
