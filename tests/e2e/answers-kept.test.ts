/** Answers that somebody else edited, whose question is gone or could not be posted, or that came when the run had ended. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { StatusAnswer } from '../../src/app/status.ts';
import { ASKING_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { clearFaults, fault } from '../helpers/faults.ts';
import { openScene, patiently, type Scene, type SceneNote } from '../helpers/scene.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterEach(() => clearFaults(service));
afterAll(() => service.stop());

async function opened(files: Record<string, string> = {}): Promise<Scene> {
  return openScene(service, { files: { ...SMALL_FILES, ...files }, issues: [ASKING_ISSUE] });
}

/** An item that waits for the answer to its one question: 7 days, 30 days (recommended) or no limit. */
async function asked(files: Record<string, string> = {}): Promise<{ scene: Scene; question: SceneNote }> {
  const scene = await opened(files);
  await scene.as('alice').act(1, 'plan');
  await scene.reach(1, 'NEEDS_INPUT');
  return { scene, question: await questionOn(scene) };
}

async function questionOn(scene: Scene): Promise<SceneNote> {
  const found = await patiently(async () => {
    const value = scene.ours(1).find((note) => note.body.includes('kind=question'));
    return { done: value !== undefined, value };
  });
  if (!found) throw new Error('The question is not on the item.');
  return found;
}

async function continued(scene: Scene): Promise<StatusAnswer> {
  expect((await scene.as('alice').act(1, 'continue')).status).toBe(202);
  return scene.reach(1, 'COMPLETED', 'FAILED');
}

function decision(status: StatusAnswer): { text: string; confirmed: boolean } | undefined {
  return status.workplan?.decisions.find((made) => made.questionId === status.questions[0]?.id);
}

describe('a reply that a Maintainer edited', () => {
  test('counts as it reads now, as its author’s', async () => {
    const { scene, question } = await asked();
    const reply = await scene.as('bob').reply(1, question.discussionId, '1');
    await scene.as('maria').gitlab('PUT', `/issues/1/notes/${reply}`, { body: '3' });

    const status = await continued(scene);

    expect(status.answers).toMatchObject([{ by: { username: 'bob' }, optionIds: ['c-no-limit'] }]);
  });

  test('does not count where Maintainers may not answer', async () => {
    const { scene, question } = await asked({ '.gitlab/planwright.yml': 'roles:\n  answer: [Reporter]\n' });
    const edited = await scene.as('bob').reply(1, question.discussionId, '1');
    await scene.as('maria').gitlab('PUT', `/issues/1/notes/${edited}`, { body: '3' });

    const status = await continued(scene);

    expect(status.answers).toEqual([]);
    expect(decision(status)).toMatchObject({ confirmed: false });
  });
});

describe('a reaction and a reply of one person', () => {
  test('the newer one counts', async () => {
    const { scene, question } = await asked();
    await scene.as('bob').reply(1, question.discussionId, '1');
    await scene.as('bob').gitlab('POST', `/issues/1/notes/${question.id}/award_emoji`, { name: 'three' });

    expect((await continued(scene)).answers).toMatchObject([{ via: 'emoji', optionIds: ['c-no-limit'] }]);
  });
});

describe('a question that is not on the item', () => {
  test('its note deleted: the replies below it count', async () => {
    const { scene, question } = await asked();
    await scene.as('bob').reply(1, question.discussionId, '1');
    await scene.as('maria').gitlab('DELETE', `/issues/1/notes/${question.id}`);

    const status = await continued(scene);

    expect(status.generationStatus).toBe('COMPLETED');
    expect(status.answers).toMatchObject([{ by: { username: 'bob' }, optionIds: ['a-7-days'] }]);
  });

  test('posted, but not recorded yet: a comment below it continues it', async () => {
    const scene = await opened();
    const path = `/projects/${scene.id}/issues/1/discussions$`;
    await fault(service, { method: 'POST', path, status: 502, afterCommit: true });
    await scene.as('alice').act(1, 'plan');
    await questionOn(scene);
    await fault(service, { method: 'GET', path, status: 502, times: 4 });
    await scene.as('alice').comment(1, '/workplan continue');

    const status = await scene.reach(1, 'COMPLETED', 'FAILED');

    expect(status.generationStatus).toBe('COMPLETED');
    expect(scene.ours(1).filter((note) => note.body.includes('kind=reply'))).toEqual([]);
  });

  test('never posted: a comment continues all the same', async () => {
    const scene = await opened();
    await fault(service, { method: 'POST', path: `/projects/${scene.id}/issues/1/discussions$`, status: 403 });
    await scene.as('alice').act(1, 'plan');
    const waiting = await scene.reach(1, 'NEEDS_INPUT');
    await scene.as('alice').comment(1, '/workplan continue');

    const status = await scene.reach(1, 'COMPLETED', 'FAILED');

    expect(waiting.deliveryFailed).toEqual(['question']);
    expect(status.generationStatus).toBe('COMPLETED');
    expect(decision(status)).toMatchObject({ confirmed: false });
  });
});

test('an answer that came after the run was cancelled counts in the next one from its start', async () => {
  const { scene, question } = await asked();
  await scene.as('alice').act(1, 'cancel');
  await scene.as('bob').reply(1, question.discussionId, '1');
  await scene.as('alice').act(1, 'plan');

  const status = await scene.reach(1, 'COMPLETED', 'FAILED', 'NEEDS_INPUT');

  expect(status.answers).toMatchObject([{ by: { username: 'bob' }, optionIds: ['a-7-days'] }]);
  expect(decision(status)).toMatchObject({ confirmed: true, text: expect.stringContaining('7 days') });
});
