import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunStore } from '../../../src/ports/run-store.ts';
import { type OpenedStores, stores, testIf } from './databases.ts';
import {
  appendTo,
  claimOne,
  endOf,
  outboxRow,
  pauseOf,
  resumeOf,
  startHeld,
  startPaused,
  startRun,
} from './samples.ts';

describe.each(stores)('Continue and Cancel on $name', ({ open, database }) => {
  const onDatabase = testIf(database);
  let opened: OpenedStores;
  let store: RunStore;

  beforeAll(async () => {
    opened = await open();
    store = opened.runs();
  });
  afterAll(() => opened.close());

  test('a Continue is visible at once and closes the pause', async () => {
    const { runId, pauseId } = await startPaused(store);

    const outcome = await store.resume(resumeOf(runId, pauseId, { leaseToken: 'token-2', row: { view: { open: 0 } } }));

    expect(outcome).toMatchObject({
      kind: 'resumed',
      run: {
        id: runId,
        status: 'GENERATING',
        pause: null,
        seq: 3,
        version: 3,
        view: { open: 0 },
        startedBy: { username: 'alice' },
      },
    });
    expect(await store.pauses(runId)).toMatchObject([{ id: pauseId, closedAt: '2026-01-02T03:06:00.000Z' }]);
    const claimed = await claimOne(store, runId, 'worker-b');
    expect(claimed).toMatchObject({ fence: 2, leaseToken: 'token-2' });
    expect(claimed.events.at(-1)).toMatchObject({ type: 'resumed', seq: 3, pauseId });
  });

  test.each([1, 4])('of 20 Continues at once by %i processes one resumes', async (processes) => {
    const { runId, pauseId } = await startPaused(store);
    const stores = Array.from({ length: processes }, () => opened.runs());

    const resumes = stores.flatMap((each) =>
      Array.from({ length: 20 / processes }, () => each.resume(resumeOf(runId, pauseId))),
    );

    const kinds = (await Promise.all(resumes)).map((outcome) => outcome.kind).sort();
    expect(kinds).toEqual([...Array(19).fill('already_continued'), 'resumed']);
    expect((await store.load(runId))?.events).toHaveLength(3);
  });

  test('a Continue for another pause than the present one changes nothing', async () => {
    const first = await startPaused(store);
    await store.resume(resumeOf(first.runId, first.pauseId));
    const claimed = await claimOne(store, first.runId);
    await store.append(pauseOf({ runId: first.runId, fence: claimed.fence, seq: claimed.row.seq }, 'second'));

    const outcomes = await Promise.all([
      store.resume(resumeOf(first.runId, first.pauseId)),
      store.resume(resumeOf(first.runId, 'never was')),
    ]);

    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['already_continued', 'already_continued']);
    expect(await store.byId(first.runId)).toMatchObject({ status: 'NEEDS_INPUT', pause: { id: 'second' }, seq: 4 });
  });

  test('a run that does not wait is not resumable', async () => {
    const generating = await startRun(store);
    const ended = await startRun(store);
    await store.end(endOf(ended));

    const outcomes = await Promise.all([store.resume(resumeOf(generating, 'p')), store.resume(resumeOf(ended, 'p'))]);

    expect(outcomes).toMatchObject([
      { kind: 'not_resumable', run: { id: generating } },
      { kind: 'not_resumable', run: { id: ended } },
    ]);
  });

  test('a Continue of an unknown run is a failure', async () => {
    await expect(store.resume(resumeOf(randomUUID(), 'p'))).rejects.toMatchObject({ code: 'run_unknown' });
  });

  test('the same action a second time is a duplicate, for Continue and Cancel', async () => {
    const { runId, pauseId } = await startPaused(store);
    const continued = { cause: { actionKey: `${runId}:continue`, deliveryId: null } };
    const canceled = { cause: { actionKey: `${runId}:cancel`, deliveryId: null } };

    const resumes = await Promise.all([1, 2].map(() => store.resume(resumeOf(runId, pauseId, continued))));
    const ends = await Promise.all([1, 2].map(() => store.end(endOf(runId, canceled))));

    expect(resumes.map((outcome) => outcome.kind)).toEqual(['resumed', 'duplicate']);
    expect(ends.map((outcome) => outcome.kind)).toEqual(['ended', 'duplicate']);
  });

  test('one action key on two runs at once takes effect once', async () => {
    const [first, second] = [await startRun(store), await startRun(store)];
    const cause = { actionKey: `${first}:cancel`, deliveryId: null };

    const outcomes = await Promise.all([store.end(endOf(first, { cause })), store.end(endOf(second, { cause }))]);

    expect(outcomes.map((outcome) => outcome.kind).sort()).toEqual(['duplicate', 'ended']);
  });

  test('the delivery is done with the Continue that it caused (D10)', async () => {
    const { runId, pauseId } = await startPaused(store);
    const inbox = opened.inbox();
    const deliveryId = randomUUID();
    await inbox.put({ id: deliveryId, event: 'Note Hook', itemKey: runId, body: '{}' });
    const cause = { actionKey: null, deliveryId };

    await store.resume(resumeOf(runId, pauseId, { cause }));

    expect(await inbox.take({ owner: 'worker-a', limit: 100, leaseMs: 60_000 })).toEqual([]);
  });

  test('a Cancel works while nobody holds the run, while somebody does, and during a pause', async () => {
    const runs = [await startRun(store), (await startHeld(store)).runId, (await startPaused(store)).runId];

    const outcomes = await Promise.all(
      runs.map((runId) => store.end(endOf(runId, { row: { scoreStatus: 'CANCELED' } }))),
    );

    const run = { status: 'CANCELED', reason: 'canceled_by_person', pause: null, scoreStatus: 'CANCELED' };
    expect(outcomes).toMatchObject(Array(3).fill({ kind: 'ended', run }));
    expect(outcomes.map((outcome) => (outcome.kind === 'ended' ? outcome.run.fence : null))).toEqual([1, 2, 2]);
    expect(await store.pauses(runs[2] ?? '')).toMatchObject([{ closedAt: '2026-01-02T03:07:00.000Z' }]);
    const logs = await Promise.all(runs.map((runId) => store.load(runId)));
    expect(logs.map((log) => log?.events.at(-1)?.type)).toEqual(['ended', 'ended', 'ended']);
  });

  test('an end for a sequence that has passed changes nothing', async () => {
    const held = await startHeld(store);
    await store.append(appendTo(held));

    const late = await store.end(endOf(held.runId, { onlyAtSeq: 1 }));
    const timely = await store.end(endOf(held.runId, { onlyAtSeq: 2 }));

    expect(late).toMatchObject({ kind: 'not_live', run: { status: 'GENERATING', seq: 2 } });
    expect(timely.kind).toBe('ended');
  });

  test('what led to an end is written before it, in the same statement', async () => {
    const held = await startHeld(store);
    const before = [{ type: 'deadline_passed' as const, what: 'run' as const }];

    await store.end(endOf(held.runId, { before, onlyAtSeq: 1 }));

    const loaded = await store.load(held.runId);
    expect(loaded?.events.map((event) => [event.seq, event.type])).toEqual([
      [1, 'run_started'],
      [2, 'deadline_passed'],
      [3, 'ended'],
    ]);
    expect(loaded?.row.seq).toBe(3);
  });

  test('the lease’s token is known for as long as the run is at work', async () => {
    const runId = await startRun(store, { leaseToken: 'token-1' });
    const atWork = (await store.load(runId))?.leaseToken;
    await store.end(endOf(runId));

    expect([atWork, (await store.load(runId))?.leaseToken]).toEqual(['token-1', null]);
  });

  test('an end of an unknown run says so', async () => {
    expect(await store.end(endOf(randomUUID()))).toEqual({ kind: 'not_live', run: null });
  });

  onDatabase('a Cancel drops what the run had still to ask and keeps what always goes out', async () => {
    const held = await startHeld(store);
    const kinds = ['status', 'question', 'gate', 'approval', 'plan'] as const;
    await store.append(
      appendTo(held, { outbox: kinds.map((kind) => outboxRow(held.item, kind, { runId: held.runId })) }),
    );
    const cancel = outboxRow(held.item, 'cancel', { runId: held.runId });
    const status = outboxRow(held.item, 'status', { runId: held.runId });

    await store.end(endOf(held.runId, { outbox: [status, cancel] }));

    const left = await opened.db.execute('select kind from outbox where run_id = $1 order by id', [held.runId]);
    expect(left).toEqual([{ kind: 'plan' }, { kind: 'status' }, { kind: 'cancel' }]);
  });

  test('the first note of a pause is its lowest, and until then it is being posted', async () => {
    const { runId, pauseId, item } = await startPaused(store);
    const outbox = opened.outbox();
    const note = {
      runId,
      kind: 'question',
      pauseId,
      questionId: 'q',
      discussionId: 'd',
      url: 'https://gitlab.example/n',
    } as const;
    await outbox.add([outboxRow(item, 'question', { runId, pauseId })], { actionKey: null, deliveryId: null });
    const [row] = (await outbox.take({ owner: 'w', limit: 1000, leaseMs: 60_000 })).filter(
      (each) => each.runId === runId,
    );
    const before = await store.pauses(runId);

    await outbox.delivered(row?.id ?? 0, 'w', { ...note, marker: 'm1', noteId: 20 });
    await outbox.delivered(row?.id ?? 0, 'w', { ...note, marker: 'm2', noteId: 10 });

    expect(before).toMatchObject([{ firstNoteId: null, posting: true }]);
    expect(await store.pauses(runId)).toMatchObject([{ id: pauseId, firstNoteId: 10, posting: false }]);
  });
});
