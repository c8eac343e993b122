import { describe, expect, test } from 'vitest';
import { act } from '../../../src/app/actions/act.ts';
import { announce } from '../../../src/app/announce.ts';
import { applyAll } from '../../../src/app/runner/settle.ts';
import { etagOf, readStatus } from '../../../src/app/status.ts';
import { fold } from '../../../src/domain/run/fold.ts';
import type { DeliveredNote } from '../../../src/ports/outbox.ts';
import type { RunSettings } from '../../../src/ports/run-store.ts';
import { createService, requestOf, type Service } from './setup.ts';

async function planned() {
  const service = createService();
  await act(service.deps, await requestOf(service, 'plan'));
  return service;
}

const read = (service: Service) => service.store.latestForItem(501);
const note = (change: Partial<DeliveredNote> = {}): DeliveredNote => ({
  runId: 'run-1',
  marker: 'm',
  kind: 'status',
  pauseId: null,
  questionId: null,
  noteId: 7,
  discussionId: null,
  url: 'https://gitlab.example/i#note_7',
  ...change,
});

test('before any run it is NOT_STARTED', async () => {
  const service = createService();

  expect(await readStatus(service, null)).toMatchObject({
    generationStatus: 'NOT_STARTED',
    runId: null,
    questions: [],
    score: null,
    scoreStatus: 'NOT_EVALUATED',
    revision: 0,
  });
});

test('of a run it says who began it and what its notes are', async () => {
  const service = await planned();
  service.store.data.notes.push(note());

  expect(await readStatus(service, await read(service))).toMatchObject({
    generationStatus: 'GENERATING',
    runId: 'run-1',
    startedBy: { username: 'alice' },
    noteUrls: ['https://gitlab.example/i#note_7'],
  });
});

test('pause, reason and failed deliveries are there only when they are', async () => {
  const service = await planned();
  const quiet = await readStatus(service, await read(service));
  const { row } = service.store.run('run-1');
  row.pause = { id: 'p1', kind: 'question' };
  row.reason = 'deadline';
  service.store.data.failures.push({ runId: 'run-1', marker: 'm', kind: 'plan', error: 'no' });

  expect(Object.keys(quiet)).not.toEqual(expect.arrayContaining(['pause']));
  expect(quiet).not.toHaveProperty('reason');
  expect(quiet).not.toHaveProperty('deliveryFailed');
  expect(quiet).not.toHaveProperty('workplan');
  expect(await readStatus(service, await read(service))).toMatchObject({
    pause: { id: 'p1', kind: 'question' },
    reason: 'deadline',
    deliveryFailed: ['plan'],
  });
});

test('who plans is said, and before any run nobody', async () => {
  const service = await planned();

  expect(await readStatus(service, await read(service))).toMatchObject({ provider: service.deps.operator.provider });
  expect(await readStatus(service, null)).toMatchObject({ provider: null });
});

test('a failed run says in a sentence what its reason means', async () => {
  const service = await planned();
  const failed = { type: 'pin_failed' as const, effectId: 'p', code: 'item_gone', message: 'The item is gone.' };
  const { code: reason, message } = failed;
  const ended = { type: 'ended' as const, status: 'failed' as const, reason, message, by: null };
  const run = await service.store.load('run-1');
  const state = fold('run-1', run?.events ?? []);
  applyAll(state, [failed, ended], '2026-01-05T09:00:00.000Z');

  service.store.run('run-1').row.view = announce(state, [failed, ended], run?.settings as RunSettings).row.view;

  expect(await readStatus(service, await read(service))).toMatchObject({ message: 'The item is gone.' });
});

test('a question carries the address of its note', async () => {
  const service = await planned();
  const { row } = service.store.run('run-1');
  Object.assign(row.view as object, { questions: [{ id: 'q1' }, { id: 'q2' }] });
  service.store.data.notes.push(note({ questionId: 'q2', kind: 'question' }));

  const { questions } = await readStatus(service, await read(service));

  expect(questions.map((question) => question.noteUrl)).toEqual([null, 'https://gitlab.example/i#note_7']);
});

describe('the ETag', () => {
  test('changes with the run and its version, and with nothing else', async () => {
    const service = await planned();
    const before = etagOf(await read(service));

    expect(etagOf(await read(service))).toBe(before);
    service.store.run('run-1').row.version += 1;
    expect(etagOf(await read(service))).not.toBe(before);
    expect(etagOf({ ...service.store.run('run-1').row, id: 'run-2' })).not.toBe(etagOf(await read(service)));
    expect(etagOf(null)).not.toBe(before);
  });
});
