import { describe, expect, test } from 'vitest';
import { performAgent } from '../../../../src/app/effects/agent.ts';
import { loadPiece } from '../../../../src/domain/piece/load.ts';
import { UNLIMITED } from '../../../../src/domain/run/budget.ts';
import { decide } from '../../../../src/domain/run/decide.ts';
import { EVENT_VERSION, type RunEventBody } from '../../../../src/domain/run/events.ts';
import { apply, fold } from '../../../../src/domain/run/fold.ts';
import type { ModelFacts, ModelPort } from '../../../../src/ports/model.ts';
import type { RunSettings } from '../../../../src/ports/run-store.ts';
import { createFakeClock } from '../../../helpers/fakes/clock.ts';
import { createMemoryLog } from '../../../helpers/fakes/log.ts';
import { createFakeModel, type FakeReply } from '../../../helpers/fakes/model.ts';
import { createMemoryRunStore } from '../../../helpers/fakes/run-store.ts';
import { planningPiece, startRun } from '../setup.ts';

interface Options {
  movement?: string;
  facts?: Partial<ModelFacts>;
  settings?: Partial<RunSettings>;
}

/** The agent of a piece with one movement, as the run's driver would ask it again and again. */
async function scene(replies: FakeReply[], { movement = '', facts = {}, settings = {} }: Options = {}) {
  const text = `name: workplan
max_iterations: 9
movements:
  - { name: look, edit: false, ${movement} rules: [{ condition: again, next: look }, { condition: seen, next: COMPLETE }] }
`;
  const bundle = { ...planningPiece, text };
  const clock = createFakeClock();
  const claimed = await startRun(createMemoryRunStore(clock), { piece: bundle });
  const run = { ...claimed, settings: { ...claimed.settings, ...settings } };
  const { piece } = loadPiece(bundle);
  if (!piece) throw new Error('bad piece');
  const state = fold(run.row.id, run.events);
  const fake = createFakeModel(...replies);
  const model: ModelPort = {
    ...fake,
    about: () => ({ contextTokens: null, price: { input: 1, output: 1 }, ...facts }),
  };
  const deps = {
    gitlab: null,
    model,
    clock,
    log: createMemoryLog(),
    allowedBots: [],
    limits: { agentSteps: 5, agentTimeoutMs: 60_000 },
  };
  const record = (...events: RunEventBody[]): void => {
    for (const event of events)
      apply(state, { ...event, v: EVENT_VERSION, seq: state.seq + 1, at: clock.now().toISOString() });
  };
  if (state.phase.kind === 'pinning') record({ type: 'pinned', effectId: 'p', commit: null, language: 'en' });

  /** Lets the piece go on to its next agent and asks it. */
  async function ask(): Promise<RunEventBody[]> {
    for (;;) {
      const decision = decide(piece as NonNullable<typeof piece>, state);
      if (decision.kind === 'record') {
        record(...decision.events);
        continue;
      }
      const effect = decision.kind === 'effects' ? decision.effects[0] : undefined;
      if (effect?.kind !== 'agent' || !piece) throw new Error(`no agent is asked: ${decision.kind}`);
      const context = { piece, run, settings: run.settings, state, signal: new AbortController().signal };
      const { events } = await performAgent(deps, effect, context, Promise.resolve(null));
      record(...events);
      return events;
    }
  }
  return { ask, fake, state };
}

describe('a conversation that was shortened', () => {
  test('is an event of the run, and is sent unchanged from then on', async () => {
    const long = `${'a'.repeat(9000)} [STEP:0]`;
    const { ask, fake } = await scene([{ text: long }, { text: 'b [STEP:0]' }, { text: 'c [STEP:1]' }], {
      movement: 'pass_previous_response: false,',
      facts: { contextTokens: 4000 },
    });

    await ask();
    const second = await ask();
    await ask();

    expect(second.map((event) => event.type)).toEqual(['conversation_compacted', 'agent_finished']);
    const [one = [], two = []] = [fake.requests[1]?.messages, fake.requests[2]?.messages];
    expect(JSON.stringify(one)).toContain('left out');
    expect(two.slice(0, one.length)).toEqual(one);
  });
});

describe('an agent without budget', () => {
  test('keeps what it said, and says it again when it is resumed', async () => {
    const call = { id: 'c1', name: 'questions_read', input: {} };
    const usage = { inputTokens: 900, outputTokens: 1, estimated: false };
    const { ask, fake, state } = await scene([{ toolCalls: [call], usage }, { text: 'Done. [STEP:1]' }], {
      settings: { budget: { run: { ...UNLIMITED, tokens: 1200 }, day: UNLIMITED } },
    });

    const stopped = await ask();
    expect(stopped).toMatchObject([
      { type: 'agent_interrupted', steps: 1 },
      { type: 'budget_reached', used: 901 },
    ]);
    if (state.phase.kind === 'spent') state.phase = state.phase.before;
    state.budget = { run: UNLIMITED, day: UNLIMITED };
    await ask();

    expect(fake.requests[1]?.messages.slice(0, 2)).toEqual([
      fake.requests[0]?.messages[0],
      { role: 'assistant', text: '', toolCalls: [call] },
    ]);
  });
});

describe('the tool to delegate research', () => {
  const delegate = { width: 2, tasks: 4, depth: 1, tokens: 1000 };
  const toolsOf = async (movement: string, settings: Partial<RunSettings>) => {
    const { ask, fake } = await scene([{ text: 'Done.' }], { movement, settings });
    await ask().catch(() => undefined);
    return fake.requests[0]?.tools.map((tool) => tool.name) ?? [];
  };

  test('is offered to who researches, where the settings allow it, behind all others', async () => {
    expect((await toolsOf('produces: research,', { delegate })).at(-1)).toBe('research_delegate');
    expect(await toolsOf('produces: research,', {})).not.toContain('research_delegate');
    expect(await toolsOf('produces: workplan,', { delegate })).not.toContain('research_delegate');
  });

  test('is narrowed away like any other', async () => {
    const narrow = 'produces: research, allowed_tools: [questions_read],';
    const named = 'produces: research, allowed_tools: [questions_read, research_delegate],';

    expect(await toolsOf(narrow, { delegate })).toEqual(['questions_read']);
    expect(await toolsOf(named, { delegate })).toEqual(['questions_read', 'research_delegate']);
  });
});

test('a movement that names a model which is not offered is told', async () => {
  const { ask, fake } = await scene([{ text: 'Done. [STEP:1]' }], {
    movement: 'provider: claude, model: opus,',
    settings: {
      models: { default: 'anthropic:claude-x' },
      offered: { provider: 'anthropic', providers: ['anthropic'], models: [] },
    },
  });

  const events = await ask();

  expect(events[0]).toMatchObject({ type: 'warning', code: 'model_not_offered' });
  expect(fake.requests[0]?.model).toBe('anthropic:claude-x');
});
