import { describe, expect, test } from 'vitest';
import { PermanentFailure, TransientFailure } from '../../../src/ports/failures.ts';
import { createHttp, ITEM } from './harness.ts';

const PLAN = `${ITEM}/plan`;
const down = () => new TransientFailure('gitlab_unreachable', 'connect ECONNREFUSED');

describe('the token', () => {
  test.each([
    ['none', {}],
    ['an empty one', { authorization: 'Bearer ' }],
    ['another scheme', { authorization: 'Basic dG9rZW4tYWxpY2U6' }],
    ['one with a blank', { authorization: 'Bearer token-alice token-alice' }],
    ['one of over 2000 characters', { 'private-token': 'x'.repeat(2001) }],
    ['one with odd characters', { 'private-token': 'tökén-alice' }],
  ])('%s: 401 without a call to GitLab', async (_name, headers) => {
    const http = await createHttp();
    const answered = [await http.get(ITEM, null, headers), await http.post(PLAN, null, {}, headers)];
    expect(answered.map(({ status, json }) => [status, json?.['code']])).toEqual([
      [401, 'unauthenticated'],
      [401, 'unauthenticated'],
    ]);
    expect(answered[0]?.headers['www-authenticate']).toBe('Bearer');
    expect(http.calls).toEqual([]);
  });

  test.each([
    ['Authorization', { authorization: 'Bearer token-alice' }],
    ['Authorization in other letters', { authorization: 'bearer  token-alice' }],
    ['PRIVATE-TOKEN', { 'private-token': 'token-alice' }],
  ])('%s is understood', async (_name, headers) => {
    const http = await createHttp();
    expect((await http.get(ITEM, null, headers)).status).toBe(200);
  });

  test('one that GitLab does not know: 401, and nothing of it in answer, log or metrics', async () => {
    const http = await createHttp();
    const secret = 'glpat-0123456789abcdef';
    const answered = await http.get(ITEM, null, { 'private-token': secret });
    expect(answered.status).toBe(401);
    expect(JSON.stringify([answered, http.log.lines, http.requests])).not.toContain('0123456789');
  });

  test('nothing of it is logged when GitLab fails', async () => {
    const http = await createHttp();
    http.gitlab.failNext('userOfToken', down());
    http.gitlab.failNext('userOfToken', new PermanentFailure('gitlab_redirected', 'GitLab answered 301'));
    http.gitlab.failNext('userOfToken', new Error('odd'));
    const answered = [await http.get(ITEM), await http.get(ITEM), await http.get(ITEM)];
    expect(answered.map(({ status }) => status)).toEqual([503, 502, 500]);
    expect(http.log.lines).toHaveLength(3);
    expect(JSON.stringify([answered, http.log.lines])).not.toContain('token-alice');
  });

  test('is asked for where there is nothing, too: who may not be told learns of no address', async () => {
    const http = await createHttp();
    const nowhere = ['/api/v1/nothing', `${ITEM}/nothing`, '/api/v1/projects/1/issues'];
    for (const url of nowhere) {
      expect((await http.get(url, null)).json).toMatchObject({ status: 401, code: 'unauthenticated' });
      expect((await http.get(url)).json).toMatchObject({ status: 404, code: 'not_found' });
    }
  });

  test('made-up ones at addresses where there is nothing are limited as elsewhere', async () => {
    const http = await createHttp({ deps: { requestsPerMinute: 2 } });
    const answered = [];
    for (const name of ['a', 'b', 'c']) answered.push((await http.get('/api/v1/nothing', `made-up-${name}`)).status);
    expect(answered).toEqual([401, 401, 429]);
    expect(http.calls).toHaveLength(2);
  });

  test('is asked about before the input is looked at', async () => {
    const http = await createHttp();
    const wrong = [
      await http.post(PLAN, null, '{"broken', { 'content-type': 'application/json' }),
      await http.get('/api/v1/projects/1/issues/0/workplan', null),
      await http.post(`${ITEM}/dance`, null),
    ];
    expect(wrong.map(({ status }) => status)).toEqual([401, 401, 401]);
  });

  test('is remembered for 60 seconds', async () => {
    const http = await createHttp();
    await http.get(ITEM);
    http.clock.advance(59_999);
    await http.get(ITEM);
    const within = http.calls.filter((call) => call === 'userOfToken').length;
    http.clock.advance(1);
    await http.get(ITEM);
    expect([within, http.calls.filter((call) => call === 'userOfToken').length]).toEqual([1, 2]);
  });

  test('a refusal is remembered for 10 seconds', async () => {
    const http = await createHttp();
    await http.get(ITEM, 'stranger');
    http.clock.advance(9_999);
    await http.get(ITEM, 'stranger');
    const within = http.calls.length;
    http.clock.advance(1);
    await http.get(ITEM, 'stranger');
    expect([within, http.calls]).toEqual([1, ['userOfToken', 'userOfToken']]);
  });

  test('a failure is not remembered', async () => {
    const http = await createHttp();
    http.gitlab.failNext('userOfToken', down());
    expect([(await http.get(ITEM)).status, (await http.get(ITEM)).status]).toEqual([503, 200]);
  });

  test('requests of one moment ask once', async () => {
    const http = await createHttp();
    await Promise.all(Array.from({ length: 20 }, () => http.get(ITEM)));
    expect(http.calls).toEqual(['userOfToken', 'issueAs']);
  });

  test('without the scope or of a blocked user: 401', async () => {
    const http = await createHttp();
    http.gitlab.failNext('userOfToken', new PermanentFailure('gitlab_forbidden', 'insufficient_scope'));
    expect((await http.get(ITEM)).status).toBe(401);
  });

  test('revoked while it was remembered: 401, and it is asked about again', async () => {
    const http = await createHttp();
    await http.get(ITEM);
    http.gitlab.failNext('issueAs', new PermanentFailure('gitlab_unauthorized', '401'));
    const answered = await http.post(PLAN);
    await http.post(PLAN);
    expect([answered.status, answered.json?.['code']]).toEqual([401, 'unauthenticated']);
    expect(http.calls.filter((call) => call === 'userOfToken')).toHaveLength(2);
  });

  test('GitLab down: 503 with its Retry-After', async () => {
    const http = await createHttp();
    http.gitlab.failNext('userOfToken', new TransientFailure('gitlab_rate_limited', 'wait', 2500));
    const answered = await http.get(ITEM);
    expect([answered.status, answered.json?.['code'], answered.headers['retry-after']]).toEqual([
      503,
      'gitlab_rate_limited',
      '3',
    ]);
  });
});

