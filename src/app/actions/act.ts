/** The one code path of every action (spec 2: Actions): checks in the stated order, then the change, then the wake-up. */
import type { Clock, Ids } from '../../ports/clock.ts';
import type { GitLabPort } from '../../ports/gitlab.ts';
import type { LeasePort } from '../../ports/lease.ts';
import type { Log } from '../../ports/log.ts';
import type { PieceSource } from '../../ports/piece-source.ts';
import type { RunQueue } from '../../ports/run-queue.ts';
import type { RunStore } from '../../ports/run-store.ts';
import { readSettings } from '../project-settings.ts';
import { cancelRun } from './cancel.ts';
import { continueRun } from './continue.ts';
import { checkPermission } from './permissions.ts';
import { planItem } from './plan.ts';
import { type ActionRequest, type ActionResult, refuse } from './types.ts';

/** What a new run gets from the operator (D9). */
export interface OperatorSettings {
  provider: string;
  models: Record<string, string>;
  /** Milliseconds of GENERATING time. */
  runTimeoutMs: number;
  leaseMs: number;
}

export interface ActDeps {
  store: RunStore;
  gitlab: GitLabPort;
  lease: LeasePort;
  queue: RunQueue;
  pieces: PieceSource;
  clock: Clock;
  ids: Ids;
  log: Log;
  operator: OperatorSettings;
}

export async function act(deps: ActDeps, request: ActionRequest): Promise<ActionResult> {
  const { project, issue, person, action } = request;
  const read = await readSettings(deps.gitlab, project);
  if (!read.ok) return refuse('settings_invalid', read.message);
  const { settings } = read;
  if (!settings.enabled) return refuse('disabled', `Planning is disabled for ${project.path} by its settings file.`);
  const permission = await checkPermission(deps.gitlab, action, person.id, issue, settings.roles);
  if (!permission.ok) return refuse('forbidden', permission.message);
  const known: ActionRequest = { ...request, person: { ...person, role: permission.role } };
  const result = await change(deps, known, settings);
  if (result.kind === 'accepted') {
    deps.log.info({ runId: result.run.id, item: issue.reference, action, via: request.via }, 'action accepted');
    await Promise.all([
      result.status === 'GENERATING' ? deps.queue.wakeRuns([result.run.id]) : undefined,
      deps.queue.wakeDeliveries(),
    ]);
  }
  return result;
}

function change(deps: ActDeps, request: ActionRequest, settings: Parameters<typeof planItem>[2]): Promise<ActionResult> {
  switch (request.action) {
    case 'plan':
      return planItem(deps, request, settings);
    case 'continue':
    case 'approve':
    case 'reject':
      return continueRun(deps, request);
    case 'cancel':
      return cancelRun(deps, request);
    case 'replan':
      return Promise.resolve(refuse('not_supported', 'There is no execution of this item that could be replanned; use plan.'));
    default:
      return request.action satisfies never;
  }
}
