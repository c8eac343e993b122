import { describe, expect, test } from 'vitest';
import { pieceOf } from '../piece/helpers.ts';
import { alice, always, endOf, scripted, simulate, storyOf } from './driver.ts';
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

describe('gates', () => {
  const gated = (gate: string, rules: string) =>
    pieceOf(`
name: demo
max_iterations: 4
initial_movement: research
movements:
  - name: research
    edit: false
    rules:
      - { condition: done, next: gate }
      - { condition: ready, next: COMPLETE }
  - name: gate
    gate: ${gate}
    rules:
${rules}
`);
  const thin = { output: 'Too thin. [STEP:0]', kind: 'context_request', value: { missing: ['Who may export?'] } };

  test('a context gate says what is missing and goes on by its rule, uncounted', () => {
    const { log, state } = simulate({
      piece: gated('context', '      - { condition: continued, next: research }'),
      perform: scripted({ agents: { research: [thin, '[STEP:1]'] } }),
      resume: always(),
    });

    expect(storyOf(log)).toEqual([
      'start research 1/1',
      'complete research #0 tag > gate',
      'paused context_gate',
      'complete gate #0 gate > research',
      'start research 2/2',
      'complete research #1 tag > COMPLETE',
      'completed',
    ]);
    expect(log.find((event) => event.type === 'paused')).toMatchObject({ missing: ['Who may export?'], questions: [] });
    expect(state.history).toEqual(['research', 'research']);
  });

  test('the gate keeps the previous response of the movement before it', () => {
    const { state } = simulate({
      piece: gated('context', '      - { condition: continued, next: research }'),
      perform: scripted({ agents: { research: [thin] } }),
    });

    expect(state.previousResponse).toBe('Too thin. [STEP:0]');
  });

  test('a context gate always says something', () => {
    const { log } = simulate({
      piece: gated('context', '      - { condition: continued, next: research }'),
      perform: scripted({ agents: { research: ['[STEP:0]'] } }),
    });

    expect(log.at(-1)).toMatchObject({ type: 'paused', missing: [expect.stringContaining('too thin')] });
  });

  test('an input gate asks one open question, so that it can be seen and answered', () => {
    const { log } = simulate({
      piece: gated('input', '      - { condition: continued, next: research }'),
      perform: scripted({ agents: { research: ['What next? [STEP:0]'] } }),
    });

    expect(log.at(-1)).toMatchObject({
      type: 'paused',
      kind: 'question',
      questions: [{ id: 'open-1', question: 'What next?' }],
    });
  });

  const approval = '      - { condition: approved, next: COMPLETE }\n      - { condition: rejected, next: research }';

  test.each([
    ['approve', 'complete gate #0 gate > COMPLETE'],
    ['reject', 'complete gate #1 gate > research'],
  ] as const)('an approval takes the rule of %s', (decision, expected) => {
    const { log } = simulate({
      piece: gated('approval', approval),
      perform: scripted({ agents: { research: ['[STEP:0]', '[STEP:1]'] } }),
      resume: always(decision),
    });

    expect(storyOf(log)).toContain('paused approval');
    expect(storyOf(log)).toContain(expected);
    expect(endOf(log).status).toBe('completed');
  });

  test('asked twice without a movement in between, the replies are read twice, under ids of their own', () => {
    const { performed } = simulate({
      piece: gated(
        'approval',
        '      - { condition: approved, next: COMPLETE }\n      - { condition: rejected, next: gate }',
      ),
      perform: scripted({ agents: { research: ['[STEP:0]'] } }),
      resume: (pause) => ({ by: alice, via: 'api', decision: pause.id === 'r1-1' ? 'reject' : 'approve', reason: '' }),
    });

    expect(performed.filter((id) => id.includes('replies'))).toEqual(['r1/1/gate/replies/1', 'r1/1/gate/replies/2']);
  });

  test('the reason of a rejection is handed on', () => {
    const { state } = simulate({
      piece: gated('approval', approval),
      perform: scripted({ agents: { research: ['[STEP:0]', '[STEP:1]'] } }),
      resume: always('reject', 'Too expensive'),
    });

    expect(state.userInputs).toEqual([
      { question: 'gate: approval', answer: `Rejected by ${alice.username}: Too expensive` },
    ]);
  });

  test('a gate without the rule that is needed ends the run', () => {
    const piece = gated('approval', approval);
    const broken = {
      ...piece,
      movements: piece.movements.map((movement) => (movement.kind === 'gate' ? { ...movement, rules: [] } : movement)),
    };

    const { log } = simulate({
      piece: broken,
      perform: scripted({ agents: { research: ['[STEP:0]'] } }),
      resume: always('approve'),
    });

    expect(endOf(log).reason).toBe('no_rule_matched');
  });

  test('before a gate one more iteration must be left too', () => {
    const { log } = simulate({
      piece: { ...gated('approval', approval), maxIterations: 1 },
      perform: scripted({ agents: { research: ['[STEP:0]'] } }),
    });

    expect(endOf(log).reason).toBe('max_iterations');
  });

  test.each([
    ['input', '      - { condition: continued, next: COMPLETE }', 'complete gate #0 gate > COMPLETE'],
    ['approval', approval, 'complete gate #0 gate > COMPLETE'],
  ])('not interactive, %s goes through without a pause', (gate, rules, expected) => {
    const { log } = simulate({
      piece: gated(gate, rules),
      perform: scripted({ agents: { research: ['[STEP:0]'] } }),
      interactive: false,
    });

    expect(storyOf(log)).toContain(expected);
    expect(log.some((event) => event.type === 'paused')).toBe(false);
  });

  test('not interactive, a context gate ends the run and says what is missing', () => {
    const { log } = simulate({
      piece: gated('context', '      - { condition: continued, next: research }'),
      perform: scripted({ agents: { research: [thin] } }),
      interactive: false,
    });

    expect(endOf(log)).toMatchObject({ status: 'failed', reason: 'needs_context', message: 'Who may export?' });
  });

  test('not interactive, a circle of nothing but gates ends (D4)', () => {
    const { log, state } = simulate({
      piece: gated('input', '      - { condition: continued, next: gate }'),
      perform: scripted({ agents: { research: ['[STEP:0]'] } }),
      interactive: false,
    });

    expect(endOf(log).reason).toBe('max_iterations');
    expect(state.iteration).toBe(1);
  });
});
