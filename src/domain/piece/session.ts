/** Conversations of agents (spec 1: Movement, `session`). */
import type { AgentMovement } from './types.ts';

/** The key of a movement's conversation: the agent file, else its name; a sub-movement's is always its own name. */
export function sessionKey(movement: AgentMovement, isSub: boolean): string {
  return isSub ? movement.name : (movement.agentFile ?? movement.name);
}
