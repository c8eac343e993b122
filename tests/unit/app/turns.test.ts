import { describe, expect, test } from 'vitest';
import { takeTurns } from '../../../src/app/turns.ts';
import type { OutboxRow } from '../../../src/ports/outbox.ts';
import type { RunRow, RunStore } from '../../../src/ports/run-store.ts';
import type { TurnStore } from '../../../src/ports/turns.ts';
import { createService, personOf, runSettings, startRun } from './setup.ts';

/** What the run store would say, were there a limit; `admits`: what the next times of giving answer. */
function scene(admits: (string[] | Error)[], waits = true) {
  const service = createService();
  const told: OutboxRow[] = [];
  const given: unknown[][] = [];
  const turns: TurnStore = {
    limit: async (...call) => void given.push(['limit', ...call]),
    admit: async (...call) => {
      given.push(['admit', ...call]);
      const next = admits.shift();
      if (next === undefined) throw new Error('nobody expected that turns are given');
      if (next instanceof Error) throw next;
      return next;
    },
    ahead: async () => 2,
    tellWaiting: async (row) => void told.push(row),
  };
  const waiting = (run: RunRow): RunRow => (waits ? { ...run, waitsForTurn: true } : run);
  const inner: RunStore = {
    ...service.store,
    async start(input) {
      const outcome = await service.store.start(input);
      return outcome.kind === 'started' ? { ...outcome, run: waiting(outcome.run) } : outcome;
    },
  };
  return { service, told, given, store: takeTurns(inner, { turns, queue: service.queue, log: service.log }) };
}

async function startVia(made: ReturnType<typeof scene>, maxLiveRuns?: number) {
  const { row, events, piece } = await startRun(createService().store);
  return made.store.start({
    id: 'run-a',
    item: row.item,
    startedBy: personOf('alice'),
    piece,
    settings: { ...runSettings, ...(maxLiveRuns === undefined ? {} : { maxLiveRuns }) },
    events,
    at: '2026-01-05T09:00:00.000Z',
    row: {},
    outbox: [],
    cause: { actionKey: null, deliveryId: null },
  });
}

const heldRun = { runId: 'run-a', worker: 'worker-a', leaseMs: 1000 };
const appendOf = (row: object) => ({
  runId: 'run-a',
  fence: 1,
  expectedSeq: 1,
  at: '2026-01-05T09:00:01.000Z',
  events: [],
  row,
  outbox: [],
  usage: [],
});

describe('a start', () => {
  test('of a project without a limit asks nothing', async () => {
    const made = scene([], false);

    await startVia(made);

    expect(made.given).toEqual([]);
  });

  test('that gets its turn goes on, and nothing is told', async () => {
    const made = scene([['run-a']]);

    const outcome = await startVia(made, 3);

    expect(made.given).toEqual([
      ['limit', 1, 3],
      ['admit', 1, false],
    ]);
    expect(outcome.kind === 'started' && outcome.run).not.toHaveProperty('waitsForTurn');
    expect(made.told).toEqual([]);
  });

  test('that has to wait says so on its item', async () => {
    const made = scene([[]]);

    expect(await startVia(made, 1)).toMatchObject({ kind: 'started', run: { waitsForTurn: true } });

    expect(made.told[0]).toMatchObject({ kind: 'status', runId: 'run-a' });
    expect(made.told[0]?.body).toContain('waiting for its turn: 2 ahead');
  });

  test('is accepted when turns cannot be given just now: the sweeper does it', async () => {
    const made = scene([new Error('the store is away')]);

    expect(await startVia(made, 1)).toMatchObject({ kind: 'started', run: { waitsForTurn: true } });
  });
});

describe('a turn is left', () => {
  test('by an append that pauses a run with a limit; who is next is woken', async () => {
    const made = scene([['run-a'], ['run-b']]);
    await startVia(made, 1);
    await made.store.claim({ runIds: ['run-a'], worker: 'worker-a', leaseMs: 1000, maxFormat: 1 });

    await made.store.append(appendOf({}));
    expect(made.given).toHaveLength(2);
    await made.store.append(appendOf({ status: 'NEEDS_INPUT' }));

    expect(made.given.at(-1)).toEqual(['admit', 1, false]);
    expect(made.service.queue.runs).toContain('run-b');
  });

  test('not by a run without a limit', async () => {
    const made = scene([], false);
    await startVia(made);
    await made.store.claim({ runIds: ['run-a'], worker: 'worker-a', leaseMs: 1000, maxFormat: 1 });

    await made.store.append(appendOf({ status: 'NEEDS_INPUT' }));

    expect(made.given).toEqual([]);
  });

  test('not again by a run that another process has taken over', async () => {
    const made = scene([['run-a'], []]);
    await startVia(made, 1);
    await made.store.claim({ runIds: ['run-a'], worker: 'worker-a', leaseMs: 1000, maxFormat: 1 });
    await made.store.heartbeat({ worker: heldRun.worker, holds: [{ runId: 'run-a', fence: 0 }], leaseMs: 1000 });

    await made.store.append(appendOf({ status: 'NEEDS_INPUT' }));

    expect(made.given).toHaveLength(2);
  });
});
