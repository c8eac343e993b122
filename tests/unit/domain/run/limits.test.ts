import { describe, expect, test } from 'vitest';
import { decide } from '../../../../src/domain/run/decide.ts';
import { EVENT_VERSION, type EventOf, type RunEvent, type RunEventBody } from '../../../../src/domain/run/events.ts';
import { fold } from '../../../../src/domain/run/fold.ts';
import { pieceOf } from '../piece/helpers.ts';
import { always, endOf, RUN, scripted, simulate } from './driver.ts';
import { asking, questionOf, samplePlan } from './samples.ts';

const piece = pieceOf(`
name: demo
max_iterations: 5
initial_movement: ask
movements:
  - name: ask
    edit: false
    produces: questions
    rules:
      - { condition: go on, next: write }
      - { condition: ask, next: ask, requires_user_input: true }
  - name: write
    action: publish_workplan
    rules: [{ condition: done, next: score }]
  - name: score
    edit: false
    on_failure: COMPLETE
    rules: [{ condition: scored, next: COMPLETE }]
`);

const world = scripted({
  agents: { ask: [asking(questionOf('q1')), 'no tag [STEP:0]'], score: ['[STEP:0]'] },
  actions: { write: [{ outcome: 'done', data: { workplan: samplePlan, scoring: true } }] },
});

const whole = simulate({ piece, perform: world, resume: always() }).log;

/** The run up to the first event of a kind, and a limit that is reached then. */
function reached(type: RunEventBody['type'], what: EventOf<'deadline_passed'>['what']): RunEvent[] {
  const length = whole.findIndex((event) => event.type === type) + 1;
  if (length === 0) throw new Error(`no ${type}`);
  return passed(whole.slice(0, length), what);
}

function passed(log: RunEvent[], what: EventOf<'deadline_passed'>['what']): RunEvent[] {
  return [...log, { type: 'deadline_passed', what, v: EVENT_VERSION, seq: log.length + 1, at: '2026-01-05T10:00:00Z' }];
}

describe('a limit that is reached', () => {
  test.each<[RunEventBody['type'], EventOf<'deadline_passed'>['what'], string]>([
    ['pinned', 'run', 'deadline'],
    ['movement_started', 'run', 'deadline'],
    ['agent_finished', 'run', 'deadline'],
    ['resumed', 'run', 'deadline'],
    ['movement_started', 'budget', 'budget'],
    ['resumed', 'budget', 'budget'],
    ['paused', 'pause', 'pause_expired'],
  ])('after %s (%s) ends the run as failed: %s', (type, what, reason) => {
    const { log } = simulate({ piece, perform: world, log: reached(type, what) });

    expect(endOf(log)).toMatchObject({ status: 'failed', reason });
  });

  test.each(['run', 'budget'] as const)('while the plan is scored completes the run without a score (%s)', (what) => {
    const { log, state } = simulate({ piece, perform: world, log: reached('action_finished', what) });

    expect(endOf(log)).toMatchObject({ status: 'completed', reason: null });
    expect(state).toMatchObject({ scoreStatus: 'FAILED', workplan: { goal: 'Export' } });
    expect(log.at(-2)).toMatchObject({ type: 'warning', code: what === 'run' ? 'deadline' : 'budget' });
  });

  test.each([
    ['paused', 'run'],
    ['paused', 'budget'],
    ['resumed', 'pause'],
    ['movement_started', 'pause'],
  ] as const)('does not count after %s (%s): its clock stands then', (type, what) => {
    const log = reached(type, what);

    expect(decide(piece, fold(RUN, log))).toEqual(decide(piece, fold(RUN, log.slice(0, -1))));
  });

  test('after the end changes nothing (D5)', () => {
    const state = fold(RUN, whole);

    expect(fold(RUN, passed(whole, 'run'))).toEqual(state);
  });
});
