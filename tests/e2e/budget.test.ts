import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLEAR_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { openScene, type Scene } from '../helpers/scene.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

const SETTINGS = '.gitlab/planwright.yml';
let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

function limited(budget: string): Promise<Scene> {
  return openScene(service, { files: { ...SMALL_FILES, [SETTINGS]: budget }, issues: [CLEAR_ISSUE, CLEAR_ISSUE] });
}

async function raise(scene: Scene, text: string): Promise<void> {
  const { status } = await fetch(`${service.sandbox.url}/_sandbox/projects/${scene.id}/commits`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'Change the budget', files: { [SETTINGS]: text } }),
  });
  expect(status).toBe(201);
}

describe('the budget of a run', () => {
  test('that is used up pauses it with a note; when there is more, Continue goes on with what was done', async () => {
    const scene = await limited('budget: {run: {tokens: 6000}}\n');
    await scene.as('alice').act(1, 'plan');

    const waiting = await scene.reach(1, 'NEEDS_INPUT');

    expect(waiting).toMatchObject({ pause: { kind: 'budget' }, movement: expect.any(String) });
    const { body } = await scene.as('bob').status(1);
    expect(body.pause.budget).toMatchObject({ scope: 'run', what: 'tokens', limit: 6000 });
    expect(body.budget).toMatchObject({
      run: { tokens: expect.any(Number), limits: { tokens: 6000 } },
      currency: 'USD',
    });
    const note = scene.ours(1).find(({ body }) => body.includes('The budget is used up'));
    expect(note?.body).toMatch(/@alice — .* \/ 6,000 tokens/);
    const refused = await scene.as('alice').act(1, 'continue');
    expect(refused).toMatchObject({ status: 403, body: { code: 'budget_exhausted' } });

    await raise(scene, 'budget: {run: {tokens: 5000000}}\n');
    expect(await scene.as('alice').act(1, 'continue')).toMatchObject({ status: 202 });
    const done = await scene.reach(1, 'COMPLETED');

    expect(done.workplan?.units.length).toBeGreaterThan(0);
    const loaded = await service.infra.act.store.load(done.runId ?? '');
    const types = loaded?.events.map((event) => event.type) ?? [];
    expect(types.filter((type) => type === 'budget_reached')).toHaveLength(1);
    expect(types.filter((type) => type === 'replies_read')).toHaveLength(0);
  });
});

describe('the budget of a project’s day', () => {
  test('lets no further plan begin once it is used up', async () => {
    const scene = await limited('budget: {day: {tokens: 1000000}}\n');
    await scene.as('alice').act(1, 'plan');
    await scene.reach(1, 'COMPLETED');
    await raise(scene, 'budget: {day: {tokens: 10}}\n');

    const refused = await scene.as('alice').act(2, 'plan');

    expect(refused).toMatchObject({ status: 403, body: { code: 'budget_exhausted' } });
    expect(refused.body.detail).toMatch(
      /the project's day is used up: .* \/ 10 tokens\. There is budget again on the next day/,
    );
    expect((await scene.as('bob').status(2)).body.generationStatus).toBe('NOT_STARTED');
  });
});
