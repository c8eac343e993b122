import { describe, expect, test } from 'vitest';
import { pieceOf } from '../piece/helpers.ts';
import { always, endOf, simulate, storyOf } from './driver.ts';
import { questionOf } from './samples.ts';
import { agents, inputs, type Said } from './saying.ts';

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
