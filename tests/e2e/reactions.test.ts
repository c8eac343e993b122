/** Acting by a reaction to a note of the service (spec 2: Actions). */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ASKING_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { clearFaults, fault } from '../helpers/faults.ts';
import { react, redeliverAll, statusNote } from '../helpers/labels.ts';
import { openScene, quiet, type Scene } from '../helpers/scene.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterEach(() => clearFaults(service));
afterAll(() => service.stop());

/** An item whose question waits. */
async function waiting() {
  const scene = await openScene(service, { files: SMALL_FILES, issues: [ASKING_ISSUE] });
  await scene.as('alice').comment(1, '/workplan plan');
  const status = await scene.reach(1, 'NEEDS_INPUT');
  return { scene, status, note: statusNote(scene, 1) };
}

function question(scene: Scene) {
  const note = scene.ours(1).find((own) => own.body.includes('kind=question'));
  if (!note) throw new Error('nothing was asked');
  return note;
}

async function generationStatus(scene: Scene) {
  await quiet(service);
  return (await scene.now(1)).generationStatus;
}

test('arrow_forward on the status note continues, thumbsup in any tone takes the recommended answer', async () => {
  const { scene, note } = await waiting();
  await react(scene, 'bob', 1, question(scene).id, 'thumbsup_tone3');

  await react(scene, 'bob', 1, note.id, 'arrow_forward');
  const ended = await scene.reach(1, 'COMPLETED', 'FAILED');

  expect(ended.generationStatus).toBe('COMPLETED');
  const recommended = ended.questions[0]?.options.find((option) => option.recommended)?.id;
  expect(ended.answers).toMatchObject([{ by: { username: 'bob' }, via: 'emoji', optionIds: [recommended] }]);
});

test('a number on the question answers, and does not continue by itself', async () => {
  const { scene, note } = await waiting();
  await react(scene, 'dave', 1, question(scene).id, 'two');
  expect(await generationStatus(scene)).toBe('NEEDS_INPUT');

  await react(scene, 'dave', 1, note.id, 'arrow_forward');
  const { answers, questions } = await scene.reach(1, 'COMPLETED', 'FAILED');

  expect(answers[0]?.optionIds).toEqual([questions[0]?.options[1]?.id]);
});

test('stop_button on the status note cancels; told twice, once', async () => {
  const { scene, note } = await waiting();

  await react(scene, 'bob', 1, note.id, 'stop_button');
  expect((await scene.reach(1, 'CANCELED')).reason).toBe('canceled');
  const before = scene.notes(1).map(({ id, body }) => ({ id, body }));
  await redeliverAll(service, scene);

  expect(scene.notes(1).map(({ id, body }) => ({ id, body }))).toEqual(before);
});

test('repeat asks for a new plan; what is refused is a line in the status note', async () => {
  const { scene, note } = await waiting();
  const notes = scene.ours(1).length;

  await react(scene, 'alice', 1, note.id, 'repeat');
  await react(scene, 'carol', 1, note.id, 'stop_button');
  await quiet(service);

  expect(scene.ours(1)).toHaveLength(notes);
  expect(statusNote(scene, 1).body).toMatch(
    /@alice `:repeat:`.*`not_supported`[\s\S]*@carol `:stop_button:`.*`forbidden`/,
  );
  expect(await generationStatus(scene)).toBe('NEEDS_INPUT');
});

describe('nothing is done', () => {
  test('for a reaction that was taken back before anybody looked', async () => {
    const { scene, note } = await waiting();
    await fault(service, { method: 'GET', path: '/notes/\\d+/award_emoji$', status: 503, times: 20 });
    const award = await react(scene, 'bob', 1, note.id, 'stop_button');
    await service.sandbox.idle();
    await scene.as('bob').gitlab('DELETE', `/issues/1/notes/${note.id}/award_emoji/${award}`);
    await clearFaults(service);

    expect(await generationStatus(scene)).toBe('NEEDS_INPUT');
  });

  test('for one to a note of the service that is no status note', async () => {
    const { scene } = await waiting();
    await react(scene, 'bob', 1, question(scene).id, 'stop_button');

    expect(await generationStatus(scene)).toBe('NEEDS_INPUT');
  });

  test("for one to a person's note that looks like a status note, or to the item", async () => {
    const { scene, note } = await waiting();
    const forged = await scene.as('alice').comment(1, `${note.body}`);
    await react(scene, 'bob', 1, forged, 'stop_button');
    await scene.as('bob').gitlab('POST', '/issues/1/award_emoji', { name: 'stop_button' });

    expect(await generationStatus(scene)).toBe('NEEDS_INPUT');
  });

  test('for one of the service itself', async () => {
    const { scene, note } = await waiting();
    await react(scene, 'planwright', 1, note.id, 'stop_button');

    expect(await generationStatus(scene)).toBe('NEEDS_INPUT');
  });

  test('for one to the note of a run that is not the newest, and that note says so', async () => {
    const { scene, note } = await waiting();
    await scene.as('alice').comment(1, '/workplan cancel');
    await scene.reach(1, 'CANCELED');
    await scene.as('alice').comment(1, '/workplan plan');
    await scene.until(1, (status) => status.generationStatus !== 'CANCELED');

    await react(scene, 'bob', 1, note.id, 'stop_button');
    await quiet(service);

    // What was asked is not asked again: the second run completes by itself.
    expect((await scene.reach(1, 'COMPLETED', 'FAILED', 'CANCELED')).generationStatus).toBe('COMPLETED');
    expect(scene.notes(1).find(({ id }) => id === note.id)?.body).toMatch(
      /Canceled[\s\S]*@bob `:stop_button:`.*`not_running`/,
    );
    expect(statusNote(scene, 1).body).not.toContain('@bob');
  });
});
