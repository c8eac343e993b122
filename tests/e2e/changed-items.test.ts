/** Items, projects and people that change while a run waits: it ends or goes on as a person would expect, and says so where it can. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ASKING_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { clearFaults, fault } from '../helpers/faults.ts';
import { openScene, patiently, request, type Scene, type SceneNote } from '../helpers/scene.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

let service: TestService;

beforeAll(async () => {
  // Waiting runs are looked after now and then, as in production.
  service = await startTestService({ config: { reconcileMs: 1500 } });
});
afterEach(() => clearFaults(service));
afterAll(() => service.stop());

const MEMBERS = { alice: 'Developer', bob: 'Reporter', carol: 'Guest', maria: 'Owner', planwright: 'Developer' };

/** An item of alice's that waits for the answer to its one question. */
async function waiting(change: { visibility?: 'private' | 'public'; confidential?: boolean } = {}) {
  const { visibility = 'private' } = change;
  const scene = await openScene(service, { files: SMALL_FILES, issues: [ASKING_ISSUE], members: MEMBERS, visibility });
  if (change.confidential) await scene.as('maria').gitlab('PUT', '/issues/1', { confidential: true });
  await scene.as('alice').act(1, 'plan');
  await scene.reach(1, 'NEEDS_INPUT');
  return { scene, question: noteOf(scene, 'question') };
}

function noteOf(scene: Scene, kind: string): SceneNote {
  const found = scene.ours(1).find((note) => note.body.includes(`kind=${kind}`));
  if (!found) throw new Error(`There is no note of kind ${kind}.`);
  return found;
}

const sandbox = (method: string, path: string, body?: object) =>
  request(`${service.sandbox.url}/_sandbox${path}`, method, {}, body);

async function continued(scene: Scene, username = 'alice') {
  expect((await scene.as(username).act(1, 'continue')).status).toBe(202);
  return scene.reach(1, 'COMPLETED', 'FAILED', 'CANCELED');
}

