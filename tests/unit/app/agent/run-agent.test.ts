import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type AgentInput, runAgent } from '../../../../src/app/agent/run-agent.ts';
import { defineTool, type Tool } from '../../../../src/app/agent/tool.ts';
import { PermanentFailure, TransientFailure } from '../../../../src/ports/failures.ts';
import { createFakeClock } from '../../../helpers/fakes/clock.ts';
import { createMemoryLog } from '../../../helpers/fakes/log.ts';
import { createFakeModel, type FakeModel, fakeTag } from '../../../helpers/fakes/model.ts';

function agent(model: FakeModel, more: Partial<AgentInput> = {}): AgentInput {
  return {
    model,
    tag: fakeTag(),
    modelId: 'm1',
    instructions: 'You plan.',
    history: [],
    prompt: 'Plan this.',
    tools: [],
    produces: [],
    limits: { maxSteps: 5, maxDataRetries: 3, timeoutMs: 600_000 },
    signal: new AbortController().signal,
    clock: createFakeClock(),
    log: createMemoryLog(),
    ...more,
  };
}

function echoTool(name = 'echo'): Tool {
  const input = z.strictObject({ text: z.string() });
  return defineTool({ name, description: 'Says it again.', input, read: ({ text }) => ({ said: text }) });
}

function call(text: string, id = text, name = 'echo') {
  return { id, name, input: { text } };
}

const missing = '```json:context_request\n{"missing": ["who asks"]}\n```';

describe('an agent without tools', () => {
  test('gives its output and the conversation as sent and received', async () => {
    const model = createFakeModel({ text: 'The plan.' });

    const outcome = await runAgent(agent(model));

    expect(outcome).toEqual({
      ok: true,
      output: 'The plan.',
      produced: null,
      messages: [
        { role: 'user', text: 'Plan this.' },
        { role: 'assistant', text: 'The plan.', toolCalls: [] },
      ],
      answers: 1,
      usage: { inputTokens: 10, outputTokens: 1, estimated: false },
    });
  });

  test('is asked with model, instructions and the conversation so far', async () => {
    const history = [
      { role: 'user' as const, text: 'Before.' },
      { role: 'assistant' as const, text: 'Yes.', toolCalls: [] },
    ];
    const model = createFakeModel({ text: 'The plan.' });

    await runAgent(agent(model, { history }));

    expect(model.requests[0]).toMatchObject({
      model: 'm1',
      instructions: 'You plan.',
      messages: [...history, { role: 'user', text: 'Plan this.' }],
      tools: [],
    });
  });

  test('a call to a tool nobody offered is passed over when there is an output', async () => {
    const model = createFakeModel({ text: 'The plan.', toolCalls: [call('a')] });

    const outcome = await runAgent(agent(model));

    expect(outcome).toMatchObject({ ok: true, output: 'The plan.' });
  });
});

