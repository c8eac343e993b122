/**
 * Connecting a project (spec 2, design: `connect`): its hook with all events and the secret, and the labels. Twice changes nothing: registered
 * twice a flow would run twice.
 */
import { createHash } from 'node:crypto';
import { LABELS } from '../domain/workplan/labels.ts';
import { PermanentFailure } from '../ports/failures.ts';
import type { GitLabPort, HookSettings } from '../ports/gitlab.ts';
import { type GitLabSetup, HOOK_EVENTS, type ProjectHook } from '../ports/gitlab-setup.ts';

/** Where every installation takes deliveries, below its own address. */
export const HOOK_PATH = '/webhooks/gitlab';

/** Creates the hook or brings the one with this URL up to date. */
export async function ensureHook(
  gitlab: Pick<GitLabPort, 'hooks' | 'createHook' | 'updateHook'>,
  projectId: number,
  hook: HookSettings,
): Promise<'created' | 'updated'> {
  const [same] = (await gitlab.hooks(projectId)).filter((known) => known.url === hook.url);
  if (same) {
    await gitlab.updateHook(projectId, same.id, hook);
    return 'updated';
  }
  await gitlab.createHook(projectId, hook);
  return 'created';
}

export interface ConnectReport {
  hook: {
    done: 'created' | 'updated' | 'unchanged';
    /** What was or would be different, a sentence part each. */
    changes: string[];
    /** What a person has to do or know. */
    remarks: string[];
  };
  labels: { created: string[]; remarks: string[] };
}

export interface ConnectOptions {
  /** Only says what would be done. */
  dryRun: boolean;
  /** Leaves a hook to another address alone, which is else taken for this service's old one. */
  keepOthers: boolean;
}

/**
 * Brings hook and labels up to date.
 * @throws PermanentFailure `maintainer_needed` when the token may not manage hooks
 */
export async function connectProject(
  setup: GitLabSetup,
  projectId: number,
  wanted: HookSettings,
  options: ConnectOptions,
): Promise<ConnectReport> {
  return {
    hook: await connectHook(setup, projectId, { ...wanted, description: describeSecret(wanted) }, options),
    labels: await connectLabels(setup, projectId, options),
  };
}

type HookReport = ConnectReport['hook'];

async function connectHook(
  setup: GitLabSetup,
  projectId: number,
  wanted: HookSettings,
  options: ConnectOptions,
): Promise<HookReport> {
  const hooks = await asMaintainer(() => setup.projectHooks(projectId));
  const { hook, remarks } = ownHook(hooks, wanted.url, options.keepOthers);
  if (!hook) {
    if (!options.dryRun) await asMaintainer(() => setup.createHook(projectId, wanted));
    return { done: 'created', changes: [`to ${wanted.url}`], remarks };
  }
  const changes = hookChanges(hook, wanted);
  if (changes.length > 0 && !options.dryRun) await asMaintainer(() => setup.updateHook(projectId, hook.id, wanted));
  if (hook.alertStatus !== undefined && hook.alertStatus !== 'executable')
    remarks.push(await enableAgain(setup, projectId, hook, options.dryRun));
  return { done: changes.length > 0 ? 'updated' : 'unchanged', changes, remarks };
}

/** The hook to this address; else the only one to another address at which such a service takes deliveries. */
function ownHook(
  hooks: readonly ProjectHook[],
  url: string,
  keepOthers: boolean,
): { hook: ProjectHook | null; remarks: string[] } {
  const [own, ...doubles] = hooks.filter((hook) => hook.url === url);
  const others = hooks.filter((hook) => hook.url !== url && hook.url.endsWith(HOOK_PATH));
  const remarks = doubles.map((hook) => `hook ${hook.id} goes to the same address: delete it`);
  const [other] = others;
  if (!own && other && others.length === 1 && !keepOthers) return { hook: other, remarks };
  for (const hook of others)
    remarks.push(`hook ${hook.id} goes to ${hook.url}: delete it if that is this service's old address`);
  return { hook: own ?? null, remarks };
}

