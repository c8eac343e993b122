/** What every provider that is reached over HTTP does, whatever protocol it speaks (src/ports/model.ts). */
import { afterEach, describe, expect, it } from 'vitest';
import type { ProviderSettings } from '../../../src/adapters/models/sdk/providers.ts';
import { createSdkProvider, type SdkModelSettings } from '../../../src/adapters/models/sdk/sdk-model.ts';
import type { ModelMessage } from '../../../src/domain/run/messages.ts';
import { PermanentFailure, TransientFailure } from '../../../src/ports/failures.ts';
import type { ModelRequest } from '../../../src/ports/model.ts';
import { fakeTag } from '../../helpers/fakes/model.ts';
import type { Protocol, Say } from '../../helpers/model-servers/says.ts';
import { type ModelServer, startModelServer } from '../../helpers/model-servers/server.ts';

export const KEY = 'sk-test-0123456789abcdef';

const search = {
  name: 'search',
  description: 'Finds text.',
  inputSchema: {
    type: 'object',
    properties: { query: { type: 'string' } },
    required: ['query'],
    additionalProperties: false,
  },
};

export function requestOf(more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    tag: fakeTag(),
    model: 'unused',
    instructions: 'You plan.',
    messages: [{ role: 'user', text: 'Plan this.' }],
    tools: [search],
    signal: new AbortController().signal,
    ...more,
  };
}

