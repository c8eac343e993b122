/** What setting a project up, and looking for what is wrong, needs of GitLab beside the port of the flow. */
import type { GitLabHook, HookSettings } from './gitlab.ts';

/** Events that the service needs of a project, by GitLab's names. */
export const HOOK_EVENTS = [
  'issues_events',
  'confidential_issues_events',
  'note_events',
  'confidential_note_events',
  'emoji_events',
  'merge_requests_events',
  'resource_access_token_events',
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

export interface ProjectHook extends GitLabHook {
  /** False: switched off. Null: this GitLab does not know the event. */
  events: Readonly<Record<HookEvent, boolean | null>>;
  /** Null where GitLab does not say. */
  description: string | null;
  sslVerification: boolean;
  /** Whether it has a secret; null where GitLab does not say. The secret itself is never told. */
  hasToken: boolean | null;
  hasSigningToken: boolean | null;
}

export interface ProjectLabel {
  name: string;
  color: string;
  description: string;
}

export interface InstanceFacts {
  /** E.g. `18.9.0-ee`. */
  version: string;
  /** Null where GitLab does not say. */
  enterprise: boolean | null;
  /** GitLab's clock by its `Date` header, ISO 8601; null: none was sent. */
  clock: string | null;
}

export interface TokenFacts {
  name: string;
  scopes: string[];
  /** Day, `2026-01-31`, the first on which it does not work any more; null: it does not expire. */
  expiresAt: string | null;
}

type Signal = { signal?: AbortSignal };

export interface GitLabSetup {
  instance(options?: Signal): Promise<InstanceFacts>;
  /** Of the service's own token; null where GitLab does not tell. */
  token(options?: Signal): Promise<TokenFacts | null>;
  /** @throws PermanentFailure `gitlab_forbidden` where the token is no Maintainer's */
  projectHooks(projectId: number, options?: Signal): Promise<ProjectHook[]>;
  createHook(projectId: number, hook: HookSettings, options?: Signal): Promise<GitLabHook>;
  updateHook(projectId: number, hookId: number, hook: HookSettings, options?: Signal): Promise<GitLabHook>;
  /** Has GitLab send a sample; a hook that takes it is enabled again. */
  testHook(projectId: number, hookId: number, options?: Signal): Promise<void>;
  labels(projectId: number, options?: Signal): Promise<ProjectLabel[]>;
  createLabel(projectId: number, label: ProjectLabel, options?: Signal): Promise<void>;
  /** Does GraphQL tell who edited a note last? `absent`: GraphQL cannot be had. */
  graphql(options?: Signal): Promise<'tells_editors' | 'too_old' | 'absent'>;
  /** Can threads on issues be resolved? Null: no thread is there to tell it. */
  threadsResolve(projectId: number, options?: Signal): Promise<boolean | null>;
  /** Silent mode of the instance; null: only administrators are told. */
  silentMode(options?: Signal): Promise<boolean | null>;
}
