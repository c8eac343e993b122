import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildLoopPrompt, buildPrompt } from '../../../../src/domain/piece/prompt.ts';
import { agentOf, bundleOf, PLAN_HEAD, pieceOf, promptOf, stateOf } from './helpers.ts';

/** Where each part stands in the text, in order; a part that is missing fails. */
function inOrder(text: string, parts: string[]): boolean {
  let at = -1;
  return parts.every((part) => {
    at = text.indexOf(part, at + 1);
    return at >= 0;
  });
}

describe('buildPrompt', () => {
  test('has its sections in the order of the contract', () => {
    const text = promptOf(
      ['instruction_template: Plan it well.', 'report: {name: 01-plan.md, format: "# Plan"}', 'produces: [review]'],
      { previousResponse: 'It was bad.', userInputs: [{ question: 'Colour?', answer: 'Blue' }] },
    );
    const parts = [
      '## Execution context',
      'Plan it well.',
      '## Task',
      'Add a login page',
      '## Previous response',
      'It was bad.',
    ];
    parts.push(
      '## User inputs',
      'Colour?',
      'Blue',
      '## Report output',
      '01-plan.md',
      '# Plan',
      '## Data output',
      'json:review',
      '## Status output',
      '[STEP:0] = done',
    );
    expect(inOrder(text, parts)).toBe(true);
  });

  test('the context block names place, piece, movement and counters', () => {
    expect(promptOf([]).split('\n\n')[0]).toBe(
      '## Execution context\n- Working directory: acme/sample#2 at abc\n- Piece: demo\n- Movement: plan\n- Iteration: 2 / 10\n- Movement iteration: 1',
    );
  });

  test('in Japanese the engine speaks Japanese', () => {
    const text = promptOf(['report: [{要約: summary.md}]'], {}, 'ja');
    expect(
      inOrder(text, [
        '## 実行コンテキスト',
        '- ワーキングディレクトリ: acme',
        '- Movement イテレーション: 1 回目',
        '## レポート出力（必須）',
        '1. 要約 → ファイル名: summary.md',
        '## ステータス出力（必須）',
      ]),
    ).toBe(true);
  });

  test.each([
    ['{task}', '## Task'],
    ['{previous_response}', '## Previous response'],
    ['{user_inputs}', '## User inputs'],
  ])('what the template takes with %s is not added again', (variable, section) => {
    const state = { previousResponse: 'before', userInputs: [{ question: 'q', answer: 'a' }] };
    expect(promptOf(['instruction_template: no variable'], state)).toContain(section);
    expect(promptOf([`instruction_template: "x ${variable}"`], state)).not.toContain(section);
  });

  test('an empty previous response and no user input make no section', () => {
    const text = promptOf([]);
    expect(text).not.toContain('## Previous response');
    expect(text).not.toContain('## User inputs');
  });

  test('pass_previous_response: false adds nothing, the variable is filled nevertheless', () => {
    const lines = ['pass_previous_response: false'];
    expect(promptOf(lines, { previousResponse: 'before' })).not.toContain('before');
    expect(
      promptOf([...lines, 'instruction_template: "was {previous_response}"'], { previousResponse: 'before' }),
    ).toContain('was before');
  });

  test('every variable has its value', () => {
    const template =
      '{task}|{previous_response}|{iteration}|{max_iterations}|{movement_iteration}|{report_dir}|{user_inputs}|{report:a.md}|{report:b.md}';
    const text = promptOf([`instruction_template: "${template}"`], { previousResponse: 'P', reports: { 'a.md': 'A' } });
    expect(text).toContain('Add a login page|P|2|10|1|20260102-030405-add-a-login-page||A|(report not written yet)');
  });

  test('a report that is not written yet, in Japanese', () => {
    expect(promptOf(['instruction_template: "{report:b.md}"'], {}, 'ja')).toContain('（レポート未作成）');
  });

  test('braces that are no variable stay as written', () => {
    const template = '{foo} {} {{ } { task } {cycle_count} {TASK} ${x} {内容}';
    expect(promptOf([`instruction_template: "${template}"`])).toContain(template);
  });

  test('values are never expanded again', () => {
    const value = fc.array(
      fc.constantFrom('{task}', '{iteration}', '{report:a.md}', '$&', '$1', '$$', '$`', '{', '}', 'x', ' '),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(value, value, (goal, previous) => {
        const text = promptOf(['instruction_template: "<{task}|{previous_response}>"'], {
          goal: goal.join(''),
          previousResponse: previous.join(''),
          reports: { 'a.md': 'A' },
        });
        expect(text).toContain(`<${goal.join('')}|${previous.join('')}>`);
      }),
      { numRuns: 50 },
    );
  });

  test('a report named after the prototype is not written yet', () => {
    expect(promptOf(['instruction_template: "[{report:constructor}]"'])).toContain('[(report not written yet)]');
  });

  test('status: offered rules alone, with their own numbers, ai() as its text, appendix under its rule', () => {
    const rules =
      'rules: [{condition: ask, next: COMPLETE, interactive_only: true}, {condition: ai("is it done?"), next: COMPLETE, appendix: List what is left.}, {condition: stuck, next: ABORT}]';
    const text = promptOf([rules]);
    expect(text.endsWith('\n\n[STEP:1] = is it done?\nList what is left.\n[STEP:2] = stuck')).toBe(true);
    expect(promptOf([rules], { interactive: true })).toContain('[STEP:0] = ask');
  });

  test('no status section when no rule is offered', () => {
    const text = promptOf(['rules: [{condition: ask, next: COMPLETE, interactive_only: true}]']);
    expect(text).not.toContain('Status output');
  });

  test('data: names each kind, its fence and its JSON Schema', () => {
    const text = promptOf(['produces: [questions, context_request]']);
    expect(
      inOrder(text, [
        'exactly one of the kinds',
        '```json:questions',
        '"recommendation"',
        '```json:context_request',
        '{"type":"object","properties":{"missing"',
      ]),
    ).toBe(true);
  });

  test('data: bounds that say nothing are left out', () => {
    expect(promptOf(['produces: research'])).not.toContain(String(Number.MAX_SAFE_INTEGER));
  });

  test.each([
    [
      'en',
      '## Values to hand over (required)',
      '- `scope` (string, required): "step" | "ok"\n- `notes` (string, may be left out) {"maxLength":9} — why\n- `level` (integer, may be left out): 1 | 2',
    ],
    ['ja', '## 引き渡す値（必須）', '- `scope` (string, 必須): "step" | "ok"\n- `notes` (string, 省略可)'],
  ])('inputs: the fence, each value, what it may be, before the status section (%s)', (language, title, lines) => {
    const properties = '{notes: {type: string, description: why, maxLength: 9}, level: {type: integer, enum: [1, 2]}}';
    const text = promptOf(
      [`inputSchema: {globalInputs: [scope], properties: ${properties}, required: [scope]}`],
      {},
      `${language}\nvariables: [{name: scope, type: string, values: [step, ok]}]`,
    );
    expect(inOrder(text, [title, '```json:inputs', lines, '[STEP:0]'])).toBe(true);
  });

  test('report: file name, order and format of the one report, as they are written', () => {
    const text = promptOf(['report: {name: a.md, order: "Say it short.", format: "# A\\n## B\\n"}']);
    expect(text).toContain(
      'File name: a.md\nInstructions:\nSay it short.\nFormat:\n# A\n## B\n\n---\n## Status output (required)',
    );
  });

  test('inputs: no section when nothing can be handed over', () => {
    expect(promptOf(['inputSchema: {}'])).not.toContain('json:inputs');
  });

  test('a when rule is never offered as a tag', () => {
    const text = promptOf(['rules: [{when: true, next: COMPLETE}, {condition: done, next: COMPLETE}]']);
    expect(text.endsWith('\n\n[STEP:1] = done')).toBe(true);
  });

  test('the agent file is handed over by itself', () => {
    const text = `${PLAN_HEAD}movements:\n  - {name: plan, agent: a.md, edit: false, rules: [{condition: x, next: COMPLETE}]}\n`;
    const piece = pieceOf(text, { 'a.md': 'You plan {task}.' });
    const bundle = bundleOf(text, { 'a.md': 'You plan {task}.' });
    const prompt = buildPrompt({
      piece,
      bundle,
      state: stateOf(),
      movement: agentOf(piece, 'plan'),
      isSub: false,
      place: 'x',
    });
    expect(prompt.instructions).toBe('You plan {task}.');
    expect(prompt.text).not.toContain('You plan');
  });

  test('a sub-movement shares the counters of its parent', () => {
    const text = `${PLAN_HEAD}movements:\n  - name: plan\n    parallel: [{name: s, edit: false, rules: [{condition: ok}]}]\n    rules: [{condition: all("ok"), next: COMPLETE}]\n`;
    const piece = pieceOf(text);
    const state = stateOf({ movementIteration: { plan: 4 } });
    const prompt = buildPrompt({
      piece,
      bundle: bundleOf(text),
      state,
      movement: agentOf(piece, 's'),
      isSub: true,
      place: 'x',
    });
    expect(
      inOrder(prompt.text, ['- Movement: s', '- Iteration: 2 / 10', '- Movement iteration: 4', '[STEP:0] = ok']),
    ).toBe(true);
    expect(prompt.instructions).toBeNull();
  });
});

