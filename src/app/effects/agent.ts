/** The effect that runs an agent: a movement's, a sub-movement's, or a loop monitor's judge (spec 1: Prompt, Reports, sessions). */
import { limitOutput } from '../../domain/piece/output.ts';
import { buildLoopPrompt, buildPrompt } from '../../domain/piece/prompt.ts';
import { extractReports } from '../../domain/piece/reports.ts';
import { sessionKey } from '../../domain/piece/session.ts';
import type { AgentMovement } from '../../domain/piece/types.ts';
import type { AgentEffect } from '../../domain/run/effects.ts';
import type { EventOf, RunEventBody } from '../../domain/run/events.ts';
import type { ModelMessage } from '../../domain/run/messages.ts';
import type { RunState } from '../../domain/run/state.ts';
import type { ModelTag } from '../../ports/model.ts';
import type { RepositorySnapshot } from '../../ports/repository.ts';
import type { Compaction } from '../agent/conversation.ts';
import { chooseModel } from '../agent/models.ts';
import { scriptPosition } from '../agent/position.ts';
import { type AgentOutcome, runAgent } from '../agent/run-agent.ts';
import { agentTools } from '../agent/tools.ts';
import { factsOf } from '../budget/price.ts';
import type { EffectContext, EffectOutcome } from '../runner/advance.ts';
import { createDataCheck } from './check-data.ts';
import { withDelegate } from './delegation.ts';
import type { AgentDeps } from './deps.ts';
import { callSettings, openMeter } from './metered.ts';

const MAX_DATA_RETRIES = 3;

/** What is asked of the agent, whichever kind of agent it is. */
interface Task {
  instructions: string | null;
  prompt: string;
  movement: AgentMovement | null;
  /** Null: a judge, which has no conversation. */
  session: { key: string; refresh: boolean } | null;
  tag: ModelTag;
}

export async function performAgent(
  deps: AgentDeps,
  effect: AgentEffect,
  context: EffectContext,
  repository: Promise<RepositorySnapshot | null>,
): Promise<EffectOutcome> {
  const { state, settings, piece, signal } = context;
  const task = effect.monitor === null ? movementTask(effect, context) : loopTask(effect, effect.monitor, context);
  const chosen = chooseModel(settings, task.movement);
  // What it is asked is what stood when it began, also when another sub-movement ends meanwhile.
  const history = historyOf(state, task);
  const snapshot = await repository;
  const meter = openMeter(deps, context, task.movement?.budget);
  const calls = { model: deps.model, clock: deps.clock, log: deps.log, meter, ...callSettings(deps, settings) };
  const tools = agentTools({
    gitlab: deps.gitlab,
    snapshot,
    state,
    movement: task.movement,
    allowedBots: deps.allowedBots,
  });
  const resumed = state.interrupted[effect.id];
  const timeoutMs = task.movement?.timeoutMs ?? deps.limits.agentTimeoutMs;
  try {
    const outcome = await runAgent({
      ...calls,
      tag: task.tag,
      modelId: chosen.model,
      instructions: task.instructions,
      history,
      prompt: task.prompt,
      ...(resumed === undefined ? {} : { resumed }),
      tools: withDelegate(tools, {
        ...calls,
        context,
        movement: task.movement,
        timeoutMs,
        steps: deps.limits.agentSteps,
      }),
      produces: task.movement?.produces ?? [],
      ...(task.movement?.inputs === undefined ? {} : { inputs: task.movement.inputs }),
      checkData: createDataCheck(state, effect.sub, snapshot),
      limits: {
        maxSteps: deps.limits.agentSteps,
        maxDataRetries: MAX_DATA_RETRIES,
        timeoutMs,
        contextTokens: factsOf(deps.model, chosen.model).contextTokens,
      },
      language: piece.language,
      signal,
    });
    const { passedOver } = chosen;
    const warning: RunEventBody[] =
      passedOver === null
        ? []
        : [{ type: 'warning', code: 'model_not_offered', message: passedOver, movement: effect.movement }];
    return { events: [...warning, ...outcomeEvents(effect, task, outcome)], usage: meter.rows(effect.id) };
  } finally {
    meter.close();
  }
}

/** A `continue` conversation goes on from what is stored; `refresh` begins anew (spec 1: session). */
function historyOf(state: RunState, task: Task): ModelMessage[] {
  if (!task.session || task.session.refresh) return [];
  return state.sessions[task.session.key] ?? [];
}

