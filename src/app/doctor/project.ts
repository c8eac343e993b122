/** A project: the bot's role, hook, labels, settings file. */
import { LABELS } from '../../domain/workplan/labels.ts';
import { PermanentFailure } from '../../ports/failures.ts';
import type { GitLabPort, GitLabProject, HookSettings } from '../../ports/gitlab.ts';
import { type GitLabSetup, HOOK_EVENTS, type ProjectHook } from '../../ports/gitlab-setup.ts';
import type { PieceSource } from '../../ports/piece-source.ts';
import { HOOK_PATH, secretState } from '../connect.ts';
import { readSettings, SETTINGS_FILE } from '../project-settings.ts';
import { type Finding, failure, guarded, info, ok, warning } from './finding.ts';

export interface ProjectChecks {
  gitlab: Pick<GitLabPort, 'me' | 'project' | 'member' | 'rawFile'>;
  setup: GitLabSetup;
  pieces: PieceSource;
  /** As it should be set at the project; null: neither token nor signing token is set. */
  hook: HookSettings | null;
  /** What the service has noticed of the project; absent: there is nothing to ask. */
  noticed?: (projectId: number) => Promise<{ code: string; message: string }[]>;
  /** The operator's ceiling of `max_live_runs`. */
  maxLiveRuns: number | null;
}

/** Roles that may read code, comment, edit items and set labels. Guest and Planner do not read code. */
const ABLE: readonly string[] = ['Reporter', 'Developer', 'Maintainer', 'Owner'];

export async function checkProject(deps: ProjectChecks, name: string): Promise<Finding[]> {
  let project: GitLabProject | null;
  try {
    project = await deps.gitlab.project(name);
  } catch (error) {
    return guarded('project', 'see GITLAB_TOKEN', () => Promise.reject(error));
  }
  if (!project)
    return [
      failure(
        'project',
        `There is no project "${name}", or the owner of GITLAB_TOKEN is no member of it.`,
        'give its path or number, and add the bot as a member with the role Reporter or Developer',
      ),
    ];
  const connect = `planwright connect ${project.path}`;
  return [
    ...projectFindings(project),
    ...(await guarded('role', 'add the bot as a member', () => roleFindings(deps, project))),
    ...(await guarded('hook', `run ${connect} with a Maintainer's token`, () => hookFindings(deps, project, connect))),
    ...(await guarded('events', 'see DATABASE_URL', () => noticedFindings(deps, project))),
    ...(await guarded('threads', 'see GITLAB_TOKEN', () => threadFindings(deps, project))),
    ...(await guarded('labels', `run ${connect}`, () => labelFindings(deps, project, connect))),
    ...(await guarded('settings', `see ${SETTINGS_FILE}`, () => settingsFindings(deps, project))),
  ];
}

function projectFindings(project: GitLabProject): Finding[] {
  const findings = [ok('project', `${project.path} is project ${project.id}.`)];
  if (project.archived)
    findings.push(failure('project', 'The project is archived: nothing can be written to it.', 'unarchive it'));
  if (project.issuesAccess === 'disabled')
    findings.push(
      failure('project', 'The project has no issues.', 'enable issues under Settings, General, Visibility'),
    );
  if (project.defaultBranch === null)
    findings.push(
      info('project', 'The project has no repository: plans are made without code, by the default settings.'),
    );
  return findings;
}

async function roleFindings({ gitlab }: ProjectChecks, project: GitLabProject): Promise<Finding[]> {
  const me = await gitlab.me();
  const member = await gitlab.member(project.id, me.id);
  const remedy = `add @${me.username} to ${project.path} with the role Reporter or Developer`;
  if (!member) return [failure('role', `@${me.username} is no member of ${project.path}.`, remedy)];
  if (!member.active) return [failure('role', `The membership of @${me.username} is not active.`, remedy)];
  if (ABLE.includes(member.role)) return [ok('role', `@${me.username} is ${member.role}.`)];
  return [failure('role', `@${me.username} is ${member.role}: that role may not read the code.`, remedy)];
}

async function hookFindings({ setup, hook: wanted }: ProjectChecks, project: GitLabProject, connect: string) {
  const remedy = `run ${connect} with a Maintainer's token in GITLAB_TOKEN`;
  let hooks: ProjectHook[];
  try {
    hooks = await setup.projectHooks(project.id);
  } catch (error) {
    if (!(error instanceof PermanentFailure) || error.code !== 'gitlab_forbidden') throw error;
    const message = 'Only Maintainers may look at webhooks, and the bot is none.';
    return [info('hook', `${message} To look: GITLAB_TOKEN=MAINTAINERS_TOKEN planwright doctor ${project.path}`)];
  }
  if (wanted === null) return [];
  const [own, ...doubles] = hooks.filter((hook) => hook.url === wanted.url);
  if (!own) {
    const other = hooks.find((hook) => hook.url.endsWith(HOOK_PATH));
    const what = other
      ? `The hook goes to ${other.url}, and not to ${wanted.url}.`
      : `There is no hook to ${wanted.url}: nothing that happens there is noticed soon.`;
    return [failure('hook', what, other ? `see PUBLIC_URL, or ${remedy}` : remedy)];
  }
  const findings = [...stateFindings(own), ...contentFindings(own, wanted, remedy)];
  if (doubles.length > 0)
    findings.push(warning('hook', `${doubles.length + 1} hooks go to ${wanted.url}.`, 'delete all but one of them'));
  return findings.length > 0 ? findings : [ok('hook', `The hook to ${wanted.url} is as it should be.`)];
}