describe('tools', () => {
  test('several calls of a step run side by side and are answered in their order', async () => {
    const first = Promise.withResolvers<void>();
    const waiting: Tool = {
      definition: echoTool('waiting').definition,
      run: async () => {
        await first.promise;
        return { output: '{"waited":true}', isError: false };
      },
    };
    const releasing: Tool = {
      definition: echoTool('releasing').definition,
      run: async () => {
        first.resolve();
        return { output: '{"released":true}', isError: false };
      },
    };
    const model = createFakeModel(
      { toolCalls: [call('a', '1', 'waiting'), call('b', '2', 'releasing')] },
      { text: 'Done.' },
    );

    const outcome = await runAgent(agent(model, { tools: [waiting, releasing] }));

    expect(outcome).toMatchObject({ ok: true, usage: { inputTokens: 20, outputTokens: 2 } });
    expect(model.requests[1]?.messages.at(-1)).toEqual({
      role: 'tool',
      results: [
        { id: '1', name: 'waiting', output: '{"waited":true}', isError: false },
        { id: '2', name: 'releasing', output: '{"released":true}', isError: false },
      ],
    });
  });

  test.each([
    ['an unknown tool', { id: '1', name: 'rm', input: {} }, 'unknown_tool', 'Tools: echo.'],
    ['a wrong input', { id: '1', name: 'echo', input: { text: 5 } }, 'invalid_input', 'expected string'],
    ['an unknown key', { id: '1', name: 'echo', input: { text: 'a', project: 7 } }, 'invalid_input', '"project"'],
  ])('%s is told to the agent, which goes on', async (_case, toolCall, code, hint) => {
    const model = createFakeModel({ toolCalls: [toolCall] }, { text: 'Done.' });

    const outcome = await runAgent(agent(model, { tools: [echoTool()] }));

    const answer = model.requests[1]?.messages.at(-1);
    const result = answer?.role === 'tool' ? answer.results[0] : undefined;
    expect(outcome.ok).toBe(true);
    expect(result?.isError).toBe(true);
    expect(JSON.parse(result?.output ?? '')).toEqual({ error: { code, message: expect.stringContaining(hint) } });
  });

  test('calls over the limit of a step are answered without being made', async () => {
    const made: string[] = [];
    const counting = defineTool({
      name: 'echo',
      description: 'Counts.',
      input: z.strictObject({ text: z.string() }),
      read: ({ text }) => {
        made.push(text);
        return {};
      },
    });
    const calls = Array.from({ length: 33 }, (_, index) => call(`call-${index}`));
    const model = createFakeModel({ toolCalls: calls }, { text: 'Done.' });

    await runAgent(agent(model, { tools: [counting] }));

    const answer = model.requests[1]?.messages.at(-1);
    expect(made).toHaveLength(32);
    expect(answer?.role === 'tool' && answer.results.at(-1)).toMatchObject({ id: 'call-32', isError: true });
  });

  test('a result over the limit is cut with a notice', async () => {
    const endless: Tool = {
      definition: echoTool().definition,
      run: async () => ({ output: 'x'.repeat(100_000), isError: false }),
    };
    const model = createFakeModel({ toolCalls: [call('a')] }, { text: 'Done.' });

    await runAgent(agent(model, { tools: [endless] }));

    const answer = model.requests[1]?.messages.at(-1);
    const output = answer?.role === 'tool' ? (answer.results[0]?.output ?? '') : '';
    expect(output.length).toBeLessThan(66_000);
    expect(output).toContain('65536 of 100000 characters shown');
  });

  test('after the last step a call without tools asks for the output', async () => {
    const steps = { maxSteps: 2, maxDataRetries: 3, timeoutMs: 1000 };
    const model = createFakeModel({ toolCalls: [call('a')] }, { toolCalls: [call('b')] }, { text: 'Done.' });

    const outcome = await runAgent(agent(model, { tools: [echoTool()], limits: steps }));

    expect(outcome).toMatchObject({ ok: true, output: 'Done.' });
    expect(model.requests.map((request) => request.tools.length)).toEqual([1, 1, 0]);
    expect(model.requests[2]?.messages.at(-1)).toMatchObject({
      role: 'user',
      text: expect.stringContaining('No more'),
    });
  });

  test('an agent that calls on without an output fails', async () => {
    const steps = { maxSteps: 1, maxDataRetries: 3, timeoutMs: 1000 };
    const model = createFakeModel({ toolCalls: [call('a')] }, { toolCalls: [call('b')] });

    const outcome = await runAgent(agent(model, { tools: [echoTool()], limits: steps }));

    expect(outcome).toMatchObject({ ok: false, code: 'steps_exceeded', usage: { inputTokens: 20 } });
  });
});

describe('data', () => {
  test('is taken out of the output and checked', async () => {
    const model = createFakeModel({ text: `Too thin.\n${missing}` });

    const outcome = await runAgent(agent(model, { produces: ['context_request'] }));

    expect(outcome).toMatchObject({
      ok: true,
      produced: { kind: 'context_request', value: { missing: ['who asks'] } },
    });
  });

  test('that is wrong goes back with the problems', async () => {
    const model = createFakeModel({ text: 'No data.' }, { text: missing });

    const outcome = await runAgent(agent(model, { produces: ['context_request'] }));

    expect(outcome).toMatchObject({ ok: true, answers: 2, output: missing });
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'user',
      text: expect.stringMatching(/not accepted:\n- .*json:context_request[\s\S]*Tries left after this one: 2/),
    });
  });

  test('that fails a check of the caller goes back too', async () => {
    const model = createFakeModel({ text: missing }, { text: missing.replace('who asks', 'why') });
    const checkData: AgentInput['checkData'] = (produced) =>
      JSON.stringify(produced.value).includes('who') ? ['Ask why instead.'] : [];

    const outcome = await runAgent(agent(model, { produces: ['context_request'], checkData }));

    expect(outcome).toMatchObject({ ok: true, produced: { value: { missing: ['why'] } } });
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('Ask why instead.');
  });

  test('that is wrong four times fails the agent', async () => {
    const model = createFakeModel({ text: 'a' }, { text: 'b' }, { text: 'c' }, { text: 'd' });

    const outcome = await runAgent(agent(model, { produces: ['context_request'] }));

    expect(outcome).toMatchObject({ ok: false, code: 'data_invalid', answers: 4, usage: { inputTokens: 40 } });
  });

  test('an empty output goes back', async () => {
    const model = createFakeModel({ text: ' \n' }, { text: 'Done.' });

    const outcome = await runAgent(agent(model, { language: 'ja' }));

    expect(outcome).toMatchObject({ ok: true, output: 'Done.', answers: 2 });
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('出力が空でした');
  });

  test('every answer has its own position in a script', async () => {
    const position = { movement: 1, run: 4, judge: 0, byMovement: { plan: 1, research: 3 } };
    const model = createFakeModel({ text: 'a' }, { text: missing });

    await runAgent(agent(model, { tag: fakeTag({ position }), produces: ['context_request'] }));

    expect(model.requests.map((request) => request.tag.position)).toEqual([
      position,
      { movement: 2, run: 5, judge: 0, byMovement: { plan: 2, research: 3 } },
    ]);
  });
});

