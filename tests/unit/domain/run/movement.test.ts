import { describe, expect, test } from 'vitest';
import { decide } from '../../../../src/domain/run/decide.ts';
import { initialState } from '../../../../src/domain/run/fold.ts';
import { pieceOf } from '../piece/helpers.ts';
import { endOf, scripted, simulate, storyOf } from './driver.ts';

const twoSteps = pieceOf(`
name: demo
max_iterations: 5
initial_movement: plan
movements:
  - name: plan
    edit: false
    rules:
      - { condition: done, next: build }
      - { condition: stuck, next: ABORT }
  - name: build
    edit: false
    rules:
      - { condition: built, next: COMPLETE }
      - { condition: again, next: build }
`);

describe('the phases of a run', () => {
  test('without a first event there is nothing to go on with', () => {
    expect(decide(twoSteps, initialState('r1'))).toMatchObject({
      kind: 'record',
      events: [{ type: 'ended', status: 'failed', reason: 'not_started' }],
    });
  });

  test('the commit is pinned before the first movement', () => {
    const { performed, log } = simulate({ piece: twoSteps, perform: scripted({ agents: { plan: ['[STEP:1]'] } }) });

    expect(performed).toEqual(['r1/0//pin/1', 'r1/1/plan/run/1']);
    expect(log.map((event) => event.type).slice(0, 3)).toEqual(['run_started', 'pinned', 'movement_started']);
  });

  test('a run that cannot be pinned ends with the reason', () => {
    const { log } = simulate({
      piece: twoSteps,
      perform: scripted({}),
      log: [
        ...simulate({ piece: twoSteps, perform: scripted({ agents: { plan: ['[STEP:1]'] } }) }).log.slice(0, 1),
        { type: 'pin_failed', effectId: 'r1/0//pin/1', code: 'project_gone', message: 'gone', v: 1, seq: 2, at: '' },
      ],
    });

    expect(endOf(log)).toMatchObject({ status: 'failed', reason: 'project_gone', message: 'gone' });
  });

  test('movements follow the rules that match, to COMPLETE', () => {
    const { log } = simulate({
      piece: twoSteps,
      perform: scripted({ agents: { plan: ['[STEP:0]'], build: ['[STEP:1]', '[STEP:0]'] } }),
    });

    expect(storyOf(log)).toEqual([
      'start plan 1/1',
      'complete plan #0 tag > build',
      'start build 2/1',
      'complete build #1 tag > build',
      'start build 3/2',
      'complete build #0 tag > COMPLETE',
      'completed',
    ]);
  });

  test('ABORT ends the run as failed and says what the movement said', () => {
    const { log } = simulate({ piece: twoSteps, perform: scripted({ agents: { plan: ['No way out. [STEP:1]'] } }) });

    expect(endOf(log)).toMatchObject({ status: 'failed', reason: 'aborted' });
    expect(endOf(log).message).toContain('No way out.');
  });

  test('a movement that the piece does not have ends the run', () => {
    const { log, state } = simulate({
      piece: { ...twoSteps, initialMovement: 'gone' },
      perform: scripted({}),
    });

    expect(endOf(log)).toMatchObject({ status: 'failed', reason: 'unknown_movement' });
    expect(state.iteration).toBe(0);
  });
});

describe('no rule matched (D3)', () => {
  test('ends the run with a summary of the output', () => {
    const { log } = simulate({
      piece: twoSteps,
      perform: scripted({ agents: { plan: ['The moon is full.'] }, judges: { plan: [null] } }),
    });

    expect(endOf(log)).toMatchObject({ status: 'failed', reason: 'no_rule_matched' });
    expect(endOf(log).message).toContain('The moon is full.');
    expect(log.some((event) => event.type === 'movement_completed')).toBe(false);
  });

  test('goes to on_failure where the movement has one', () => {
    const piece = {
      ...twoSteps,
      movements: twoSteps.movements.map((movement) => ({ ...movement, onFailure: 'build' })),
    };

    const { log } = simulate({
      piece,
      perform: scripted({ agents: { plan: ['?'], build: ['[STEP:0]'] }, judges: { plan: [null] } }),
    });

    expect(storyOf(log).slice(1, 4)).toEqual([
      'warning no_rule_matched',
      'complete plan #null on_failure > build',
      'start build 2/1',
    ]);
  });
});

describe('a movement that failed for good', () => {
  test('ends the run with the failure', () => {
    const { log } = simulate({
      piece: twoSteps,
      perform: scripted({ agents: { plan: [{ error: 'model_refused' }] } }),
    });

    expect(endOf(log)).toMatchObject({ status: 'failed', reason: 'model_refused', message: 'failed: model_refused' });
  });

  test('goes to on_failure, COMPLETE included', () => {
    const piece = {
      ...twoSteps,
      movements: twoSteps.movements.map((movement) => ({ ...movement, onFailure: 'COMPLETE' })),
    };

    const { log } = simulate({ piece, perform: scripted({ agents: { plan: [{ error: 'timeout' }] } }) });

    expect(storyOf(log)).toEqual([
      'start plan 1/1',
      'warning timeout',
      'complete plan #null on_failure > COMPLETE',
      'completed',
    ]);
  });
});

