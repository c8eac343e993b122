import { describe, expect, test } from 'vitest';
import { pieceOf } from '../piece/helpers.ts';
import { always, endOf, scripted, simulate, storyOf } from './driver.ts';
import { answerTo, asking, questionOf } from './samples.ts';

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

describe('what was asked is never asked again', () => {
  test('a repeated question is left out, a new one beside it is asked', () => {
    const { log } = simulate({
      piece: planner(),
      perform: scripted({
        agents: { plan: [asking(questionOf('scope')), asking(questionOf('scope'), questionOf('tier')), '[STEP:0]'] },
      }),
      resume: always(),
    });

    expect(storyOf(log).filter((line) => line.startsWith('paused'))).toEqual([
      'paused question scope',
      'paused question tier',
    ]);
  });

  test('with nothing new the movement runs again, with a warning and no pause', () => {
    const { log } = simulate({
      piece: planner(),
      perform: scripted({ agents: { plan: [asking(questionOf('scope')), asking(questionOf('scope')), '[STEP:0]'] } }),
      resume: always(),
    });

    expect(storyOf(log).slice(3, 6)).toEqual([
      'warning questions_repeated',
      'complete plan #1 tag > plan',
      'start plan 3/3',
    ]);
    expect(endOf(log).status).toBe('completed');
  });

  test('nor in other words under its id', () => {
    const { log } = simulate({
      piece: planner(),
      perform: scripted({
        agents: { plan: [asking(questionOf('tier')), asking(questionOf('tier', 'Free or paid?')), '[STEP:0]'] },
      }),
      resume: always(),
    });

    expect(storyOf(log)).toContain('warning questions_repeated');
  });

  test('nor under another id', () => {
    const { log } = simulate({
      piece: planner(),
      perform: scripted({
        agents: {
          plan: [asking(questionOf('q1', 'Which tier?')), asking(questionOf('q2', 'which  TIER?')), '[STEP:0]'],
        },
      }),
      resume: always(),
    });

    expect(storyOf(log)).toContain('warning questions_repeated');
  });

  test('questions of earlier runs are known from the start', () => {
    const { log, state } = simulate({
      piece: planner(),
      perform: scripted({ agents: { plan: [asking(questionOf('scope')), '[STEP:0]'] } }),
      carried: [
        { question: questionOf('scope'), answers: [] },
        { question: questionOf('tier'), answers: [answerTo('tier')] },
      ],
    });

    expect(storyOf(log)).toContain('warning questions_repeated');
    expect(state.questions.map((asked) => [asked.question.id, asked.state, asked.assumed])).toEqual([
      ['scope', 'open', true],
      ['tier', 'answered', false],
    ]);
  });

  test('an agent that only repeats itself is stopped by max_iterations', () => {
    const { log } = simulate({
      piece: planner(),
      perform: scripted({ agents: { plan: [asking(questionOf('scope'))] } }),
      resume: always(),
    });

    expect(endOf(log).reason).toBe('max_iterations');
  });
});

describe('answers', () => {
  const answered = (reads: ReturnType<typeof answerTo>[][]) =>
    simulate({
      piece: planner(),
      perform: scripted({
        agents: { plan: [asking(questionOf('scope')), asking(questionOf('tier')), '[STEP:0]'] },
        replies: (pauseId) => {
          const answers = reads[pauseId === 'r1-1' ? 0 : 1] ?? [];
          return { answers, assume: answers.length === 0, inputs: [{ question: pauseId, answer: 'said' }] };
        },
      }),
      resume: always(),
    }).state;

  test('mark the question answered; what stays open is assumed', () => {
    const state = answered([[answerTo('scope')], [answerTo('scope')]]);

    expect(state.questions.map((asked) => [asked.question.id, asked.state, asked.assumed])).toEqual([
      ['scope', 'answered', false],
      ['tier', 'open', true],
    ]);
  });

  test('that come late answer a question that was assumed', () => {
    const state = answered([[], [answerTo('scope')]]);

    expect(state.questions[0]).toMatchObject({ state: 'answered', assumed: false });
  });

  test('that were deleted later do not count any more', () => {
    const state = answered([[answerTo('scope')], []]);

    expect(state.questions[0]).toMatchObject({ state: 'open', assumed: true, answers: [] });
  });

  test('are handed on, oldest first', () => {
    const state = answered([[answerTo('scope')], []]);

    expect(state.userInputs.map((input) => input.question)).toEqual(['r1-1', 'r1-2']);
    expect(state.assume).toBe(true);
  });

  test('that cannot be read end the run with the failure', () => {
    const { log } = simulate({
      piece: planner(),
      perform: (effect, state) =>
        effect.kind === 'replies'
          ? [
              {
                type: 'replies_failed',
                effectId: effect.id,
                pauseId: effect.pauseId,
                code: 'gitlab_gone',
                message: 'x',
              },
            ]
          : scripted({ agents: { plan: [asking(questionOf('scope'))] } })(effect, state),
      resume: always(),
    });

    expect(endOf(log)).toMatchObject({ status: 'failed', reason: 'gitlab_gone' });
  });

  test('after a pause the previous response is the movement’s own last output', () => {
    const { state } = simulate({
      piece: planner(),
      perform: scripted({ agents: { plan: ['first words [STEP:1]'] } }),
    });

    expect(state.previousResponse).toBe('first words [STEP:1]');
  });
});
