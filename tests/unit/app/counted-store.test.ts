import { expect, test } from 'vitest';
import { countRuns } from '../../../src/app/counted-store.ts';
import type { EventOf } from '../../../src/domain/run/events.ts';
import type { RunCounters } from '../../../src/ports/metrics.ts';
import type { RunStore } from '../../../src/ports/run-store.ts';
import { createService, pauseRun, planningPiece, runSettings, type Service, startRun } from './setup.ts';

function counting(service: Service) {
  const counted: unknown[][] = [];
  const note =
    (name: string) =>
    (...given: unknown[]): void =>
      void counted.push([name, ...given]);
  const counters: RunCounters = {
    started: note('started'),
    paused: note('paused'),
    resumed: note('resumed'),
    pauseSeconds: note('pauseSeconds'),
    answered: note('answered'),
    ended: note('ended'),
    used: note('used'),
    budgetReached: note('budgetReached'),
  };
  return { counted, store: countRuns(service.store, counters) };
}

const noCause = { actionKey: null, deliveryId: null };
const alice = { id: 11, username: 'alice' };
const at = '2026-01-05T09:10:00.000Z';

async function append(store: RunStore, service: Service, events: Parameters<RunStore['append']>[0]['events']) {
  const { fence, seq } = service.store.run('run-a').row;
  const usage = [{ effectId: 'e', model: '', inputTokens: 10, outputTokens: 2, estimated: true }];
  return store.append({ runId: 'run-a', fence, expectedSeq: seq, at, events, row: {}, outbox: [], usage });
}

test('a run is counted as started once, however often it is asked for', async () => {
  const service = createService();
  const { counted, store } = counting(service);
  const { item } = (await startRun(service.store, { id: 'other', globalId: 1 })).row;
  const event: EventOf<'run_started'> = {
    type: 'run_started',
    goal: 'g',
    startedBy: alice,
    item,
    interactive: true,
    reportDir: 'r',
    carried: [],
  };
  const start = (id: string) =>
    store.start({
      id,
      item: { ...item, globalId: 2 },
      startedBy: alice,
      piece: planningPiece,
      settings: runSettings,
      events: [event],
      at,
      row: {},
      outbox: [],
      cause: noCause,
    });

  await start('one');
  await start('two');

  expect(counted).toEqual([['started']]);
});

test('pauses, questions and tokens are counted when they are recorded, not when the append is stale', async () => {
  const service = createService();
  const { counted, store } = counting(service);
  await startRun(service.store);
  const paused: EventOf<'paused'> = {
    type: 'paused',
    pauseId: 'p1',
    kind: 'question',
    movement: 'plan',
    questions: [],
    missing: [],
  };

  await append(store, service, [paused]);
  await store.append({
    runId: 'run-a',
    fence: 99,
    expectedSeq: 2,
    at,
    events: [paused],
    row: {},
    outbox: [],
    usage: [],
  });

  expect(counted).toEqual([
    ['paused', 'question', 0],
    [
      'used',
      {
        model: 'default',
        inputTokens: 10,
        outputTokens: 2,
        estimated: true,
        cachedTokens: 0,
        cacheWriteTokens: 0,
        money: null,
      },
    ],
  ]);
});

test('who goes on after a pause counts how long it was', async () => {
  const service = createService();
  const { counted, store } = counting(service);
  await startRun(service.store);
  await pauseRun(service, 'run-a', 'p1', 'question');
  const event = { type: 'resumed', pauseId: 'p1', by: alice, via: 'api', decision: 'continue', reason: '' } as const;

  await store.resume({ runId: 'run-a', pauseId: 'p1', event, at, outbox: [], cause: noCause });
  await store.resume({ runId: 'run-a', pauseId: 'p1', event, at, outbox: [], cause: noCause });
  await store.claim({ runIds: ['run-a'], worker: 'w', leaseMs: 1000, maxFormat: 1 });

  // Paused at 09:00:01, resumed at 09:10:00.
  expect(counted).toEqual([['resumed'], ['pauseSeconds', 599]]);
});

test('answers are counted as they are handed on, assumptions are none', async () => {
  const service = createService();
  const { counted, store } = counting(service);
  await startRun(service.store);
  const read: Omit<EventOf<'replies_read'>, 'inputs' | 'assume'> = {
    type: 'replies_read',
    effectId: 'r',
    pauseId: 'p1',
    answers: [],
  };
  const inputs = [{ question: 'q', answer: 'a' }];

  await append(store, service, [{ ...read, inputs, assume: false }]);
  await append(store, service, [{ ...read, inputs, assume: true }]);

  expect(counted.filter(([name]) => name === 'answered')).toEqual([
    ['answered', 1],
    ['answered', 0],
  ]);
});

test('an end is counted with its status and reason by whoever wrote it', async () => {
  const service = createService();
  const { counted, store } = counting(service);
  await startRun(service.store);
  const event = { type: 'ended', status: 'canceled', reason: 'canceled', message: '', by: alice } as const;
  const end = {
    runId: 'run-a',
    event,
    at,
    status: 'CANCELED',
    reason: 'canceled',
    outbox: [],
    cause: noCause,
  } as const;

  await store.end({ ...end, outbox: [], onlyAtSeq: null });
  await store.end({ ...end, outbox: [], onlyAtSeq: null });

  expect(counted).toEqual([['ended', 'CANCELED', 'canceled']]);
});
