/** What effects are performed with. */
import type { Clock } from '../../ports/clock.ts';
import type { GitLabPort } from '../../ports/gitlab.ts';
import type { Log } from '../../ports/log.ts';
import type { ModelPort } from '../../ports/model.ts';
import type { OutboxStore } from '../../ports/outbox.ts';
import type { RepositoryPort } from '../../ports/repository.ts';

export interface EffectDeps {
  gitlab: GitLabPort;
  repository: RepositoryPort;
  outbox: Pick<OutboxStore, 'notesOfRun'>;
  model: ModelPort;
  clock: Clock;
  log: Log;
  /** Numeric ids of bots that may act. */
  allowedBots: readonly number[];
  limits: { agentSteps: number; agentTimeoutMs: number };
}
