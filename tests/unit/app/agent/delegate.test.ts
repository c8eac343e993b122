import { describe, expect, test } from 'vitest';
import { delegateTool } from '../../../../src/app/agent/delegate.ts';
import { BudgetSpent } from '../../../../src/app/budget/keeper.ts';
import { PermanentFailure } from '../../../../src/ports/failures.ts';
import { echoCall, echoTool } from '../../../helpers/agent-input.ts';
import { createFakeClock } from '../../../helpers/fakes/clock.ts';
import { createMemoryLog } from '../../../helpers/fakes/log.ts';
import { createFakeModel, type FakeModel } from '../../../helpers/fakes/model.ts';

const never = new AbortController().signal;

function scene(
  model: FakeModel,
  bounds: { width?: number; tasks?: number; depth?: number; tokens?: number } = {},
  more = {},
) {
  return delegateTool({
    model,
    clock: createFakeClock(),
    log: createMemoryLog(),
    runId: 'run-1',
    modelId: 'm1',
    contextTokens: null,
    tools: [echoTool('repo_read')],
    bounds: { width: 2, tasks: 3, depth: 1, tokens: 1000, ...bounds },
    limits: { maxSteps: 3, timeoutMs: 60_000 },
    language: 'en',
    ...more,
  });
}

const about = (...titles: string[]) => ({ tasks: titles.map((title) => ({ title, instructions: `Find ${title}.` })) });

async function ask(tool: ReturnType<typeof scene>, input: object) {
  if (!tool) throw new Error('no tool');
  const { output, isError } = await tool.run(input, never);
  return { ...JSON.parse(output), isError };
}

describe('research by sub-agents', () => {
  test('is done side by side, each in a conversation of its own', async () => {
    const both = Promise.withResolvers<void>();
    let asked = 0;
    const answer = async (text: string) => {
      asked += 1;
      if (asked === 2) both.resolve();
      await both.promise;
      return { text };
    };
    const model = createFakeModel(
      () => answer('In a.ts.'),
      () => answer('In b.ts.'),
    );

    const { results } = await ask(scene(model), about('one', 'two'));

    expect(results).toEqual([
      { title: 'one', found: 'In a.ts.' },
      { title: 'two', found: 'In b.ts.' },
    ]);
    expect(model.requests.map(({ messages }) => messages)).toEqual([
      [{ role: 'user', text: '# one\n\nFind one.' }],
      [{ role: 'user', text: '# two\n\nFind two.' }],
    ]);
  });

  test('has the tools that read, and none to delegate further', async () => {
    const model = createFakeModel({ toolCalls: [echoCall('x', 'x', 'repo_read')] }, { text: 'Found.' });

    await ask(scene(model), about('one'));

    expect(model.requests[0]?.tools.map((tool) => tool.name)).toEqual(['repo_read']);
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('said');
  });

  test('may go one deeper where the bounds say so', async () => {
    const model = createFakeModel({ text: 'Found.' });

    await ask(scene(model, { depth: 2 }), about('one'));

    expect(model.requests[0]?.tools.map((tool) => tool.name)).toEqual(['repo_read', 'research_delegate']);
  });

  test('is bounded in width by the input, and in all', async () => {
    const model = createFakeModel({ text: '1' }, { text: '2' }, { text: '3' });
    const tool = scene(model);

    const wide = await ask(tool, about('a', 'b', 'c'));
    const first = await ask(tool, about('a', 'b'));
    const second = await ask(tool, about('c', 'd'));

    expect(wide).toMatchObject({ isError: true, error: { code: 'invalid_input' } });
    expect(first.results).toHaveLength(2);
    expect(second.results).toEqual([
      { title: 'c', found: '3' },
      { title: 'd', error: expect.stringContaining('No sub-agents are left') },
    ]);
  });

  test('is bounded in tokens each', async () => {
    const usage = { inputTokens: 900, outputTokens: 200, estimated: false };
    const model = createFakeModel({ toolCalls: [echoCall('x', 'x', 'repo_read')], usage });

    const { results } = await ask(scene(model), about('one'));

    expect(results[0].error).toContain('budget_exceeded');
  });

  test('of one that fails is told, the others stay', async () => {
    const model = createFakeModel(new PermanentFailure('model_refused', 'No.'), { text: 'Found.' });

    const { results } = await ask(scene(model), about('one', 'two'));

    expect(results).toEqual([
      { title: 'one', error: 'model_refused: No.' },
      { title: 'two', found: 'Found.' },
    ]);
  });

  test('without budget interrupts the agent that delegates', async () => {
    const spent = new BudgetSpent({ scope: 'run', what: 'tokens', used: 9, limit: 9 });
    const meter = { before: () => Promise.reject(spent), after: () => undefined };

    await expect(ask(scene(createFakeModel(), {}, { meter }), about('one'))).rejects.toMatchObject({
      name: 'BudgetSpent',
      reached: spent.reached,
    });
  });

  test('is not offered with bounds of nothing', () => {
    expect(scene(createFakeModel(), { depth: 0 })).toBeNull();
    expect(scene(createFakeModel(), { tasks: 0 })).toBeNull();
  });
});
