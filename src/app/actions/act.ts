/** The one code path of every action (spec 2: Actions): checks in the stated order, then the change, then the wake-up. */
import { PermanentFailure } from '../../ports/failures.ts';
import type { GitLabProject } from '../../ports/gitlab.ts';
import { readSettings, SETTINGS_FILE, type SettingsResult } from '../project-settings.ts';
import { cancelRun } from './cancel.ts';
import { continueRun } from './continue.ts';
import { checkPermission } from './permissions.ts';
import { planItem } from './plan.ts';
import { type ActDeps, type ActionRequest, type ActionResult, refuse } from './types.ts';

export async function act(deps: ActDeps, request: ActionRequest): Promise<ActionResult> {
  const { project, issue, person, action } = request;
  const read = await settingsOf(deps, project);
  if (!read.ok) return refuse('settings_invalid', read.message);
  const { settings } = read;
  if (!settings.enabled) return refuse('disabled', `Planning is disabled for ${project.path} by its settings file.`);
  const permission = await checkPermission(deps.gitlab, action, person.id, issue, settings.roles);
  if (!permission.ok) return refuse('forbidden', permission.message);
  // Nobody may update an item there, and nothing could be posted; a run at work can still be stopped.
  if (project.archived && action !== 'cancel')
    return refuse('project_archived', `The project ${project.path} is archived: its items can only be read.`);
  if (!(await botSees(deps, request)))
    return refuse(
      'bot_cannot_see_item',
      `The service's bot cannot read ${issue.reference}: add it to ${project.path} with a role that may.`,
    );
  const other = await anotherRun(deps, request);
  if (other) return other;
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

/** What the bot may not read is said as what it is, not as a failure of GitLab. */
async function settingsOf(deps: ActDeps, project: GitLabProject): Promise<SettingsResult> {
  try {
    return await readSettings(deps.gitlab, project);
  } catch (error) {
    if (!(error instanceof PermanentFailure) || error.code !== 'gitlab_forbidden') throw error;
    const message = `The service's bot may not read ${SETTINGS_FILE}: give it a role in ${project.path} that may read the code.`;
    return { ok: false, message };
  }
}

/** A reaction to the status note of a run that is not the item's newest means nothing that could be done. */
async function anotherRun(deps: ActDeps, { action, issue, runId }: ActionRequest): Promise<ActionResult | null> {
  if (runId === undefined) return null;
  const latest = await deps.store.latestForItem(issue.id);
  if (latest?.id === runId) return null;
  const code = action === 'cancel' ? 'not_running' : 'not_resumable';
  return refuse(
    code,
    'That run is over, and this note is its own; the newest run has a status note of its own.',
    latest,
  );
}

/** Nothing is begun that could not go on. What came by a delivery was read as the bot already; a cancel needs no reading. */
async function botSees(deps: ActDeps, { action, via, issue }: ActionRequest): Promise<boolean> {
  if (action === 'cancel' || (via !== 'api' && via !== 'page')) return true;
  return (await deps.gitlab.issue(issue.projectId, issue.iid)) !== null;
}

function change(
  deps: ActDeps,
  request: ActionRequest,
  settings: Parameters<typeof planItem>[2],
): Promise<ActionResult> {
  switch (request.action) {
    case 'plan':
      return planItem(deps, request, settings);
    case 'continue':
    case 'approve':
    case 'reject':
      return continueRun(deps, request, settings);
    case 'cancel':
      return cancelRun(deps, request);
    case 'replan':
      return Promise.resolve(
        refuse('not_supported', 'There is no execution of this item that could be replanned; use plan.'),
      );
    default:
      return request.action satisfies never;
  }
}
