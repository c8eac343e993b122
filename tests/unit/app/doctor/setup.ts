import { LABELS } from '../../../../src/domain/workplan/labels.ts';
import type { GitLabSetup, ProjectHook } from '../../../../src/ports/gitlab-setup.ts';
import { HOOK_EVENTS } from '../../../../src/ports/gitlab-setup.ts';

export const NOW = new Date('2026-03-01T12:00:00.000Z');

export function setupOf(change: Partial<GitLabSetup> = {}): GitLabSetup {
  const unexpected = async (): Promise<never> => {
    throw new Error('looking changes nothing');
  };
  return {
    instance: async () => ({ version: '18.9.0-ee', enterprise: true, clock: '2026-03-01T12:00:00.000Z' }),
    token: async () => ({ name: 'planwright', scopes: ['api'], expiresAt: '2026-12-31' }),
    projectHooks: async () => [],
    createHook: unexpected,
    updateHook: unexpected,
    testHook: unexpected,
    labels: async () => [...LABELS],
    createLabel: unexpected,
    graphql: async () => 'tells_editors',
    threadsResolve: async () => true,
    silentMode: async () => false,
    ...change,
  };
}

export function hookOf(change: Partial<ProjectHook> = {}): ProjectHook {
  return {
    id: 1,
    url: 'https://planwright.example/webhooks/gitlab',
    alertStatus: 'executable',
    events: Object.fromEntries(HOOK_EVENTS.map((event) => [event, true])) as ProjectHook['events'],
    description: null,
    sslVerification: true,
    hasToken: false,
    hasSigningToken: true,
    ...change,
  };
}