function stateFindings({ alertStatus, disabledUntil }: ProjectHook): Finding[] {
  const remedy =
    'see that the service answers at that address, then press Test in the project under Settings, Webhooks, or run planwright connect again';
  if (alertStatus === 'disabled')
    return [failure('hook_state', 'GitLab has disabled the hook for good, after failures in a row.', remedy)];
  if (alertStatus === 'temporarily_disabled')
    return [failure('hook_state', `GitLab has disabled the hook until ${disabledUntil ?? 'some time'}.`, remedy)];
  return [];
}

function contentFindings(hook: ProjectHook, wanted: HookSettings, remedy: string): Finding[] {
  const findings: Finding[] = [];
  const off = HOOK_EVENTS.filter((event) => hook.events[event] === false);
  if (off.length > 0) findings.push(failure('hook_events', `The hook lacks events: ${off.join(', ')}.`, remedy));
  const unknown = HOOK_EVENTS.filter((event) => hook.events[event] === null);
  if (unknown.length > 0)
    findings.push(info('hook_events', `This GitLab does not know the events ${unknown.join(', ')}.`));
  const secret = secretState(hook, wanted);
  if (secret === 'missing')
    findings.push(failure('hook_secret', 'The hook has no secret: its deliveries are refused.', remedy));
  if (secret === 'differs')
    findings.push(
      failure('hook_secret', "The hook's secret is not that of the settings: its deliveries are refused.", remedy),
    );
  if (secret === 'unknown')
    findings.push(info('hook_secret', 'GitLab does not tell whether the secret of the hook is that of the settings.'));
  if (!hook.sslVerification) findings.push(warning('hook', 'The hook does not verify certificates.', remedy));
  return findings;
}

async function noticedFindings({ noticed }: ProjectChecks, project: GitLabProject): Promise<Finding[]> {
  const warnings = (await noticed?.(project.id)) ?? [];
  return warnings.map(({ code, message }) =>
    warning(
      'events',
      `${code}: ${message}`,
      'look at the recent deliveries of the hook, and whether GitLab is in silent mode',
    ),
  );
}

async function threadFindings({ setup }: ProjectChecks, project: GitLabProject): Promise<Finding[]> {
  const can = await setup.threadsResolve(project.id);
  if (can === null)
    return [info('threads', 'No thread on an issue is there yet to tell whether threads can be resolved.')];
  return can
    ? [ok('threads', 'Threads on issues can be resolved.')]
    : [info('threads', 'This GitLab cannot resolve threads on issues: questions work all the same.')];
}

async function labelFindings({ setup }: ProjectChecks, project: GitLabProject, connect: string): Promise<Finding[]> {
  const known = new Set((await setup.labels(project.id)).map((label) => label.name));
  const missing = LABELS.filter(({ name }) => !known.has(name)).map((label) => label.name);
  if (missing.length === 0) return [ok('labels', 'All labels are there.')];
  return [warning('labels', `These labels are missing: ${missing.join(', ')}.`, `run ${connect}`)];
}

async function settingsFindings(deps: ProjectChecks, project: GitLabProject): Promise<Finding[]> {
  const read = await readSettings(deps.gitlab, project);
  if (!read.ok) return [failure('settings', read.message, 'put the file right: until then every action is refused')];
  const { settings } = read;
  const findings: Finding[] = [];
  if (!settings.enabled)
    findings.push(warning('settings', `${SETTINGS_FILE} says enabled: false.`, 'take it out to plan here'));
  if ((await deps.pieces.load(settings.piece)) === null)
    findings.push(failure('settings', `There is no piece "${settings.piece}" on this service.`, 'see PIECES_DIR'));
  const { max_live_runs: wanted } = settings;
  if (wanted !== null && deps.maxLiveRuns !== null && wanted > deps.maxLiveRuns)
    findings.push(info('settings', `max_live_runs is ${wanted}, the operator's ceiling ${deps.maxLiveRuns} counts.`));
  return findings.length > 0 ? findings : [ok('settings', `${SETTINGS_FILE} is valid, or not there.`)];
}