describe('the item', () => {
  test.each([
    ['locked', { discussion_locked: true }],
    ['made confidential', { confidential: true }],
  ])('was %s: members answer, the run goes on, its plan stands there', async (_name, change) => {
    const { scene, question } = await waiting();
    await scene.as('maria').gitlab('PUT', '/issues/1', change);
    await scene.as('bob').reply(1, question.discussionId, '1');

    const status = await continued(scene);

    expect(status).toMatchObject({ generationStatus: 'COMPLETED', answers: [{ by: { username: 'bob' } }] });
    expect(noteOf(scene, 'plan').body).toContain('Workplan');
    expect(status.deliveryFailed).toBeUndefined();
  });

  test('was confidential and is public now: what comes of it stays in the service', async () => {
    const { scene, question } = await waiting({ visibility: 'public', confidential: true });
    await scene.as('maria').comment(1, 'Between us: the merger with Initech is near.', { internal: true });
    await scene.as('bob').reply(1, question.discussionId, '1');
    await scene.as('maria').gitlab('PUT', '/issues/1', { confidential: false });

    const status = await continued(scene);

    expect(status.generationStatus).toBe('COMPLETED');
    expect(JSON.stringify(status)).not.toContain('Initech');
    const plan = noteOf(scene, 'plan').body;
    expect(plan).toContain('🔒');
    for (const unit of status.workplan?.units ?? []) expect(plan).not.toContain(unit.title);
  });

  test('was closed: the run is cancelled and its status note says why; reopened it is planned anew, with what was answered', async () => {
    const { scene, question } = await waiting();
    await scene.as('bob').reply(1, question.discussionId, '1');
    await scene.as('alice').gitlab('PUT', '/issues/1', { state_event: 'close' });
    const closed = await scene.reach(1, 'CANCELED');
    const refused = await scene.as('alice').act(1, 'plan');
    await scene.as('alice').gitlab('PUT', '/issues/1', { state_event: 'reopen' });
    await scene.as('alice').act(1, 'plan');

    const status = await scene.reach(1, 'COMPLETED', 'FAILED', 'NEEDS_INPUT');

    expect(closed.reason).toBe('item_closed');
    expect(refused).toMatchObject({ status: 409, body: { code: 'item_closed' } });
    expect(scene.ours(1)[0]?.body).toContain('`item_closed`');
    expect(status).toMatchObject({ generationStatus: 'COMPLETED', answers: [{ by: { username: 'bob' } }] });
  });

  test('was closed although no event told: Continue finds out', async () => {
    const { scene } = await waiting();
    const issue = service.sandbox.state.project(scene.id).issues[0];
    if (issue) issue.state = 'closed';

    expect(await continued(scene)).toMatchObject({ generationStatus: 'CANCELED', reason: 'item_closed' });
  });

  test('was moved: the run is cancelled; where the item is now it asks again, and copied threads are nobody’s answers', async () => {
    const { scene, question } = await waiting();
    await scene.as('bob').reply(1, question.discussionId, '1');
    const target = await openScene(service, { files: SMALL_FILES, issues: [], members: MEMBERS });
    await scene.as('maria').gitlab('POST', '/issues/1/move', { to_project_id: target.id });
    const moved = await scene.reach(1, 'CANCELED');
    const refused = await scene.as('alice').act(1, 'plan');
    await target.as('alice').act(1, 'plan');
    await target.reach(1, 'NEEDS_INPUT');

    const status = await continued(target);

    expect(moved.reason).toBe('item_moved');
    expect(refused).toMatchObject({ status: 409, body: { code: 'item_moved' } });
    expect(status).toMatchObject({ generationStatus: 'COMPLETED', answers: [] });
  });

  test('was deleted: the run ends by itself, and nothing is posted', async () => {
    const { scene } = await waiting();
    const { runId } = await scene.now(1);
    await scene.as('maria').gitlab('DELETE', '/issues/1');

    const row = await patiently(async () => {
      const value = await service.infra.act.store.byId(runId ?? '');
      return { done: value?.status !== 'NEEDS_INPUT', value };
    });

    expect(row).toMatchObject({ status: 'FAILED', reason: 'item_gone' });
    expect(await service.infra.outbox.failures(runId ?? '')).toEqual([]);
  });
});

describe('the project', () => {
  test('is archived: only cancel is done; unarchived the run goes on', async () => {
    const { scene } = await waiting();
    await sandbox('PUT', `/projects/${scene.id}`, { archived: true });
    const refused = await scene.as('alice').act(1, 'continue');
    await sandbox('PUT', `/projects/${scene.id}`, { archived: false });

    expect(refused).toMatchObject({ status: 422, body: { code: 'project_archived' } });
    expect((await continued(scene)).generationStatus).toBe('COMPLETED');
  });

  test('is renamed: the run goes on, its links have the new path', async () => {
    const { scene } = await waiting();
    const path = `${scene.path}-renamed`;
    await sandbox('PUT', `/projects/${scene.id}`, { path });
    const item = `${service.apiUrl}/api/v1/projects/${encodeURIComponent(path)}/issues/1/workplan`;
    const answer = await request(`${item}/continue`, 'POST', { 'private-token': 'sandbox-alice' });

    const status = await scene.reach(1, 'COMPLETED', 'FAILED');

    expect(answer.status).toBe(202);
    expect(status.generationStatus).toBe('COMPLETED');
    expect(status.workplan?.findings[0]?.url).toContain(`/${path}/-/blob/`);
  });

  test('has lost the bot: that is said; with the bot back the run goes on', async () => {
    const { scene } = await waiting();
    await sandbox('POST', `/projects/${scene.id}/members`, { username: 'planwright', role: null });
    const without = await scene.as('alice').act(1, 'continue');
    await sandbox('POST', `/projects/${scene.id}/members`, { username: 'planwright', role: 'Developer' });

    expect(without).toMatchObject({ status: 404, body: { detail: expect.stringContaining('bot') } });
    expect((await continued(scene)).generationStatus).toBe('COMPLETED');
  });
});

