import { describe, expect, test } from 'vitest';
import { PermanentFailure, TransientFailure } from '../../../src/ports/failures.ts';
import { createHttp, type HttpOptions, ITEM } from './harness.ts';

const RUN = '00000000-0000-4000-8000-000000000001';
const STATUS_URL = 'https://plan.example/base/api/v1/projects/1/issues/1/workplan';
const waiting = { status: 'NEEDS_INPUT', pause: { id: 'p1', kind: 'question' } } as const;
const atApproval = { status: 'NEEDS_INPUT', pause: { id: 'p1', kind: 'approval' } } as const;

describe('accepted', () => {
  test('plan: 202 with status, run and address, and the run is woken', async () => {
    const http = await createHttp();
    const answered = await http.post(`${ITEM}/plan`);
    expect(answered.status).toBe(202);
    expect(answered.json).toEqual({ generationStatus: 'GENERATING', runId: RUN, statusUrl: STATUS_URL });
    expect(answered.headers['location']).toBe(STATUS_URL);
    expect(http.wakes.runs).toEqual([[RUN]]);
  });

  test.each([
    ['continue', waiting, 'GENERATING'],
    ['approve', atApproval, 'GENERATING'],
    ['reject', atApproval, 'GENERATING'],
    ['cancel', waiting, 'CANCELED'],
    ['cancel', { status: 'GENERATING' }, 'CANCELED'],
  ] as const)('%s', async (action, run, status) => {
    const http = await createHttp();
    http.runs.put(run);
    const answered = await http.post(`${ITEM}/${action}`, 'alice', { reason: 'because' });
    expect(answered.status).toBe(202);
    expect(answered.json).toEqual({ generationStatus: status, runId: 'run-1', statusUrl: STATUS_URL });
  });

  test('continue of the pause that is named', async () => {
    const http = await createHttp();
    http.runs.put(waiting);
    expect((await http.post(`${ITEM}/continue`, 'alice', { pauseId: 'p1' })).status).toBe(202);
  });

  test('twenty plans at once: one 202, nineteen 409 with the run that won', async () => {
    const http = await createHttp();
    const answered = await Promise.all(Array.from({ length: 20 }, () => http.post(`${ITEM}/plan`)));
    const won = answered.filter(({ status }) => status === 202).map(({ json }) => json?.['runId']);
    const lost = answered.filter(({ status }) => status === 409).map(({ json }) => json?.['runId']);
    expect([won.length, lost.length, new Set([...won, ...lost]).size]).toEqual([1, 19, 1]);
  });
});

