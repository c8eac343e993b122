import { describe, expect, test } from 'vitest';
import { pieceOf } from '../piece/helpers.ts';
import { always, endOf, scripted, simulate, storyOf } from './driver.ts';
import { asking, questionOf } from './samples.ts';

const planner = (rule = '', maxIterations = 5) =>
  pieceOf(`
name: demo
max_iterations: ${maxIterations}
initial_movement: plan
movements:
  - name: plan
    edit: false
    produces: [questions, research]
    rules:
      - { condition: done, next: COMPLETE }
      - { condition: ask, next: ABORT, requires_user_input: true${rule} }
`);

describe('a rule with requires_user_input', () => {
  test('pauses with the questions and waits', () => {
    const { log, state } = simulate({
      piece: planner(),
      perform: scripted({ agents: { plan: [asking(questionOf('scope'), questionOf('tier'))] } }),
    });

    expect(storyOf(log)).toEqual(['start plan 1/1', 'paused question scope,tier']);
    expect(state.phase).toMatchObject({ kind: 'paused', pause: { id: 'r1-1', kind: 'question', movement: 'plan' } });
    expect(state.questions.map((asked) => [asked.question.id, asked.state, asked.pauseId])).toEqual([
      ['scope', 'open', 'r1-1'],
      ['tier', 'open', 'r1-1'],
    ]);
  });

  test('runs the same movement again on Continue; next is not followed, not even ABORT', () => {
    const { log, performed } = simulate({
      piece: planner(),
      perform: scripted({ agents: { plan: [asking(questionOf('scope')), 'ok [STEP:0]'] } }),
      resume: always(),
    });

    expect(storyOf(log)).toEqual([
      'start plan 1/1',
      'paused question scope',
      'start plan 2/2',
      'complete plan #0 tag > COMPLETE',
      'completed',
    ]);
    expect(performed.slice(1)).toEqual(['r1/1/plan/run/1', 'r1/1/plan/replies/1', 'r1/2/plan/run/1']);
  });

  test('without questions data the cleaned output is one open question', () => {
    const { state } = simulate({
      piece: planner(),
      perform: scripted({ agents: { plan: ['Which tier?\rFree or paid\n\nTell me. [STEP:1]'] } }),
    });

    expect(state.questions).toMatchObject([
      { question: { id: 'open-1', type: 'open', question: 'Which tier?', options: [] } },
    ]);
    expect(state.questions[0]?.question.why).toContain('Tell me.');
    expect(state.questions[0]?.question.why).not.toContain('STEP');
  });

  test.each([
    ['nothing but the tag', '[STEP:1]'],
    ['a line far too long', `${'𝒳'.repeat(4000)} [STEP:1]`],
    ['a separator alone', '\u2028 [STEP:1]'],
  ])('asks an open question for %s too', (_name, output) => {
    const { state } = simulate({ piece: planner(), perform: scripted({ agents: { plan: [output] } }) });

    expect(state.phase.kind).toBe('paused');
    expect(state.questions[0]?.question.question.isWellFormed()).toBe(true);
  });

  test('asks in the open as often as the piece says, each time under a new id', () => {
    const { log } = simulate({
      piece: planner(),
      perform: scripted({ agents: { plan: ['Sure? [STEP:1]', 'Sure? [STEP:1]', '[STEP:0]'] } }),
      resume: always(),
    });

    expect(storyOf(log).filter((line) => line.startsWith('paused'))).toEqual([
      'paused question open-1',
      'paused question open-2',
    ]);
  });

  test('an open question of an earlier run does not stand in the way of a new one', () => {
    const { log } = simulate({
      piece: planner(),
      perform: scripted({ agents: { plan: ['Which tier? [STEP:1]'] } }),
      carried: [{ question: { ...questionOf('open-1'), type: 'open', options: [] }, answers: [] }],
    });

    expect(storyOf(log).at(-1)).toBe('paused question open-2');
  });

  test('ends a run that is not interactive', () => {
    const { log } = simulate({
      piece: planner(),
      perform: scripted({ agents: { plan: [asking(questionOf('scope'))] } }),
      interactive: false,
    });

    expect(endOf(log)).toMatchObject({ status: 'failed', reason: 'user_input_required' });
  });

  test('that nobody can answer ends the run also where the movement has on_failure', () => {
    const piece = planner();
    const { log } = simulate({
      piece: { ...piece, movements: piece.movements.map((movement) => ({ ...movement, onFailure: 'COMPLETE' })) },
      perform: scripted({ agents: { plan: [asking(questionOf('scope'))] } }),
      interactive: false,
    });

    expect(endOf(log)).toMatchObject({ status: 'failed', reason: 'user_input_required' });
  });

  test('that is interactive_only does not exist in a run that is not interactive: its tag names nothing', () => {
    const { log, performed } = simulate({
      piece: planner(', interactive_only: true'),
      perform: scripted({ agents: { plan: [asking(questionOf('scope'))] }, judges: { plan: [0] } }),
      interactive: false,
    });

    expect(performed).toContain('r1/1/plan/fallback/1');
    expect(storyOf(log)).toContain('complete plan #0 judge > COMPLETE');
  });

  test('needs one more iteration, else the run ends at once (D4)', () => {
    const { log } = simulate({
      piece: planner('', 1),
      perform: scripted({ agents: { plan: [asking(questionOf('scope'))] } }),
    });

    expect(endOf(log)).toMatchObject({ status: 'failed', reason: 'max_iterations' });
    expect(storyOf(log)).not.toContain('paused question scope');
  });
});