describe('buildLoopPrompt', () => {
  const text = `${PLAN_HEAD}movements:
  - {name: plan, edit: false, rules: [{condition: x, next: plan}]}
loop_monitors:
  - cycle: [plan]
    judge:
      agent: j.md
      instruction_template: "Seen {cycle_count} times."
      rules: [{condition: healthy, next: plan}, {condition: stuck, next: ABORT}]
  - cycle: [plan]
    judge: {rules: [{condition: healthy, next: plan}]}
`;
  const files = { 'j.md': 'You judge.' };
  const input = { piece: pieceOf(text, files), bundle: bundleOf(text, files), cycleCount: 3, place: 'x' };

  test('is built as a movement is, with the cycle count', () => {
    const loop = { monitor: 0, cycleCount: 3, iteration: 7, ownNext: 'plan', result: null };
    const prompt = buildLoopPrompt({
      ...input,
      monitor: 0,
      state: stateOf({ current: null, previousResponse: 'last', phase: { kind: 'judging', loop } }),
    });
    expect(prompt.instructions).toBe('You judge.');
    expect(
      inOrder(prompt.text, [
        '- Movement: loop_judge',
        '- Iteration: 7 / 10',
        'Seen 3 times.',
        '## Task',
        'last',
        '[STEP:0] = healthy',
        '[STEP:1] = stuck',
      ]),
    ).toBe(true);
  });

  test('without a template the engine asks by itself', () => {
    expect(buildLoopPrompt({ ...input, monitor: 1, state: stateOf() }).text).toContain('has run 3 times in a row');
  });
});
