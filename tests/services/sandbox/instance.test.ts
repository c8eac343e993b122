import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSandbox, type TestSandbox } from './client.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  // It counts by whole minutes: none begins while a test runs.
  sandbox = await openSandbox({ now: () => new Date('2026-03-02T09:00:20.000Z') });
});
afterEach(() => sandbox.close());

const NOTES = '/projects/1/issues/3/notes';
const withToken = (token: string, path: string, method = 'GET') =>
  fetch(`${sandbox.url}/api/v4${path}`, { method, headers: { 'private-token': token } });

describe('rate limits', () => {
  test('the throttle answers as text, with its headers, for this token alone', async () => {
    await sandbox.control('PUT', '/rate-limits', { requestsPerMinute: 2 });
    const answers = [];
    for (let call = 0; call < 3; call += 1) answers.push(await sandbox.api('alice', 'GET', '/user'));
    const other = await sandbox.api('bob', 'GET', '/user');

    const refused = answers[2];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(refused).toMatchObject({ status: 429, body: 'Retry later\n' });
    expect(Object.fromEntries(refused?.headers ?? [])).toMatchObject({
      'content-type': 'text/plain',
      'ratelimit-limit': '2',
      'ratelimit-name': 'throttle_authenticated_api',
      'ratelimit-remaining': '0',
      'ratelimit-observed': '3',
      'ratelimit-reset': String(Date.parse('2026-03-02T09:01:00.000Z') / 1000),
      'ratelimit-resettime': 'Mon, 02 Mar 2026 09:01:00 GMT',
      'retry-after': '40',
    });
    expect(other.status).toBe(200);
  });

  test('the limit of new notes answers JSON and no rate limit headers, and reading goes on', async () => {
    await sandbox.control('PUT', '/rate-limits', { notesPerMinute: 1 });
    const answers = [];
    for (let call = 0; call < 3; call += 1)
      answers.push(await sandbox.api('alice', 'POST', NOTES, { body: `${call}` }));

    const refused = answers[2];
    expect(refused?.status).toBe(429);
    expect(refused?.body.message.error).toMatch(/requested too many times/);
    expect(refused?.headers.get('ratelimit-limit')).toBeNull();
    expect((await sandbox.api('alice', 'GET', NOTES)).status).toBe(200);
  });

  test('taken back nobody is refused, and the headers speak of the default again', async () => {
    await sandbox.control('PUT', '/rate-limits', { requestsPerMinute: 1, headers: false });
    const silent = await sandbox.api('alice', 'GET', '/user');
    await sandbox.control('DELETE', '/rate-limits');
    const again = await sandbox.api('alice', 'GET', '/user');

    expect(silent.headers.get('ratelimit-limit')).toBeNull();
    expect([again.status, again.headers.get('ratelimit-limit')]).toEqual([200, '2000']);
  });
});

describe('tokens', () => {
  const token = async (scopes: string[], expiresAt: string | null = null): Promise<{ id: number; token: string }> =>
    (await sandbox.control('POST', '/tokens', { username: 'alice', scopes, expiresAt })).body;

  test.each([
    ['api', 201, 200, 200],
    ['read_api', 403, 200, 200],
    ['read_user', 403, 403, 200],
    ['write_repository', 403, 403, 403],
  ])('%s: writing %i, reading %i, the user %i', async (scope, writing, reading, user) => {
    const { token: value } = await token([scope]);
    const written = await withToken(value, '/projects/1/issues?title=New', 'POST');
    const read = await withToken(value, '/projects/1');
    const self = await withToken(value, '/user');

    expect([written.status, read.status, self.status]).toEqual([writing, reading, user]);
    if (writing === 403) expect(await written.json()).toMatchObject({ error: 'insufficient_scope' });
    expect(await (await withToken(value, '/personal_access_tokens/self')).json()).toMatchObject({ scopes: [scope] });
  });

  test('an expired and a revoked one are 401, in words of their own', async () => {
    const expired = await token(['api'], '2026-01-01');
    const revoked = await token(['api']);
    await sandbox.control('DELETE', `/tokens/${revoked.id}`);

    const late = await withToken(expired.token, '/user');
    const gone = await withToken(revoked.token, '/user');
    expect([late.status, gone.status]).toEqual([401, 401]);
    expect(await late.json()).toMatchObject({
      error: 'invalid_token',
      error_description: expect.stringMatching(/expired/),
    });
    expect(await gone.json()).toMatchObject({
      error: 'invalid_token',
      error_description: expect.stringMatching(/revoked/),
    });
  });
});

describe('switches', () => {
  const set = (settings: object) => sandbox.control('PUT', '/settings', settings);

  test('version and licence', async () => {
    await set({ version: '17.2.1', enterprise: true });
    expect((await sandbox.api('alice', 'GET', '/version')).body.version).toBe('17.2.1-ee');
    expect((await sandbox.api('alice', 'GET', '/metadata')).body).toMatchObject({ enterprise: true });
  });

  test('what is no switch is refused', async () => {
    expect((await set({ colour: 'red' })).status).toBe(400);
    expect((await set({ version: 'new' })).status).toBe(400);
  });

  test('scoped labels exclude each other, or do not', async () => {
    const labels = async (fields: object) =>
      (await sandbox.api('alice', 'PUT', '/projects/1/issues/3', fields)).body.labels;
    const both = await labels({ labels: 'workplan::a', add_labels: 'workplan::b' });
    await set({ scopedLabels: true });
    const one = await labels({ add_labels: 'workplan::c,plain' });

    expect(both).toEqual(['workplan::a', 'workplan::b']);
    expect(one).toEqual(['plain', 'workplan::c']);
    const events = (await sandbox.api('alice', 'GET', '/projects/1/issues/3/resource_label_events')).body;
    const removed = events.filter((event: { action: string }) => event.action === 'remove');
    expect(removed.map((event: { label: { name: string } }) => event.label.name)).toEqual(
      expect.arrayContaining(['workplan::a', 'workplan::b']),
    );
  });

  test('without GraphQL its address is a 404', async () => {
    await set({ graphql: false });
    const response = await fetch(`${sandbox.url}/api/graphql`, {
      method: 'POST',
      headers: { 'private-token': 'sandbox-alice', 'content-type': 'application/json' },
      body: '{"query":"{ x }"}',
    });
    expect(response.status).toBe(404);
  });

  test('commands are found as the chosen release finds them', async () => {
    const body = 'see\n~~~\n/close\n~~~';
    const state = async () => (await sandbox.api('alice', 'GET', '/projects/1/issues/3')).body.state;
    await set({ quickActions: 'markdown' });
    await sandbox.api('alice', 'POST', NOTES, { body });
    const later = await state();
    await set({ quickActions: 'pattern' });
    await sandbox.api('alice', 'POST', NOTES, { body });

    expect([later, await state()]).toEqual(['opened', 'closed']);
  });

  test('a signing token is ignored by releases that know none', async () => {
    await set({ webhookSigning: false });
    const { body } = await sandbox.api('maria', 'POST', '/projects/1/hooks', {
      url: 'http://127.0.0.1:9/',
      signing_token: 'whatever',
    });
    expect(body).not.toHaveProperty('signing_token_present');
  });
});
