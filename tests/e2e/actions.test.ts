import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ASKING_ISSUE, CLEAR_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { addHook, openScene, quiet, request, type Scene } from '../helpers/scene.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const asking = (): Promise<Scene> => openScene(service, { files: SMALL_FILES, issues: [ASKING_ISSUE] });

/** What the service said in the thread of a comment. */
function repliesTo(scene: Scene, noteId: number): string[] {
  const notes = scene.notes(1);
  const thread = notes.find((note) => note.id === noteId)?.discussionId;
  return notes.filter((note) => note.discussionId === thread && note.id !== noteId).map((note) => note.body);
}

async function runsOf(scene: Scene): Promise<number> {
  const issue = service.sandbox.state.project(scene.id).issues[0];
  return (await service.infra.act.store.runsOfItem(issue?.id ?? 0, 10)).length;
}

describe('actions by comment', () => {
  test('plan, answer, continue: the run completes', async () => {
    const scene = await asking();
    await scene.as('alice').comment(1, 'Let us see.\n\n/workplan plan');
    const paused = await scene.reach(1, 'NEEDS_INPUT');
    expect(paused.pause?.kind).toBe('question');
    await scene.as('bob').comment(1, '/workplan continue');
    const ended = await scene.reach(1, 'COMPLETED', 'FAILED');
    expect(ended.generationStatus).toBe('COMPLETED');
    expect(ended.runId).toBe(paused.runId);
  });

  test('mentioning the bot works like the command', async () => {
    const scene = await asking();
    await scene.as('alice').comment(1, '@planwright plan');
    expect((await scene.reach(1, 'NEEDS_INPUT')).startedBy?.username).toBe('alice');
  });

  test('cancel ends a waiting run, and its status note says so', async () => {
    const scene = await asking();
    await scene.as('alice').comment(1, '/workplan plan');
    await scene.reach(1, 'NEEDS_INPUT');
    await scene.as('bob').comment(1, '/workplan cancel');
    await scene.reach(1, 'CANCELED');
    const status = scene.ours(1).find((note) => note.body.includes('kind=status'));
    expect(status?.body).toContain('Canceled');
  });

  test('every delivery was signed and taken', async () => {
    const scene = await asking();
    await scene.as('alice').comment(1, '/workplan plan');
    await scene.reach(1, 'NEEDS_INPUT');
    const hook = service.sandbox.state.project(scene.id).hooks[0];
    expect(hook).toMatchObject({ signingToken: service.config.webhookSigningToken, token: null });
    const sent = service.sandbox.state.deliveries.filter((delivery) => delivery.hookId === hook?.id);
    expect(sent.length).toBeGreaterThan(0);
    for (const delivery of sent) expect([200, 202]).toContain(delivery.attempts[0]?.status);
  });
});

describe('actions over HTTP', () => {
  test('plan and continue answer 202 with the new status', async () => {
    const scene = await asking();
    const planned = await scene.as('alice').act(1, 'plan');
    expect(planned).toMatchObject({ status: 202, body: { generationStatus: 'GENERATING' } });
    const { pause, runId } = await scene.reach(1, 'NEEDS_INPUT');
    const continued = await scene.as('alice').act(1, 'continue', { pauseId: pause?.id });
    expect(continued).toMatchObject({ status: 202, body: { generationStatus: 'GENERATING', runId } });
    expect((await scene.reach(1, 'COMPLETED', 'FAILED')).generationStatus).toBe('COMPLETED');
  });

  test('cancel answers 202 with CANCELED', async () => {
    const scene = await asking();
    await scene.as('alice').act(1, 'plan');
    await scene.reach(1, 'NEEDS_INPUT');
    expect(await scene.as('dave').act(1, 'cancel')).toMatchObject({
      status: 202,
      body: { generationStatus: 'CANCELED' },
    });
  });

  test('a Guest is refused with the check that failed, and nothing starts', async () => {
    const scene = await asking();
    expect(await scene.as('carol').act(1, 'plan')).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect((await scene.now(1)).generationStatus).toBe('NOT_STARTED');
  });

  test('who may not see the item gets the same 404 as for one that does not exist', async () => {
    const scene = await asking();
    const hidden = await scene.as('erin').act(1, 'plan');
    const missing = await scene.as('alice').act(99, 'plan');
    expect(hidden.status).toBe(404);
    expect(hidden.body).toEqual(missing.body);
  });
});

