import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ASKING_ISSUE, CLEAR_ISSUE, SMALL_FILES, THIN_ISSUE } from '../fixtures/small-project.ts';
import { type Answer, openScene, quiet } from '../helpers/scene.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const TWENTY = Array.from({ length: 20 }, (_, index) => index + 1);

function counted(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const key = status === 202 ? '202' : `${status} ${body.code}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

describe('at the same moment', () => {
  test('twenty plans on one item: one run, nineteen refusals that name it', async () => {
    const scene = await openScene(service, { files: SMALL_FILES, issues: [ASKING_ISSUE] });
    const alice = scene.as('alice');
    const answers = await Promise.all(TWENTY.map(() => alice.act(1, 'plan')));
    expect(counted(answers)).toEqual({ '202': 1, '409 already_running': 19 });
    const { runId } = await scene.reach(1, 'NEEDS_INPUT');
    expect(new Set(answers.map((answer) => answer.body.runId))).toEqual(new Set([runId]));
    expect(scene.ours(1)).toHaveLength(2);
  });

  test('six plan comments of different people: one run, five told in their threads', async () => {
    const scene = await openScene(service, { files: SMALL_FILES, issues: [ASKING_ISSUE] });
    const people = ['alice', 'maria', 'alice', 'maria', 'alice', 'maria'];
    const commands = await Promise.all(people.map((name) => scene.as(name).comment(1, '/workplan plan')));
    await scene.reach(1, 'NEEDS_INPUT');
    const threads = scene.notes(1).filter((note) => commands.includes(note.id));
    const told = threads.filter((command) =>
      scene.ours(1).some((note) => note.discussionId === command.discussionId && note.body.includes('already_running')),
    );
    expect(told).toHaveLength(5);
    expect(scene.markers(1).filter((key) => key.endsWith('kind=status'))).toHaveLength(1);
  });

  test('twenty items: twenty runs that all complete', async () => {
    const scene = await openScene(service, { files: SMALL_FILES, issues: TWENTY.map(() => CLEAR_ISSUE) });
    const answers = await Promise.all(TWENTY.map((iid) => scene.as('alice').act(iid, 'plan')));
    expect(counted(answers)).toEqual({ '202': 20 });
    for (const iid of TWENTY) {
      const { generationStatus, runId } = await scene.reach(iid, 'COMPLETED', 'FAILED', 'NEEDS_INPUT');
      expect(generationStatus).toBe('COMPLETED');
      expect(scene.markers(iid)).toEqual([`run=${runId};kind=plan`, `run=${runId};kind=status`]);
    }
  });

  test('twenty Continues: one is taken', async () => {
    const scene = await openScene(service, { files: SMALL_FILES, issues: [ASKING_ISSUE] });
    await scene.as('alice').act(1, 'plan');
    const { pause } = await scene.reach(1, 'NEEDS_INPUT');
    const answers = await Promise.all(
      TWENTY.map((number) => scene.as(number % 2 ? 'alice' : 'bob').act(1, 'continue', { pauseId: pause?.id })),
    );
    expect(counted(answers)).toEqual({ '202': 1, '409 already_continued': 19 });
    expect((await scene.reach(1, 'COMPLETED', 'FAILED')).generationStatus).toBe('COMPLETED');
  });

  test('Continue and cancel: the run ends in one of the two ways, and no Continue follows a cancel', async () => {
    const scene = await openScene(service, { files: SMALL_FILES, issues: [ASKING_ISSUE] });
    await scene.as('alice').act(1, 'plan');
    const { pause } = await scene.reach(1, 'NEEDS_INPUT');
    const [canceled] = await Promise.all([
      scene.as('alice').act(1, 'cancel'),
      scene.as('bob').act(1, 'continue', { pauseId: pause?.id }),
    ]);
    expect(canceled?.status).toBe(202);
    expect((await scene.reach(1, 'CANCELED', 'COMPLETED')).generationStatus).toBe('CANCELED');
  });
});

describe('a late Continue', () => {
  test('for a pause that is over changes nothing', async () => {
    const scene = await openScene(service, { files: SMALL_FILES, issues: [THIN_ISSUE] });
    const alice = scene.as('alice');
    await alice.act(1, 'plan');
    const first = await scene.reach(1, 'NEEDS_INPUT');
    await alice.gitlab('PUT', '/issues/1', { description: ASKING_ISSUE.description });
    await alice.act(1, 'continue', { pauseId: first.pause?.id });
    const second = await scene.until(1, (now) => now.pause !== undefined && now.pause.id !== first.pause?.id);
    expect(second.pause?.kind).toBe('question');
    const late = await alice.act(1, 'continue', { pauseId: first.pause?.id });
    expect(late).toMatchObject({ status: 409, body: { code: 'already_continued' } });
    await quiet(service);
    expect(await scene.now(1)).toMatchObject({ generationStatus: 'NEEDS_INPUT', pause: second.pause });
  });

  test('for a pause that never was says so', async () => {
    const scene = await openScene(service, { files: SMALL_FILES, issues: [ASKING_ISSUE] });
    await scene.as('alice').act(1, 'plan');
    const { pause } = await scene.reach(1, 'NEEDS_INPUT');
    expect((await scene.as('alice').act(1, 'continue', { pauseId: 'no-such-pause' })).status).toBe(409);
    expect((await scene.now(1)).pause).toEqual(pause);
  });
});
