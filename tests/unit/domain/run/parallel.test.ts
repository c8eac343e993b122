import { describe, expect, test } from 'vitest';
import { decide } from '../../../../src/domain/run/decide.ts';
import type { Effect } from '../../../../src/domain/run/effects.ts';
import { pieceOf } from '../piece/helpers.ts';
import { endOf, scripted, simulate, storyOf } from './driver.ts';

function reviewOf(options: { maxParallel?: number; rules?: string; onFailure?: boolean } = {}) {
  const rules =
    options.rules ??
    `
      - { condition: 'any("needs_fix")', next: fix }
      - { condition: 'all("approved")', next: COMPLETE }`;
  const sub = (name: string) => `
      - name: ${name}
        edit: false
        rules:
          - { condition: approved }
          - { condition: needs_fix }`;
  return pieceOf(`
name: demo
max_iterations: 6
initial_movement: review
movements:
  - name: review${options.maxParallel ? `\n    max_parallel: ${options.maxParallel}` : ''}${options.onFailure ? '\n    on_failure: fix' : ''}
    parallel:${sub('one')}${sub('two')}${sub('three')}
    rules:${rules}
  - name: fix
    edit: false
    instruction_template: 'Fix {previous_response}'
    rules:
      - { condition: fixed, next: COMPLETE }
`);
}

const approved = { one: ['A [STEP:0]'], two: ['B [STEP:0]'], three: ['C [STEP:0]'] };

/** Effects as decide sees them after each of the outcomes was recorded, in this order. */
function openAfter(piece: ReturnType<typeof reviewOf>, order: string[]): string[][] {
  const open: string[][] = [];
  const left = order.slice();
  simulate({
    piece,
    perform: scripted({ agents: { ...approved, fix: ['[STEP:0]'] } }),
    first: (effects) => {
      open.push(effects.map((effect) => effect.id));
      const wanted = left[0] === undefined ? undefined : effects.find((effect) => effect.id.includes(`/${left[0]}/`));
      if (wanted) left.shift();
      return wanted ?? (effects[0] as Effect);
    },
  });
  return open.slice(1);
}

