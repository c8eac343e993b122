import { expect, test } from 'vitest';
import { createRecorder, type NewEvents } from '../../../../src/app/runner/recorder.ts';
import { TransientFailure } from '../../../../src/ports/failures.ts';
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
  const known = Promise.withResolvers<void>();
  recorder.onBroken = known.resolve;
  recorder.record(made(1), false);
  expect(recorder.broken).toBe(false);

  answer.resolve({ kind: 'stale' });

  await known.promise;
  expect(recorder.broken).toBe(true);
  recorder.record(made(2), false);
  expect(await recorder.recorded()).toBe(false);
  expect(appends).toEqual([1]);
});

test('an append that waits for its turn takes along what came meanwhile, once: sent again it stays what it was', async () => {
  const service = createService();
  const turn = Promise.withResolvers<void>();
  const sent: number[] = [];
  let fails = true;
  const append: RunStore['append'] = async (input) => {
    await turn.promise;
    input.takeAlong?.();
    sent.push(input.events.length);
    if (!fails) return { kind: 'appended', seq: 1, version: 1 };
    fails = false;
    throw new TransientFailure('store_unavailable', 'away');
  };
  const { clock, log } = service;
  const run = await startRun(service.store);
  const signal = new AbortController().signal;
  const recorder = createRecorder(run, { store: { append }, clock, log, onOutbox: () => undefined }, signal);

  recorder.record(made(1), false);
  recorder.record(made(2), false);
  turn.resolve();
  await clock.untilWaiting(100);
  recorder.record(made(3), false);
  clock.advance(100);

  expect(await recorder.recorded()).toBe(true);
  expect(sent).toEqual([2, 2, 1]);
});

test('with nothing ahead, a run goes on when what it learned is recorded', async () => {
  const service = createService();
  const { clock, log } = service;
  const append: RunStore['append'] = async () => ({ kind: 'appended', seq: 1, version: 1 });
  const run = await startRun(service.store);
  const deps = { store: { append }, clock, log, onOutbox: () => undefined, mostAhead: 0 };
  const recorder = createRecorder(run, deps, new AbortController().signal);

  recorder.record(made(1), false);

  expect(recorder.full()).toBe(true);
});
