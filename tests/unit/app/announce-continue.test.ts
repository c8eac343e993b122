/** What people see of a Continue, told by the run's row alone. */
import { describe, expect, test } from 'vitest';
import { announceResumed } from '../../../src/app/announce.ts';
import type { RunEventBody } from '../../../src/domain/run/events.ts';
import type { RunView } from '../../../src/domain/workplan/view.ts';
import type { RunRow } from '../../../src/ports/run-store.ts';
import { announced, item, paused, started } from './announce-desk.ts';
import { personOf } from './setup.ts';

describe('a Continue that is told by the row alone', () => {
  const resumed: RunEventBody = {
    type: 'resumed',
    pauseId: 'p1',
    by: personOf('alice'),
    via: 'api',
    decision: 'continue',
    reason: '',
  };
  const rowOf = (view: unknown): RunRow => ({
    id: 'run-a',
    itemGlobalId: item.globalId,
    item,
    startedBy: personOf('alice'),
    status: 'NEEDS_INPUT',
    reason: null,
    pause: { id: 'p1', kind: 'question' },
    scoreStatus: 'NOT_EVALUATED',
    view,
    fence: 1,
    seq: 3,
    version: 2,
    createdAt: '2026-01-05T09:00:00.000Z',
    updatedAt: '2026-01-05T09:00:00.000Z',
  });
  const moved: RunEventBody = {
    type: 'movement_started',
    movement: 'plan',
    iteration: 2,
    movementIteration: 1,
    subs: [],
  };

  test.each([
    ['question', paused('question', 2)],
    ['context_gate', paused('context_gate', 0, ['The goal'])],
    ['approval', paused('approval')],
  ] as const)('says of a %s what the log says', (_kind, pause) => {
    const waiting = announced([started, moved], [pause]);
    const byLog = announced([started, moved, pause], [resumed]);

    const byRow = announceResumed(rowOf(waiting.row.view));

    expect(byRow).toEqual({ row: byLog.row, outbox: byLog.outbox });
  });

  test('needs a row that knows its language', () => {
    const { language: _, ...older } = announced([started], [paused('question', 1)]).row.view as RunView;

    expect(announceResumed(rowOf(older))).toBeNull();
  });
});
