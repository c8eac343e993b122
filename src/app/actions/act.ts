/** The one code path of every action (spec 2: Actions): checks in the stated order, then the change, then the wake-up. */
import { readSettings } from '../project-settings.ts';
import { cancelRun } from './cancel.ts';
import { continueRun } from './continue.ts';
import { checkPermission } from './permissions.ts';
import { planItem } from './plan.ts';
import { type ActDeps, type ActionRequest, type ActionResult, refuse } from './types.ts';

export async function act(deps: ActDeps, request: ActionRequest): Promise<ActionResult> {
  const { project, issue, person, action } = request;
  const read = await readSettings(deps.gitlab, project);
  if (!read.ok) return refuse('settings_invalid', read.message);
  const { settings } = read;
  if (!settings.enabled) return refuse('disabled', `Planning is disabled for ${project.path} by its settings file.`);
  const permission = await checkPermission(deps.gitlab, action, person.id, issue, settings.roles);
  if (!permission.ok) return refuse('forbidden', permission.message);
  if (!(await botSees(deps, request)))
    return refuse(
      'bot_cannot_see_item',
      `The service's bot cannot read ${issue.reference}: add it to ${project.path} with a role that may.`,
    );
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

/** Nothing is begun that could not go on. What came by comment was read as the bot already; a cancel needs no reading. */
async function botSees(deps: ActDeps, { action, via, issue }: ActionRequest): Promise<boolean> {
  if (action === 'cancel' || via === 'comment') return true;
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
      return continueRun(deps, request);
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
