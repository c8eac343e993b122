import { IssueDiscussions, Issues, ProjectHooks, ProjectLabels } from '@gitbeaker/rest';
import { z } from 'zod';
import { PermanentFailure } from '../../ports/failures.ts';
import {
  type GitLabSetup,
  HOOK_EVENTS,
  type HookEvent,
  type ProjectHook,
  type ProjectLabel,
} from '../../ports/gitlab-setup.ts';
import { list, one, oneOrNull } from './calls.ts';
import { hookCalls } from './code.ts';
import { listOptions } from './lists.ts';
import type { Resource } from './resource.ts';
import { HookAnswer } from './schemas.ts';

const VersionAnswer = z.object({ version: z.string(), enterprise: z.boolean().nullish() });

const TokenAnswer = z
  .object({ name: z.string().nullish(), scopes: z.array(z.string()), expires_at: z.string().nullish() })
  .transform(({ name, scopes, expires_at }) => ({ name: name ?? '', scopes, expiresAt: expires_at ?? null }));

const flag = z.boolean().nullish().catch(null);
const eventFlags = Object.fromEntries(HOOK_EVENTS.map((event) => [event, flag])) as Record<HookEvent, typeof flag>;
const ProjectHookAnswer = z
  .looseObject({
    ...eventFlags,
    description: z.string().nullish(),
    enable_ssl_verification: flag,
    token_present: flag,
    signing_token_present: flag,
  })
  .transform((hook, context): ProjectHook => {
    const known = HookAnswer.safeParse(hook);
    if (!known.success) {
      context.addIssue('expected id and url of a hook');
      return z.NEVER;
    }
    return {
      ...known.data,
      events: Object.fromEntries(HOOK_EVENTS.map((event) => [event, hook[event] ?? null])) as ProjectHook['events'],
      description: hook.description ?? null,
      sslVerification: hook.enable_ssl_verification ?? true,
      hasToken: hook.token_present ?? null,
      hasSigningToken: hook.signing_token_present ?? null,
    };
  });

const LabelAnswer = z
  .object({ name: z.string(), color: z.string().nullish(), description: z.string().nullish() })
  .transform(
    ({ name, color, description }): ProjectLabel => ({ name, color: color ?? '', description: description ?? '' }),
  );

const IssuesAnswer = z.array(z.object({ iid: z.number() }));
const ThreadsAnswer = z.array(
  z.object({ individual_note: z.boolean().nullish(), notes: z.array(z.object({ resolvable: z.boolean().nullish() })) }),
);
/** Issues whose threads are looked at. */
const LOOKED_AT = 5;

const SettingsAnswer = z.object({ silent_mode_enabled: z.boolean() });
const NotToldToUs = ['gitlab_not_found', 'gitlab_forbidden'];

/** Setting up and looking for what is wrong. `token`: the service's own, for what gitbeaker has no call for. */
export function setupCalls(service: Resource, token: string): GitLabSetup {
  const hooks = new ProjectHooks(service);
  const labels = new ProjectLabels(service);
  const issues = new Issues(service);
  const discussions = new IssueDiscussions(service);
  const { createHook, updateHook } = hookCalls(service);
  const requesterAt = (path: string) =>
    service.requesterFn({
      url: `${service.host}${path}`,
      headers: {},
      authHeaders: { 'private-token': async () => token },
      rateLimits: {},
    });
  const api = requesterAt('/api/v4');

  return {
    async instance(options) {
      let clock: string | null = null;
      const ask = async (path: string): Promise<unknown> => {
        const { body, headers } = await api.get(path);
        const date = Date.parse((headers as Record<string, string>)['date'] ?? '');
        clock = Number.isNaN(date) ? null : new Date(date).toISOString();
        return body;
      };
      const facts =
        // `metadata` came with 15.2.
        (await oneOrNull('metadata', VersionAnswer, options, () => ask('metadata'))) ??
        (await one('version', VersionAnswer, options, () => ask('version')));
      return { version: facts.version, enterprise: facts.enterprise ?? null, clock };
    },
    token: (options) =>
      oneOrNull(
        'token',
        TokenAnswer,
        options,
        async () => (await api.get('personal_access_tokens/self')).body as unknown,
      ),
    projectHooks: (projectId, options) =>
      list(
        'hooks',
        ProjectHookAnswer,
        options,
        () => hooks.all(projectId, listOptions),
        (hook) => hook.id,
      ),
    createHook,
    updateHook,
    async testHook(projectId, hookId, options) {
      const path = `projects/${projectId}/hooks/${hookId}/test/issues_events`;
      await one('tested hook', z.unknown(), options, async () => (await api.post(path)).body as unknown);
    },
    labels: (projectId, options) =>
      list(
        'labels',
        LabelAnswer,
        options,
        () => labels.all(projectId, { ...listOptions, withCounts: false }),
        (label) => label.name,
      ),
    async createLabel(projectId, { name, color, description }, options) {
      await one('new label', LabelAnswer, options, () => labels.create(projectId, name, color, { description }));
    },
    async graphql(options) {
      // As the flow asks it. A field that is not known is an error without data.
      const query = '{ note(id: "gid://gitlab/Note/1") { lastEditedBy { id username name } } }';
      const graphql = requesterAt('/api');
      const ask = async (): Promise<unknown> => (await graphql.post('graphql', { body: { query } })).body;
      try {
        const { data } = await one('GraphQL', z.object({ data: z.unknown() }), options, ask);
        return data == null ? 'too_old' : 'tells_editors';
      } catch (error) {
        if (error instanceof PermanentFailure) return 'absent';
        throw error;
      }
    },
    async threadsResolve(projectId, options) {
      const newest = { projectId, orderBy: 'updated_at', sort: 'desc', scope: 'all' } as const;
      const page = { page: 1, maxPages: 1 } as const;
      const looked = await one('issues', IssuesAnswer, options, () =>
        issues.all({ ...newest, ...page, perPage: LOOKED_AT }),
      );
      let seen = false;
      for (const { iid } of looked) {
        const work = (): Promise<unknown> => discussions.all(projectId, iid, { ...page, perPage: 50 } as never);
        const threads = (await one('discussions', ThreadsAnswer, options, work)).filter(
          (thread) => thread.individual_note === false,
        );
        if (threads.some((thread) => thread.notes.some((note) => note.resolvable === true))) return true;
        seen ||= threads.length > 0;
      }
      return seen ? false : null;
    },
    async silentMode(options) {
      const ask = async (): Promise<unknown> => (await api.get('application/settings')).body;
      const answer = await oneOrNull('settings', SettingsAnswer, options, ask, { absent: NotToldToUs });
      return answer?.silent_mode_enabled ?? null;
    },
  };
}
