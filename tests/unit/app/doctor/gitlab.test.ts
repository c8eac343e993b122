import { expect, test } from 'vitest';
import { exitCode } from '../../../../src/app/doctor/finding.ts';
import { checkGitLab } from '../../../../src/app/doctor/gitlab.ts';
import { PermanentFailure, TransientFailure } from '../../../../src/ports/failures.ts';
import type { GitLabSetup } from '../../../../src/ports/gitlab-setup.ts';
import { NOW, setupOf } from './setup.ts';

const bot = { id: 17, username: 'planwright', name: 'Planwright', bot: true };
const refused = async (): Promise<never> => {
  throw new PermanentFailure('gitlab_unauthorized', 'GitLab answered 401 to GET /user');
};

function check(change: Partial<GitLabSetup> = {}, me: () => Promise<typeof bot> = async () => bot) {
  const gitlab = { baseUrl: 'https://git.example', me };
  return checkGitLab({ gitlab, setup: setupOf(change), now: () => NOW });
}

const instance = (version: string, clock: string | null = '2026-03-01T12:00:00.000Z') => ({
  instance: async () => ({ version, enterprise: null, clock }),
});
const token = (scopes: string[], expiresAt: string | null) => ({
  token: async () => ({ name: 'x', scopes, expiresAt }),
});

test('where all is well every finding is ok', async () => {
  const findings = await check();

  expect(findings.map(({ check: name, level }) => [name, level])).toEqual([
    ['gitlab', 'ok'],
    ['scoped_labels', 'info'],
    ['clock', 'ok'],
    ['token', 'ok'],
    ['token_scopes', 'ok'],
    ['token_expiry', 'ok'],
    ['graphql', 'ok'],
    ['silent_mode', 'ok'],
  ]);
  expect(exitCode(findings)).toBe(0);
});

test.each([
  ['a release that does not tell edits', instance('16.9.1'), 'gitlab_version', 'warning'],
  ['a release without delivery ids', instance('17.3.0'), 'gitlab_version', 'info'],
  ['a release without Planner', instance('17.6.0'), 'gitlab_version', 'info'],
  ['no Date header', instance('18.9.0', null), 'clock', 'info'],
  ['a clock 31 s off', instance('18.9.0', '2026-03-01T12:00:32.000Z'), 'clock', 'warning'],
  ['a clock 6 min off', instance('18.9.0', '2026-03-01T11:54:00.000Z'), 'clock', 'failure'],
  ['a token without scope', token(['read_api'], null), 'token_scopes', 'failure'],
  ['a token that expires soon', token(['api'], '2026-03-08'), 'token_expiry', 'warning'],
  ['a token that never expires', token(['api'], null), 'token_expiry', 'ok'],
  ['a token of which nothing is told', { token: async () => null }, 'token', 'info'],
  ['no GraphQL', { graphql: async () => 'absent' as const }, 'graphql', 'warning'],
  ['an old GraphQL', { graphql: async () => 'too_old' as const }, 'graphql', 'warning'],
  ['silent mode', { silentMode: async () => true }, 'silent_mode', 'failure'],
  ['no word of silent mode', { silentMode: async () => null }, 'silent_mode', 'info'],
])('%s is found', async (_what, change, name, level) => {
  const found = (await check(change)).filter((finding) => finding.check === name);

  expect(found.map((finding) => finding.level)).toContain(level);
  for (const finding of found)
    expect(finding.remedy !== undefined).toBe(finding.level === 'warning' || finding.level === 'failure');
});

test('a token that is refused is one failure, and nothing more is asked with it', async () => {
  const findings = await check({ token: refused, graphql: refused }, refused);

  expect(findings.filter((finding) => finding.level === 'failure')).toEqual([
    expect.objectContaining({ check: 'token', remedy: expect.stringContaining('make a new access token') }),
  ]);
});

test.each([
  ['gitlab_tls', 'GITLAB_CA_FILE'],
  ['gitlab_unreachable', 'GITLAB_PROXY'],
  ['gitlab_timeout', 'see whether GitLab is up'],
])('a GitLab that is not reached (%s) is one failure with its remedy', async (code, remedy) => {
  const away = async (): Promise<never> => {
    throw new TransientFailure(code, 'not reached');
  };

  expect(await check({ instance: away }, away)).toEqual([
    { check: 'gitlab', level: 'failure', message: 'not reached', remedy: expect.stringContaining(remedy) },
  ]);
});
