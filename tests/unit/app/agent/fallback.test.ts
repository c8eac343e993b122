import { describe, expect, test } from 'vitest';
import { callModel } from '../../../../src/app/agent/call.ts';
import { runAgent } from '../../../../src/app/agent/run-agent.ts';
import { PermanentFailure, TransientFailure } from '../../../../src/ports/failures.ts';
import { agentInput } from '../../../helpers/agent-input.ts';
import { createMemoryLog } from '../../../helpers/fakes/log.ts';
import { createFakeModel, fakeTag } from '../../../helpers/fakes/model.ts';
import { createSkippingClock } from '../../../helpers/fakes/skipping-clock.ts';

describe('a fallback model', () => {
  test.each([
    ['refuses', new PermanentFailure('model_refused', 'No.')],
    ['is not known', new PermanentFailure('model_not_found', 'No such model.')],
  ])('is asked where the first %s', async (_what, failure) => {
    const model = createFakeModel(failure, { text: 'Done.' });

    const outcome = await runAgent(agentInput(model, { fallback: 'openai:gpt-z' }));

    expect(outcome).toMatchObject({ ok: true, output: 'Done.' });
    expect(model.requests.map((request) => request.model)).toEqual(['m1', 'openai:gpt-z']);
  });

  test('is asked after the first was tried again in vain', async () => {
    const away = new TransientFailure('model_unavailable', '503');
    const model = createFakeModel(away, away, away, away, away, { text: 'Done.' });
    const request = { tag: fakeTag(), model: 'm1', messages: [], tools: [], signal: new AbortController().signal };
    const deps = { model, clock: createSkippingClock(), log: createMemoryLog(), fallback: 'm2' };

    const reply = await callModel(request, deps, 1);

    expect(reply).toMatchObject({ text: 'Done.', model: 'm2' });
    expect(model.requests.at(-1)?.model).toBe('m2');
  });

  test('is not asked for what is too long for the first', async () => {
    const model = createFakeModel(new PermanentFailure('conversation_too_large', 'too long'));

    const outcome = await runAgent(agentInput(model, { fallback: 'm2' }));

    expect(outcome).toMatchObject({ ok: false, code: 'conversation_too_large' });
  });

  test('that fails too tells its own failure', async () => {
    const model = createFakeModel(
      new PermanentFailure('model_refused', 'No.'),
      new PermanentFailure('model_unauthorized', 'Wrong key.'),
    );

    const outcome = await runAgent(agentInput(model, { fallback: 'm2' }));

    expect(outcome).toMatchObject({ ok: false, code: 'model_unauthorized' });
  });
});
