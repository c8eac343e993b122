import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createItemVersions } from '../../../src/adapters/postgres/item-versions.ts';
import { createRunStore } from '../../../src/adapters/postgres/run-store.ts';
import type { ItemVersions } from '../../../src/ports/item-versions.ts';
import type { RunStore } from '../../../src/ports/run-store.ts';
import { databases, type TestStore } from './databases.ts';
import { endOf, resumeOf, startPaused } from './samples.ts';

describe.each(databases)('versions of items on $name', ({ open }) => {
  let opened: TestStore;
  let store: RunStore;
  let versions: ItemVersions;

  beforeAll(async () => {
    opened = await open();
    store = createRunStore(opened.db);
    // Another process's: it learns of nothing but by the store.
    versions = createItemVersions(opened.db);
  });
  afterAll(() => opened.close());

  test('are those of the newest run, after every change', async () => {
    const { runId, pauseId, item } = await startPaused(store);
    const seen = [await versions.newest(item.globalId)];
    await store.resume(resumeOf(runId, pauseId));
    seen.push(await versions.newest(item.globalId));
    await store.end(endOf(runId));
    seen.push(await versions.newest(item.globalId));

    const row = await store.latestForItem(item.globalId);
    expect(seen.map((one) => one?.id)).toEqual([runId, runId, runId]);
    expect(new Set(seen.map((one) => one?.version)).size).toBe(3);
    expect(seen.at(-1)).toEqual({ id: runId, version: row?.version });
  });

  test('are null before the first run, and each item has its own', async () => {
    const [one, other] = [await startPaused(store), await startPaused(store)];

    const answers = await Promise.all(
      [other.item.globalId, 999_999_999, one.item.globalId, one.item.globalId].map((item) => versions.newest(item)),
    );

    expect(answers.map((answer) => answer?.id ?? null)).toEqual([other.runId, null, one.runId, one.runId]);
  });
});
