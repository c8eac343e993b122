import { expect, test } from 'vitest';
import { RunEventBody } from '../../../../src/domain/run/events.ts';
import { fold } from '../../../../src/domain/run/fold.ts';

function callsAfter(...bodies: Record<string, unknown>[]) {
  const events = bodies.map((body, index) => ({
    ...RunEventBody.parse({ effectId: `e${index}`, ...body }),
    v: 1,
    seq: index + 1,
    at: '2026-01-05T09:00:00.000Z',
  }));
  return fold('run-1', events).calls;
}

function finished(movement: string, sub: string | null, messages: unknown[] = []) {
  return { type: 'agent_finished', movement, sub, output: 'x', produced: null, messages };
}

test('answers are counted by movement or sub-movement', () => {
  const calls = callsAfter(finished('plan', null), finished('review', 'coverage'), finished('plan', null));

  expect(calls).toMatchObject({ run: 3, movement: { plan: 2, coverage: 1 } });
});

test('an answer whose data went back counts, a tool call does not', () => {
  const said = (toolCalls: unknown[]) => ({ role: 'assistant', text: 'x', toolCalls });

  const calls = callsAfter(
    finished('plan', null, [
      said([{ id: '1', name: 'item_read', input: {} }]),
      said([]),
      { role: 'user', text: 'No.' },
      said([]),
    ]),
  );

  expect(calls).toMatchObject({ run: 2, movement: { plan: 2 } });
});

test('a failed agent counts as often as it says, once without a number', () => {
  const failed = { type: 'agent_failed', movement: 'plan', sub: null, code: 'data_invalid', message: 'x' };

  expect(callsAfter({ ...failed, answers: 4 }).movement).toEqual({ plan: 4 });
  expect(callsAfter(failed).movement).toEqual({ plan: 1 });
});

test("judges' answers are counted by whom they judge", () => {
  const judged = { type: 'judge_answered', movement: 'review', stage: 'fallback', index: null };

  const calls = callsAfter({ ...judged, sub: 'coverage' }, { ...judged, sub: null }, { ...judged, sub: null });

  expect(calls).toMatchObject({ judge: 3, judges: { coverage: 1, review: 2 } });
});