describe('a parallel movement', () => {
  test('starts all sub-movements together, each effect with an id of its own', () => {
    expect(openAfter(reviewOf(), ['two', 'one'])).toEqual([
      ['r1/1/review/one/run/1', 'r1/1/review/two/run/1', 'r1/1/review/three/run/1'],
      ['r1/1/review/one/run/1', 'r1/1/review/three/run/1'],
      ['r1/1/review/three/run/1'],
    ]);
  });

  test('keeps to max_parallel, and what is in flight stays among the open effects', () => {
    expect(openAfter(reviewOf({ maxParallel: 2 }), ['two', 'three'])).toEqual([
      ['r1/1/review/one/run/1', 'r1/1/review/two/run/1'],
      ['r1/1/review/one/run/1', 'r1/1/review/three/run/1'],
      ['r1/1/review/one/run/1'],
    ]);
  });

  test('counts as one iteration', () => {
    const { state } = simulate({ piece: reviewOf(), perform: scripted({ agents: approved }) });

    expect(state.iteration).toBe(1);
    expect(state.movementIteration).toEqual({ review: 1 });
  });

  test('aggregates over the results need no model call', () => {
    const { log, performed } = simulate({
      piece: reviewOf(),
      perform: scripted({ agents: { ...approved, two: ['B [STEP:1]'], fix: ['[STEP:0]'] } }),
    });

    expect(performed.every((id) => !id.endsWith('/ai/1') && !id.endsWith('/fallback/1'))).toBe(true);
    expect(storyOf(log).slice(0, 6)).toEqual([
      'start review 1/1',
      'sub one approved',
      'sub two needs_fix',
      'sub three approved',
      'complete review #0 aggregate > fix',
      'start fix 2/1',
    ]);
  });

  test('its output is the sub-outputs in file order, whatever came first', () => {
    const { state } = simulate({
      piece: { ...reviewOf(), maxIterations: 1 },
      perform: scripted({ agents: { ...approved, two: ['B [STEP:1]'] } }),
      first: (effects) => effects.at(-1) as Effect,
    });

    expect(state.previousResponse).toBe(
      '## one\n\nA [STEP:0]\n\n---\n\n## two\n\nB [STEP:1]\n\n---\n\n## three\n\nC [STEP:0]',
    );
  });

  test('a sub-movement that failed has no result; the others still end and the parent decides', () => {
    const { log } = simulate({
      piece: reviewOf(),
      perform: scripted({
        agents: { ...approved, one: [{ error: 'timeout' }], three: ['[STEP:1]'], fix: ['[STEP:0]'] },
      }),
    });

    expect(storyOf(log)).toContain('sub one -');
    expect(storyOf(log)).toContain('complete review #0 aggregate > fix');
  });

  test('where nothing holds the run ends, and aggregates are never put to a judge', () => {
    const { log, performed } = simulate({
      piece: reviewOf(),
      perform: scripted({ agents: { ...approved, one: [{ error: 'timeout' }] } }),
    });

    expect(performed.some((id) => id.includes('review/fallback'))).toBe(false);
    expect(endOf(log)).toMatchObject({ status: 'failed', reason: 'no_rule_matched' });
  });

  test('where nothing holds on_failure is taken', () => {
    const { log } = simulate({
      piece: reviewOf({ onFailure: true }),
      perform: scripted({ agents: { ...approved, one: [{ error: 'timeout' }], fix: ['[STEP:0]'] } }),
    });

    expect(storyOf(log)).toContain('complete review #null on_failure > fix');
  });

  test('a sub-movement without a tag is judged, and while others run its judge is open beside them', () => {
    const { log, performed } = simulate({
      piece: reviewOf(),
      perform: scripted({ agents: { ...approved, one: ['hm'], fix: ['[STEP:0]'] }, judges: { one: [1] } }),
    });

    expect(performed).toContain('r1/1/review/one/fallback/1');
    expect(storyOf(log)).toContain('sub one needs_fix');
  });

  test('a sub-movement that no judge can place has no result, and the run goes on', () => {
    const { log } = simulate({
      piece: reviewOf(),
      perform: scripted({
        agents: { ...approved, one: ['hm'], two: ['[STEP:1]'], fix: ['[STEP:0]'] },
        judges: { one: [null] },
      }),
    });

    expect(storyOf(log)).toContain('sub one -');
    expect(endOf(log).status).toBe('completed');
  });

  test('the parent asks one judge over its ai() rules with the joined output, then the fallback judge', () => {
    const piece = reviewOf({
      rules: `
      - { condition: 'ai("all is well")', next: COMPLETE }
      - { condition: 'ai("all is lost")', next: ABORT }
      - { condition: mixed, next: fix }`,
    });
    const seen: Effect[] = [];

    const { log } = simulate({
      piece,
      perform: (effect, state) => {
        seen.push(effect);
        return scripted({ agents: { ...approved, fix: ['[STEP:0]'] }, judges: { review: [null, 2] } })(effect, state);
      },
    });

    const judges = seen.filter((effect) => effect.kind === 'judge');
    expect(judges.map((effect) => [effect.id, effect.sub, effect.conditions.map((one) => one.index)])).toEqual([
      ['r1/1/review/ai/1', null, [0, 1]],
      ['r1/1/review/fallback/1', null, [0, 1, 2]],
    ]);
    expect(judges[0]?.output).toContain('## two\n\nB [STEP:0]');
    expect(storyOf(log)).toContain('complete review #2 judge > fix');
  });

  test('a second run of it starts with nothing of the first', () => {
    const piece = pieceOf(`
name: demo
max_iterations: 3
initial_movement: review
movements:
  - name: review
    parallel:
      - name: one
        edit: false
        rules: [{ condition: approved }, { condition: needs_fix }]
    rules:
      - { condition: 'any("needs_fix")', next: review }
      - { condition: 'all("approved")', next: COMPLETE }
`);

    const { performed, log } = simulate({
      piece,
      perform: scripted({ agents: { one: ['[STEP:1]', '[STEP:0]'] } }),
    });

    expect(performed.slice(1)).toEqual(['r1/1/review/one/run/1', 'r1/2/review/one/run/1']);
    expect(endOf(log).status).toBe('completed');
  });
});

test('decide changes nothing and answers the same again (D1)', () => {
  const { state } = simulate({ piece: reviewOf(), perform: scripted({ agents: approved }), log: [] });
  const before = structuredClone(state);

  const first = decide(reviewOf(), state);
  const second = decide(reviewOf(), state);

  expect(second).toEqual(first);
  expect(state).toEqual(before);
});