describe('bots', () => {
  test('may read, and act only when they are named by number', async () => {
    const http = await createHttp();
    const named = await createHttp({ deps: { allowedBots: [17] } });
    expect((await http.get(ITEM, 'planwright')).status).toBe(200);
    const refused = await http.post(PLAN, 'planwright');
    expect([refused.status, refused.json?.['code']]).toEqual([403, 'bot_not_allowed']);
    expect((await named.post(PLAN, 'planwright')).status).toBe(202);
  });

  test('are told nothing of an item that they may not see', async () => {
    const http = await createHttp();
    expect((await http.post('/api/v1/projects/1/issues/99/workplan/plan', 'planwright')).status).toBe(404);
  });
});

describe('who may read', () => {
  const MISSING = '/api/v1/projects/1/issues/99/workplan';

  test('no member and no such item get one and the same answer, on every call', async () => {
    const http = await createHttp();
    http.runs.put();
    const etag = { 'if-none-match': '*' };
    const hidden = [
      await http.get(ITEM, 'erin', etag),
      ...(await Promise.all(
        ['plan', 'continue', 'cancel', 'replan'].map((name) => http.post(`${ITEM}/${name}`, 'erin')),
      )),
    ];
    const missing = await http.get(MISSING);
    expect(missing.status).toBe(404);
    expect(missing.headers).not.toHaveProperty('etag');
    expect(hidden.map(({ status, body }) => [status, body])).toEqual(hidden.map(() => [404, missing.body]));
  });

  test('a disabled project, an invalid settings file and a closed item are not told of either', async () => {
    for (const options of [
      { settings: 'enabled: false' },
      { settings: 'nonsense: 1' },
      { issue: { state: 'closed' as const } },
    ]) {
      const http = await createHttp(options);
      expect((await http.post(PLAN, 'erin')).status).toBe(404);
    }
  });

  test('a read that was allowed is remembered 60 seconds per person and item', async () => {
    const http = await createHttp();
    const reads = () => http.calls.filter((call) => call === 'issueAs').length;
    await http.get(ITEM);
    await http.get(ITEM);
    await http.get(ITEM, 'bob');
    await http.get('/api/v1/projects/acme%2Fsample/issues/1/workplan');
    http.clock.advance(59_999);
    await http.get(ITEM);
    const within = reads();
    http.clock.advance(1);
    await http.get(ITEM);
    expect([within, reads()]).toEqual([3, 4]);
  });

  test('a refusal is remembered 10 seconds', async () => {
    const http = await createHttp();
    await http.get(MISSING);
    http.clock.advance(9_999);
    await http.get(MISSING);
    http.clock.advance(1);
    await http.get(MISSING);
    expect(http.calls.filter((call) => call === 'issueAs')).toHaveLength(2);
  });

  test('an action reads anew', async () => {
    const http = await createHttp();
    await http.get(ITEM);
    await http.post(PLAN);
    expect(http.calls.filter((call) => call === 'issueAs')).toHaveLength(2);
  });
});
