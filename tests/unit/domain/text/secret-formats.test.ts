import { describe, expect, test } from 'vitest';
import { redactDeep, redactSecrets } from '../../../../src/domain/text/secrets.ts';

/** So many characters of letters and digits, of none of which there are many. */
const mixed = (count: number, of = 'aB3dE5gH7jK9mN2pQ4rS6tU8vW0xY1z'): string =>
  of.repeat(Math.ceil(count / of.length)).slice(0, count);
const hex = (count: number): string => mixed(count, '0f1e2d3c4b5a69788796');
const upper = (count: number): string => mixed(count, 'A2B3C4D5E6F7GHJKMNPQ');
const letters = (count: number): string => mixed(count, 'aBcDeFgHiJkLmNoPqRsT');

/** The shortest of each form: what begins like one and is shorter is something else. */
const FORMS: [kind: string, start: string, rest: string][] = [
  ...['pat', 'dt', 'rt', 'ptt', 'cbt', 'agent', 'soat', 'ft', 'imt', 'oas', 'ffct'].map(
    (name): [string, string, string] => ['GitLab token', `gl${name}-`, mixed(16)],
  ),
  ['GitLab token', 'GR1348941', mixed(16)],
  ...['p', 'o', 'u', 's', 'r'].map((name): [string, string, string] => ['GitHub token', `gh${name}_`, mixed(30)]),
  ['GitHub token', 'github_pat_', mixed(22)],
  ...['AKIA', 'ASIA', 'ABIA', 'ACCA'].map((name): [string, string, string] => [
    'AWS key',
    name,
    mixed(16, 'A2B3C4D5E6F7GHJK'),
  ]),
  ['Google key', 'AIza', mixed(35)],
  ['Google secret', 'GOCSPX-', mixed(20)],
  ['Google secret', 'ya29.', mixed(20)],
  ['Slack token', 'xoxb-', mixed(10)],
  ['Slack token', 'xapp-1-', mixed(10)],
  ['webhook secret', 'whsec_', mixed(24)],
  ['Stripe key', 'sk_live_', mixed(16)],
  ['Stripe key', 'rk_test_', mixed(16)],
  ['model key', 'sk-', mixed(20)],
  ['access token', 'hf_', letters(30)],
  ['access token', 'r8_', mixed(36)],
  ['access token', 'gsk_', mixed(40)],
  ['access token', 'xai-', mixed(60)],
  ['access token', 'pplx-', mixed(40)],
  ['npm token', 'npm_', mixed(36)],
  ['PyPI token', 'pypi-AgE', mixed(40)],
  ['registry token', 'dckr_pat_', mixed(20)],
  ['registry token', 'rubygems_', hex(48)],
  ['SendGrid key', `SG.${mixed(16)}.`, mixed(32)],
  ['mail key', 'key-', hex(32)],
  ['mail key', `xkeysib-${hex(64)}-`, mixed(16)],
  ['Twilio key', 'SK', hex(32)],
  ['bot token', '123456789:AA', mixed(33)],
  ['access token', 'dop_v1_', hex(64)],
  ['access token', 'shpat_', hex(32)],
  ['access token', 'sq0atp-', mixed(22)],
  ['access token', 'ATATT3', mixed(50)],
  ['access token', 'lin_api_', mixed(30)],
  ['access token', 'ntn_', mixed(40)],
  ['access token', 'figd_', mixed(40)],
  ['access token', `PMAK-${hex(24)}-`, hex(34)],
  ['access token', 'sntrys_', mixed(40)],
  ['access token', 'dapi', hex(32)],
  ['access token', 'dp.pt.', mixed(40)],
  ['Vault token', 'hvs.', mixed(20)],
  ['Vault token', `${mixed(14)}.atlasv1.`, mixed(40)],
  ['age key', 'AGE-SECRET-KEY-1', upper(58)],
];

describe.each(FORMS)('%s %s…', (kind, start, rest) => {
  test('is found', () => {
    expect(redactSecrets(`Use ${start}${rest} here.`)).toBe(`Use [redacted ${kind}] here.`);
  });

  test('is something else when it is shorter', () => {
    const shorter = `Use ${start}${rest.slice(0, -1)} here.`;
    expect(redactSecrets(shorter)).toBe(shorter);
  });

  test('is something else within a longer word', () => {
    const within = `Use x${start}${rest} here.`;
    expect(redactSecrets(within)).not.toContain(`[redacted ${kind}] here`);
  });
});

test.each([
  ['webhook address', 'https://hooks.slack.com/services/', mixed(20)],
  ['webhook address', 'https://discord.com/api/webhooks/123456789/', mixed(30)],
  ['storage key', 'AccountName=a;AccountKey=', mixed(30)],
  ['storage key', 'https://a.example/file?sv=1&sig=', mixed(30)],
  ['GitLab session', '_gitlab_session=', hex(32)],
  ['token', 'bearer ', mixed(20)],
  ['Slack token', 'export it: ', `xoxe.xoxp-${mixed(10)}`],
  ['model key', 'use ', `sk-ant-${mixed(20)}`],
])('%s: what follows %s', (kind, start, rest) => {
  expect(redactSecrets(`${start}${rest} here`)).toBe(`${start}[redacted ${kind}] here`);
});

describe('beside a name', () => {
  test.each([
    ['a list of files', "['/etc/passwd', 'a8f5f167f44f4964e6c998dee827110c']"],
    ['a quote that ends on another line', 'password: "it is\nhunter22"'],
    ['a short number', 'token: "12345678"'],
    ['letters that change rarely', 'secret: "internationalizationandlocalization"'],
    ['a name that says where it is', 'secret_path: "kv2/data/app1/x9"'],
    ['a manifest of something else', 'kind: ConfigMap\ndata:\n  a: b\n'],
  ])('%s stays', (_what, text) => {
    expect(redactSecrets(text)).toBe(text);
  });

  test.each([
    ['a long number', 'token: "123456789012"', 'token: "[redacted]"'],
    ['random letters', `secret: "${letters(26)}"`, 'secret: "[redacted]"'],
    ['what is longer than is looked at', `secret=${mixed(400)} x`, 'secret=[redacted] x'],
    [
      'quoted text of a variable, with spaces',
      'export APP_PASSWORD="correct horse battery"',
      'export APP_PASSWORD="[redacted]"',
    ],
    [
      'a manifest, with the keys that stay',
      'kind: Secret\nstringData:\n  a: b\nmetadata:\n  c: d\n',
      'kind: Secret\nstringData:\n  a: [redacted]\nmetadata:\n  c: d\n',
    ],
  ])('%s goes', (_what, text, expected) => {
    expect(redactSecrets(text)).toBe(expected);
  });
});

test.each([
  ['a quote in the value', { password: 'a"b1c2d3' }],
  ['a value over several lines', { token: 'one\ntwo' }],
])('in data %s stays whole', (_what, data) => {
  expect(redactDeep(data)).toEqual(data);
});
