import { z } from 'zod';
import type { AgentInput } from '../../src/app/agent/run-agent.ts';
import { defineTool, type Tool } from '../../src/app/agent/tool.ts';
import { createFakeClock } from './fakes/clock.ts';
import { createMemoryLog } from './fakes/log.ts';
import { type FakeModel, fakeTag } from './fakes/model.ts';

export function agentInput(model: FakeModel, more: Partial<AgentInput> = {}): AgentInput {
  return {
    model,
    tag: fakeTag(),
    modelId: 'm1',
    instructions: 'You plan.',
    history: [],
    prompt: 'Plan this.',
    tools: [],
    produces: [],
    limits: { maxSteps: 5, maxDataRetries: 3, timeoutMs: 600_000 },
    signal: new AbortController().signal,
    clock: createFakeClock(),
    log: createMemoryLog(),
    ...more,
  };
}

export function echoTool(name = 'echo'): Tool {
  const input = z.strictObject({ text: z.string() });
  return defineTool({ name, description: 'Says it again.', input, read: ({ text }) => ({ said: text }) });
}

export function echoCall(text: string, id = text, name = 'echo') {
  return { id, name, input: { text } };
}
