import { describe, expect, test } from 'vitest';
import type { Piece } from '../../../../src/domain/piece/types.ts';
import type { RunState } from '../../../../src/domain/run/state.ts';
import { pieceOf } from '../piece/helpers.ts';
import { always, endOf, simulate, storyOf } from './driver.ts';
import { agents, inputs, type Said } from './saying.ts';

const review = (rules: string, extra = ''): Piece =>
  pieceOf(`
name: demo
max_iterations: 8
initial_movement: review
variables:
  - {name: scope, type: string, values: [step, plan, ok]}
  - {name: gaps, type: integer}
movements:
  - name: review
    edit: false
    instruction_template: review
    inputSchema: {globalInputs: [scope, gaps], properties: {notes: {type: string}}}
    rules: ${rules}
  - name: route
    rules:
      - {when: scope == "plan", next: revise}
      - {when: scope == "ok" and gaps == 0, next: COMPLETE}
  - {name: revise, edit: false, instruction_template: 'Revise {previous_response}', rules: [{condition: revised, next: COMPLETE}]}
${extra}`);

describe('when rules', () => {
  const mixed = review(
    '[{condition: first, next: COMPLETE}, {when: gaps > 0, next: revise}, {when: scope == "ok", next: ABORT}]',
  );

  test('are tried before tags, in file order, without a model', () => {
    const said = { output: '[STEP:0]', ...inputs({ scope: 'ok', gaps: 2 }) };
    const { log, performed } = simulate({
      piece: mixed,
      perform: agents({ review: [said], revise: [{ output: '[STEP:0]' }] }),
    });

    expect(storyOf(log)[1]).toBe('complete review #1 when > revise');
    expect(performed.slice(1)).toEqual(['r1/1/review/run/1', 'r1/2/revise/run/1']);
  });

  test('where none holds the tag decides', () => {
    const { log } = simulate({ piece: mixed, perform: agents({ review: [{ output: '[STEP:0]' }] }) });

    expect(storyOf(log)[1]).toBe('complete review #0 tag > COMPLETE');
  });

  test('a tag that names one is none', () => {
    const { log } = simulate({ piece: mixed, perform: agents({ review: [{ output: '[STEP:2]' }] }) });

    expect(endOf(log).reason).toBe('no_rule_matched');
  });

  test('see the variables that the movement itself has just written, and keep those of earlier ones', () => {
    const piece = review(
      '[{when: scope == "step", next: review}, {when: scope == "ok" and gaps == 3, next: COMPLETE}]',
    );
    const { log, state } = simulate({
      piece,
      perform: agents({ review: [inputs({ scope: 'step', gaps: 3 }), inputs({ scope: 'ok' })] }),
    });

    expect(storyOf(log).slice(1)).toEqual([
      'complete review #0 when > review',
      'start review 2/2',
      'complete review #1 when > COMPLETE',
      'completed',
    ]);
    expect({ ...state.variables }).toEqual({ scope: 'ok', gaps: 3 });
  });

  test('may ask people, and the movement runs again', () => {
    const piece = review(
      '[{when: gaps == 1, next: ABORT, requires_user_input: true}, {when: gaps == 0, next: COMPLETE}]',
    );
    const { log } = simulate({
      piece,
      perform: agents({ review: [inputs({ gaps: 1 }), inputs({ gaps: 0 })] }),
      resume: always(),
    });

    expect(storyOf(log)).toEqual([
      'start review 1/1',
      'paused question open-1',
      'start review 2/2',
      'complete review #1 when > COMPLETE',
      'completed',
    ]);
  });

  test('that are interactive_only do not exist in a run that is not interactive', () => {
    const piece = review('[{when: gaps == 1, next: ABORT, interactive_only: true}, {when: gaps > 0, next: COMPLETE}]');
    const run = (interactive: boolean) =>
      storyOf(simulate({ piece, interactive, perform: agents({ review: [inputs({ gaps: 1 })] }) }).log)[1];

    expect(run(true)).toBe('complete review #0 when > ABORT');
    expect(run(false)).toBe('complete review #1 when > COMPLETE');
  });

  test('values that stay with the movement are kept, and are no variables', () => {
    const piece = review('[{when: true, next: COMPLETE}]');
    const { state } = simulate({ piece, perform: agents({ review: [inputs({ gaps: 1 }, { notes: 'seen' })] }) });

    expect({ ...state.inputs }).toEqual({ review: { notes: 'seen' } });
    expect({ ...state.variables }).toEqual({ gaps: 1 });
  });

  test('what a movement wrote that failed afterwards does not count', () => {
    const piece = review('[{when: gaps == 1, next: COMPLETE}]', '').movements.map((movement) =>
      movement.name === 'review' ? { ...movement, onFailure: 'route' } : movement,
    );
    const { state } = simulate({
      piece: { ...review('[{when: gaps == 1, next: COMPLETE}]'), movements: piece },
      perform: agents({ review: ['fails'] }),
    });

    expect({ ...state.variables }).toEqual({});
  });
});

