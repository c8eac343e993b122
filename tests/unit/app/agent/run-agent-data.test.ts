import { describe, expect, test } from 'vitest';
import { type AgentInput, runAgent } from '../../../../src/app/agent/run-agent.ts';
import { agentInput } from '../../../helpers/agent-input.ts';
import { createFakeModel, fakeTag } from '../../../helpers/fakes/model.ts';

const missing = '```json:context_request\n{"missing": ["who asks"]}\n```';

describe('data', () => {
  test('is taken out of the output and checked', async () => {
    const model = createFakeModel({ text: `Too thin.\n${missing}` });

    const outcome = await runAgent(agentInput(model, { produces: ['context_request'] }));

    expect(outcome).toMatchObject({
      ok: true,
      produced: { kind: 'context_request', value: { missing: ['who asks'] } },
    });
  });

  test('that is wrong goes back with the problems', async () => {
    const model = createFakeModel({ text: 'No data.' }, { text: missing });

    const outcome = await runAgent(agentInput(model, { produces: ['context_request'] }));

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

    const outcome = await runAgent(agentInput(model, { produces: ['context_request'], checkData }));

    expect(outcome).toMatchObject({ ok: true, produced: { value: { missing: ['why'] } } });
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('Ask why instead.');
  });

  test('that is wrong four times fails the agent', async () => {
    const model = createFakeModel({ text: 'a' }, { text: 'b' }, { text: 'c' }, { text: 'd' });

    const outcome = await runAgent(agentInput(model, { produces: ['context_request'] }));

    expect(outcome).toMatchObject({ ok: false, code: 'data_invalid', answers: 4, usage: { inputTokens: 40 } });
  });

  test('an empty output goes back', async () => {
    const model = createFakeModel({ text: ' \n' }, { text: 'Done.' });

    const outcome = await runAgent(agentInput(model, { language: 'ja' }));

    expect(outcome).toMatchObject({ ok: true, output: 'Done.', answers: 2 });
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('出力が空でした');
  });

  test('every answer has its own position in a script', async () => {
    const position = { movement: 1, run: 4, judge: 0, byMovement: { plan: 1, research: 3 } };
    const model = createFakeModel({ text: 'a' }, { text: missing });

    await runAgent(agentInput(model, { tag: fakeTag({ position }), produces: ['context_request'] }));

    expect(model.requests.map((request) => request.tag.position)).toEqual([
      position,
      { movement: 2, run: 5, judge: 0, byMovement: { plan: 2, research: 3 } },
    ]);
  });
});
