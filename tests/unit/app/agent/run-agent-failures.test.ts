import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { runAgent } from '../../../../src/app/agent/run-agent.ts';
import { defineTool, type Tool } from '../../../../src/app/agent/tool.ts';
import { PermanentFailure, TransientFailure } from '../../../../src/ports/failures.ts';
import { agentInput, echoCall, echoTool } from '../../../helpers/agent-input.ts';
import { createFakeClock } from '../../../helpers/fakes/clock.ts';
import { createFakeModel } from '../../../helpers/fakes/model.ts';

describe('failures', () => {
  test('a transient one is repeated after growing waits', async () => {
    const clock = createFakeClock();
    const busy = new TransientFailure('model_busy', 'busy');
    const model = createFakeModel(busy, busy, { text: 'Done.' });

    const running = runAgent(agentInput(model, { clock }));
    await clock.untilWaiting(1000);
    clock.advance(1000);
    await clock.untilWaiting(2000);
    clock.advance(2000);

    expect(await running).toMatchObject({ ok: true, output: 'Done.' });
  });

  test('a longer wait that the provider asks for is kept', async () => {
    const clock = createFakeClock();
    const model = createFakeModel(new TransientFailure('rate_limited', 'slow down', 45_000), { text: 'Done.' });

    const running = runAgent(agentInput(model, { clock }));
    await clock.untilWaiting(45_000);
    clock.advance(45_000);

    expect(await running).toMatchObject({ ok: true });
  });

  test('a tool that GitLab refuses the service’s token leaves the run to wait: nothing is planned out of nothing', async () => {
    const refused = new PermanentFailure('gitlab_unauthorized', '401');
    const read = defineTool({
      name: 'item_read',
      description: 'Reads.',
      input: z.strictObject({}),
      read: () => Promise.reject(refused),
    });
    const model = createFakeModel({ toolCalls: [{ id: '1', name: 'item_read', input: {} }] });

    await expect(runAgent(agentInput(model, { tools: [read] }))).rejects.toBe(refused);
  });

  test('a wait beyond all bounds is not begun', async () => {
    const clock = createFakeClock();
    const model = createFakeModel(new TransientFailure('rate_limited', 'tomorrow', 86_400_000));

    const outcome = await runAgent(agentInput(model, { clock }));

    expect(outcome).toMatchObject({ ok: false, code: 'rate_limited', message: 'tomorrow' });
    expect(clock.waits).toEqual([600_000]);
  });

  test('the fifth transient failure in a row is for good', async () => {
    const clock = createFakeClock();
    const busy = new TransientFailure('model_busy', 'busy');
    const model = createFakeModel(busy, busy, busy, busy, busy);

    const running = runAgent(agentInput(model, { clock }));
    for (const wait of [1000, 2000, 4000, 8000]) {
      await clock.untilWaiting(wait);
      clock.advance(wait);
    }

    expect(await running).toMatchObject({ ok: false, code: 'model_busy' });
  });

  test('a permanent one is not repeated, and counts as an answer', async () => {
    const model = createFakeModel(new PermanentFailure('model_refused', 'no'));

    expect(await runAgent(agentInput(model))).toMatchObject({
      ok: false,
      code: 'model_refused',
      message: 'no',
      answers: 1,
    });
  });

  test('an unexpected one is not hidden', async () => {
    const model = createFakeModel(new TypeError('a bug'));

    await expect(runAgent(agentInput(model))).rejects.toThrow('a bug');
  });

  test('the time limit ends a model that does not heed its signal', async () => {
    const clock = createFakeClock();
    const asked = Promise.withResolvers<void>();
    const model = createFakeModel(() => {
      asked.resolve();
      return new Promise(() => undefined);
    });

    const running = runAgent(agentInput(model, { clock }));
    await asked.promise;
    clock.advance(600_000);

    expect(await running).toMatchObject({ ok: false, code: 'timeout' });
  });

  test('an abort ends a tool at work at once, with its reason', async () => {
    const abort = new AbortController();
    const reason = new Error('canceled');
    const stuck: Tool = {
      definition: echoTool().definition,
      run: () => {
        abort.abort(reason);
        return new Promise(() => undefined);
      },
    };
    const model = createFakeModel({ toolCalls: [echoCall('a')] });

    await expect(runAgent(agentInput(model, { tools: [stuck], signal: abort.signal }))).rejects.toBe(reason);
  });

  test('nothing is asked under an aborted signal', async () => {
    const model = createFakeModel();

    await expect(runAgent(agentInput(model, { signal: AbortSignal.abort(new Error('over')) }))).rejects.toThrow('over');
    expect(model.requests).toEqual([]);
  });
});