describe('judges', () => {
  const judged = pieceOf(`
name: demo
max_iterations: 5
initial_movement: plan
movements:
  - name: plan
    edit: false
    rules:
      - { condition: 'ai("it is done")', next: COMPLETE }
      - { condition: stuck, next: ABORT }
`);

  test('are asked only where there is no tag', () => {
    const { performed } = simulate({ piece: judged, perform: scripted({ agents: { plan: ['[STEP:0]'] } }) });

    expect(performed).toEqual(['r1/0//pin/1', 'r1/1/plan/run/1']);
  });

  test('come one stage after the other, each under an id of its own', () => {
    const { performed, log } = simulate({
      piece: judged,
      perform: scripted({ agents: { plan: ['hm'] }, judges: { plan: [null, 0] } }),
    });

    expect(performed.slice(2)).toEqual(['r1/1/plan/ai/1', 'r1/1/plan/fallback/1']);
    expect(storyOf(log)).toContain('complete plan #0 judge > COMPLETE');
  });

  test('that hold end the question at their stage', () => {
    const { log } = simulate({
      piece: judged,
      perform: scripted({ agents: { plan: ['hm'] }, judges: { plan: [0] } }),
    });

    expect(storyOf(log)).toContain('complete plan #0 ai > COMPLETE');
  });

  test('see the conditions under their own numbers and the whole output', () => {
    const log = simulate({
      piece: judged,
      perform: scripted({ agents: { plan: ['hm'] }, judges: { plan: [null, 1] } }),
    }).log;
    const beforeFallback = log.findIndex((event) => event.type === 'judge_answered') + 1;
    const again = simulate({
      piece: judged,
      log: log.slice(0, beforeFallback),
      perform: (effect) => {
        expect(effect).toMatchObject({
          kind: 'judge',
          output: 'hm',
          conditions: [
            { index: 0, text: 'it is done' },
            { index: 1, text: 'stuck' },
          ],
        });
        return scripted({ judges: { plan: [null, 1] } })(effect, {
          ...initialState('r1'),
          calls: { run: 1, judge: 1, movement: {}, judges: { plan: 1 } },
        });
      },
    });

    expect(endOf(again.log).reason).toBe('aborted');
  });
});

describe('limits', () => {
  test('max_iterations ends a run that goes round (D4)', () => {
    const { log, state } = simulate({
      piece: twoSteps,
      perform: scripted({ agents: { plan: ['[STEP:0]'], build: ['[STEP:1]'] } }),
    });

    expect(endOf(log)).toMatchObject({ status: 'failed', reason: 'max_iterations' });
    expect(state.iteration).toBe(5);
  });

  test('three runs of a movement in a row and more give a warning each, and the run goes on', () => {
    const { log } = simulate({
      piece: twoSteps,
      perform: scripted({ agents: { plan: ['[STEP:0]'], build: ['[STEP:1]', '[STEP:1]', '[STEP:1]', '[STEP:0]'] } }),
    });

    expect(storyOf(log).filter((line) => /start build|warning/.test(line))).toEqual([
      'start build 2/1',
      'start build 3/2',
      'start build 4/3',
      'warning loop',
      'start build 5/4',
      'warning loop',
    ]);
    expect(endOf(log).status).toBe('completed');
  });
});

describe('actions', () => {
  const acting = (extra: string, firstRule = '') =>
    pieceOf(`
name: demo
max_iterations: 5
initial_movement: write
movements:
  - name: write
    action: publish_workplan
${extra}
    rules:
${firstRule}
      - { condition: done, next: COMPLETE }
      - { condition: failed, next: ABORT }
`);

  test('take the rule of their outcome', () => {
    const { log, performed } = simulate({
      piece: acting(''),
      perform: scripted({ actions: { write: [{ outcome: 'failed', message: 'No plan.' }] } }),
    });

    expect(performed[1]).toBe('r1/1/write/action/1');
    expect(storyOf(log)).toContain('complete write #1 action > ABORT');
    expect(endOf(log).message).toContain('No plan.');
  });

  test.each([
    [true, 'complete write #0 action > ABORT'],
    [false, 'complete write #1 action > COMPLETE'],
  ])('have rules that are interactive_only in an interactive run alone (%s)', (interactive, expected) => {
    const { log } = simulate({
      piece: acting('', '      - { condition: done, next: ABORT, interactive_only: true }'),
      perform: scripted({ actions: { write: [{ outcome: 'done', message: '' }] } }),
      interactive,
    });

    expect(storyOf(log)).toContain(expected);
  });

  test('that failed go to on_failure instead of ABORT', () => {
    const { log } = simulate({
      piece: acting('    on_failure: COMPLETE'),
      perform: scripted({ actions: { write: [{ outcome: 'failed', message: 'No plan.' }] } }),
    });

    expect(storyOf(log).slice(1)).toEqual([
      'warning action_failed',
      'complete write #null on_failure > COMPLETE',
      'completed',
    ]);
  });
});
