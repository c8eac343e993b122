import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRunStore } from '../../../src/adapters/postgres/run-store.ts';
import { createUsageStore } from '../../../src/adapters/postgres/usage-store.ts';
import type { UsageRow } from '../../../src/ports/run-store.ts';
import { databases, type TestStore } from './databases.ts';
import { appendTo, startHeld } from './samples.ts';

const project = 7001;
const row: UsageRow = {
  effectId: 'e',
  model: 'anthropic:claude-x',
  inputTokens: 1000,
  outputTokens: 50,
  estimated: false,
  projectId: project,
  cachedTokens: 600,
  cacheWriteTokens: 100,
  money: 0.25,
  ms: 1200,
};

describe.each(databases)('usage on $name', ({ open }) => {
  let opened: TestStore;

  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());

  test('is summed by model, of a run and of a project since a time', async () => {
    const store = createRunStore(opened.db);
    const [one, other] = [await startHeld(store), await startHeld(store)];
    const unpriced: UsageRow = { ...row, model: 'openai:gpt-z', money: null };
    await store.append(
      appendTo(one, { at: '2026-01-02T00:00:00.000Z', usage: [row, { ...row, effectId: 'f' }, unpriced] }),
    );
    await store.append(appendTo(other, { at: '2026-01-01T23:59:59.000Z', usage: [row] }));

    const usage = createUsageStore(opened.db);

    const ofOne = await usage.ofRun(one.runId);
    expect(ofOne).toMatchObject([
      {
        model: 'anthropic:claude-x',
        inputTokens: 2000,
        outputTokens: 100,
        cachedTokens: 1200,
        cacheWriteTokens: 200,
        money: 0.5,
        unpriced: { inputTokens: 0, outputTokens: 0 },
        ms: 2400,
      },
      { model: 'openai:gpt-z', money: 0, unpriced: { inputTokens: 1000, outputTokens: 50, cachedTokens: 600 } },
    ]);
    expect(await usage.ofProject(project, '2026-01-02T00:00:00.000Z')).toEqual(ofOne);
    expect(await usage.ofProject(project, '2026-01-01T00:00:00.000Z')).toMatchObject([{ inputTokens: 3000 }, {}]);
    expect(await usage.ofProject(project + 1, '2026-01-01T00:00:00.000Z')).toEqual([]);
  });
});
