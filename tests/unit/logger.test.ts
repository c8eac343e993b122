import { expect, test } from 'vitest';
import { createLogger, type LoggerOptions } from '../../src/logger.ts';

function capture(options: Partial<LoggerOptions> = {}): {
  log: ReturnType<typeof createLogger>;
  lines: string[];
} {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return { log: createLogger({ level: 'info', ...options, destination }), lines };
}

test('a line is one JSON object with level, time, message and data', () => {
  const { log, lines } = capture();

  log.info({ runId: 'r1', inputTokens: 12 }, 'run started');

  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    runId: 'r1',
    inputTokens: 12,
    msg: 'run started',
  });
});

test('lines below the level are not written', () => {
  const { log, lines } = capture({ level: 'warn' });

  log.info({}, 'quiet');
  log.warn({}, 'loud');

  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['loud']);
});

test.each([
  ['a key', { token: 'hunter2' }],
  ['a key with a prefix', { gitlabToken: 'hunter2', webhook_secret: 'hunter2', apiKey: 'hunter2' }],
  ['a header at any depth', { request: { headers: { authorization: 'Bearer hunter2', 'PRIVATE-TOKEN': 'hunter2' } } }],
  ['an array', { tries: [{ password: 'hunter2' }] }],
  ['a text with a bearer', { text: 'sent Bearer hunter2x' }],
  ['a GitLab token in a text', { text: 'tried glpat-hunter2' }],
  ['a URL with a password', { text: 'redis://default:hunter2@cache:6379' }],
  ['a query', { url: '/x?a=1&private_token=hunter2' }],
  ['a query with the key of a model', { url: '/v1beta/models?key=hunter2' }],
  ['a key of Google in a text', { text: 'API key AIzahunter2Xy is not valid' }],
  ['an error and its cause', { error: new Error('at postgres://p:hunter2@db', { cause: new Error('glpat-hunter2') }) }],
])('secrets are hidden in %s', (_where, data) => {
  const { log, lines } = capture();

  log.info(data, 'tried');

  expect(lines.join()).not.toContain('hunter2');
  expect(lines.join()).toContain('[hidden]');
});

test('an error keeps name, message, code and stack', () => {
  const { log, lines } = capture();

  log.error({ error: Object.assign(new TypeError('broken'), { code: 'E1' }) }, 'failed');

  expect(JSON.parse(lines[0] ?? '').error).toMatchObject({
    name: 'TypeError',
    message: 'broken',
    code: 'E1',
    stack: expect.stringContaining('broken'),
  });
});

test('data that contains itself is cut', () => {
  const { log, lines } = capture();
  const data: Record<string, unknown> = {};
  data['self'] = data;

  log.info(data, 'round');

  expect(lines[0]).toContain('[too deep]');
});

test('the pretty form is one line for people', () => {
  const { log, lines } = capture({ pretty: true });

  log.warn({ runId: 'r1' }, 'late');

  expect(lines).toEqual([expect.stringMatching(/^\d\d:\d\d:\d\d warn {2}late \{"runId":"r1"\}\n$/)]);
});
