import { describe, expect, test } from 'vitest';
import type { Piece } from '../../../../src/domain/piece/types.ts';
import type { RunEventBody } from '../../../../src/domain/run/events.ts';
import type { RunState } from '../../../../src/domain/run/state.ts';
import { pieceOf } from '../piece/helpers.ts';
import { always, endOf, type Perform, simulate, storyOf } from './driver.ts';
import { questionOf } from './samples.ts';

type Said = Partial<Extract<RunEventBody, { type: 'agent_finished' }>> | 'fails';

/** Agents that say what stands here by their name, in turn; the last stays. Judges find nothing. */
function agents(says: Record<string, Said[]>, actions: Record<string, 'done' | 'failed'> = {}): Perform {
  return (effect, state) => {
    if (effect.kind === 'replies')
      return [
        { type: 'replies_read', effectId: effect.id, pauseId: effect.pauseId, answers: [], inputs: [], assume: true },
      ];
    if (effect.kind === 'pin') throw new Error('the driver pins');
    const { id: effectId, movement } = effect;
    if (effect.kind === 'action')
      return [
        { type: 'action_finished', effectId, movement, outcome: actions[movement] ?? 'done', message: '', data: {} },
      ];
    const place = { effectId, movement, sub: effect.sub };
    if (effect.kind === 'judge') return [{ type: 'judge_answered', ...place, stage: effect.stage, index: null }];
    const name = effect.sub ?? movement;
    const said = says[name]?.[Math.min(state.calls.movement[name] ?? 0, (says[name]?.length ?? 0) - 1)];
    if (said === undefined) throw new Error(`unexpected call of ${name}`);
    if (said === 'fails') return [{ type: 'agent_failed', ...place, code: 'model_failed', message: 'gone' }];
    const base = { output: `${name} said`, truncated: false, produced: null, session: null, messages: [] };
    return [{ type: 'agent_finished', ...place, ...base, ...said }];
  };
}

const inputs = (variables: Record<string, string | number | boolean>, properties: Record<string, unknown> = {}) => ({
  inputs: { variables, properties },
});

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

describe('parallel movements', () => {
  const piece = (parent: string) =>
    pieceOf(`
name: demo
max_iterations: 4
initial_movement: both
variables: [{name: scope, type: string, values: [step, plan, ok]}]
movements:
  - name: both
    parallel:
      - name: one
        edit: false
        instruction_template: x
        inputSchema: {globalInputs: [scope]}
        rules: [{when: scope == "ok"}, {condition: other}]
      - name: two
        edit: false
        instruction_template: x
        inputSchema: {globalInputs: [scope]}
        rules: [{when: scope == "ok"}, {when: scope == "plan"}]
      - name: three
        rules: [{when: scope == "ok"}, {when: 'scope == null'}]
    rules: ${parent}
`);

  test('each sub-movement sees what it wrote itself; its result is the expression as written', () => {
    const { log } = simulate({
      piece: piece(`[{condition: 'all("scope == \\"ok\\"", "scope == \\"plan\\"", "scope == null")', next: COMPLETE}]`),
      perform: agents({ one: [inputs({ scope: 'ok' })], two: [inputs({ scope: 'plan' })] }),
    });

    expect(storyOf(log).filter((line) => line.startsWith('sub'))).toEqual([
      'sub three scope == null',
      'sub one scope == "ok"',
      'sub two scope == "plan"',
    ]);
    expect(storyOf(log)).toContain('complete both #0 aggregate > COMPLETE');
  });

  test('a sub-movement without an agent is over at once, and the others are not kept waiting', () => {
    const { performed } = simulate({
      piece: piece('[{when: true, next: COMPLETE}]'),
      perform: agents({ one: [{}], two: [{}] }),
    });

    expect(performed.filter((id) => id.includes('/run/'))).toEqual(['r1/1/both/one/run/1', 'r1/1/both/two/run/1']);
  });

  test.each([0, -1])('the last in file order counts, whichever ends last', (position) => {
    const { state, log } = simulate({
      piece: piece('[{when: scope == "plan", next: COMPLETE}, {when: true, next: ABORT}]'),
      perform: agents({ one: [inputs({ scope: 'ok' })], two: [inputs({ scope: 'plan' })] }),
      first: (effects) => effects.at(position) as (typeof effects)[number],
    });

    expect(storyOf(log)).toContain('complete both #0 when > COMPLETE');
    expect(state.variables['scope']).toBe('plan');
  });

  test('when rules of the parent come before its aggregates', () => {
    const { log } = simulate({
      piece: piece(`[{condition: 'any("scope == null")', next: COMPLETE}, {when: true, next: ABORT}]`),
      perform: agents({ one: [{}], two: [{}] }),
    });

    expect(storyOf(log)).toContain('complete both #1 when > ABORT');
  });

  test('questions of sub-movements are asked together, each under an id of its own, at most five', () => {
    const asks = pieceOf(`
name: demo
max_iterations: 4
initial_movement: both
movements:
  - name: both
    parallel:
      - {name: one, edit: false, produces: questions, rules: [{condition: ask}]}
      - {name: two, edit: false, produces: questions, rules: [{condition: ask}]}
      - {name: three, edit: false, rules: [{condition: ask}]}
    rules: [{condition: 'any("ask")', next: ABORT, requires_user_input: true}]
`);
    const said = (...questions: ReturnType<typeof questionOf>[]): Said => ({
      output: '[STEP:0]',
      produced: { kind: 'questions', value: { questions } },
    });
    const { log } = simulate({
      piece: asks,
      perform: agents({
        one: [said(questionOf('q1'), questionOf('q2'), questionOf('q3'))],
        two: [
          said(questionOf('q1', 'Another?'), questionOf('q9', 'question  Q2?'), questionOf('q4'), questionOf('q5')),
        ],
        three: [{ output: 'no data [STEP:0]' }],
      }),
    });

    const paused = log.find((event) => event.type === 'paused');
    expect(paused?.questions.map(({ id, question }) => `${id} ${question}`)).toEqual([
      'q1 Question q1?',
      'q2 Question q2?',
      'q3 Question q3?',
      'q1-2 Another?',
      'q4 Question q4?',
    ]);
  });

  test('requires_user_input on a sub-movement does nothing: its rules only find the result', () => {
    const piece = pieceOf(`
name: demo
max_iterations: 4
initial_movement: both
movements:
  - name: both
    parallel: [{name: one, edit: false, rules: [{condition: ask, requires_user_input: true}]}]
    rules: [{condition: 'all("ask")', next: COMPLETE}]
`);
    const story = (interactive: boolean) =>
      storyOf(simulate({ piece, interactive, perform: agents({ one: [{ output: '[STEP:0]' }] }) }).log).slice(1);

    const expected = ['sub one ask', 'complete both #0 aggregate > COMPLETE', 'completed'];
    expect(story(true)).toEqual(expected);
    expect(story(false)).toEqual(expected);
  });
});

