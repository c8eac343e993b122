/** Performs effects (D2, D6–D8): one place that turns an effect into its outcome. A failure for good is an outcome, never an exception. */
import type { Effect } from '../../domain/run/effects.ts';
import type { RunEventBody } from '../../domain/run/events.ts';
import { PermanentFailure, TransientFailure } from '../../ports/failures.ts';
import type { RepositorySnapshot } from '../../ports/repository.ts';
import type { RunSettings } from '../../ports/run-store.ts';
import { createBudgets } from '../budget/keeper.ts';
import type { EffectContext, EffectOutcome, PerformEffect } from '../runner/advance.ts';
import { isStall, isStalledForGood, Stalled } from '../stall.ts';
import { performAction } from './actions.ts';
import { performAgent } from './agent.ts';
import type { EffectDeps } from './deps.ts';
import { performJudge } from './judge.ts';
import { pin } from './pin.ts';
import { readReplies } from './replies.ts';

/** With the waits between them about five minutes: an outage of GitLab that is shorter ends no run. */
const MAX_TRIES = 12;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 60_000;

export function createPerformer(deps: EffectDeps): PerformEffect {
  // One for all effects: it counts over them.
  const budgets = deps.budgets ?? createBudgets({ usage: null, model: deps.model, clock: deps.clock });
  const counted = { ...deps, budgets };
  return retrying(deps, (effect, context) => performOnce(withStored(counted, context.settings), effect, context));
}

/** What stays with a run counts, whatever this process says by now (D9). */
function withStored(deps: EffectDeps, { agent, allowedBots }: RunSettings): EffectDeps {
  const limits = agent ? { agentSteps: agent.steps, agentTimeoutMs: agent.timeoutMs } : deps.limits;
  return { ...deps, limits, allowedBots: allowedBots ?? deps.allowedBots };
}

/** Repeats what failed for a while; what fails for good becomes the outcome that says so. */
export function retrying(deps: Pick<EffectDeps, 'clock' | 'log'>, perform: PerformEffect): PerformEffect {
  return async (effect, context) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await perform(effect, context);
      } catch (error) {
        if (context.signal.aborted) throw error;
        if (error instanceof PermanentFailure && isStall(error) && !isStalledForGood(context.state, deps.clock.now()))
          throw new Stalled(error);
        if (!(error instanceof TransientFailure) || tries >= MAX_TRIES) return failed(deps, effect, error);
        const backoff = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (tries - 1));
        deps.log.warn({ effectId: effect.id, code: error.code, tries }, 'effect is tried again');
        await deps.clock.sleep(Math.max(backoff, error.retryAfterMs ?? 0), context.signal);
      }
    }
  };
}

async function performOnce(deps: EffectDeps, effect: Effect, context: EffectContext): Promise<EffectOutcome> {
  const { state, settings, signal } = context;
  switch (effect.kind) {
    case 'pin':
      return only(await pin(deps, state, settings, effect.id, signal));
    case 'replies':
      return only(await readReplies(deps, state, settings, effect, signal));
    case 'action': {
      const snapshot = await snapshotOf(deps, context);
      const project = state.item && (await deps.gitlab.project(state.item.projectId, { signal }));
      const { id: effectId, movement, action } = effect;
      const scores = context.piece.movements.some((one) => one.kind === 'action' && one.action === 'compute_score');
      return only(
        performAction({
          effectId,
          movement,
          action,
          state,
          settings,
          scores,
          snapshot,
          projectUrl: project?.webUrl ?? null,
        }),
      );
    }
    case 'agent': {
      const repository = snapshotOf(deps, context);
      repository.catch(() => undefined); // Awaited there, unless the agent cannot begin at all.
      return performAgent(deps, effect, context, repository);
    }
    case 'judge':
      return performJudge(deps, effect, context);
    default:
      return effect satisfies never;
  }
}

function only(event: RunEventBody): EffectOutcome {
  return { events: [event], usage: [] };
}

/** The repository at the run's commit; null when the project has none. */
async function snapshotOf(deps: EffectDeps, context: EffectContext): Promise<RepositorySnapshot | null> {
  const { item, commit } = context.state;
  if (!item || commit === null) return null;
  return deps.repository.snapshot(item.projectId, commit, { signal: context.signal });
}

/** What the run is told when an effect failed for good (D3: an event, never silence). */
function failed(deps: Pick<EffectDeps, 'log'>, effect: Effect, error: unknown): EffectOutcome {
  const known = error instanceof TransientFailure || error instanceof PermanentFailure;
  const code = known ? error.code : 'internal';
  const message = known ? error.message : 'Something unexpected went wrong; the service log says more.';
  deps.log.error(
    { effectId: effect.id, code, error: error instanceof Error ? (error.stack ?? error.message) : String(error) },
    'effect failed',
  );
  return only(failureEvent(effect, code, message));
}

function failureEvent(effect: Effect, code: string, message: string): RunEventBody {
  const { id: effectId } = effect;
  switch (effect.kind) {
    case 'pin':
      return { type: 'pin_failed', effectId, code, message };
    case 'replies':
      return { type: 'replies_failed', effectId, pauseId: effect.pauseId, code, message };
    case 'action':
      return { type: 'action_finished', effectId, movement: effect.movement, outcome: 'failed', message, data: {} };
    case 'agent':
      return { type: 'agent_failed', effectId, movement: effect.movement, sub: effect.sub, code, message };
    case 'judge': {
      const { movement, sub, stage } = effect;
      return { type: 'judge_answered', effectId, movement, sub, stage, index: null, error: `${code}: ${message}` };
    }
    default:
      return effect satisfies never;
  }
}
