import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createProjectWatch } from '../../../src/adapters/postgres/project-watch.ts';
import { createRunStore } from '../../../src/adapters/postgres/run-store.ts';
import type { ProjectWatch } from '../../../src/ports/project-watch.ts';
import type { RunStore } from '../../../src/ports/run-store.ts';
import { databases, type TestStore } from './databases.ts';
import { endOf, newItem, startOf } from './samples.ts';

const WEEK_MS = 7 * 86_400_000;

describe.each(databases)('the watch over projects on $name', ({ open }) => {
  let opened: TestStore;
  let store: RunStore;
  let watch: ProjectWatch;

  beforeAll(async () => {
    opened = await open();
    store = createRunStore(opened.db);
    watch = createProjectWatch(opened.db);
  });
  beforeEach(async () => {
    await opened.db.execute('truncate runs cascade');
    for (const table of ['projects', 'project_items', 'marks']) await opened.db.execute(`truncate ${table}`);
  });
  afterAll(() => opened.close());

  async function start(projectId: number, at = new Date().toISOString()) {
    const item = { ...newItem(), projectId, projectPath: `acme/project-${projectId}` };
    const outcome = await store.start(startOf(item, { at }));
    if (outcome.kind !== 'started') throw new Error('not started');
    return outcome.run;
  }
  const take = (change = {}) => watch.take({ limit: 10, everyMs: 60_000, recentMs: WEEK_MS, ...change });
  const looked = { seenUntil: '2026-01-01T00:00:00.000Z', active: false, hook: null, missed: false };

  test('learns the projects of runs that were started, from the first of them on', async () => {
    const [first, second] = ['2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z'];
    await start(7, first);
    await start(7, second);
    await start(8);
    await watch.learn();
    await watch.learn();

    const taken = await take();

    expect(taken.map((project) => project.id)).toEqual([7, 8]);
    expect(taken[0]).toEqual({ id: 7, path: 'acme/project-7', seenUntil: first, hook: null });
  });

  test('a project is looked at once in a while, by one of several processes', async () => {
    for (const id of [1, 2, 3]) await start(id);
    await watch.learn();

    const taken = await Promise.all([take({ limit: 2 }), take({ limit: 2 }), take({ limit: 2 })]);

    expect(
      taken
        .flat()
        .map((project) => project.id)
        .sort(),
    ).toEqual([...new Set(taken.flat().map(({ id }) => id))].sort());
    const all = [...taken.flat(), ...(await take())];
    expect(all.map((project) => project.id).sort()).toEqual([1, 2, 3]);
    expect(await take()).toEqual([]);
    expect(await take({ everyMs: 0 })).toHaveLength(3);
  });

  test('one in which nothing went on for long is left, unless a run waits in it', async () => {
    const ended = await start(1, '2020-01-01T00:00:00.000Z');
    await start(2, '2020-01-01T00:00:00.000Z');
    await store.end(endOf(ended.id));
    await watch.learn();

    expect((await take()).map((project) => project.id)).toEqual([2]);
  });

  test('what was seen never goes back, and a hook that could not be asked for stays as it was known', async () => {
    await start(1, '2025-01-01T00:00:00.000Z');
    await watch.learn();
    const disabled = { state: 'disabled', until: '2026-02-01T00:00:00.000Z' } as const;

    await watch.looked({ ...looked, projectId: 1, hook: disabled });
    await watch.looked({ ...looked, projectId: 1, seenUntil: '2024-01-01T00:00:00.000Z' });

    expect(await take()).toMatchObject([{ seenUntil: looked.seenUntil, hook: disabled }]);
    expect(await watch.signs(1)).toEqual({ hook: disabled, missedAt: null });
  });

  test('people see a change: the version of live runs rises once', async () => {
    const run = await start(1);
    const other = await start(2);
    await watch.learn();
    const versions = async () => [await store.byId(run.id), await store.byId(other.id)].map((row) => row?.version);

    const disabled = { ...looked, projectId: 1, hook: { state: 'disabled', until: null } } as const;
    await watch.looked(disabled);
    await watch.looked(disabled);
    const afterHook = await versions();
    await watch.looked({ ...disabled, missed: true });
    await watch.looked({ ...disabled, missed: true });

    expect(afterHook).toEqual([run.version + 1, other.version]);
    expect(await versions()).toEqual([run.version + 2, other.version]);
    expect((await watch.signs(1)).missedAt).toMatch(/Z$/);
  });

  test('a project nobody knows has no signs', async () => {
    expect(await watch.signs(99)).toEqual({ hook: null, missedAt: null });
  });
});
