import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { runAgent } from '../../../../src/app/agent/run-agent.ts';
import { defineTool } from '../../../../src/app/agent/tool.ts';
import type { ModelMessage } from '../../../../src/domain/run/messages.ts';
import { PermanentFailure } from '../../../../src/ports/failures.ts';
import { agentInput, echoCall, echoTool } from '../../../helpers/agent-input.ts';
import { createFakeModel, type FakeModel } from '../../../helpers/fakes/model.ts';

/** Answers some 400 tokens for each letter asked for. */
const long = defineTool({
  name: 'echo',
  description: 'Long.',
  input: z.strictObject({ text: z.string() }),
  read: ({ text }) => ({ text: text.repeat(1400) }),
});

const limits = { maxSteps: 9, maxDataRetries: 3, timeoutMs: 1000, contextTokens: 1500 };

const sent = (model: FakeModel, index: number): string => JSON.stringify(model.requests[index]?.messages);

describe('a conversation near its limit', () => {
  test('is sent with the oldest tool results left out', async () => {
    const calls = ['a', 'b', 'c'].map((letter) => ({ toolCalls: [echoCall(letter)] }));
    const model = createFakeModel(...calls, { text: 'Done.' });

    const outcome = await runAgent(agentInput(model, { tools: [long], limits }));

    expect(outcome).toMatchObject({ ok: true, output: 'Done.' });
    const last = sent(model, 3);
    expect(last).toContain('This result of 1411 characters was left out');
    expect([last.includes('aaaa'), last.includes('bbbb'), last.includes('cccc')]).toEqual([false, false, true]);
  });

  test('is shortened well below the limit once, and stays as it is: what was cached stays so', async () => {
    const calls = ['a', 'b', 'c', 'd', 'e'].map((letter) => ({ toolCalls: [echoCall(letter)] }));
    const model = createFakeModel(...calls, { text: 'Done.' });

    await runAgent(agentInput(model, { tools: [long], limits: { ...limits, contextTokens: 2400 } }));

    const [before = [], after = []] = [model.requests[4]?.messages, model.requests[5]?.messages];
    expect(sent(model, 3)).not.toContain('was left out');
    expect(sent(model, 4)).toContain('was left out');
    expect(after.slice(0, before.length)).toEqual(before);
  });

  test('is kept as it was sent, and tells how much it lost', async () => {
    const model = createFakeModel(
      { toolCalls: [echoCall('a')] },
      { toolCalls: [echoCall('b')] },
      { toolCalls: [echoCall('c')] },
      { text: 'Done.' },
    );

    const outcome = await runAgent(agentInput(model, { tools: [long], limits }));

    if (!outcome.ok) throw new Error(outcome.spent ? 'spent' : outcome.message);
    expect(outcome.messages.slice(0, -1)).toEqual(model.requests[3]?.messages);
    expect(outcome.compacted?.after).toBeLessThan(outcome.compacted?.before ?? 0);
  });

  test('loses what was said long ago where tool results do not suffice, never the prompt at hand', async () => {
    const model = createFakeModel({ text: 'Done.' });
    const history: ModelMessage[] = [
      { role: 'user', text: 'a'.repeat(3000) },
      { role: 'assistant', text: 'b'.repeat(3000), toolCalls: [] },
    ];

    const outcome = await runAgent(agentInput(model, { limits, history, prompt: 'c'.repeat(1000) }));

    expect(outcome).toMatchObject({
      ok: true,
      compacted: { history: [{ text: expect.stringContaining('left out') }, {}] },
    });
    expect(sent(model, 0)).not.toContain('aaaa');
    expect(sent(model, 0)).toContain('c'.repeat(1000));
  });

  test('fails where even that is too long, without asking', async () => {
    const model = createFakeModel();

    const outcome = await runAgent(agentInput(model, { limits, prompt: 'x'.repeat(6000) }));

    expect(outcome).toMatchObject({ ok: false, code: 'conversation_too_large' });
  });

  test('is shortened once more when the model finds it too long all the same', async () => {
    const model = createFakeModel(
      { toolCalls: [echoCall('a')] },
      { toolCalls: [echoCall('b')] },
      new PermanentFailure('conversation_too_large', 'prompt is too long'),
      { text: 'Done.' },
    );

    const outcome = await runAgent(agentInput(model, { tools: [long], limits: { ...limits, contextTokens: 100_000 } }));

    expect(outcome).toMatchObject({ ok: true, output: 'Done.' });
    expect(sent(model, 3)).not.toContain('aaaa');
  });

  test('learns how the model counts: a script that takes more tokens is shortened sooner', async () => {
    const usage = { inputTokens: 4000, outputTokens: 1, estimated: false };
    const model = createFakeModel(
      { toolCalls: [echoCall('a')] },
      { toolCalls: [echoCall('b')], usage },
      { text: 'Done.' },
    );

    await runAgent(agentInput(model, { tools: [long], limits: { ...limits, contextTokens: 4000 } }));

    expect(sent(model, 1)).toContain('aaaa');
    expect(sent(model, 2)).not.toContain('aaaa');
  });
});

test('an answer that was cut off goes back to the agent', async () => {
  const model = createFakeModel({ text: 'The first half', cutOff: true }, { text: 'All of it.' });

  const outcome = await runAgent(agentInput(model));

  expect(outcome).toMatchObject({ ok: true, output: 'All of it.' });
  expect(sent(model, 1)).toContain('cut off at its length limit');
});

test('an interrupted agent goes on where it was: its open tool calls are made first', async () => {
  const model = createFakeModel({ text: 'Done.' });
  const messages: ModelMessage[] = [
    { role: 'user', text: 'Plan this.' },
    { role: 'assistant', text: '', toolCalls: [echoCall('again')] },
  ];

  const outcome = await runAgent(
    agentInput(model, { tools: [echoTool()], resumed: { messages, answers: 0, steps: 1 } }),
  );

  expect(outcome).toMatchObject({ ok: true, output: 'Done.' });
  expect(model.requests[0]?.messages).toEqual([
    ...messages,
    { role: 'tool', results: [{ id: 'again', name: 'echo', output: '{"said":"again"}', isError: false }] },
  ]);
});
