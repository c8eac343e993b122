import { describe, expect, test } from 'vitest';
import { runAgent } from '../../../../src/app/agent/run-agent.ts';
import type { InputSchema } from '../../../../src/domain/piece/types.ts';
import { agentInput } from '../../../helpers/agent-input.ts';
import { createFakeModel } from '../../../helpers/fakes/model.ts';

const inputs: InputSchema = {
  globals: [{ name: 'scope', type: 'string', values: ['step', 'plan'] }],
  properties: [],
  required: ['scope'],
};
const fence = (kind: string, value: unknown) => `\`\`\`json:${kind}\n${JSON.stringify(value)}\n\`\`\`\n`;

describe('values that are handed over', () => {
  test('come with the outcome, beside the data of a kind', async () => {
    const model = createFakeModel({ text: fence('inputs', { scope: 'plan' }) + fence('review', { findings: [] }) });

    const outcome = await runAgent(agentInput(model, { inputs, produces: ['review'] }));

    expect(outcome).toMatchObject({
      ok: true,
      inputs: { variables: { scope: 'plan' }, properties: {} },
      produced: { kind: 'review' },
    });
  });

  test('that are wrong go back together with what is wrong with the data', async () => {
    const model = createFakeModel(
      { text: fence('inputs', { scope: 'x' }) },
      { text: fence('inputs', { scope: 'step' }) + fence('review', { findings: [] }) },
    );

    const outcome = await runAgent(agentInput(model, { inputs, produces: ['review'] }));

    expect(outcome).toMatchObject({ ok: true, answers: 2, inputs: { variables: { scope: 'step' } } });
    const back = model.requests[1]?.messages.at(-1);
    expect(back).toMatchObject({ role: 'user', text: expect.stringContaining('json:review') });
    expect(back).toMatchObject({ text: expect.stringContaining('`scope` must be one of "step", "plan", got "x"') });
  });

  test('that stay wrong fail the movement', async () => {
    const model = createFakeModel(...Array.from({ length: 4 }, () => ({ text: 'nothing' })));

    const outcome = await runAgent(agentInput(model, { inputs }));

    expect(outcome).toMatchObject({ ok: false, code: 'data_invalid', answers: 4 });
  });

  test('are absent where the movement has no inputSchema, whatever stands there', async () => {
    const model = createFakeModel({ text: fence('inputs', { scope: 'plan' }) });

    expect(await runAgent(agentInput(model))).not.toHaveProperty('inputs');
  });
});

test('a movement that used up its budget calls no model any more', async () => {
  const model = createFakeModel({ text: 'wrong' }, { text: fence('inputs', { scope: 'plan' }) });

  const limits = { maxSteps: 5, maxDataRetries: 3, timeoutMs: 600_000, maxTokens: 11 };
  const outcome = await runAgent(agentInput(model, { inputs, limits }));

  expect(outcome).toMatchObject({ ok: false, code: 'budget_exceeded', usage: { inputTokens: 10 } });
  expect(model.requests).toHaveLength(1);
});
