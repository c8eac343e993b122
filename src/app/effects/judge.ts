/** The effect that asks a judge which condition an output meets; one that fails is "no match" at its stage (spec 1: Which rule wins). */
import type { JudgeEffect } from '../../domain/run/effects.ts';
import type { EventOf } from '../../domain/run/events.ts';
import { askJudge } from '../agent/judge.ts';
import { modelOfRole } from '../agent/models.ts';
import { scriptPosition } from '../agent/position.ts';
import { BudgetSpent } from '../budget/keeper.ts';
import type { EffectContext, EffectOutcome } from '../runner/advance.ts';
import type { AgentDeps } from './deps.ts';
import { callSettings, openMeter } from './metered.ts';

export async function performJudge(
  deps: AgentDeps,
  effect: JudgeEffect,
  context: EffectContext,
): Promise<EffectOutcome> {
  const { state, settings, piece, signal } = context;
  const { movement, sub, stage, conditions, output, id: effectId } = effect;
  const modelId = modelOfRole(settings, 'judge');
  const meter = openMeter(deps, context, undefined);
  try {
    const answer = await askJudge({
      model: deps.model,
      clock: deps.clock,
      log: deps.log,
      meter,
      ...callSettings(deps, settings),
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
    return { events: [event], usage: meter.rows(effectId) };
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error;
    return { events: [{ type: 'budget_reached', ...error.reached }], usage: meter.rows(effectId) };
  } finally {
    meter.close();
  }
}
