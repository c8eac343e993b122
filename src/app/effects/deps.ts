/** What effects are performed with. */

import type { Clock } from '../../ports/clock.ts';
import type { GitLabPort } from '../../ports/gitlab.ts';
import type { Log } from '../../ports/log.ts';
import type { ModelPort } from '../../ports/model.ts';
import type { OutboxStore } from '../../ports/outbox.ts';
import type { RepositoryPort } from '../../ports/repository.ts';
import type { ObserveModelCall } from '../agent/call.ts';
import type { Budgets } from '../budget/keeper.ts';

export interface EffectDeps extends AgentDeps {
  gitlab: GitLabPort;
  repository: RepositoryPort;
  outbox: Pick<OutboxStore, 'questionNotes'>;
}

/** What agents and judges are run with. */
export interface AgentDeps {
  /** Null: a run without a work item (a piece run locally). */
  gitlab: GitLabPort | null;
  model: ModelPort;
  clock: Clock;
  log: Log;
  /** Numeric ids of bots that may act. */
  allowedBots: readonly number[];
  limits: { agentSteps: number; agentTimeoutMs: number };
  /** Absent: only what a piece itself limits counts, and what is stored is not looked at. */
  budgets?: Budgets;
  observe?: ObserveModelCall;
}
