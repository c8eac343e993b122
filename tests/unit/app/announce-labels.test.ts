/** The status label goes with what changes the status, and with nothing else (spec 2: Actions). */
import { expect, test } from 'vitest';
import type { RunEventBody } from '../../../src/domain/run/events.ts';
import { announced, ended, paused, started } from './announce-desk.ts';
import { personOf } from './setup.ts';

const resumed: RunEventBody = {
  type: 'resumed',
  pauseId: 'p1',
  by: personOf('alice'),
  via: 'label',
  decision: 'continue',
  reason: '',
};
const moved: RunEventBody = {
  type: 'movement_started',
  movement: 'plan',
  iteration: 2,
  movementIteration: 1,
  subs: [],
};

test.each([
  ['a start', [], [started], 'workplan::generating'],
  ['a question', [started], [paused('question', 1)], 'workplan::needs_input'],
  ['a gate', [started], [paused('context_gate', 0, ['The goal'])], 'workplan::needs_input'],
  ['an approval', [started], [paused('approval')], 'workplan::needs_input'],
  ['a Continue', [started, paused('question', 1)], [resumed], 'workplan::generating'],
  ['the end', [started], [ended('completed')], 'workplan::completed'],
  ['a failure', [started], [ended('failed', 'deadline')], 'workplan::failed'],
  ['a cancel', [started], [ended('canceled', 'item_closed')], 'workplan::canceled'],
] as const)('%s', (_name, before, events, label) => {
  const { outbox } = announced([...before], [...events]);

  expect(outbox.filter((row) => row.label != null).map((row) => row.label)).toEqual([label]);
  expect(outbox.at(-1)?.label).toBe(label);
});

test('a movement says how far the run is, and nothing of the label', () => {
  const { outbox } = announced([started], [moved]);

  expect(outbox.map((row) => [row.kind, row.label ?? null])).toEqual([['status', null]]);
});
