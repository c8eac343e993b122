/** What the service says where its bot may not do what it would have to. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLEAR_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { openScene, type Scene } from '../helpers/scene.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** A project with a confidential item, in which the bot has a role, or none. */
async function confidential(role: string | null, visibility: 'private' | 'public'): Promise<Scene> {
  const bot: Record<string, string> = role === null ? {} : { planwright: role };
  const members = { alice: 'Developer', maria: 'Maintainer', ...bot };
  const scene = await openScene(service, { files: SMALL_FILES, issues: [CLEAR_ISSUE], members, visibility });
  await scene.as('alice').gitlab('PUT', '/issues/1', { confidential: true });
  return scene;
}

test.each([
  ['which cannot see the item', null, 'public', 422, 'bot_cannot_see_item'],
  ['which may not read the code', 'Planner', 'private', 422, 'settings_invalid'],
  ['which is no member', null, 'private', 404, 'not_found'],
] as const)('a bot %s begins nothing', async (_name, role, visibility, status, code) => {
  const scene = await confidential(role, visibility);

  const answer = await scene.as('alice').act(1, 'plan');

  expect(answer).toMatchObject({ status, body: { code, detail: expect.stringContaining('bot') } });
  expect((await scene.now(1)).generationStatus).toBe('NOT_STARTED');
});
