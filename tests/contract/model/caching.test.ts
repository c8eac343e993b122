/** What each provider is told so that it keeps what it has read, and what it wants back of its own answers. */
import { describe, expect, it } from 'vitest';
import type { ModelMessage } from '../../../src/domain/run/messages.ts';
import { anthropic } from '../../helpers/model-servers/anthropic.ts';
import { chatCompletions } from '../../helpers/model-servers/chat-completions.ts';
import { google } from '../../helpers/model-servers/google.ts';
import { openaiResponses } from '../../helpers/model-servers/openai-responses.ts';
import { event, type Protocol } from '../../helpers/model-servers/says.ts';
import { failureOf, requestOf, scene } from './suite.ts';

const conversation: ModelMessage[] = [
  { role: 'user', text: 'one' },
  { role: 'assistant', text: 'two', toolCalls: [{ id: 'c1', name: 'search', input: { query: 'a' } }] },
  { role: 'tool', results: [{ id: 'c1', name: 'search', output: 'three', isError: false }] },
  { role: 'assistant', text: 'four', toolCalls: [] },
  { role: 'user', text: 'five' },
];

// biome-ignore lint/suspicious/noExplicitAny: a body is looked at as it came.
type Body = any;

describe('Anthropic', () => {
  it('keeps tools and instructions, and the conversation up to the two newest turns', async () => {
    const { ask, server } = await scene('anthropic', anthropic, [{ kind: 'answer', text: 'Done.' }]);

    await ask(requestOf({ messages: conversation }));

    const body: Body = server.requests[0]?.body;
    const marked = (part: unknown): boolean => JSON.stringify(part).includes('"cache_control":{"type":"ephemeral"}');
    expect(body.system.map(marked)).toEqual([true]);
    expect(body.messages.map(marked)).toEqual([false, false, true, false, true]);
  });

  it('marks at most four places, however long the conversation is', async () => {
    const { ask, server } = await scene('anthropic', anthropic, [{ kind: 'answer', text: 'Done.' }]);

    await ask(requestOf({ messages: [...conversation, ...conversation, ...conversation] }));

    expect(JSON.stringify(server.requests[0]?.body).match(/cache_control/g)).toHaveLength(3);
  });

  it('tells how much was read from and written to its cache', async () => {
    const { ask } = await scene('anthropic', anthropic, [
      { kind: 'answer', text: 'Done.', usage: { input: 1000, output: 5, cached: 900 } },
    ]);

    expect((await ask()).usage).toMatchObject({ inputTokens: 1000, cachedTokens: 900, cacheWriteTokens: 0 });
  });
});

describe('OpenAI', () => {
  it('is told which requests belong together, and to store none', async () => {
    const { ask, server } = await scene('openai', openaiResponses, [{ kind: 'answer', text: 'Done.' }]);

    await ask();

    expect(server.requests[0]?.body).toMatchObject({ prompt_cache_key: 'run-1/plan/planner', store: false });
  });
});

describe('Google', () => {
  it('gets the signature of a thought back with the call that it belongs to', async () => {
    const signed: Protocol = {
      ...google,
      answer: () => [
        event({
          candidates: [
            {
              index: 0,
              finishReason: 'STOP',
              content: {
                role: 'model',
                parts: [
                  { functionCall: { id: 'c1', name: 'search', args: { query: 'a' } }, thoughtSignature: 'c2lnbmVk' },
                ],
              },
            },
          ],
          usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2, totalTokenCount: 12 },
        }),
      ],
    };
    const { ask, server } = await scene('google', signed, [{ kind: 'answer' }, { kind: 'answer' }]);

    const { text, toolCalls, native } = await ask();
    const messages: ModelMessage[] = [
      { role: 'user', text: 'one' },
      { role: 'assistant', text, toolCalls, ...(native ? { native } : {}) },
      { role: 'tool', results: [{ id: toolCalls[0]?.id ?? '', name: 'search', output: 'x', isError: false }] },
    ];
    await ask(requestOf({ messages }));

    expect(native).toMatchObject({ provider: 'google' });
    expect(JSON.stringify(server.requests[1]?.body)).toContain('c2lnbmVk');
  });
});

describe('a compatible server', () => {
  it('that tells no usage is counted by an estimate, never as nothing', async () => {
    const { ask } = await scene('compatible', chatCompletions, [{ kind: 'answer', text: 'Some words.', usage: null }]);

    const { usage } = await ask();

    expect(usage.estimated).toBe(true);
    expect(Math.min(usage.inputTokens, usage.outputTokens)).toBeGreaterThan(0);
  });

  it('needs no key', async () => {
    const { ask, server } = await scene('compatible', chatCompletions, [{ kind: 'answer', text: 'Done.' }], {
      apiKey: null,
    });

    await ask();

    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  it('is sent what another provider wanted back as plain words', async () => {
    const { ask, server } = await scene('compatible', chatCompletions, [{ kind: 'answer', text: 'Done.' }]);
    const native = { provider: 'anthropic', content: [{ type: 'reasoning', text: 'secret-thought' }] };

    await ask(
      requestOf({
        messages: [
          { role: 'user', text: 'one' },
          { role: 'assistant', text: 'two', toolCalls: [], native },
          { role: 'user', text: 'three' },
        ],
      }),
    );

    const body = JSON.stringify(server.requests[0]?.body);
    expect(body).toContain('two');
    expect(body).not.toContain('secret-thought');
  });
});

describe('failures by their words', () => {
  it.each([
    [400, "This model's maximum context length is 8192 tokens", 'conversation_too_large'],
    [413, 'request too large', 'conversation_too_large'],
    [429, 'You exceeded your current quota, please check your plan (insufficient_quota)', 'model_unpaid'],
    [402, 'Insufficient balance', 'model_unpaid'],
    [400, 'unknown field', 'model_refused_request'],
  ])('%i %s', async (status, message, code) => {
    const { ask } = await scene('compatible', chatCompletions, [{ kind: 'status', status, message }]);

    expect(await failureOf(ask())).toMatchObject({ name: 'PermanentFailure', code });
  });

  it('a wait given as a date is read', async () => {
    const headers = { 'retry-after': new Date(Date.now() + 60_000).toUTCString() };
    const { ask } = await scene('compatible', chatCompletions, [{ kind: 'status', status: 503, headers }]);

    const failure = await failureOf(ask());

    expect(failure).toMatchObject({ code: 'model_unavailable', retryAfterMs: expect.any(Number) });
  });

  it('a redirect is not followed: the key would go with it', async () => {
    const headers = { location: 'http://127.0.0.1:9/elsewhere' };
    const { ask, server } = await scene('compatible', chatCompletions, [{ kind: 'status', status: 307, headers }]);

    expect(await failureOf(ask())).toMatchObject({ name: 'PermanentFailure', code: 'model_refused_request' });
    expect(server.requests).toHaveLength(1);
  });
});
