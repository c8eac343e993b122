import { describe, expect, test } from 'vitest';
import { createHttp, ITEM, WEBHOOK_TOKEN } from './harness.ts';

const statusOf = (project: string, iid: string | number = 1) => `/api/v1/projects/${project}/issues/${iid}/workplan`;

describe('addresses', () => {
  test.each(['1', 'acme%2Fsample', 'acme%2fsample', '%61cme%2Fsample'])(
    'the project is found as %s',
    async (project) => {
      const http = await createHttp();
      expect((await http.get(statusOf(project))).status).toBe(200);
      expect((await http.post(`${statusOf(project)}/plan`)).status).toBe(202);
    },
  );

  test('a nested path of 1000 characters reaches GitLab as it is', async () => {
    const http = await createHttp();
    const path = Array.from({ length: 20 }, (_, i) => `${String(i).padStart(2, '0')}${'n'.repeat(47)}`).join('/');
    const asked: (string | number)[] = [];
    const issueAs = async (_token: string, project: string | number) => {
      asked.push(project);
      return null;
    };
    const long = await createHttp({ deps: { gitlab: { ...http.gitlab, issueAs } } });
    expect(path.length).toBe(999);
    expect((await long.get(statusOf(encodeURIComponent(`${path}x`)))).status).toBe(404);
    expect(asked).toEqual([`${path}x`]);
  });

  test('one that is encoded all through is read as well', async () => {
    const http = await createHttp();
    const all = [...'acme/sample'].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('');
    expect((await http.get(statusOf(all))).status).toBe(200);
  });

  test.each([
    '%00',
    'acme%2Fsample%00',
    '..',
    '..%2F..%2Fuser',
    '%2e%2e',
    'acme%2F..%2Fother',
    '.',
    'acme%252Fsample',
    'acme%2Fsample%2F',
    '%2Facme%2Fsample',
    'acme%2F%2Fsample',
    'acme%5Csample',
    'acme%20sample',
    'acme%3Fx=1',
    'acme%23x',
    '%E2%80%AE',
    '%F0%9F%98%80',
    '0',
    '-1',
    '1e3',
    '9'.repeat(40),
    '__proto__',
    'constructor',
  ])('the project %s does not exist', async (project) => {
    const http = await createHttp();
    const answered = [await http.get(statusOf(project)), await http.post(`${statusOf(project)}/plan`)];
    expect(answered.map(({ status, json }) => [status, json?.['code']])).toEqual([
      [404, 'not_found'],
      [404, 'not_found'],
    ]);
  });

  test('names that GitLab cannot have are not asked for', async () => {
    const http = await createHttp();
    for (const project of ['%00', '..%2Fuser', 'acme%3Fx', '9'.repeat(40)])
      await http.post(`${statusOf(project)}/plan`);
    expect(http.calls).toEqual(['userOfToken']);
  });

  test.each([
    ['%zz', 400, 'invalid_request'],
    ['%c3%28', 400, 'invalid_request'],
    ['%', 400, 'invalid_request'],
    ['x'.repeat(1001), 400, 'invalid_request'],
    ['x'.repeat(3001), 414, 'address_too_long'],
  ])('%s is refused with a problem document', async (project, status, code) => {
    const http = await createHttp();
    const answered = await http.get(statusOf(project));
    expect(answered.headers['content-type']).toMatch('application/problem+json');
    expect(answered.json).toMatchObject({ status, code });
    expect(answered.status).toBe(status);
  });

  test.each(['0', '-1', '1.5', '1e1', '0x1', '%201', '', 'one', '2147483648', '9'.repeat(30), 'NaN', '%00', '١'])(
    'the number "%s" is 400 before GitLab is asked for the item',
    async (iid) => {
      const http = await createHttp();
      const answered = await http.get(statusOf('1', encodeURIComponent(decodeURIComponent(iid))));
      expect([answered.status, answered.json?.['code']]).toEqual([400, 'invalid_request']);
      expect(http.calls).not.toContain('issueAs');
    },
  );

  test('the largest number is asked for', async () => {
    const http = await createHttp();
    expect((await http.get(statusOf('1', 2147483647))).status).toBe(404);
  });

  test('an unknown action is 400 and names those there are', async () => {
    const http = await createHttp();
    const answered = await http.post(`${ITEM}/dance`);
    expect([answered.status, answered.json?.['detail']]).toEqual([
      400,
      expect.stringMatching(/^action: .*plan.*reject/),
    ]);
  });

  test.each([
    ['GET', '/'],
    ['GET', '/nowhere?token=x'],
    ['GET', '/webhooks/gitlab'],
    ['PUT', ITEM],
    ['DELETE', `${ITEM}/plan`],
    ['OPTIONS', ITEM],
    ['OPTIONS', '*'],
    ['GET', '//'],
    ['GET', '/api/v1/projects/acme/sample/issues/1/workplan'],
  ] as const)('%s %s: a 404 problem without the query', async (method, url) => {
    const http = await createHttp();
    const answered = await http.send({ method, url, headers: { authorization: 'Bearer token-alice' } });
    expect([answered.status, answered.json?.['code']]).toEqual([404, 'not_found']);
    expect(answered.body).not.toContain('token=');
  });
});

