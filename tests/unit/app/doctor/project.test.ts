import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../../src/app/doctor/finding.ts';
import { checkProject } from '../../../../src/app/doctor/project.ts';
import { PermanentFailure } from '../../../../src/ports/failures.ts';
import type { GitLabMember, GitLabProject } from '../../../../src/ports/gitlab.ts';
import type { GitLabSetup, ProjectHook } from '../../../../src/ports/gitlab-setup.ts';
import { planningPiece } from '../setup.ts';
import { hookOf, setupOf } from './setup.ts';

const url = 'https://planwright.example/webhooks/gitlab';
const hook = { url, token: null, signingToken: 'whsec_x' };
const project: GitLabProject = {
  id: 1,
  path: 'acme/sample',
  webUrl: 'https://git.example/acme/sample',
  defaultBranch: 'main',
  visibility: 'private',
  issuesAccess: 'enabled',
  repositoryAccess: 'enabled',
  archived: false,
};
const developer: GitLabMember = {
  userId: 17,
  username: 'planwright',
  accessLevel: 30,
  role: 'Developer',
  active: true,
};

interface Scene {
  project?: Partial<GitLabProject> | null;
  member?: Partial<GitLabMember> | null;
  hooks?: ProjectHook[];
  setup?: Partial<GitLabSetup>;
  file?: string | null;
  maxLiveRuns?: number | null;
  noticed?: { code: string; message: string }[];
}

async function look(scene: Scene): Promise<Finding[]> {
  const gitlab = {
    me: async () => ({ id: 17, username: 'planwright', name: 'Planwright', bot: true }),
    project: async () => (scene.project === null ? null : { ...project, ...scene.project }),
    member: async () => (scene.member === null ? null : { ...developer, ...scene.member }),
    rawFile: async () => scene.file ?? null,
  };
  const setup = setupOf({ projectHooks: async () => scene.hooks ?? [hookOf()], ...scene.setup });
  const pieces = { load: async (name: string) => (name === 'workplan' ? planningPiece : null) };
  const { noticed = [] } = scene;
  const deps = { gitlab, setup, pieces, hook, maxLiveRuns: scene.maxLiveRuns ?? null, noticed: async () => noticed };
  return checkProject(deps, 'acme/sample');
}

test('a project where all is well has no warning', async () => {
  const findings = await look({});

  expect(findings.filter(({ level }) => level !== 'ok')).toEqual([
    expect.objectContaining({ check: 'hook_secret', level: 'info' }),
  ]);
});

const events = (change: object) => ({ ...hookOf().events, ...change });

describe('is found, with its remedy:', () => {
  test.each<[string, Scene, string, string]>([
    ['no such project', { project: null }, 'project', 'no project "acme/sample"'],
    ['an archived one', { project: { archived: true } }, 'project', 'archived'],
    ['one without issues', { project: { issuesAccess: 'disabled' } }, 'project', 'no issues'],
    ['the bot is no member', { member: null }, 'role', 'is no member'],
    ['its membership is not active', { member: { active: false } }, 'role', 'not active'],
    ['it may not read code', { member: { role: 'Guest' } }, 'role', 'may not read the code'],
    ['no hook', { hooks: [] }, 'hook', 'There is no hook to https://planwright.example'],
    [
      'a hook to another address',
      { hooks: [hookOf({ url: 'https://old.example/webhooks/gitlab' })] },
      'hook',
      'goes to https://old.example',
    ],
    ['a hook switched off', { hooks: [hookOf({ alertStatus: 'disabled' })] }, 'hook_state', 'for good'],
    [
      'one switched off for a time',
      { hooks: [hookOf({ alertStatus: 'temporarily_disabled', disabledUntil: '2026-03-01T13:00:00Z' })] },
      'hook_state',
      'until 2026-03-01T13:00:00Z',
    ],
    [
      'events that are off',
      { hooks: [hookOf({ events: events({ emoji_events: false, confidential_note_events: false }) })] },
      'hook_events',
      'confidential_note_events, emoji_events',
    ],
    ['no secret', { hooks: [hookOf({ hasSigningToken: false })] }, 'hook_secret', 'has no secret'],
    [
      'another secret',
      { hooks: [hookOf({ description: 'x (secret 0123456789ab)' })] },
      'hook_secret',
      'not that of the settings',
    ],
    ['certificates not verified', { hooks: [hookOf({ sslVerification: false })] }, 'hook', 'does not verify'],
    ['two hooks', { hooks: [hookOf(), hookOf({ id: 2 })] }, 'hook', '2 hooks'],
    [
      'events that did not come',
      { noticed: [{ code: 'events_missed', message: 'found late' }] },
      'events',
      'events_missed: found late',
    ],
    ['labels missing', { setup: { labels: async () => [] } }, 'labels', 'workplan-never'],
    ['a wrong file', { file: 'plan_target: wiki\n' }, 'settings', 'planwright.yml:1:14'],
    ['a file that switches off', { file: 'enabled: false\n' }, 'settings', 'enabled: false'],
    ['an unknown piece', { file: 'piece: mine\n' }, 'settings', 'no piece "mine"'],
  ])('%s', async (_what, scene, check, message) => {
    const found = (await look(scene)).find((one) => one.check === check && one.message.includes(message));

    expect(found).toMatchObject({ level: expect.stringMatching(/warning|failure/), remedy: expect.any(String) });
  });
});

test.each<[string, Scene, string, string]>([
  [
    'that the bot may not look at hooks',
    { setup: { projectHooks: () => Promise.reject(new PermanentFailure('gitlab_forbidden', 'no')) } },
    'hook',
    'Only Maintainers',
  ],
  [
    'that GitLab is too old for an event',
    { hooks: [hookOf({ events: events({ emoji_events: null }) })] },
    'hook_events',
    'does not know',
  ],
  ['that threads cannot be resolved', { setup: { threadsResolve: async () => false } }, 'threads', 'work all the same'],
  ['that no thread is there', { setup: { threadsResolve: async () => null } }, 'threads', 'No thread'],
  ['that there is no repository', { project: { defaultBranch: null } }, 'project', 'no repository'],
  ['that the ceiling counts', { file: 'max_live_runs: 9\n', maxLiveRuns: 3 }, 'settings', 'ceiling 3'],
])('%s is told and no fault', async (_what, scene, check, message) => {
  const found = (await look(scene)).find((one) => one.check === check && one.message.includes(message));

  expect(found?.level).toBe('info');
});

test('what GitLab cannot answer is a failure of that check alone', async () => {
  const findings = await look({ setup: { labels: () => Promise.reject(new Error('broken')) } });

  expect(findings.filter(({ level }) => level === 'failure')).toEqual([
    expect.objectContaining({ check: 'labels', message: 'broken' }),
  ]);
});
