/** The largest sample: its plan passes every check and its note stays within what GitLab takes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StatusAnswer } from '../../src/app/status.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

const PROJECT = 'acme/sample';
const ISSUE = 4;
const MAX_NOTE_BYTES = 128 * 1024;

let service: TestService;
let status: StatusAnswer;

beforeAll(async () => {
  service = await startTestService();
  const alice = service.person('alice');
  await alice.act(PROJECT, ISSUE, 'plan');
  const settled = ({ generationStatus }: StatusAnswer) => !['NOT_STARTED', 'GENERATING'].includes(generationStatus);
  status = await service.until(PROJECT, ISSUE, settled);
  // With the recommended answers; a new pause is another one.
  while (status.generationStatus === 'NEEDS_INPUT' && status.pause?.kind === 'question') {
    const { id: pauseId } = status.pause;
    await alice.act(PROJECT, ISSUE, 'continue', { pauseId });
    status = await service.until(PROJECT, ISSUE, (now) => settled(now) && now.pause?.id !== pauseId);
  }
  await service.delivered();
});
afterAll(() => service.stop());

test('is planned to its end', () => {
  expect(status).toMatchObject({ generationStatus: 'COMPLETED', scoreStatus: 'EVALUATED' });
  expect(status.workplan?.requirements.length).toBeGreaterThan(20);
  expect(status.workplan?.units.length).toBeGreaterThan(5);
});

test('passes every check by code', () => {
  expect(status.score?.checks.length).toBeGreaterThan(10);
  expect(status.score?.checks.filter((check) => !check.ok)).toEqual([]);
});

test('has one Workplan note, of at most 128 KiB', () => {
  const project = service.sandbox.state.projects.find(({ path }) => path === PROJECT);
  const issue = project?.issues.find(({ iid }) => iid === ISSUE);
  if (!issue) throw new Error('the sample has no such issue');
  const notes = service.sandbox.state.notesOf(issue).filter(({ body }) => body.includes('kind=plan'));

  expect(notes).toHaveLength(1);
  expect(Buffer.byteLength(notes[0]?.body ?? '')).toBeLessThanOrEqual(MAX_NOTE_BYTES);
});
