import { describe, expect, test } from 'vitest';
import { pieceOf } from '../piece/helpers.ts';
import { alice, always, endOf, scripted, simulate, storyOf } from './driver.ts';

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

  test('a gate without a rule in this run goes to its on_failure', () => {
    const rules = '      - { condition: continued, next: research, interactive_only: true }\n    on_failure: COMPLETE';
    const { log } = simulate({
      piece: gated('input', rules),
      perform: scripted({ agents: { research: ['[STEP:0]'] } }),
      interactive: false,
    });

    expect(storyOf(log).slice(-3)).toEqual([
      'warning no_rule_matched',
      'complete gate #null on_failure > COMPLETE',
      'completed',
    ]);
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

  test.each([
    [true, 'complete gate #0 gate > research'],
    [false, 'complete gate #1 gate > COMPLETE'],
  ])('a rule that is interactive_only exists in an interactive run alone (%s)', (interactive, expected) => {
    const rules = [
      '      - { condition: continued, next: research, interactive_only: true }',
      '      - { condition: continued, next: COMPLETE }',
    ].join('\n');

    const { log } = simulate({
      piece: gated('input', rules),
      perform: scripted({ agents: { research: ['[STEP:0]', '[STEP:1]'] } }),
      resume: always(),
      interactive,
    });

    expect(storyOf(log)).toContain(expected);
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