describe('a movement with when rules alone and no template', () => {
  const piece = review('[{when: true, next: route}]');

  test('runs no agent, counts one iteration, and hands the output before on', () => {
    const { log, performed, state } = simulate({
      piece,
      perform: agents({ review: [inputs({ scope: 'plan' })], revise: [{ output: 'done [STEP:0]' }] }),
      first: (effects, at) => {
        expect(at.previousResponse).toBe(at.iteration >= 3 ? 'review said' : '');
        return effects[0] as (typeof effects)[number];
      },
    });

    expect(storyOf(log)).toEqual([
      'start review 1/1',
      'complete review #0 when > route',
      'start route 2/1',
      'complete route #0 when > revise',
      'start revise 3/1',
      'complete revise #0 tag > COMPLETE',
      'completed',
    ]);
    expect(performed).toEqual(['r1/0//pin/1', 'r1/1/review/run/1', 'r1/3/revise/run/1']);
    expect(state.iteration).toBe(3);
  });

  test('that no rule fits ends the run, and says by which values', () => {
    const { log } = simulate({ piece, perform: agents({ review: [inputs({ scope: 'step', gaps: 4 })] }) });

    expect(endOf(log)).toMatchObject({
      reason: 'no_rule_matched',
      message: 'No rule of "route" matched. Its variables: scope = "step", gaps = 4.',
    });
  });
});

describe('`produced`', () => {
  const kinds = (extra: string) =>
    pieceOf(`
name: demo
max_iterations: 4
initial_movement: work
movements:
${extra}
  - name: after
    rules:
      - {when: produced == "review", next: COMPLETE}
      - {when: produced == null, next: ABORT}
`);
  const gave = (kind: string): Said => ({ produced: { kind, value: {} } });

  test('is the kind that the movement gave', () => {
    const piece = kinds(`
  - name: work
    edit: false
    instruction_template: work
    produces: [review, questions]
    rules: [{when: produced == "questions", next: ABORT}, {when: produced == "review", next: COMPLETE}]`);
    const { log } = simulate({ piece, perform: agents({ work: [gave('review')] }) });

    expect(storyOf(log)[1]).toBe('complete work #1 when > COMPLETE');
  });

  test.each<[string, Said, string]>([
    ['what the movement before gave', gave('review'), 'complete after #0 when > COMPLETE'],
    ['nothing, when that gave none', {}, 'complete after #1 when > ABORT'],
  ])('where no agent runs it is %s', (_, said, story) => {
    const piece = kinds('  - {name: work, edit: false, instruction_template: x, rules: [{when: true, next: after}]}');
    const { log } = simulate({ piece, perform: agents({ work: [said] }) });

    expect(storyOf(log)[3]).toBe(story);
  });

  test('an action in between leaves it', () => {
    const piece = kinds(`
  - {name: work, edit: false, instruction_template: x, rules: [{when: true, next: act}]}
  - {name: act, action: deliver, rules: [{condition: done, next: after}]}`);
    const { log } = simulate({ piece, perform: agents({ work: [gave('review')] }) });

    expect(storyOf(log)[5]).toBe('complete after #0 when > COMPLETE');
  });
});

test('an old log without inputs folds as before', () => {
  const { state }: { state: RunState } = simulate({
    piece: review('[{condition: x, next: COMPLETE}]'),
    perform: agents({ review: [{ output: '[STEP:0]' }] }),
  });

  expect({ variables: { ...state.variables }, inputs: { ...state.inputs }, produced: state.produced }).toEqual({
    variables: {},
    inputs: {},
    produced: null,
  });
});