describe('refused', () => {
  interface Case {
    action: string;
    status: number;
    code: string;
    options?: HttpOptions;
    run?: object;
    user?: string;
    body?: object;
  }
  const cases: Case[] = [
    { action: 'plan', status: 409, code: 'already_running', run: {} },
    { action: 'plan', status: 409, code: 'already_running', run: waiting },
    { action: 'plan', status: 409, code: 'item_closed', options: { issue: { state: 'closed' } } },
    { action: 'plan', status: 403, code: 'forbidden', user: 'bob' },
    { action: 'plan', status: 403, code: 'forbidden', user: 'carol' },
    { action: 'plan', status: 403, code: 'forbidden', user: 'dave' },
    { action: 'plan', status: 403, code: 'disabled', options: { settings: 'enabled: false' } },
    { action: 'plan', status: 422, code: 'settings_invalid', options: { settings: 'nonsense: 1' } },
    { action: 'plan', status: 422, code: 'settings_invalid', options: { settings: '{' } },
    { action: 'plan', status: 422, code: 'piece_missing', options: { settings: 'piece: other' } },
    { action: 'plan', status: 422, code: 'piece_invalid', options: { pieces: { workplan: 'name: [' } } },
    { action: 'continue', status: 409, code: 'not_resumable' },
    { action: 'continue', status: 409, code: 'not_resumable', run: { status: 'COMPLETED' } },
    { action: 'continue', status: 409, code: 'not_resumable', run: { status: 'CANCELED' }, body: { pauseId: 'p1' } },
    { action: 'continue', status: 409, code: 'already_continued', run: {} },
    { action: 'continue', status: 409, code: 'already_continued', run: waiting, body: { pauseId: 'over-1' } },
    { action: 'continue', status: 409, code: 'not_resumable', run: waiting, body: { pauseId: 'p9' } },
    { action: 'continue', status: 409, code: 'not_resumable', run: atApproval },
    { action: 'continue', status: 403, code: 'forbidden', run: waiting, user: 'carol' },
    { action: 'approve', status: 409, code: 'not_resumable', run: waiting },
    { action: 'reject', status: 409, code: 'not_resumable', run: waiting },
    { action: 'cancel', status: 409, code: 'not_running' },
    { action: 'cancel', status: 409, code: 'not_running', run: { status: 'FAILED' } },
    { action: 'replan', status: 422, code: 'not_supported' },
    { action: 'replan', status: 403, code: 'forbidden', user: 'bob' },
  ];

  test.each(cases)('$action: $status $code ($user $options $run $body)', async ({ action, status, code, ...given }) => {
    const http = await createHttp(given.options);
    if (given.run) http.runs.put(given.run);
    const before = structuredClone(http.runs.rows);
    const answered = await http.post(`${ITEM}/${action}`, given.user ?? 'alice', given.body);
    expect(answered.status).toBe(status);
    expect(answered.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(answered.json).toMatchObject({ type: 'about:blank', status, code, statusUrl: STATUS_URL });
    expect([answered.json?.['title'], answered.json?.['detail']]).toEqual([
      expect.stringMatching(/./),
      expect.stringMatching(/./),
    ]);
    expect(http.runs.rows).toEqual(before);
    expect(http.wakes.runs).toEqual([]);
  });

  test('409 carries the run, or null where there is none', async () => {
    const http = await createHttp();
    const none = await http.post(`${ITEM}/cancel`);
    http.runs.put({});
    const live = await http.post(`${ITEM}/plan`);
    expect([none.json?.['runId'], live.json?.['runId']]).toEqual([null, 'run-1']);
  });

  test('the detail of a 403 names the check that failed', async () => {
    const http = await createHttp();
    const answered = await http.post(`${ITEM}/plan`, 'bob');
    expect(answered.json?.['detail']).toBe(
      'plan needs one of the roles Developer, Maintainer, Owner; yours is Reporter.',
    );
  });

  test('the service has no access to the project: 404 that says what to do', async () => {
    const http = await createHttp();
    const { gitlab } = http;
    const blind = await createHttp({ deps: { gitlab: { ...gitlab, project: async () => null } } });
    const answered = await blind.post(`${ITEM}/plan`);
    expect([answered.status, answered.json?.['detail']]).toEqual([
      404,
      expect.stringMatching(/add its bot as a member/),
    ]);
  });
});

describe('a group', () => {
  const GROUP = '/api/v1/projects/acme/issues/1/workplan';

  test('is refused by name to who may see it', async () => {
    const http = await createHttp();
    const answered = await http.post(`${GROUP}/plan`);
    expect([answered.status, answered.json?.['code']]).toEqual([422, 'group_level_item']);
  });

  test('is the same 404 to who may not, as for one that does not exist, and for a status', async () => {
    const http = await createHttp();
    const unseen = await createHttp({ deps: { gitlab: { ...http.gitlab, groupVisibleTo: async () => false } } });
    const answered = [
      await unseen.post(`${GROUP}/plan`),
      await http.post('/api/v1/projects/other/issues/1/workplan/plan'),
      await http.get(GROUP),
    ];
    expect(answered.map(({ status, body }) => [status, body])).toEqual(answered.map(() => [404, answered[0]?.body]));
  });

  test('is not asked about for a number', async () => {
    const http = await createHttp();
    await http.post('/api/v1/projects/9/issues/1/workplan/plan');
    expect(http.calls).not.toContain('groupVisibleTo');
  });
});

describe('the body', () => {
  const json = { 'content-type': 'application/json' };

  test.each([
    ['nothing', undefined, {}],
    ['nothing, said to be JSON', undefined, json],
    ['nothing, said to be a form', '', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['nothing, said to be nonsense', undefined, { 'content-type': ';;' }],
    ['an empty object', '{}', json],
    ['null', 'null', json],
    ['an empty reason', '{"reason":""}', json],
    ['JSON of another charset name', '{}', { 'content-type': 'application/json; charset=UTF-8' }],
  ])('%s is fine', async (_name, payload, headers) => {
    const http = await createHttp();
    expect((await http.post(`${ITEM}/plan`, 'alice', payload, headers)).status).toBe(202);
  });

  test.each([
    ['an unknown key', '{"pauseID":"p1"}', json, 400],
    ['a list', '[]', json, 400],
    ['a text', '"plan"', json, 400],
    ['a number as pause', '{"pauseId":7}', json, 400],
    ['an empty pause', '{"pauseId":""}', json, 400],
    ['a pause with NUL', '{"pauseId":"p\\u0000"}', json, 400],
    ['a long pause', JSON.stringify({ pauseId: 'p'.repeat(201) }), json, 400],
    ['a long reason', JSON.stringify({ reason: 'r'.repeat(10_001) }), json, 400],
    ['broken JSON', '{"pauseId":', json, 400],
    ['a prototype', '{"__proto__":{"reason":"x"}}', json, 400],
    ['text', 'plan', { 'content-type': 'text/plain' }, 415],
    ['a form', 'reason=x', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['a nonsense type', 'x', { 'content-type': ';;' }, 415],
    ['over 1 MiB', JSON.stringify({ reason: 'r'.repeat(1024 * 1024) }), json, 413],
  ])('%s is refused', async (_name, payload, headers, status) => {
    const http = await createHttp();
    const answered = await http.post(`${ITEM}/plan`, 'alice', payload, headers);
    expect([answered.status, answered.json?.['status']]).toEqual([status, status]);
    expect(answered.headers['content-type']).toMatch('application/problem+json');
    expect(http.runs.rows).toEqual([]);
  });

  test('the answer names what is wrong and stays short', async () => {
    const http = await createHttp();
    const named = await http.post(`${ITEM}/plan`, 'alice', { pauseId: 7 });
    const long = await http.post(`${ITEM}/plan`, 'alice', { ['k'.repeat(500_000)]: 1 });
    expect(named.json).toMatchObject({ code: 'invalid_request', detail: expect.stringMatching(/^pauseId: /) });
    expect(long.status).toBe(400);
    expect(long.body.length).toBeLessThan(3000);
  });
});

describe('failures', () => {
  test('the store away: 503', async () => {
    const http = await createHttp();
    http.runs.failNext(new TransientFailure('store_unavailable', 'connect 10.0.0.9:5432'));
    const answered = await http.post(`${ITEM}/plan`);
    expect([answered.status, answered.json?.['code']]).toEqual([503, 'store_unavailable']);
    expect(answered.body).not.toContain('10.0.0.9');
  });

  test("GitLab refuses the service's own token: 502 with the code", async () => {
    const http = await createHttp();
    http.gitlab.failNext('member', new PermanentFailure('gitlab_unauthorized', 'GitLab answered 401'));
    const answered = await http.post(`${ITEM}/plan`);
    expect([answered.status, answered.json?.['code']]).toEqual([502, 'gitlab_unauthorized']);
  });

  test('what nobody expected: 500 that says nothing of it, logged with its stack', async () => {
    const http = await createHttp();
    const failure = new Error('select * from runs where secret = 1');
    http.runs.failNext(failure);
    const answered = await http.post(`${ITEM}/plan`);
    expect([answered.status, answered.json?.['code']]).toEqual([500, 'internal']);
    expect(answered.body).not.toMatch(/select|secret|\.ts|at /);
    expect(http.log.lines.map(({ level, data }) => [level, data['error']])).toEqual([['error', failure]]);
  });

  test("a vendor's error with a status of its own shows nothing of its text", async () => {
    const http = await createHttp();
    http.runs.failNext(Object.assign(new Error('secret of a vendor'), { statusCode: 404 }));
    const answered = await http.post(`${ITEM}/plan`);
    expect([answered.status, answered.json?.['code']]).toEqual([500, 'internal']);
    expect(answered.body).not.toContain('vendor');
  });

  test("a failure of the service's own files: 500, not GitLab's", async () => {
    const load = async () =>
      Promise.reject(new PermanentFailure('piece_unreadable', 'EACCES /srv/pieces/workplan.yaml'));
    const http = await createHttp({ deps: { pieces: { load } } });
    const answered = await http.post(`${ITEM}/plan`);
    expect([answered.status, answered.json?.['code']]).toEqual([500, 'internal']);
    expect(answered.body).not.toContain('/srv');
  });
});
