/** The effect that asks a judge which condition an output meets; one that fails is "no match" at its stage (spec 1: Which rule wins). */
import type { JudgeEffect } from '../../domain/run/effects.ts';
import type { EventOf } from '../../domain/run/events.ts';
import { askJudge } from '../agent/judge.ts';
import { scriptPosition } from '../agent/position.ts';
import type { EffectContext, EffectOutcome } from '../runner/advance.ts';
import type { AgentDeps } from './deps.ts';

export async function performJudge(
  deps: AgentDeps,
  effect: JudgeEffect,
  context: EffectContext,
): Promise<EffectOutcome> {
  const { state, settings, piece, signal } = context;
  const { movement, sub, stage, conditions, output, id: effectId } = effect;
  const modelId = settings.models['judge'] ?? settings.models['default'] ?? '';
  const answer = await askJudge({
    model: deps.model,
    clock: deps.clock,
    log: deps.log,
    tag: {
      runId: state.runId,
      movement: sub ?? movement,
      stage: 'judge',
      role: 'judge',
      produces: [],
      position: scriptPosition(state, movement, sub),
    },
    modelId,
    stage,
    conditions,
    output,
    language: piece.language,
    timeoutMs: deps.limits.agentTimeoutMs,
    signal,
  });
  const error = answer.error === undefined ? {} : { error: answer.error };
  const event: EventOf<'judge_answered'> = {
    type: 'judge_answered',
    effectId,
    movement,
    sub,
    stage,
    index: answer.index,
    ...error,
  };
  const used = answer.usage.inputTokens + answer.usage.outputTokens > 0;
  return { events: [event], usage: used ? [{ effectId, model: modelId, ...answer.usage }] : [] };
}