function hookChanges(hook: ProjectHook, wanted: HookSettings): string[] {
  const changes: string[] = [];
  if (hook.url !== wanted.url) changes.push(`its address was ${hook.url}`);
  const missing = HOOK_EVENTS.filter((event) => hook.events[event] === false);
  if (missing.length > 0) changes.push(`these events were off: ${missing.join(', ')}`);
  if (!hook.sslVerification) changes.push('certificates were not verified');
  const secret = secretState(hook, wanted);
  if (secret === 'differs') changes.push('its secret was another one');
  if (secret === 'missing') changes.push('it had no secret');
  if (secret === 'unknown') changes.push('its secret is written again: GitLab does not tell whether it was the same');
  return changes;
}

/**
 * GitLab never tells a secret, so connecting leaves a fingerprint of it in the hook's description, which Maintainers see. `unknown`: this
 * GitLab has no descriptions, or somebody rewrote it.
 */
export function secretState(hook: ProjectHook, wanted: HookSettings): 'same' | 'differs' | 'missing' | 'unknown' {
  if (wanted.token !== null && hook.hasToken === false) return 'missing';
  if (wanted.signingToken !== null && hook.hasSigningToken === false) return 'missing';
  const known = FINGERPRINT.exec(hook.description ?? '')?.[1];
  if (known === undefined) return 'unknown';
  return known === fingerprint(wanted) ? 'same' : 'differs';
}

const FINGERPRINT = /\bsecret ([0-9a-f]{12})\b/;

function describeSecret(hook: HookSettings): string {
  return `Comments, labels and reactions for Planwright (secret ${fingerprint(hook)}); written by "planwright connect"`;
}

function fingerprint({ token, signingToken }: HookSettings): string {
  const secret = JSON.stringify(['planwright hook', token, signingToken]);
  return createHash('sha256').update(secret).digest('hex').slice(0, 12);
}

async function enableAgain(setup: GitLabSetup, projectId: number, hook: ProjectHook, dryRun: boolean): Promise<string> {
  const until = hook.disabledUntil ? ` until ${hook.disabledUntil}` : '';
  const state = `GitLab has disabled it${until}, because deliveries failed`;
  const byHand = 'see that the service answers there, then press Test in the project under Settings, Webhooks';
  if (dryRun) return `${state}; a test would be sent to enable it again`;
  try {
    await setup.testHook(projectId, hook.id);
    const now = (await setup.projectHooks(projectId)).find((known) => known.id === hook.id);
    if (now?.alertStatus === 'executable') return `${state}; a test was answered, so it is enabled again`;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `${state}, and a test did not help (${reason}): ${byHand}`;
  }
  return `${state}, and a test was not answered: ${byHand}`;
}

async function connectLabels(
  setup: GitLabSetup,
  projectId: number,
  { dryRun }: ConnectOptions,
): Promise<ConnectReport['labels']> {
  const known = new Set((await setup.labels(projectId)).map((label) => label.name));
  const created: string[] = [];
  for (const label of LABELS.filter(({ name }) => !known.has(name))) {
    try {
      if (!dryRun) await setup.createLabel(projectId, label);
      created.push(label.name);
    } catch (error) {
      // Somebody else made it at this moment.
      if (error instanceof PermanentFailure && error.code === 'gitlab_conflict') continue;
      if (!(error instanceof PermanentFailure)) throw error;
      return { created, remarks: [`not all labels could be made: ${error.message}`] };
    }
  }
  return { created, remarks: [] };
}

async function asMaintainer<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PermanentFailure) || error.code !== 'gitlab_forbidden') throw error;
    throw new PermanentFailure(
      'maintainer_needed',
      "GitLab does not let this token manage the project's webhooks: a Maintainer's token is needed. " +
        'Give one for this call only: GITLAB_TOKEN=MAINTAINERS_TOKEN planwright connect PROJECT',
    );
  }
}
