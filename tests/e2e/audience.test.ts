import { afterAll, beforeAll, expect, test } from 'vitest';
import { ASKING_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { openScene } from '../helpers/scene.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('private code behind public issues: question and plan stay in the service, their notes carry a link', async () => {
  const scene = await openScene(service, {
    files: SMALL_FILES,
    issues: [ASKING_ISSUE],
    visibility: 'public',
    repositoryAccess: 'private',
  });
  await scene.as('alice').comment(1, '/workplan plan');
  const paused = await scene.reach(1, 'NEEDS_INPUT');
  const asked = paused.questions[0];
  const question = scene.ours(1).find((note) => note.body.includes('🔒'));
  await scene.as('alice').reply(1, question?.discussionId ?? '', 'yes');
  await scene.as('alice').act(1, 'continue');

  const ended = await scene.reach(1, 'COMPLETED', 'FAILED');

  const bodies = scene.ours(1).map((note) => note.body);
  expect(ended.generationStatus).toBe('COMPLETED');
  // The answer in the note's own discussion counts although the question is not shown there.
  expect(ended.answers).toMatchObject([{ questionId: asked?.id, by: { username: 'alice' } }]);
  expect(ended.workplan?.findings.length).toBeGreaterThan(0);
  for (const finding of ended.workplan?.findings ?? []) expect(bodies.join('\n')).not.toContain(finding.path);
  expect(bodies.join('\n')).not.toContain(asked?.question);
  expect(bodies.filter((body) => body.includes(`/api/v1/projects/${scene.id}/issues/1/workplan`))).toHaveLength(2);
});