function placeOf(state: RunState): string {
  const commit = state.commit === null ? '' : ` @ ${state.commit}`;
  return `${state.item?.reference ?? 'local'}${commit}`;
}

function movementTask(effect: AgentEffect, context: EffectContext): Task {
  const { piece, state, run } = context;
  const isSub = effect.sub !== null;
  const movement = findAgent(context, effect);
  const { instructions, text } = buildPrompt({
    piece,
    bundle: run.piece,
    state,
    movement,
    isSub,
    place: placeOf(state),
  });
  return {
    instructions,
    prompt: text,
    movement,
    session: { key: sessionKey(movement, isSub), refresh: movement.session === 'refresh' },
    tag: {
      runId: state.runId,
      movement: movement.name,
      stage: 'agent',
      role: movement.agentName,
      produces: movement.produces,
      position: scriptPosition(state, effect.movement, effect.sub),
    },
  };
}

function findAgent(context: EffectContext, effect: AgentEffect): AgentMovement {
  const movement = context.piece.movements.find((candidate) => candidate.name === effect.movement);
  const found = movement?.kind === 'parallel' ? movement.subs.find((sub) => sub.name === effect.sub) : movement;
  if (found?.kind !== 'agent') throw new Error(`The effect ${effect.id} names no agent of the piece.`);
  return found;
}

function loopTask(effect: AgentEffect, monitor: number, context: EffectContext): Task {
  const { piece, state, run } = context;
  const cycleCount = state.phase.kind === 'judging' ? state.phase.loop.cycleCount : 0;
  const { instructions, text } = buildLoopPrompt({
    piece,
    bundle: run.piece,
    state,
    monitor,
    cycleCount,
    place: placeOf(state),
  });
  return {
    instructions,
    prompt: text,
    movement: null,
    session: null,
    tag: {
      runId: state.runId,
      movement: effect.movement,
      stage: 'loop',
      role: 'judge',
      produces: [],
      position: scriptPosition(state, effect.movement, null),
    },
  };
}

function outcomeEvents(effect: AgentEffect, task: Task, outcome: AgentOutcome): RunEventBody[] {
  const { movement, sub, id: effectId } = effect;
  if (!outcome.ok && outcome.spent !== undefined) {
    const { messages, answers, steps, spent } = outcome;
    return [
      ...compactedEvents(effect, task, outcome.compacted),
      { type: 'agent_interrupted', effectId, movement, sub, messages, answers, steps },
      { type: 'budget_reached', ...spent },
    ];
  }
  if (!outcome.ok) {
    const { code, message, answers } = outcome;
    return [{ type: 'agent_failed', effectId, movement, sub, code, message, answers }];
  }
  const { text, truncated } = limitOutput(outcome.output);
  const finished: EventOf<'agent_finished'> = {
    type: 'agent_finished',
    effectId,
    movement,
    sub,
    output: text,
    truncated,
    produced: outcome.produced,
    ...(outcome.inputs === undefined ? {} : { inputs: outcome.inputs }),
    session: task.session,
    messages: outcome.messages.map(kept),
  };
  return [...compactedEvents(effect, task, outcome.compacted), finished, ...reportEvents(effect, task, text)];
}

/** What the conversation is from here on, when it was shortened: replayed unchanged by whoever goes on with it. */
function compactedEvents(effect: AgentEffect, { session }: Task, compacted: Compaction | undefined): RunEventBody[] {
  if (compacted === undefined) return [];
  const { movement, sub, id: effectId } = effect;
  const { before, after, history } = compacted;
  const key = session?.key ?? null;
  const kept = key === null || session?.refresh || history.length === 0 ? null : history;
  return [{ type: 'conversation_compacted', effectId, movement, sub, session: key, messages: kept, before, after }];
}

/** What is longer than an output can be is kept as the output is: its end. */
function kept(message: ModelMessage): ModelMessage {
  return message.role === 'assistant' ? { ...message, text: limitOutput(message.text).text } : message;
}

function reportEvents(effect: AgentEffect, task: Task, output: string): RunEventBody[] {
  const spec = task.movement?.report;
  if (!spec) return [];
  const { movement, sub } = effect;
  const { files, warnings } = extractReports(spec, output);
  return [
    ...files.map(({ file, text }): RunEventBody => ({ type: 'report_written', movement, sub, file, text })),
    ...warnings.map(({ code, message }): RunEventBody => ({ type: 'warning', code, message, movement })),
  ];
}
