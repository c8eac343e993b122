import { expect, test } from 'vitest';
import { createModelRouter } from '../../../../src/adapters/models/router.ts';
import type { ModelRequest } from '../../../../src/ports/model.ts';
import { fakeTag } from '../../../helpers/fakes/model.ts';

const reply = { text: 'Done.', toolCalls: [], usage: { inputTokens: 1, outputTokens: 1, estimated: false } };

function scene() {
  const asked: string[] = [];
  const answer = (provider: string) => async (_request: ModelRequest, model: string) => {
    asked.push(`${provider} ${model}`);
    return reply;
  };
  const router = createModelRouter({
    label: 'anthropic:claude-x',
    provider: 'anthropic',
    defaultModel: 'claude-x',
    ask: { anthropic: answer('anthropic'), compatible: answer('compatible') },
    about: (provider, model) => ({ contextTokens: `${provider} ${model}`.length, price: null }),
  });
  const complete = (model: string) =>
    router.complete({ tag: fakeTag(), model, messages: [], tools: [], signal: new AbortController().signal });
  return { asked, router, complete };
}

test.each([
  ['', 'anthropic claude-x'],
  ['claude-y', 'anthropic claude-y'],
  ['anthropic:claude-z', 'anthropic claude-z'],
  ['compatible:llama3.1:8b', 'compatible llama3.1:8b'],
  ['llama3.1:8b', 'anthropic llama3.1:8b'],
])('a request for "%s" goes to %s', async (model, expected) => {
  const { asked, router, complete } = scene();

  await complete(model);

  expect(asked).toEqual([expected]);
  expect(router.about?.(model)?.contextTokens).toBe(expected.length);
});

test('a provider that is gone since the run began is told', async () => {
  await expect(scene().complete('google:gemini-x')).rejects.toMatchObject({
    name: 'PermanentFailure',
    code: 'provider_not_configured',
  });
});
