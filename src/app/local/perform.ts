/** Effects of a local run: agents and judges as in the service, what needs GitLab answered here. */
import type { Effect } from '../../domain/run/effects.ts';
import type { RunEventBody } from '../../domain/run/events.ts';
import { detectLanguage } from '../../domain/workplan/language.ts';
import type { ModelPort } from '../../ports/model.ts';
import { createBudgets } from '../budget/keeper.ts';
import { performAgent } from '../effects/agent.ts';
import type { AgentDeps } from '../effects/deps.ts';
import { performJudge } from '../effects/judge.ts';
import { retrying } from '../effects/perform.ts';
import type { EffectContext, EffectOutcome, PerformEffect } from '../runner/advance.ts';
import { type LocalLine, subStart } from './lines.ts';

export interface LocalPerformDeps extends Omit<AgentDeps, 'gitlab'> {
  /** The script found no entry for a call: the sentence that says so, else null. */
  exhausted(): string | null;
  /** What was said at the pause that is being continued. */
  replies(effectId: string): RunEventBody;
  emit(line: LocalLine): void;
}

/** The script has no entry for a call. It ends the run at once: no `on_failure` and no judge's silence hides it. */
export class ScriptExhausted extends Error {}

export function createLocalPerformer(deps: LocalPerformDeps): PerformEffect {
  const asked = new Set<string>();
  const model = promptsOf(deps.model, asked, deps.emit);
  const budgets = deps.budgets ?? createBudgets({ usage: null, model, clock: deps.clock });
  const perform = retrying(deps, (effect, context) => performOnce({ ...deps, model, budgets }, effect, context));
  return async (effect, context) => {
    if (effect.kind === 'agent') {
      asked.add(effect.sub ?? effect.movement);
      if (effect.sub !== null) deps.emit(startOf(effect.movement, effect.sub, context));
    }
    const outcome = await perform(effect, context);
    const exhausted = deps.exhausted();
    if (exhausted !== null) throw new ScriptExhausted(exhausted);
    return outcome;
  };
}

async function performOnce(deps: LocalPerformDeps, effect: Effect, context: EffectContext): Promise<EffectOutcome> {
  switch (effect.kind) {
    case 'pin':
      return only({ type: 'pinned', effectId: effect.id, commit: null, language: detectLanguage(context.state.goal) });
    case 'replies':
      return only(deps.replies(effect.id));
    case 'action':
      return only({
        type: 'action_finished',
        effectId: effect.id,
        movement: effect.movement,
        outcome: 'done',
        message: `The action ${effect.action} of "${effect.movement}" was skipped: a local run performs none.`,
        // Nothing is published; the run goes on to its scoring all the same, where the service may be told to leave it out.
        data: { skipped: true, ...(effect.action === 'publish_workplan' ? { workplan: null, scoring: true } : {}) },
      });
    case 'agent':
      return performAgent({ ...deps, gitlab: null }, effect, context, Promise.resolve(null));
    case 'judge':
      return performJudge({ ...deps, gitlab: null }, effect, context);
    default:
      return effect satisfies never;
  }
}

function only(event: RunEventBody): EffectOutcome {
  return { events: [event], usage: [] };
}

function startOf(parent: string, sub: string, { piece, state }: EffectContext): LocalLine {
  const iteration = state.current?.iteration ?? state.iteration;
  return subStart(piece, parent, sub, { iteration, movementIteration: state.movementIteration[parent] ?? 1 });
}

/** Tells the prompt that an agent begins with; the agent file's text stands in it where the conversation begins. */
function promptsOf(model: ModelPort, asked: Set<string>, emit: (line: LocalLine) => void): ModelPort {
  return {
    ...model,
    complete(request) {
      const { tag, messages, instructions } = request;
      const last = messages.at(-1);
      if (tag.stage !== 'judge' && last?.role === 'user' && asked.delete(tag.movement)) {
        const agent = messages.length === 1 && instructions !== undefined ? `${instructions.trimEnd()}\n\n---\n\n` : '';
        emit({ event: 'prompt', movement: tag.movement, text: `${agent}${last.text}` });
      }
      return model.complete(request);
    },
  };
}
