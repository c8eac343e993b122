import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProjectWarnings } from '../../../src/adapters/postgres/project-warnings.ts';
import { createProjectWatch } from '../../../src/adapters/postgres/project-watch.ts';
import { createRunStore } from '../../../src/adapters/postgres/run-store.ts';
import { EVERY_PROJECT, type ProjectWarnings } from '../../../src/ports/project-warnings.ts';
import { databases, type TestStore } from './databases.ts';
import { newItem, startOf } from './samples.ts';

describe.each(databases)('warnings of projects on $name', ({ open }) => {
  let opened: TestStore;
  let warnings: ProjectWarnings;

  beforeAll(async () => {
    opened = await open();
    warnings = createProjectWarnings(opened.db);
  });
  afterAll(() => opened.close());

  const codes = async (projectId: number) =>
    (await warnings.of(projectId)).map(({ code, detail }) => `${code} ${detail}`);

  test('are kept once a code, with what was said last, until they are cleared', async () => {
    await warnings.raise({ projectId: 7, code: 'labels_refused', detail: 'not_set' });
    await warnings.raise({ projectId: 7, code: 'labels_refused', detail: 'gitlab_forbidden' });

    expect(await codes(7)).toEqual(['labels_refused gitlab_forbidden']);
    expect(await codes(8)).toEqual([]);

    await warnings.clear(7, 'labels_refused');
    expect(await codes(7)).toEqual([]);
  });

  test('of the whole service are of every project', async () => {
    await warnings.raise({ projectId: EVERY_PROJECT, code: 'token_expires', detail: '2026-02-01' });

    expect(await codes(9)).toEqual(['token_expires 2026-02-01']);
    const [warning] = await warnings.of(9);
    expect(warning?.at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    await warnings.clear(EVERY_PROJECT, 'token_expires');
  });

  test.each([
    ['its project', 70, 70],
    ['every project, where it is of the whole service', EVERY_PROJECT, 71],
  ])('a new one raises the version of the live runs of %s, the same again does not', async (_of, projectId, run) => {
    const runs = createRunStore(opened.db);
    const item = { ...newItem(), projectId: run, projectPath: `acme/project-${run}` };
    const outcome = await runs.start(startOf(item));
    if (outcome.kind !== 'started') throw new Error('not started');
    await createProjectWatch(opened.db).learn();
    const version = async () => (await runs.byId(outcome.run.id))?.version ?? 0;
    const before = await version();

    await warnings.raise({ projectId, code: 'labels_refused', detail: 'x' });
    const raised = await version();
    await warnings.raise({ projectId, code: 'labels_refused', detail: 'x' });
    const same = await version();
    await warnings.clear(projectId, 'labels_refused');

    expect([raised - before, same - raised, (await version()) - same]).toEqual([1, 0, 1]);
  });
});
