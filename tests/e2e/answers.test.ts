import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StatusAnswer } from '../../src/app/status.ts';
import { ASKING_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { fault } from '../helpers/faults.ts';
import { openScene, patiently, type Scene, type SceneNote } from '../helpers/scene.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** An item that waits for the answer to its one question: 7 days, 30 days (recommended) or no limit. */
async function asked(): Promise<{ scene: Scene; question: SceneNote }> {
  const scene = await openScene(service, { files: SMALL_FILES, issues: [ASKING_ISSUE] });
  await scene.as('alice').act(1, 'plan');
  await scene.reach(1, 'NEEDS_INPUT');
  const question = scene.ours(1).find((note) => note.body.includes('kind=question'));
  if (!question) throw new Error('The question is not on the item.');
  return { scene, question };
}

async function continued(scene: Scene): Promise<StatusAnswer> {
  const { status } = await scene.as('alice').act(1, 'continue');
  expect(status).toBe(202);
  return scene.reach(1, 'COMPLETED', 'FAILED');
}

function decision(status: StatusAnswer): { text: string; confirmed: boolean } | undefined {
  return status.workplan?.decisions.find((made) => made.questionId === status.questions[0]?.id);
}

describe('ways to answer', () => {
  test.each([
    ['a number', '1', '7 days'],
    ['a letter', 'c', 'No limit'],
    ['agreement', 'yes', '30 days'],
    ['an option in words', 'No limit', 'No limit'],
    ['free text', 'Ninety days, as the law wants it.', 'Ninety days'],
    ['the hidden marker', '<!-- duo-answer: a-7-days -->', '7 days'],
  ])('%s', async (_way, reply, wanted) => {
    const { scene, question } = await asked();
    await scene.as('bob').reply(1, question.discussionId, reply);
    const status = await continued(scene);
    expect(status.answers).toMatchObject([{ by: { username: 'bob', role: 'Reporter' } }]);
    expect(decision(status)).toMatchObject({ confirmed: true, text: expect.stringContaining(wanted) });
  });

  test.each([
    ['one', '7 days'],
    ['thumbsup_tone3', '30 days'],
  ])('the reaction %s', async (name, wanted) => {
    const { scene, question } = await asked();
    await scene.as('bob').gitlab('POST', `/issues/1/notes/${question.id}/award_emoji`, { name });
    const status = await continued(scene);
    expect(status.answers).toMatchObject([{ by: { username: 'bob' }, via: 'emoji' }]);
    expect(decision(status)).toMatchObject({ confirmed: true, text: expect.stringContaining(wanted) });
  });
});

describe('whose answer counts', () => {
  test("with a Guest's answer only the run goes on with an assumption that nobody confirmed", async () => {
    const { scene, question } = await asked();
    await scene.as('carol').reply(1, question.discussionId, '1');
    const status = await continued(scene);
    expect(status.answers).toEqual([]);
    expect(decision(status)).toMatchObject({ confirmed: false, text: expect.stringContaining('30 days') });
    const plan = scene.ours(1).find((note) => note.body.includes('kind=plan'));
    expect(plan?.body).toContain('not confirmed');
  });

  test("beside a Guest's answer the Reporter's counts", async () => {
    const { scene, question } = await asked();
    await scene.as('bob').reply(1, question.discussionId, '1');
    await scene.as('carol').reply(1, question.discussionId, '3');
    const status = await continued(scene);
    expect(status.answers).toMatchObject([{ by: { username: 'bob' }, optionIds: ['a-7-days'] }]);
  });

  test('the answers of several people are handed on with their names', async () => {
    const { scene, question } = await asked();
    await scene.as('bob').reply(1, question.discussionId, '1');
    await scene.as('maria').reply(1, question.discussionId, '3');
    const status = await continued(scene);
    expect(status.answers.map((answer) => answer.by.username)).toEqual(['bob', 'maria']);
  });

  test('a comment outside the thread of the question is no answer', async () => {
    const { scene } = await asked();
    await scene.as('bob').comment(1, '1');
    expect((await continued(scene)).answers).toEqual([]);
  });
});

describe('what an answer says when it is read', () => {
  test('an edited reply counts as it reads now', async () => {
    const { scene, question } = await asked();
    const reply = await scene.as('bob').reply(1, question.discussionId, '1');
    await scene.as('bob').gitlab('PUT', `/issues/1/notes/${reply}`, { body: '3' });
    expect((await continued(scene)).answers).toMatchObject([{ optionIds: ['c-no-limit'] }]);
  });

  test('a deleted one does not count', async () => {
    const { scene, question } = await asked();
    const reply = await scene.as('bob').reply(1, question.discussionId, '1');
    await scene.as('bob').gitlab('DELETE', `/issues/1/notes/${reply}`);
    const status = await continued(scene);
    expect(status.answers).toEqual([]);
    expect(decision(status)).toMatchObject({ confirmed: false });
  });

  test('of one person the newest counts', async () => {
    const { scene, question } = await asked();
    await scene.as('bob').reply(1, question.discussionId, '1');
    await scene.as('bob').reply(1, question.discussionId, 'Sorry, I meant:\n\n3');
    await scene.as('bob').reply(1, question.discussionId, '3');
    expect((await continued(scene)).answers).toMatchObject([{ optionIds: ['c-no-limit'] }]);
  });

  test('a reply that is older than the pause, by the clock of GitLab, counts', async () => {
    const { scene, question } = await asked();
    const reply = await scene.as('bob').reply(1, question.discussionId, '1');
    const issue = service.sandbox.state.project(scene.id).issues[0];
    const stored = issue?.discussions.flatMap((thread) => thread.notes).find((note) => note.id === reply);
    if (stored) stored.createdAt = stored.updatedAt = '2026-01-01T00:00:00.000Z';
    expect((await continued(scene)).answers).toMatchObject([{ optionIds: ['a-7-days'] }]);
  });

  test('a reply in a resolved thread counts', async () => {
    const { scene, question } = await asked();
    await scene.as('bob').reply(1, question.discussionId, '1');
    await scene.as('bob').gitlab('PUT', `/issues/1/discussions/${question.discussionId}`, { resolved: true });
    expect((await continued(scene)).answers).toMatchObject([{ optionIds: ['a-7-days'] }]);
  });

  test('a question whose delivery was not yet recorded is found on the item, with its answer', async () => {
    const scene = await openScene(service, { files: SMALL_FILES, issues: [ASKING_ISSUE] });
    // GitLab stores the question but says 502; from then on the service cannot look.
    const path = `/projects/${scene.id}/issues/1/discussions$`;
    await fault(service, { method: 'POST', path, status: 502, afterCommit: true });
    await scene.as('alice').act(1, 'plan');
    const question = await patiently(async () => {
      const value = scene.ours(1).find((note) => note.body.includes('kind=question'));
      return { done: value !== undefined, value };
    });
    await scene.as('bob').reply(1, question?.discussionId ?? '', '1');
    expect((await continued(scene)).answers).toMatchObject([{ by: { username: 'bob' }, optionIds: ['a-7-days'] }]);
  });
});

describe('a new plan on the same item', () => {
  test('does not ask again what was answered, also after a cancel', async () => {
    const { scene, question } = await asked();
    await scene.as('bob').reply(1, question.discussionId, '1');
    // Long enough to cancel in: the research after the answer reads linked items.
    await fault(service, { method: 'GET', path: `/projects/${scene.id}/issues/1/links`, delayMs: 30_000 });
    await scene.as('alice').act(1, 'continue');
    await scene.until(1, (status) => status.answers.length > 0);
    expect((await scene.as('alice').act(1, 'cancel')).status).toBe(202);
    await scene.as('alice').act(1, 'plan');
    const status = await scene.reach(1, 'COMPLETED', 'NEEDS_INPUT', 'FAILED');
    expect(status.generationStatus).toBe('COMPLETED');
    expect(decision(status)).toMatchObject({ confirmed: true, text: expect.stringContaining('7 days') });
    expect(scene.ours(1).filter((note) => note.body.includes('kind=question'))).toHaveLength(1);
  });
});
