import { describe, expect, test } from 'vitest';
import { pieceOf } from '../piece/helpers.ts';
import { endOf, scripted, simulate, storyOf } from './driver.ts';

const reviewed = (options: { maxIterations?: number; threshold?: number; onFailure?: string } = {}) =>
  pieceOf(`
name: demo
max_iterations: ${options.maxIterations ?? 20}
initial_movement: plan
movements:
  - name: plan
    edit: false
    rules:
      - { condition: written, next: review }
  - name: review
    edit: false${options.onFailure ? `\n    on_failure: ${options.onFailure}` : ''}
    rules:
      - { condition: needs_fix, next: plan }
      - { condition: approved, next: write }
  - name: write
    edit: false
    rules:
      - { condition: written, next: COMPLETE }
loop_monitors:
  - cycle: [plan, review]
    threshold: ${options.threshold ?? 2}
    judge:
      rules:
        - { condition: healthy, next: plan }
        - { condition: unproductive, next: write }
`);
const fixes = { plan: ['[STEP:0]'], review: ['again [STEP:0]'], write: ['[STEP:0]'] };

describe('a loop monitor whose cycle is full', () => {
  test('lets its judge run, one iteration, and the matched next replaces the own one', () => {
    const { log, performed, state } = simulate({
      piece: reviewed(),
      perform: scripted({ agents: { ...fixes, loop_judge: ['[STEP:1]'] } }),
    });

    expect(storyOf(log).slice(6)).toEqual([
      'start review 4/2',
      'complete review #0 tag > plan',
      'loop 0 x2 5',
      'loop judged #1 > write',
      'start write 6/1',
      'complete write #0 tag > COMPLETE',
      'completed',
    ]);
    expect(performed).toContain('r1/5/loop_judge/loop/1');
    expect(state.movementIteration).toEqual({ plan: 2, review: 2, write: 1, loop_judge: 1 });
  });

  test('begins its history anew after a judgement', () => {
    const { log } = simulate({
      piece: reviewed(),
      perform: scripted({ agents: { ...fixes, loop_judge: ['[STEP:0]', '[STEP:1]'] } }),
    });

    expect(storyOf(log).filter((line) => line.startsWith('loop'))).toEqual([
      'loop 0 x2 5',
      'loop judged #0 > plan',
      'loop 0 x2 10',
      'loop judged #1 > write',
    ]);
  });

  test('its judge without a tag is judged itself', () => {
    const { performed, log } = simulate({
      piece: reviewed(),
      perform: scripted({ agents: { ...fixes, loop_judge: ['hm'] }, judges: { loop_judge: [1] } }),
    });

    expect(performed).toContain('r1/5/loop_judge/fallback/1');
    expect(storyOf(log)).toContain('loop judged #1 > write');
  });

  test.each([
    ['matches nothing', { agents: { ...fixes, loop_judge: ['hm'] }, judges: { loop_judge: [null] } }],
    ['fails', { agents: { ...fixes, loop_judge: [{ error: 'timeout' }] } }],
  ])('a judge that %s leaves the own next, with a warning', (_name, script) => {
    const { log } = simulate({ piece: reviewed({ maxIterations: 6 }), perform: scripted(script) });

    expect(storyOf(log).slice(8, 12)).toEqual([
      'loop 0 x2 5',
      'warning loop_judge_undecided',
      'loop judged #null > plan',
      'start plan 6/3',
    ]);
  });

  test('is left alone when the run leaves the cycle by itself', () => {
    const { log } = simulate({
      piece: reviewed({ threshold: 1 }),
      perform: scripted({ agents: { ...fixes, review: ['[STEP:1]'] } }),
    });

    expect(storyOf(log).some((line) => line.startsWith('loop'))).toBe(false);
    expect(endOf(log).status).toBe('completed');
  });

  test('needs an iteration for its judge, and what the movement decided is recorded before the end (D4)', () => {
    const { log } = simulate({ piece: reviewed({ maxIterations: 4 }), perform: scripted({ agents: fixes }) });

    expect(storyOf(log).slice(-2)).toEqual(['complete review #0 tag > plan', 'failed max_iterations']);
  });

  test('the previous response stays the movement’s, never the judge’s', () => {
    const { state } = simulate({
      piece: reviewed({ maxIterations: 5 }),
      perform: scripted({ agents: { ...fixes, loop_judge: ['judged [STEP:1]'] } }),
    });

    expect(state.previousResponse).toBe('again [STEP:0]');
  });
});

describe('no rule matched and a cycle is full', () => {
  const lost = { agents: { ...fixes, review: ['[STEP:0]', 'The moon is full.'] } };

  test('the judge decides', () => {
    const { log } = simulate({
      piece: reviewed(),
      perform: scripted({ agents: { ...lost.agents, loop_judge: ['[STEP:1]'] }, judges: { review: [null] } }),
    });

    expect(storyOf(log).slice(6, 10)).toEqual([
      'start review 4/2',
      'loop 0 x2 5',
      'loop judged #1 > write',
      'start write 6/1',
    ]);
  });

  test('a judge that matches nothing either ends the run with what the movement said', () => {
    const { log } = simulate({
      piece: reviewed(),
      perform: scripted({
        agents: { ...lost.agents, loop_judge: ['hm'] },
        judges: { review: [null], loop_judge: [null] },
      }),
    });

    expect(endOf(log)).toMatchObject({ status: 'failed', reason: 'no_rule_matched' });
    expect(endOf(log).message).toContain('The moon is full.');
  });

  test('on_failure is the own next then', () => {
    const { log } = simulate({
      piece: reviewed({ onFailure: 'write' }),
      perform: scripted({
        agents: { ...lost.agents, loop_judge: ['hm'] },
        judges: { review: [null], loop_judge: [null] },
      }),
    });

    expect(storyOf(log)).toContain('loop judged #null > write');
    expect(endOf(log).status).toBe('completed');
  });
});

test('a movement that fails round and round within a cycle comes before the judge too', () => {
  const { log } = simulate({
    piece: reviewed({ onFailure: 'plan' }),
    perform: scripted({ agents: { ...fixes, review: [{ error: 'timeout' }], loop_judge: ['[STEP:1]'] } }),
  });

  expect(storyOf(log)).toContain('loop judged #1 > write');
});

test('of several full monitors the first in the file has the word', () => {
  const piece = reviewed();
  const [monitor] = piece.loopMonitors;
  if (!monitor) throw new Error('no monitor');
  const twice = {
    ...piece,
    loopMonitors: [
      { ...monitor, threshold: 3 },
      { ...monitor, threshold: 1 },
      { ...monitor, threshold: 1 },
    ],
  };

  const { log } = simulate({ piece: twice, perform: scripted({ agents: { ...fixes, loop_judge: ['[STEP:1]'] } }) });

  expect(storyOf(log).find((line) => line.startsWith('loop'))).toBe('loop 1 x1 3');
});