describe('refusals are told once, in the thread of the command', () => {
  test('forbidden', async () => {
    const scene = await asking();
    const command = await scene.as('carol').comment(1, '/workplan plan');
    await quiet(service);
    expect(repliesTo(scene, command)).toEqual([expect.stringContaining('`forbidden`')]);
    expect((await scene.now(1)).generationStatus).toBe('NOT_STARTED');
  });

  test('already_running', async () => {
    const scene = await asking();
    await scene.as('alice').comment(1, '/workplan plan');
    const { runId } = await scene.reach(1, 'NEEDS_INPUT');
    const second = await scene.as('maria').comment(1, '/workplan plan');
    await quiet(service);
    expect(repliesTo(scene, second)).toEqual([expect.stringContaining('`already_running`')]);
    expect((await scene.now(1)).runId).toBe(runId);
  });

  test('an action that does not exist', async () => {
    const scene = await asking();
    const command = await scene.as('alice').comment(1, '/workplan dance');
    await quiet(service);
    expect(repliesTo(scene, command)).toEqual([expect.stringContaining('dance')]);
  });

  test('also when the delivery comes again', async () => {
    const scene = await asking();
    const command = await scene.as('carol').comment(1, '/workplan plan');
    await quiet(service);
    await redeliverAll(scene);
    await quiet(service);
    expect(repliesTo(scene, command)).toHaveLength(1);
  });
});

describe('what never triggers', () => {
  test.each([
    ['the service itself', 'planwright'],
    ['another bot', 'robot'],
  ])('%s', async (_who, username) => {
    const scene = await asking();
    const { state } = service.sandbox;
    if (!state.users.some((user) => user.username === 'robot'))
      state.users.push({ id: 40, username: 'robot', name: 'Robot', bot: true, state: 'active' });
    state.project(scene.id).members.set(40, 40);
    await scene.as(username).comment(1, '/workplan plan');
    await quiet(service);
    expect(await runsOf(scene)).toBe(0);
    expect(scene.notes(1)).toHaveLength(1);
  });

  test('a note that becomes a command by an edit', async () => {
    const scene = await asking();
    const note = await scene.as('alice').comment(1, 'I will ask for a plan.');
    await scene.as('alice').gitlab('PUT', `/issues/1/notes/${note}`, { body: '/workplan plan' });
    await quiet(service);
    expect(await runsOf(scene)).toBe(0);
  });

  test('a command in a quote or a code block', async () => {
    const scene = await asking();
    await scene.as('alice').comment(1, '> /workplan plan\n\n```\n/workplan plan\n```');
    await quiet(service);
    expect(await runsOf(scene)).toBe(0);
  });
});

describe('the same thing twice', () => {
  test('a delivery that comes again changes nothing, also after the run has ended', async () => {
    const scene = await openScene(service, { files: SMALL_FILES, issues: [CLEAR_ISSUE] });
    await scene.as('alice').comment(1, '/workplan plan');
    await scene.reach(1, 'COMPLETED');
    const before = scene.notes(1);
    await redeliverAll(scene);
    await quiet(service);
    expect(await runsOf(scene)).toBe(1);
    expect(scene.notes(1)).toEqual(before);
  });

  test('one comment told by two hooks starts one run and says nothing more', async () => {
    const scene = await openScene(service, { files: SMALL_FILES, issues: [CLEAR_ISSUE] });
    await addHook(service, scene.id, `${service.apiUrl}/webhooks/gitlab?second=1`);
    await scene.as('alice').comment(1, '/workplan plan');
    await scene.reach(1, 'COMPLETED');
    expect(await runsOf(scene)).toBe(1);
    expect(scene.ours(1)).toHaveLength(2);
  });
});

async function redeliverAll(scene: Scene): Promise<void> {
  const { state, url } = service.sandbox;
  const hooks = new Set(state.project(scene.id).hooks.map((hook) => hook.id));
  for (const { id } of state.deliveries.filter((delivery) => hooks.has(delivery.hookId)))
    await request(`${url}/_sandbox/hooks/redeliver`, 'POST', {}, { deliveryId: id });
}