describe('who started the run', () => {
  test.each([
    ['is a Guest by now', 'Guest', '@alice'],
    ['has left the project', null, '@maria'],
  ])('%s: another continues, and the run keeps its starter', async (_name, role, mentioned) => {
    const { scene } = await waiting();
    await sandbox('POST', `/projects/${scene.id}/members`, { username: 'alice', role });
    const own = await scene.as('alice').act(1, 'continue');

    const status = await continued(scene, 'maria');

    expect(own.status).toBe(role === null ? 404 : 403);
    expect(status).toMatchObject({ generationStatus: 'COMPLETED', startedBy: { username: 'alice' } });
    expect(noteOf(scene, 'plan').body).toContain(mentioned);
  });
});

test('a token that GitLab refuses: the run waits with a warning, and goes on with a new one', async () => {
  const scene = await openScene(service, { files: SMALL_FILES, issues: [ASKING_ISSUE], members: MEMBERS });
  await fault(service, { method: 'GET', path: `/projects/${scene.id}/repository/branches`, status: 401 });
  await scene.as('alice').act(1, 'plan');
  const stalled = await scene.until(1, (status) => (status.warnings ?? []).length > 0);
  const { runId } = stalled;
  // As a worker does when it starts with the new token.
  await patiently(async () => {
    await service.infra.act.store.unpark();
    await service.infra.act.queue.wakeRuns([runId ?? '']);
    return { done: (await scene.now(1)).warnings === undefined, value: null };
  });

  const status = await scene.reach(1, 'NEEDS_INPUT', 'FAILED', 'COMPLETED');

  expect(stalled).toMatchObject({ generationStatus: 'GENERATING', warnings: [{ code: 'gitlab_unauthorized' }] });
  expect(status.generationStatus).toBe('NEEDS_INPUT');
});

describe('the open-question counter', () => {
  const stateOf = async (scene: Scene) => (await scene.now(1)).questions[0]?.state;

  test('is kept by replies and reactions, given and taken back, before anybody continues; the ETag changes with it', async () => {
    const { scene, question } = await waiting();
    const before = (await scene.as('alice').status(1)).headers.get('etag');
    const award = `/issues/1/notes/${question.id}/award_emoji`;
    const given = await scene.as('bob').gitlab('POST', award, { name: 'two' });
    await scene.until(1, (status) => status.questions[0]?.state === 'answered');
    const after = (await scene.as('alice').status(1)).headers.get('etag');
    await scene.as('bob').gitlab('DELETE', `${award}/${given.body.id}`);
    await scene.until(1, (status) => status.questions[0]?.state === 'open');
    await scene.as('bob').reply(1, question.discussionId, '1');

    const status = await scene.until(1, ({ questions }) => questions[0]?.state === 'answered');

    expect(after).not.toBe(before);
    expect(status).toMatchObject({ generationStatus: 'NEEDS_INPUT', answers: [] });
  });

  test('of a Guest’s reply is not', async () => {
    const { scene, question } = await waiting();
    await scene.as('carol').reply(1, question.discussionId, '1');
    await scene.as('bob').comment(1, 'Nothing of this kind is an answer.');
    await scene.reach(1, 'NEEDS_INPUT');

    expect(await stateOf(scene)).toBe('open');
  });

  test('of a reply that was deleted, which no event tells, is kept by looking now and then', async () => {
    const { scene, question } = await waiting();
    const reply = await scene.as('bob').reply(1, question.discussionId, '1');
    await scene.until(1, (status) => status.questions[0]?.state === 'answered');
    await scene.as('bob').gitlab('DELETE', `/issues/1/notes/${reply}`);

    expect((await scene.until(1, (status) => status.questions[0]?.state === 'open')).generationStatus).toBe(
      'NEEDS_INPUT',
    );
  });
});
