import { afterAll, beforeAll, expect, test } from 'vitest';
import { reconcile } from '../../src/app/reconcile.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { ASKING_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { addLabels, labelsOf, react, statusNote } from '../helpers/labels.ts';
import { addHook, openScene, request, type Scene } from '../helpers/scene.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

/** One look at what is due, `laterMs` from now: an event is given a minute to arrive by itself. */
function look(laterMs = 120_000): Promise<number> {
  const { infra, apiUrl } = service;
  const { clock: now } = infra.act;
  const clock: Clock = { ...now, now: () => new Date(Date.now() + laterMs) };
  const { inbox, outbox, watch } = infra;
  const deps = { ...infra.act, inbox, outbox, watch, hookUrl: `${apiUrl}/webhooks/gitlab` };
  return reconcile({ ...deps, clock, everyMs: 0 }, new AbortController().signal);
}

/** GitLab sends nothing of this project any more. */
async function disableHook(scene: Scene): Promise<void> {
  const [hook] = service.sandbox.state.project(scene.id).hooks;
  await request(`${service.sandbox.url}/_sandbox/hooks/${hook?.id}`, 'PUT', {}, { alertStatus: 'disabled' });
}

async function waiting(): Promise<Scene> {
  const scene = await openScene(service, {
    files: SMALL_FILES,
    issues: [ASKING_ISSUE],
    members: { alice: 'Developer', bob: 'Reporter', maria: 'Maintainer', planwright: 'Maintainer' },
  });
  await scene.as('alice').comment(1, '/workplan plan');
  await scene.reach(1, 'NEEDS_INPUT');
  return scene;
}

test('a comment that a disabled hook did not tell of acts all the same, once, and people are warned', async () => {
  const scene = await waiting();
  await disableHook(scene);
  await scene.as('alice').comment(1, '/workplan continue');
  const before = await scene.now(1);

  expect(await look()).toBe(1);
  expect(await look()).toBe(0);
  await scene.reach(1, 'COMPLETED');

  const shown = await scene.as('alice').status(1);
  expect(before.generationStatus).toBe('NEEDS_INPUT');
  expect(shown.body.warnings.map((warning: { code: string }) => warning.code)).toEqual([
    'webhook_disabled',
    'events_missed',
  ]);
  expect(scene.markers(1).filter((key) => key.includes('kind=plan'))).toHaveLength(1);
});

test('a label and a reaction that a disabled hook did not tell of act all the same', async () => {
  const [labelled, reacted] = [await waiting(), await waiting()];
  await Promise.all([disableHook(labelled), disableHook(reacted)]);
  await addLabels(labelled, 'bob', 1, 'workplan-do::cancel');
  await react(reacted, 'bob', 1, statusNote(reacted, 1).id, 'stop_button');
  // So that GitLab counts the item as changed.
  await reacted.as('bob').comment(1, 'Stop this, please.');

  expect(await look()).toBe(2);
  await labelled.reach(1, 'CANCELED');
  await reacted.reach(1, 'CANCELED');

  expect(await labelsOf(labelled, 1)).toEqual(['workplan::canceled']);
  expect(await look()).toBe(0);
});

test('an item that was closed meanwhile ends its run', async () => {
  const scene = await waiting();
  await disableHook(scene);
  await scene.as('alice').gitlab('PUT', '/issues/1', { state_event: 'close' });

  await look();
  const status = await scene.reach(1, 'CANCELED');

  expect(status.reason).toBe('item_closed');
});

test('what was told is not told again', async () => {
  await waiting();

  expect(await look()).toBe(0);
});

test('the same comment told by two hooks is one delivery', async () => {
  const scene = await openScene(service, { files: SMALL_FILES, issues: [ASKING_ISSUE] });
  await addHook(service, scene.id, `${service.apiUrl}/webhooks/gitlab?second`);
  const id = await scene.as('alice').comment(1, '/workplan plan');
  await scene.reach(1, 'NEEDS_INPUT');

  const stored = await service.infra.db.execute<{ n: number }>(
    `select count(*)::int as n from inbox where content like 'note:%:${id}:%'`,
  );
  expect(stored).toEqual([{ n: 1 }]);
});
