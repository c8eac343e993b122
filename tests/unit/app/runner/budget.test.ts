import { describe, expect, test } from 'vitest';
import { advanceRun } from '../../../../src/app/runner/advance.ts';
import { createPieceCache } from '../../../../src/app/runner/piece-cache.ts';
import { createService, planningPiece, startRun } from '../setup.ts';
import { createDesk } from './desk.ts';

const text = `name: limited
max_iterations: 5
initial_movement: plan
budget: {tokens: 4}
movements:
  - {name: plan, edit: false, rules: [{condition: again, next: plan}, {condition: done, next: COMPLETE}]}
`;

/** A run whose every effect uses two tokens, pinning among them. */
async function limited(usedTokens: number) {
  const service = createService();
  const run = await startRun(service.store, { piece: { ...planningPiece, text, files: {} } });
  const desk = createDesk();
  const { clock, log, store } = service;
  const deps = { store, perform: desk.perform, pieceOf: createPieceCache(), clock, log, onOutbox: () => undefined };
  const advanced = advanceRun({ ...run, usedTokens }, deps, new AbortController().signal);
  const id = `${run.row.id}/0//pin/1`;
  await desk.finish(id, { type: 'pinned', effectId: id, commit: null, language: 'en' });
  return { advanced, desk, id: run.row.id, service };
}

describe('a run with a budget of tokens', () => {
  test('asks no model once it is used up, and ends', async () => {
    const { advanced, desk, id, service } = await limited(0);
    await desk.say(`${id}/1/plan/run/1`, '[STEP:0]');

    expect(await advanced).toBe('ended');
    const { events, row } = service.store.run(id);
    expect(events.slice(-2)).toMatchObject([
      { type: 'deadline_passed', what: 'budget' },
      { type: 'ended', status: 'failed', reason: 'budget' },
    ]);
    expect(row).toMatchObject({ status: 'FAILED', reason: 'budget' });
    expect(desk.begun).toEqual([`${id}/0//pin/1`, `${id}/1/plan/run/1`]);
  });

  test('that has come to its end by itself completes', async () => {
    const { advanced, desk, id, service } = await limited(0);
    await desk.say(`${id}/1/plan/run/1`, '[STEP:1]');

    expect(await advanced).toBe('ended');
    expect(service.store.run(id).row.status).toBe('COMPLETED');
  });

  test('counts what was used before it was taken over', async () => {
    const { advanced, desk, id } = await limited(2);

    expect(await advanced).toBe('ended');
    expect(desk.begun).toEqual([`${id}/0//pin/1`]);
  });
});