describe('gates, actions and judges', () => {
  const piece = (movement: string, rest = '') =>
    pieceOf(`
name: demo
max_iterations: 4
initial_movement: set
variables: [{name: go, type: boolean}]
movements:
  - {name: set, edit: false, instruction_template: x, inputSchema: {globalInputs: [go]}, rules: [{when: true, next: next}]}
  - ${movement}
${rest}`);

  test.each([
    [true, 'complete next #1 when > COMPLETE'],
    [false, 'complete next #0 gate > ABORT'],
  ])('a gate takes them first (%s)', (go, story) => {
    const { log } = simulate({
      piece: piece(
        '{name: next, gate: input, rules: [{condition: continued, next: ABORT}, {when: go, next: COMPLETE}]}',
      ),
      perform: agents({ set: [inputs({ go })] }),
      resume: always(),
    });

    expect(storyOf(log)).toContain(story);
  });

  test.each([
    [true, 'complete next #1 when > COMPLETE'],
    [false, 'complete next #0 action > ABORT'],
  ])('an action takes them first (%s)', (go, story) => {
    const { log } = simulate({
      piece: piece(
        '{name: next, action: deliver, rules: [{condition: done, next: ABORT}, {when: go, next: COMPLETE}]}',
      ),
      perform: agents({ set: [inputs({ go })] }),
    });

    expect(storyOf(log)).toContain(story);
  });

  test('the word of a gate or an action is no expression of the same text', () => {
    const { log } = simulate({
      piece: pieceOf(`
name: demo
max_iterations: 4
initial_movement: next
variables: [{name: done, type: boolean}]
movements: [{name: next, action: deliver, rules: [{when: done, next: ABORT}, {condition: done, next: COMPLETE}]}]
`),
      perform: agents({}),
    });

    expect(storyOf(log)).toContain('complete next #1 action > COMPLETE');
  });

  test('not interactive, a circle of gates that when rules turn ends too (D4)', () => {
    const { log } = simulate({
      piece: piece('{name: next, gate: input, rules: [{condition: continued, next: next}, {when: true, next: next}]}'),
      perform: agents({ set: [{}] }),
      interactive: false,
    });

    expect(endOf(log).reason).toBe('max_iterations');
  });

  test("a loop monitor's judge takes them before its tag", () => {
    const { log } = simulate({
      piece: piece(
        '{name: next, edit: false, instruction_template: x, rules: [{when: true, next: set}]}',
        `loop_monitors:
  - cycle: [set, next]
    threshold: 1
    judge: {rules: [{condition: healthy, next: set}, {when: go, next: COMPLETE}]}
`,
      ),
      perform: agents({ set: [inputs({ go: true })], next: [{}], loop_judge: [{ output: '[STEP:0]' }] }),
    });

    expect(storyOf(log)).toContain('loop judged #1 > COMPLETE');
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
