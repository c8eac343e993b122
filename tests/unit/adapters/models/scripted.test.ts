import { describe, expect, test } from 'vitest';
import { createScriptedModel } from '../../../../src/adapters/models/scripted.ts';
import type { ModelRequest, ModelTag } from '../../../../src/ports/model.ts';
import { fakeTag } from '../../../helpers/fakes/model.ts';

type Position = Partial<ModelTag['position']>;

function request(tag: Partial<ModelTag>, more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    tag: fakeTag(tag),
    model: '',
    messages: [{ role: 'user', text: 'Do it.' }],
    tools: [],
    signal: new AbortController().signal,
    ...more,
  };
}

function at(position: Position): ModelTag['position'] {
  return { movement: 0, run: 0, judge: 0, ...position };
}

async function answer(script: string, tag: Partial<ModelTag>, more: Partial<ModelRequest> = {}): Promise<string> {
  const model = createScriptedModel(script, 'script.yaml');
  return (await model.complete(request(tag, more))).text;
}

const mixed = `
- output: other 0
- {movement: plan, output: plan 0}
- output: other 1
- {movement: plan, output: plan 1}
- output: other 2
`;

describe('agents', () => {
  test.each([
    ['plan', 0, 'plan 0', {}],
    ['plan', 1, 'plan 1', { plan: 1, research: 3 }],
    ['research', 0, 'other 0', { plan: 2 }],
    ['research', 1, 'other 1', { plan: 1, research: 1 }],
    ['plan', 2, 'other 1', { plan: 2, research: 1 }],
    ['research', 1, 'other 2', { plan: 3, research: 1 }],
  ])('%s after %i of its own hears %s', async (movement, own, text, byMovement) => {
    expect(await answer(mixed, { movement, position: at({ movement: own, byMovement }) })).toBe(text);
  });

  test('without counts by name an entry without a name is that of the run', async () => {
    const script = '- output: zero\n- output: one\n';

    expect(await answer(script, { position: at({ run: 1 }) })).toBe('one');
  });

  test('the same place gives the same answer again', async () => {
    const model = createScriptedModel(mixed, 'script.yaml');

    const first = await model.complete(request({}));
    const second = await model.complete(request({}));

    expect(second).toEqual(first);
  });

  test('an error entry fails for good', async () => {
    await expect(answer('- {error: it broke}', {})).rejects.toMatchObject({
      name: 'PermanentFailure',
      code: 'scripted_error',
      message: 'it broke',
    });
  });

  test('beyond the script a call fails and is remembered', async () => {
    const model = createScriptedModel('- {movement: other, output: x}', 'script.yaml');

    await expect(model.complete(request({}))).rejects.toMatchObject({ code: 'script_exhausted' });

    expect(model.exhausted()).toBe('script.yaml has no further entry for plan; add one.');
  });

  test('usage is estimated, never nothing', async () => {
    const model = createScriptedModel('- output: "12345678"', 'script.yaml');

    const { usage } = await model.complete(request({}));

    expect(usage).toEqual({ inputTokens: 2, outputTokens: 2, estimated: true });
  });

  test('nothing is answered under an aborted signal', async () => {
    const signal = AbortSignal.abort(new Error('canceled'));

    await expect(answer('- output: x', {}, { signal })).rejects.toThrow('canceled');
  });
});

describe('tools', () => {
  const script = '- {tools: [{name: item_read}, {name: repo_list, input: {limit: 5}}], output: done}';
  const tools = [{ name: 'item_read', description: '', inputSchema: {} }];

  test('are called before the output', async () => {
    const model = createScriptedModel(script, 'script.yaml');

    const first = await model.complete(request({}, { tools }));
    const second = await model.complete(request({}, { tools, messages: [{ role: 'tool', results: [] }] }));

    expect(first.toolCalls).toEqual([
      { id: 'script-0-0', name: 'item_read', input: {} },
      { id: 'script-0-1', name: 'repo_list', input: { limit: 5 } },
    ]);
    expect(second).toMatchObject({ text: 'done', toolCalls: [] });
  });

  test('are left out where none are offered', async () => {
    expect(await answer(script, {})).toBe('done');
  });
});

describe('judges', () => {
  const script = `
- {judge: plan, answer: 1}
- {judge: coverage, answer: 0}
- {judge: plan, answer: -1}
`;

  test.each([
    ['plan', { plan: 0 }, '1'],
    ['plan', { plan: 1, coverage: 1 }, '-1'],
    ['coverage', { plan: 2 }, '0'],
  ])('of %s with %j answered hear their own entries', async (movement, byJudge, text) => {
    expect(await answer(script, { movement, stage: 'judge', position: at({ byJudge }) })).toBe(text);
  });

  test('without counts by name they go in the order of the file', async () => {
    expect(await answer(script, { stage: 'judge', position: at({ judge: 1 }) })).toBe('-1');
  });

  test('without an entry fail', async () => {
    const position = at({ byJudge: { coverage: 1 } });

    await expect(answer(script, { movement: 'coverage', stage: 'judge', position })).rejects.toMatchObject({
      code: 'script_exhausted',
    });
  });

  test('never take an entry of an agent', async () => {
    await expect(answer('- output: "1"', { stage: 'judge' })).rejects.toMatchObject({ code: 'script_exhausted' });
  });
});

describe("a loop monitor's judge", () => {
  const loop = { movement: 'loop_judge', stage: 'loop' as const };
  const judge = { movement: 'loop_judge', stage: 'judge' as const };

  test('answers with the tag of its rule', async () => {
    const script = '- {judge: loop_judge, answer: 1}\n- {judge: loop_judge, answer: 0}\n';

    expect(await answer(script, { ...loop, position: at({ movement: 0 }) })).toBe('[STEP:1]');
    expect(await answer(script, { ...loop, position: at({ movement: 1 }) })).toBe('[STEP:0]');
  });

  test('that matches nothing stays with it when it is asked again', async () => {
    const script = '- {judge: loop_judge, answer: -1}\n- {judge: loop_judge, answer: 0}\n';

    expect(await answer(script, { ...loop, position: at({ movement: 0 }) })).not.toContain('[STEP:');
    expect(await answer(script, { ...judge, position: at({ movement: 1 }) })).toBe('-1');
    expect(await answer(script, { ...loop, position: at({ movement: 1 }) })).toBe('[STEP:0]');
  });

  test('may give an output of its own, judged by the entry behind it', async () => {
    const script = `
- {movement: loop_judge, output: It goes in circles.}
- {judge: loop_judge, answer: 1}
- {movement: loop_judge, output: "Fine. [STEP:0]"}
`;

    expect(await answer(script, { ...loop, position: at({ movement: 0 }) })).toBe('It goes in circles.');
    expect(await answer(script, { ...judge, position: at({ movement: 1 }) })).toBe('1');
    expect(await answer(script, { ...loop, position: at({ movement: 1 }) })).toBe('Fine. [STEP:0]');
  });
});

test('inputs are kept apart, in order', () => {
  const model = createScriptedModel('- {input: CSV}\n- {output: x}\n- {input: reject too much}\n', 'script.yaml');

  expect(model.inputs.map((entry) => entry.text)).toEqual(['CSV', 'reject too much']);
});
