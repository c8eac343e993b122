/** What every model does, whether it is asked over HTTP, reads a script or follows rules (src/ports/model.ts). */
import { afterEach, describe, expect, it } from 'vitest';
import { createOfflineModel } from '../../../src/adapters/models/offline/offline.ts';
import { createModelRouter } from '../../../src/adapters/models/router.ts';
import { createScriptedModel } from '../../../src/adapters/models/scripted.ts';
import { createSdkProvider } from '../../../src/adapters/models/sdk/sdk-model.ts';
import type { ModelPort } from '../../../src/ports/model.ts';
import { fakeTag } from '../../helpers/fakes/model.ts';
import { anthropic } from '../../helpers/model-servers/anthropic.ts';
import { chatCompletions } from '../../helpers/model-servers/chat-completions.ts';
import { google } from '../../helpers/model-servers/google.ts';
import { openaiResponses } from '../../helpers/model-servers/openai-responses.ts';
import { type ModelServer, startModelServer } from '../../helpers/model-servers/server.ts';
import { requestOf } from './suite.ts';

const open: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

const protocols = { anthropic, openai: openaiResponses, google, compatible: chatCompletions };

async function overHttp(kind: keyof typeof protocols): Promise<ModelPort> {
  const server = await startModelServer(protocols[kind], { kind: 'answer', text: 'A plan.' });
  open.push(server);
  const ask = createSdkProvider({
    kind,
    apiKey: 'k',
    baseUrl: server.url,
    headers: {},
    limits: { firstByteMs: 5000, idleMs: 5000, totalMs: 10_000 },
    maxOutputTokens: () => null,
  });
  const about = () => ({ contextTokens: 1000, price: null });
  return createModelRouter({ label: `${kind}:m`, provider: kind, defaultModel: 'm', ask: { [kind]: ask }, about });
}

const models: [string, () => Promise<ModelPort>][] = [
  ['offline', async () => createOfflineModel()],
  ['scripted', async () => createScriptedModel('- output: A plan.\n', 'script.yaml')],
  ['anthropic', () => overHttp('anthropic')],
  ['openai', () => overHttp('openai')],
  ['google', () => overHttp('google')],
  ['compatible', () => overHttp('compatible')],
];

describe.each(models)('%s', (_name, make) => {
  it('gives text or tool calls, and says what it used', async () => {
    const model = await make();

    const reply = await model.complete(requestOf({ model: '', tag: fakeTag({ produces: ['research'] }) }));

    expect(reply.text.length + reply.toolCalls.length).toBeGreaterThan(0);
    expect(reply.usage.inputTokens).toBeGreaterThan(0);
    expect(reply.usage.outputTokens).toBeGreaterThan(0);
  });

  it('gives no tool calls where no tools are offered', async () => {
    const model = await make();

    const reply = await model.complete(requestOf({ model: '', tools: [], tag: fakeTag({ produces: ['research'] }) }));

    expect(reply.toolCalls).toEqual([]);
  });

  it('rejects with the reason of an abort', async () => {
    const model = await make();
    const signal = AbortSignal.abort(new Error('no longer wanted'));

    await expect(model.complete(requestOf({ model: '', signal }))).rejects.toThrow('no longer wanted');
  });

  it('has a name for people', async () => {
    expect((await make()).label).not.toBe('');
  });
});
