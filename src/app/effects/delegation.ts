/** Who may have sub-agents research (spec 2: The default piece), and what those may read. */
import type { AgentMovement } from '../../domain/piece/types.ts';
import type { CallDeps } from '../agent/call.ts';
import { DELEGATE_TOOL, delegateTool } from '../agent/delegate.ts';
import { modelOfRole, roleOf } from '../agent/models.ts';
import type { Tool } from '../agent/tool.ts';
import { factsOf } from '../budget/price.ts';
import type { EffectContext } from '../runner/advance.ts';

/** Of the item, its discussions and the code; what a run has gathered is the delegating agent's. */
const READABLE = /^(?:item_|discussions_|repo_)/;

export interface Delegation extends CallDeps {
  context: EffectContext;
  /** Null: a judge. */
  movement: AgentMovement | null;
  /** Of the delegating agent. */
  timeoutMs: number;
  steps: number;
}

/** The tools with one to delegate, for agents that research, where the run's settings allow it and the movement does not narrow it away. */
export function withDelegate(tools: Tool[], delegation: Delegation): Tool[] {
  const { context, movement, timeoutMs, steps, ...calls } = delegation;
  const { settings, state, piece } = context;
  const bounds = settings.delegate;
  if (bounds === undefined || movement === null || roleOf(movement.produces) !== 'research') return tools;
  if (movement.allowedTools && !movement.allowedTools.includes(DELEGATE_TOOL)) return tools;
  const modelId = modelOfRole(settings, 'research');
  const tool = delegateTool({
    ...calls,
    runId: state.runId,
    modelId,
    contextTokens: factsOf(calls.model, modelId).contextTokens,
    tools: tools.filter((one) => READABLE.test(one.definition.name)),
    bounds,
    // It has to end before the one that waits for it.
    limits: { maxSteps: Math.max(1, Math.ceil(steps / 2)), timeoutMs: Math.ceil(timeoutMs / 2) },
    language: piece.language,
  });
  return tool ? [...tools, tool] : tools;
}