const open: ModelServer[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

export async function scene(
  kind: ProviderSettings['kind'],
  protocol: Protocol,
  says: Say[],
  more: Partial<SdkModelSettings> = {},
) {
  const server = await startModelServer(protocol, ...says);
  open.push(server);
  const settings: SdkModelSettings = {
    kind,
    apiKey: KEY,
    baseUrl: server.url,
    headers: { 'x-team': 'planning' },
    limits: { firstByteMs: 5000, idleMs: 5000, totalMs: 10_000 },
    maxOutputTokens: () => 4000,
    ...more,
  };
  const ask = createSdkProvider(settings);
  return { server, ask: (request: ModelRequest = requestOf()) => ask(request, 'model-1') };
}

/** The failure that the work ends with; one that succeeds fails the test. */
export async function failureOf(work: Promise<unknown>): Promise<TransientFailure | PermanentFailure> {
  const error = await work.then(
    (value) => new Error(`expected a failure, got ${JSON.stringify(value)}`),
    (cause: unknown) => cause,
  );
  if (error instanceof TransientFailure || error instanceof PermanentFailure) return error;
  throw error;
}

export function describeProvider(kind: ProviderSettings['kind'], protocol: Protocol): void {
  const begin = (...says: Say[]) => scene(kind, protocol, says);

  describe(`${kind}: answers`, () => {
    it('gives the text and what it used', async () => {
      const { ask } = await begin({
        kind: 'answer',
        text: 'A plan in words.',
        usage: { input: 120, output: 30, cached: 80 },
      });

      const reply = await ask();

      expect(reply).toMatchObject({
        text: 'A plan in words.',
        toolCalls: [],
        usage: { inputTokens: 120, outputTokens: 30, estimated: false, cachedTokens: 80 },
      });
    });

    it('gives several tool calls of one answer, in order', async () => {
      const calls = [
        { id: 'c1', name: 'search', json: '{"query":"a"}' },
        { id: 'c2', name: 'search', json: '{"query":"b"}' },
      ];
      const { ask } = await begin({ kind: 'answer', calls });

      const { toolCalls } = await ask();

      expect(toolCalls.map(({ name, input }) => ({ name, input }))).toEqual([
        { name: 'search', input: { query: 'a' } },
        { name: 'search', input: { query: 'b' } },
      ]);
      expect(new Set(toolCalls.map(({ id }) => id)).size).toBe(2);
    });

    it('hands on a call of a tool that does not exist: the agent loop answers it', async () => {
      const { ask } = await begin({ kind: 'answer', calls: [{ id: 'c1', name: 'delete_all', json: '{}' }] });

      expect((await ask()).toolCalls).toEqual([{ id: 'c1', name: 'delete_all', input: {} }]);
    });

    it('hands on an input that is no JSON, and can send it back', async () => {
      const { ask, server } = await begin(
        { kind: 'answer', calls: [{ id: 'c1', name: 'search', json: '{"query": oops' }] },
        { kind: 'answer', text: 'Corrected.' },
      );

      const { text, toolCalls, native } = await ask();
      const answered: ModelMessage[] = [
        { role: 'user', text: 'Plan this.' },
        { role: 'assistant', text, toolCalls, ...(native ? { native } : {}) },
        {
          role: 'tool',
          results: [{ id: toolCalls[0]?.id ?? '', name: 'search', output: 'invalid_input', isError: true }],
        },
      ];
      const second = await ask(requestOf({ messages: answered }));

      expect(toolCalls).toHaveLength(1);
      expect(second.text).toBe('Corrected.');
      expect(server.requests).toHaveLength(2);
    });

    it('sends the whole conversation with tools, instructions, key and headers', async () => {
      const { ask, server } = await begin({ kind: 'answer', text: 'Done.' });
      const messages: ModelMessage[] = [
        { role: 'user', text: 'first-words' },
        {
          role: 'assistant',
          text: 'thinking-aloud',
          toolCalls: [{ id: 'c1', name: 'search', input: { query: 'needle' } }],
        },
        { role: 'tool', results: [{ id: 'c1', name: 'search', output: 'found-it', isError: false }] },
      ];

      await ask(requestOf({ messages }));

      const sent = server.requests[0];
      const body = JSON.stringify(sent?.body);
      for (const part of ['You plan.', 'first-words', 'thinking-aloud', 'needle', 'found-it', 'Finds text.'])
        expect(body).toContain(part);
      expect(Object.values(sent?.headers ?? {}).join(' ')).toContain(KEY);
      expect(sent?.headers['x-team']).toBe('planning');
      expect(body).not.toContain(KEY);
    });

    it('sends the tools that may not be called any more: a conversation with calls needs them', async () => {
      const { ask, server } = await begin({ kind: 'answer', text: 'Done.' });

      const { toolCalls } = await ask(requestOf({ tools: [], spentTools: [search] }));

      const body = JSON.stringify(server.requests[0]?.body);
      expect(body).toContain('Finds text.');
      expect(body).toMatch(/"(?:tool_choice":(?:"none"|\{"type":"none"\})|mode":"NONE")/);
      expect(toolCalls).toEqual([]);
    });

    it('says when an answer was cut off at the length limit', async () => {
      const { ask } = await begin({ kind: 'answer', text: 'The first half', end: 'cut_off' });

      expect(await ask()).toMatchObject({ text: 'The first half', cutOff: true });
    });

    it('gives an empty answer as it is', async () => {
      const { ask } = await begin({ kind: 'answer', text: '' });

      expect(await ask()).toMatchObject({ text: '', toolCalls: [] });
    });
  });

  describe(`${kind}: failures`, () => {
    it('a wrong key is for good, and no key is repeated', async () => {
      const { ask } = await begin({ kind: 'status', status: 401, message: `wrong key ${KEY}` });

      const failure = await failureOf(ask());

      expect(failure).toBeInstanceOf(PermanentFailure);
      expect(failure.code).toBe('model_unauthorized');
      expect(failure.message).not.toContain('sk-test');
    });

    it('keeps the key out of every message', async () => {
      const { ask } = await begin({ kind: 'status', status: 400, message: `bad request with ${KEY}` });

      expect((await failureOf(ask())).message).not.toContain('sk-test');
    });

    it('429 is for later, after what the provider asks for', async () => {
      const { ask, server } = await begin({ kind: 'status', status: 429, headers: { 'retry-after': '7' } });

      const failure = await failureOf(ask());

      expect(failure).toMatchObject({ code: 'model_rate_limited', retryAfterMs: 7000 });
      expect(server.requests).toHaveLength(1);
    });

    it('500 is for later', async () => {
      const { ask } = await begin({ kind: 'status', status: 500 });

      expect(await failureOf(ask())).toBeInstanceOf(TransientFailure);
    });

    it('404 says that the model is not known', async () => {
      const { ask } = await begin({ kind: 'status', status: 404 });

      expect(await failureOf(ask())).toMatchObject({ name: 'PermanentFailure', code: 'model_not_found' });
    });

    it('a refusal is for good', async () => {
      const { ask } = await begin({ kind: 'answer', text: 'I would', end: 'refused' });

      expect(await failureOf(ask())).toMatchObject({ name: 'PermanentFailure', code: 'model_refused' });
    });

    it('an error inside the stream is for later', async () => {
      const { ask } = await begin({ kind: 'error_event' });

      expect(await failureOf(ask())).toBeInstanceOf(TransientFailure);
    });

    it('a stream that is cut is no answer', async () => {
      const { ask } = await begin({ kind: 'half', how: 'cut' });

      expect(await failureOf(ask())).toMatchObject({ name: 'TransientFailure', code: 'model_unavailable' });
    });

    it('a stream that ends before its end is no answer', async () => {
      const { ask } = await begin({ kind: 'half', how: 'ended' });

      expect(await failureOf(ask())).toBeInstanceOf(TransientFailure);
    });

    it('a server that is not there is for later', async () => {
      const { ask, server } = await begin();
      await server.close();

      expect(await failureOf(ask())).toMatchObject({ name: 'TransientFailure', code: 'model_unavailable' });
    });
  });

  describe(`${kind}: time`, () => {
    it('notices a stream that stalls', async () => {
      const limits = { firstByteMs: 5000, idleMs: 60, totalMs: 10_000 };
      const { ask, server } = await scene(kind, protocol, [{ kind: 'half', how: 'stalled' }], { limits });

      expect(await failureOf(ask())).toMatchObject({ name: 'TransientFailure', code: 'model_stalled' });
      await server.left;
    });

    it('notices a server that does not begin to answer', async () => {
      const limits = { firstByteMs: 60, idleMs: 5000, totalMs: 10_000 };
      const { ask } = await scene(kind, protocol, [{ kind: 'silent' }], { limits });

      expect(await failureOf(ask())).toMatchObject({ name: 'TransientFailure', code: 'model_no_answer' });
    });

    it('bounds the whole call', async () => {
      const limits = { firstByteMs: 5000, idleMs: 5000, totalMs: 60 };
      const { ask } = await scene(kind, protocol, [{ kind: 'half', how: 'stalled' }], { limits });

      expect(await failureOf(ask())).toMatchObject({ name: 'TransientFailure', code: 'model_timeout' });
    });

    it('leaves the request when it is aborted, with the reason given', async () => {
      const { ask, server } = await begin({ kind: 'half', how: 'stalled' });
      const abort = new AbortController();

      const asked = ask(requestOf({ signal: abort.signal }));
      setTimeout(() => abort.abort(new Error('cancelled')), 50);

      await expect(asked).rejects.toThrow('cancelled');
      await server.left;
    });
  });
}
