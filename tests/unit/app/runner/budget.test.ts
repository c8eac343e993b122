import { describe, expect, test } from 'vitest';
import { advanceRun } from '../../../../src/app/runner/advance.ts';
import { createPieceCache } from '../../../../src/app/runner/piece-cache.ts';
import type { RunEventBody } from '../../../../src/domain/run/events.ts';
import { createService, planningPiece, startRun } from '../setup.ts';
import { createDesk } from './desk.ts';

const reached: RunEventBody = { type: 'budget_reached', scope: 'run', what: 'tokens', used: 1200, limit: 1000 };

/** A run in its review by two agents at once. */
async function reviewed() {
  const service = createService();
  const run = await startRun(service.store, { piece: planningPiece });
  const desk = createDesk();
  const { clock, log, store } = service;
  const deps = { store, perform: desk.perform, pieceOf: createPieceCache(), clock, log, onOutbox: () => undefined };
  const advanced = advanceRun(run, deps, new AbortController().signal);
  const { id } = run.row;
  await desk.finish(`${id}/0//pin/1`, { type: 'pinned', effectId: `${id}/0//pin/1`, commit: null, language: 'en' });
  await desk.say(`${id}/1/plan/run/1`, '[STEP:0]');
  const [one, two] = [`${id}/2/review/one/run/1`, `${id}/2/review/two/run/1`];
  await desk.asked(two);
  return { advanced, desk, id, one, two, service };
}

function interrupted(effectId: string, sub: string): RunEventBody {
  const messages = [{ role: 'user' as const, text: 'Review.' }];
  return { type: 'agent_interrupted', effectId, movement: 'review', sub, messages, answers: 0, steps: 0 };
}

describe('a run that comes upon the end of its budget', () => {
  test('waits with a note, and begins nothing more', async () => {
    const { advanced, desk, id, one, two, service } = await reviewed();
    await desk.finish(one, interrupted(one, 'one'), reached);
    await desk.finish(two, interrupted(two, 'two'), reached);

    expect(await advanced).toBe('waiting');
    const { row } = service.store.run(id);
    expect(row).toMatchObject({ status: 'NEEDS_INPUT', pause: { kind: 'budget' }, view: { budget: { used: 1200 } } });
    const gate = service.store.data.outbox.find((note) => note.kind === 'gate');
    expect(gate?.body).toContain('1,200 / 1,000 tokens');
    expect(gate?.body).toContain('@alice');
    expect(desk.begun.filter((effect) => effect === one)).toHaveLength(1);
  });

  test('lets what is at work end first: nothing that was said is lost', async () => {
    const { advanced, desk, id, one, two, service } = await reviewed();
    await desk.finish(one, interrupted(one, 'one'), reached);
    await desk.say(two, '[STEP:0]');

    expect(await advanced).toBe('waiting');
    const types = service.store.run(id).events.map((event) => event.type);
    expect(types.slice(-4)).toEqual(['agent_interrupted', 'agent_finished', 'budget_reached', 'paused']);
  });
});
