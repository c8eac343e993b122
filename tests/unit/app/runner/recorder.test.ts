import { expect, test } from 'vitest';
import { createRecorder, type NewEvents } from '../../../../src/app/runner/recorder.ts';
import type { RunStore } from '../../../../src/ports/run-store.ts';
import { createService, startRun } from '../setup.ts';

const made = (expectedSeq: number): NewEvents => ({
  events: [{ type: 'stall_ended' }],
  usage: [],
  outbox: [],
  row: {},
  expectedSeq,
  at: '2026-01-05T09:00:00.000Z',
});

async function setUp() {
  const service = createService();
  const answer = Promise.withResolvers<Awaited<ReturnType<RunStore['append']>>>();
  const appends: number[] = [];
  const append: RunStore['append'] = async ({ events }) => {
    appends.push(events.length);
    return answer.promise;
  };
  const { clock, log } = service;
  const run = await startRun(service.store);
  const signal = new AbortController().signal;
  const recorder = createRecorder(run, { store: { append }, clock, log, onOutbox: () => undefined }, signal);
  return { recorder, appends, answer };
}

test('a run may be a few outcomes ahead of what is recorded, not more', async () => {
  const { recorder, appends, answer } = await setUp();

  for (let seq = 1; seq <= 8; seq += 1) recorder.record(made(seq), false);
  expect(recorder.full()).toBe(false);
  recorder.record(made(9), false);
  expect(recorder.full()).toBe(true);

  answer.resolve({ kind: 'appended', seq: 1, version: 1 });
  expect(await recorder.recorded()).toBe(true);
  expect(recorder.full()).toBe(false);
  expect(appends).toEqual([1, 8]);
});

test('that nothing can be recorded is known at once, and stays so', async () => {
  const { recorder, appends, answer } = await setUp();
  recorder.record(made(1), false);

  answer.resolve({ kind: 'stale' });

  expect(await recorder.broken).toBe(null);
  recorder.record(made(2), false);
  expect(await recorder.recorded()).toBe(false);
  expect(appends).toEqual([1]);
});