describe('headers', () => {
  test('every answer has those that keep browsers safe', async () => {
    const http = await createHttp();
    const answered = [
      await http.get(ITEM),
      await http.get('/nowhere'),
      await http.get(ITEM, null),
      await http.get('/healthz'),
    ];
    for (const { headers } of answered)
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'SAMEORIGIN',
        'content-security-policy': expect.stringContaining("default-src 'self'"),
      });
  });

  test('problems are not kept by caches, nor does any answer name its software', async () => {
    const http = await createHttp();
    const answered = await http.get('/nowhere');
    expect(answered.headers['cache-control']).toBe('no-store');
    expect(answered.headers).not.toHaveProperty('x-powered-by');
  });

  test('other origins are given nothing', async () => {
    const http = await createHttp();
    const { headers } = await http.get(ITEM, 'alice', { origin: 'https://elsewhere.example' });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('rate limit', () => {
  test('holds for the API with a problem document and Retry-After', async () => {
    const http = await createHttp({ deps: { requestsPerMinute: 2 } });
    const statuses = [await http.get(ITEM), await http.get(ITEM), await http.get(ITEM), await http.get(ITEM)];
    const last = statuses.at(-1);
    // The first goes to the address, as nobody knows the token yet; the second and third to the token.
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(last?.json).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(last?.headers['retry-after']).toMatch(/^\d+$/);
  });

  test('persons count for themselves', async () => {
    const http = await createHttp({ deps: { requestsPerMinute: 2 } });
    const both = [await http.get(ITEM, 'alice'), await http.get(ITEM, 'bob')];
    const more = [await http.get(ITEM, 'alice'), await http.get(ITEM, 'alice'), await http.get(ITEM, 'alice')];
    expect([...both, ...more, await http.get(ITEM, 'bob')].map(({ status }) => status)).toEqual([
      200, 200, 200, 200, 429, 200,
    ]);
  });

  test('made-up tokens share one allowance, so that GitLab is not asked about each', async () => {
    const http = await createHttp({ deps: { requestsPerMinute: 3 } });
    const statuses: number[] = [];
    for (let i = 0; i < 6; i += 1) statuses.push((await http.get(ITEM, `nobody${i}`)).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429, 429]);
    expect(http.calls).toHaveLength(3);
  });

  test('deliveries, health, metrics and the description are exempt', async () => {
    const http = await createHttp({ deps: { requestsPerMinute: 1 } });
    const statuses = new Set<number>();
    for (let i = 0; i < 5; i += 1) {
      const headers = { 'x-gitlab-token': WEBHOOK_TOKEN };
      statuses.add((await http.send({ method: 'POST', url: '/webhooks/gitlab', headers, payload: 'x' })).status);
      for (const url of ['/healthz', '/readyz', '/metrics', '/openapi.json'])
        statuses.add((await http.get(url, null)).status);
    }
    expect([...statuses]).toEqual([200]);
  });
});

describe('health', () => {
  test('alive, ready and measured', async () => {
    const http = await createHttp();
    const [alive, ready, metrics] = [
      await http.get('/healthz', null),
      await http.get('/readyz', null),
      await http.get('/metrics', null),
    ];
    expect([alive.json, ready.json]).toEqual([{ status: 'ok' }, { status: 'ready' }]);
    expect([metrics.body, metrics.headers['content-type']]).toEqual(['# none\n', 'text/plain; version=0.0.4']);
  });

  test('not migrated: not ready, but alive; the reason is logged, not shown', async () => {
    const ready = async () => Promise.reject(new Error('migrations are pending: 003_x'));
    const http = await createHttp({ deps: { ready } });
    const answered = await http.get('/readyz', null);
    expect([answered.status, answered.json?.['code']]).toEqual([503, 'not_ready']);
    expect(answered.body).not.toContain('003_x');
    expect(http.log.lines).toHaveLength(1);
    expect((await http.get('/healthz', null)).status).toBe(200);
  });

  test('requests are counted by the pattern of the route, never by the address', async () => {
    const http = await createHttp();
    await http.get(statusOf('acme%2Fsample'));
    await http.get(statusOf('7', 99));
    await http.post(`${ITEM}/plan`);
    await http.get('/secret/path', null);
    await http.send({ method: 'POST', url: '/webhooks/gitlab', payload: 'x' });
    expect(http.requests.map(({ method, route, status }) => `${method} ${route} ${status}`)).toEqual([
      'GET /api/v1/projects/:project/issues/:iid/workplan 200',
      'GET /api/v1/projects/:project/issues/:iid/workplan 404',
      'POST /api/v1/projects/:project/issues/:iid/workplan/:action 202',
      'GET none 404',
      'POST /webhooks/gitlab 401',
    ]);
    expect(http.requests.every(({ seconds }) => seconds >= 0 && seconds < 60)).toBe(true);
  });
});
