import { afterAll, beforeAll, expect, test } from 'vitest';
import { findMarkers } from '../../src/domain/text/marker.ts';
import { copySample } from '../helpers/sample.ts';
import type { Scene } from '../helpers/scene.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** The third sample issue, in a project of its own. */
const IID = 3;
const thin = (): Promise<Scene> => copySample(service);

const EXTENDED = `Search is slow sometimes and people don't find things.

## What

- \`createSearchService\` in \`src/services/search-service.ts\` must also find orders by the carrier's parcel number.
- \`GET /search\` must answer at most 50 hits, newest first.

## Acceptance criteria

- [ ] A search for a parcel number finds its order.
- [ ] 60 matching orders give 50 hits.
`;

function gates(scene: Scene): string[] {
  return scene
    .ours(IID)
    .filter((note) => findMarkers(note.body).some((fields) => fields['kind'] === 'gate'))
    .map((note) => note.body);
}

test('an item that is too thin waits at the context gate, with a note that mentions the starter', async () => {
  const scene = await thin();
  await scene.as('alice').comment(IID, '/workplan plan');
  const status = await scene.reach(IID, 'NEEDS_INPUT', 'COMPLETED');
  expect(status.pause?.kind).toBe('context_gate');
  expect(status.questions).toEqual([]);
  expect(gates(scene)).toEqual([expect.stringContaining('@alice')]);
  expect(gates(scene)[0]).not.toMatch(/duo-question|json:duo/);
});

test('Continue without a change asks again with what is missing, and says that nothing was added', async () => {
  const scene = await thin();
  await scene.as('alice').act(IID, 'plan');
  const first = await scene.reach(IID, 'NEEDS_INPUT');
  await scene.as('alice').act(IID, 'continue', { pauseId: first.pause?.id });
  const again = await scene.until(IID, (now) => now.pause !== undefined && now.pause.id !== first.pause?.id);
  expect(again).toMatchObject({ generationStatus: 'NEEDS_INPUT', pause: { kind: 'context_gate' } });
  await scene.reach(IID, 'NEEDS_INPUT');
  const [asked, askedAgain, ...more] = gates(scene);
  expect(more).toEqual([]);
  // Not the same request twice: it says that nothing was added.
  expect([asked, askedAgain].map((body) => body?.includes('has not changed'))).toEqual([false, true]);
});

test('Continue after the description was extended plans what it now says', async () => {
  const scene = await thin();
  await scene.as('alice').act(IID, 'plan');
  const { pause } = await scene.reach(IID, 'NEEDS_INPUT');
  await scene.as('alice').gitlab('PUT', `/issues/${IID}`, { description: EXTENDED });
  await scene.as('alice').act(IID, 'continue', { pauseId: pause?.id });
  const status = await scene.reach(IID, 'COMPLETED', 'FAILED');
  expect(status.generationStatus).toBe('COMPLETED');
  const said = JSON.stringify(status.workplan?.units);
  expect(said).toContain('parcel number');
  expect(said).toContain('src/services/search-service.ts');
});

test('a reply to the gate is not taken for context', async () => {
  const scene = await thin();
  await scene.as('alice').act(IID, 'plan');
  const first = await scene.reach(IID, 'NEEDS_INPUT');
  const gate = scene.ours(IID).find((note) => note.body.includes('kind=gate'));
  await scene.as('bob').reply(IID, gate?.discussionId ?? '', 'Just do it.');
  await scene.as('alice').act(IID, 'continue', { pauseId: first.pause?.id });
  const again = await scene.until(IID, (now) => now.pause !== undefined && now.pause.id !== first.pause?.id);
  expect(again.pause?.kind).toBe('context_gate');
});
