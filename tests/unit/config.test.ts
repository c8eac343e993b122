import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, loadConfig, Settings } from '../../src/config.ts';
import type { ConfigMode } from '../../src/config-needs.ts';

const service = {
  DATABASE_URL: 'postgres://planwright:hunter2@db:5432/planwright',
  REDIS_URL: 'redis://cache:6379/2',
  GITLAB_URL: 'https://gitlab.example.com/git/',
  GITLAB_TOKEN: 'glpat-0123456789',
  GITLAB_WEBHOOK_TOKEN: 'a-secret',
};

function problemsOf(env: Record<string, string>, mode: ConfigMode = 'embedded'): string[] {
  try {
    loadConfig(env, mode);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

function exampleSettings(): Record<string, string> {
  const text = readFileSync(path.join(import.meta.dirname, '../../.env.example'), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

describe('defaults', () => {
  test('an empty environment is the embedded mode', () => {
    const config = loadConfig({});

    expect(config).toMatchObject({
      publicUrl: 'http://127.0.0.1:3000',
      databaseUrl: null,
      redisUrl: null,
      gitlabUrl: null,
      gitlabToken: null,
      allowedBots: [],
      modelProvider: 'offline',
      piecesDir: path.join(import.meta.dirname, '../../pieces'),
      requestsPerMinute: 600,
      heartbeatMs: 5000,
      takeoverMs: 15_000,
    });
  });

  test('an empty variable counts as not set', () => {
    expect(loadConfig({ PORT: '', REDIS_URL: ' ' })).toEqual(loadConfig({}));
  });

  test('an IPv6 host stands in brackets in the public URL', () => {
    expect(loadConfig({ HOST: '::1', PORT: '8080' }).publicUrl).toBe('http://[::1]:8080');
  });
});

describe('values', () => {
  test('the settings of a service are taken over', () => {
    expect(loadConfig({ ...service, ALLOWED_BOTS: '12, 7' }, 'service')).toMatchObject({
      databaseUrl: service.DATABASE_URL,
      redisUrl: service.REDIS_URL,
      gitlabUrl: 'https://gitlab.example.com/git',
      gitlabToken: 'glpat-0123456789',
      webhookToken: 'a-secret',
      allowedBots: [12, 7],
    });
  });

  test('hours and days become milliseconds, and what is not set is off', () => {
    const given = { PAUSE_REMINDER_HOURS: '24', PAUSE_EXPIRY_HOURS: '720', RETENTION_DAYS: '90', RECONCILE_MS: '0' };

    expect(loadConfig(given)).toMatchObject({
      pauseReminderMs: 86_400_000,
      pauseExpiryMs: 2_592_000_000,
      retentionMs: 7_776_000_000,
      reconcileMs: 0,
    });
    expect(loadConfig({})).toMatchObject({ pauseReminderMs: null, pauseExpiryMs: null, retentionMs: null });
  });

  test('the way to GitLab may lead over a proxy and trust further authorities', () => {
    const given = { GITLAB_PROXY: 'http://proxy.example.com:3128', GITLAB_CA_FILE: 'ca.pem' };

    expect(loadConfig(given)).toMatchObject({
      gitlabProxy: 'http://proxy.example.com:3128',
      gitlabCaFile: path.resolve('ca.pem'),
    });
  });

  test('a pieces folder may stand in the home folder', () => {
    expect(loadConfig({ PIECES_DIR: '~/pieces' }).piecesDir).toBe(path.join(homedir(), 'pieces'));
  });
});

describe('errors', () => {
  test('every wrong variable is named at once with what was expected', () => {
    const problems = problemsOf({ PORT: '70000', GITLAB_URL: 'ftp://x', ALLOWED_BOTS: 'alice', LOG_LEVEL: 'loud' });

    expect(problems).toEqual([
      'PORT: expected a port from 0 to 65535',
      'GITLAB_URL: expected the http(s) base URL of GitLab, e.g. https://gitlab.example.com, without user, query and fragment',
      'ALLOWED_BOTS: expected numeric GitLab user ids, separated by commas',
      'LOG_LEVEL: expected debug, info, warn, error or silent',
    ]);
  });

  test('wrong and missing variables are told together', () => {
    const problems = problemsOf({ ...service, GITLAB_TOKEN: '', PORT: 'web' }, 'service');

    expect(problems).toEqual([
      'PORT: expected a port from 0 to 65535',
      'GITLAB_TOKEN: not set; an access token of the bot with the scope api',
    ]);
  });

  test('a service names everything it misses', () => {
    expect(problemsOf({}, 'service').map((problem) => problem.split(':')[0])).toEqual([
      'DATABASE_URL',
      'REDIS_URL',
      'GITLAB_URL',
      'GITLAB_TOKEN',
      'GITLAB_WEBHOOK_SIGNING_TOKEN',
    ]);
  });

  test('a scripted model needs its script', () => {
    expect(problemsOf({ MODEL_PROVIDER: 'scripted' })).toEqual([
      'MODEL_SCRIPT: not set; MODEL_PROVIDER=scripted reads its answers from it',
    ]);
  });

  test('a take-over after one lost heartbeat is refused', () => {
    expect(problemsOf({ HEARTBEAT_MS: '10000' })).toEqual([
      'TAKEOVER_MS: expected at least twice HEARTBEAT_MS (10000), got 15000',
    ]);
  });

  test('a lease that lapses between two heartbeats is refused', () => {
    expect(problemsOf({ LEASE_MS: '14999' })).toEqual([
      'LEASE_MS: expected at least three times HEARTBEAT_MS (5000), got 14999',
    ]);
  });

  test('a reminder after the end is refused', () => {
    expect(problemsOf({ PAUSE_REMINDER_HOURS: '48', PAUSE_EXPIRY_HOURS: '48' })).toEqual([
      'PAUSE_REMINDER_HOURS: expected less than PAUSE_EXPIRY_HOURS (48), got 48',
    ]);
  });

  test.each([
    ['GITLAB_PROXY', 'socks5://bot:hunter2@proxy'],
    ['DATABASE_URL', 'mysql://root:hunter2@db/x'],
    ['REDIS_URL', 'http://:hunter2@cache'],
    ['GITLAB_URL', 'https://bot:hunter2@gitlab.example.com'],
    ['GITLAB_TOKEN', 'hunter2 hunter2'],
    ['GITLAB_TOKEN', 'hunter2\u200B'],
    ['GITLAB_WEBHOOK_TOKEN', 'hunter2 hunter2'],
    ['GITLAB_WEBHOOK_SIGNING_TOKEN', 'hunter2'],
    ['GITLAB_WEBHOOK_SIGNING_TOKEN', 'whsec_hunter2'],
  ])('a wrong %s never shows its value', (name, value) => {
    const problems = problemsOf({ [name]: value });

    expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name}: expected `))]);
    expect(problems.join()).not.toContain('hunter2');
  });
});

describe('.env.example', () => {
  test('names exactly the settings of the schema', () => {
    expect(Object.keys(exampleSettings()).sort()).toEqual(Object.keys(Settings.shape).sort());
  });

  test('shows the defaults', () => {
    expect(loadConfig(exampleSettings())).toEqual(loadConfig({}));
  });

  test('has a value for every setting that has a default', () => {
    const empty = Object.entries(exampleSettings()).filter(([, value]) => value === '');

    // Where the pieces are depends on where the service stands.
    const withDefault = empty.filter(([name]) => {
      if (name === 'PIECES_DIR') return false;
      const value = Settings.parse({})[name as keyof typeof Settings.shape];
      return value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
    });

    expect(withDefault).toEqual([]);
  });
});

test.each<[ConfigMode, string[]]>([
  ['database', ['DATABASE_URL']],
  ['connect', ['GITLAB_URL', 'GITLAB_TOKEN', 'GITLAB_WEBHOOK_SIGNING_TOKEN']],
  ['doctor', []],
])('a command of the kind %s demands the settings that it uses and no more', (mode, names) => {
  const other = { MODEL_PROVIDER: 'scripted', HEARTBEAT_MS: '5000', TAKEOVER_MS: '300' };

  expect(problemsOf(other, mode).map((problem) => problem.split(':')[0])).toEqual(names);
});
