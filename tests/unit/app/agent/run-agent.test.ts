import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { runAgent } from '../../../../src/app/agent/run-agent.ts';
import { defineTool, type Tool } from '../../../../src/app/agent/tool.ts';
import { agentInput, echoCall, echoTool } from '../../../helpers/agent-input.ts';
import { createFakeModel } from '../../../helpers/fakes/model.ts';

describe('an agent without tools', () => {
  test('gives its output and the conversation as sent and received', async () => {
    const model = createFakeModel({ text: 'The plan.' });

    const outcome = await runAgent(agentInput(model));

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

    await runAgent(agentInput(model, { history }));

    expect(model.requests[0]).toMatchObject({
      model: 'm1',
      instructions: 'You plan.',
      messages: [...history, { role: 'user', text: 'Plan this.' }],
      tools: [],
    });
  });

  test('a call to a tool nobody offered is passed over when there is an output', async () => {
    const model = createFakeModel({ text: 'The plan.', toolCalls: [echoCall('a')] });

    const outcome = await runAgent(agentInput(model));

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
      { toolCalls: [echoCall('a', '1', 'waiting'), echoCall('b', '2', 'releasing')] },
      { text: 'Done.' },
    );

    const outcome = await runAgent(agentInput(model, { tools: [waiting, releasing] }));

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

    const outcome = await runAgent(agentInput(model, { tools: [echoTool()] }));

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
    const calls = Array.from({ length: 33 }, (_, index) => echoCall(`call-${index}`));
    const model = createFakeModel({ toolCalls: calls }, { text: 'Done.' });

    await runAgent(agentInput(model, { tools: [counting] }));

    const answer = model.requests[1]?.messages.at(-1);
    expect(made).toHaveLength(32);
    expect(answer?.role === 'tool' && answer.results.at(-1)).toMatchObject({ id: 'call-32', isError: true });
  });

  test('a result over the limit is cut with a notice', async () => {
    const endless: Tool = {
      definition: echoTool().definition,
      run: async () => ({ output: 'x'.repeat(100_000), isError: false }),
    };
    const model = createFakeModel({ toolCalls: [echoCall('a')] }, { text: 'Done.' });

    await runAgent(agentInput(model, { tools: [endless] }));

    const answer = model.requests[1]?.messages.at(-1);
    const output = answer?.role === 'tool' ? (answer.results[0]?.output ?? '') : '';
    expect(output.length).toBeLessThan(66_000);
    expect(output).toContain('65536 of 100000 characters shown');
  });

  test('after the last step a call without tools asks for the output', async () => {
    const steps = { maxSteps: 2, maxDataRetries: 3, timeoutMs: 1000 };
    const model = createFakeModel({ toolCalls: [echoCall('a')] }, { toolCalls: [echoCall('b')] }, { text: 'Done.' });

    const outcome = await runAgent(agentInput(model, { tools: [echoTool()], limits: steps }));

    expect(outcome).toMatchObject({ ok: true, output: 'Done.' });
    expect(model.requests.map((request) => request.tools.length)).toEqual([1, 1, 0]);
    expect(model.requests.map((request) => request.spentTools?.length ?? 0)).toEqual([0, 0, 1]);
    expect(model.requests[2]?.messages.at(-1)).toMatchObject({
      role: 'user',
      text: expect.stringContaining('No more'),
    });
  });

  test('an agent that calls on without an output fails', async () => {
    const steps = { maxSteps: 1, maxDataRetries: 3, timeoutMs: 1000 };
    const model = createFakeModel({ toolCalls: [echoCall('a')] }, { toolCalls: [echoCall('b')] });

    const outcome = await runAgent(agentInput(model, { tools: [echoTool()], limits: steps }));

    expect(outcome).toMatchObject({ ok: false, code: 'steps_exceeded', usage: { inputTokens: 20 } });
  });
});