describe('failures', () => {
  test('a transient one is repeated after growing waits', async () => {
    const clock = createFakeClock();
    const busy = new TransientFailure('model_busy', 'busy');
    const model = createFakeModel(busy, busy, { text: 'Done.' });

    const running = runAgent(agent(model, { clock }));
    await clock.untilWaiting(1000);
    clock.advance(1000);
    await clock.untilWaiting(2000);
    clock.advance(2000);

    expect(await running).toMatchObject({ ok: true, output: 'Done.' });
  });

  test('a longer wait that the provider asks for is kept', async () => {
    const clock = createFakeClock();
    const model = createFakeModel(new TransientFailure('rate_limited', 'slow down', 45_000), { text: 'Done.' });

    const running = runAgent(agent(model, { clock }));
    await clock.untilWaiting(45_000);
    clock.advance(45_000);

    expect(await running).toMatchObject({ ok: true });
  });

  test('a wait beyond all bounds is not begun', async () => {
    const clock = createFakeClock();
    const model = createFakeModel(new TransientFailure('rate_limited', 'tomorrow', 86_400_000));

    const outcome = await runAgent(agent(model, { clock }));

    expect(outcome).toMatchObject({ ok: false, code: 'rate_limited', message: 'tomorrow' });
    expect(clock.waits).toEqual([600_000]);
  });

  test('the fifth transient failure in a row is for good', async () => {
    const clock = createFakeClock();
    const busy = new TransientFailure('model_busy', 'busy');
    const model = createFakeModel(busy, busy, busy, busy, busy);

    const running = runAgent(agent(model, { clock }));
    for (const wait of [1000, 2000, 4000, 8000]) {
      await clock.untilWaiting(wait);
      clock.advance(wait);
    }

    expect(await running).toMatchObject({ ok: false, code: 'model_busy' });
  });

  test('a permanent one is not repeated', async () => {
    const model = createFakeModel(new PermanentFailure('model_refused', 'no'));

    expect(await runAgent(agent(model))).toMatchObject({ ok: false, code: 'model_refused', message: 'no' });
  });

  test('an unexpected one is not hidden', async () => {
    const model = createFakeModel(new TypeError('a bug'));

    await expect(runAgent(agent(model))).rejects.toThrow('a bug');
  });

  test('the time limit ends a model that does not heed its signal', async () => {
    const clock = createFakeClock();
    const asked = Promise.withResolvers<void>();
    const model = createFakeModel(() => {
      asked.resolve();
      return new Promise(() => undefined);
    });

    const running = runAgent(agent(model, { clock }));
    await asked.promise;
    clock.advance(600_000);

    expect(await running).toMatchObject({ ok: false, code: 'timeout' });
  });

  test('an abort ends a tool at work at once, with its reason', async () => {
    const abort = new AbortController();
    const reason = new Error('canceled');
    const stuck: Tool = {
      definition: echoTool().definition,
      run: () => {
        abort.abort(reason);
        return new Promise(() => undefined);
      },
    };
    const model = createFakeModel({ toolCalls: [call('a')] });

    await expect(runAgent(agent(model, { tools: [stuck], signal: abort.signal }))).rejects.toBe(reason);
  });

  test('nothing is asked under an aborted signal', async () => {
    const model = createFakeModel();

    await expect(runAgent(agent(model, { signal: AbortSignal.abort(new Error('over')) }))).rejects.toThrow('over');
    expect(model.requests).toEqual([]);
  });
});

describe('a long conversation', () => {
  const limits = { maxSteps: 9, maxDataRetries: 3, timeoutMs: 1000, maxCharacters: 3300 };

  test('is sent with the oldest tool results left out, and kept whole', async () => {
    const tool = defineTool({
      name: 'echo',
      description: 'Long.',
      input: z.strictObject({ text: z.string() }),
      read: ({ text }) => ({ text: text.repeat(1400) }),
    });
    const model = createFakeModel(
      { toolCalls: [call('a')] },
      { toolCalls: [call('b')] },
      { toolCalls: [call('c')] },
      {
        text: 'Done.',
      },
    );

    const outcome = await runAgent(agent(model, { tools: [tool], limits }));

    const sent = JSON.stringify(model.requests[3]?.messages);
    expect(sent).toContain('This result of 1411 characters was left out');
    expect([sent.includes('aaaa'), sent.includes('bbbb'), sent.includes('cccc')]).toEqual([false, true, true]);
    expect(outcome.ok && JSON.stringify(outcome.messages)).toContain('aaaa');
  });

  test('that does not fit even so fails', async () => {
    const model = createFakeModel();

    const outcome = await runAgent(agent(model, { limits, prompt: 'x'.repeat(3301) }));

    expect(outcome).toMatchObject({ ok: false, code: 'conversation_too_large' });
  });
});
