import { createHash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { TransientFailure } from '../../../src/ports/failures.ts';
import { createHttp, type Http, SIGNING_TOKEN, WEBHOOK_TOKEN } from './harness.ts';

const note = {
  object_kind: 'note',
  project_id: 7,
  object_attributes: { id: 31, noteable_type: 'Issue', note: '/workplan plan', action: 'create' },
  issue: { iid: 3 },
};

function deliver(http: Http, payload: unknown, headers: Record<string, string> = {}) {
  const body = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload);
  return http.send({
    method: 'POST',
    url: '/webhooks/gitlab',
    headers: { 'content-type': 'application/json', 'x-gitlab-event': 'Note Hook', ...headers },
    payload: body,
  });
}

const authentic = { 'x-gitlab-token': WEBHOOK_TOKEN };

function signed(body: string, at: Date): Record<string, string> {
  const signature = new Webhook(SIGNING_TOKEN).sign('signed-1', at, body);
  const timestamp = String(Math.floor(at.getTime() / 1000));
  return { 'webhook-id': 'signed-1', 'webhook-timestamp': timestamp, 'webhook-signature': signature };
}

describe('authenticity', () => {
  const body = JSON.stringify(note);

  test.each([
    ['no token', {}],
    ['a wrong token', { 'x-gitlab-token': 'guess' }],
    ['an empty token', { 'x-gitlab-token': '' }],
    ['a forged signature', { 'webhook-id': 'a', 'webhook-timestamp': '1767603600', 'webhook-signature': 'v1,AAAA' }],
    ['a wrong signature beside the right token', { ...authentic, 'webhook-signature': 'v1,AAAA' }],
  ])('%s: 401, nothing stored, nobody woken', async (_name, headers) => {
    const http = await createHttp();
    const answered = await deliver(http, body, headers);
    expect(answered.status).toBe(401);
    expect(answered.json).toMatchObject({ status: 401, code: 'bad_signature' });
    expect(http.inbox.stored).toEqual([]);
    expect(http.wakes.deliveries).toBe(0);
  });

  test('a signed delivery is stored', async () => {
    const http = await createHttp();
    const answered = await deliver(http, body, signed(body, http.clock.now()));
    expect(answered.status).toBe(202);
    expect(http.inbox.stored).toEqual([{ id: 'signed-1', event: 'Note Hook', itemKey: '7/3', body }]);
  });

  test('a delivery whose content cannot be summed up is stored by its id', async () => {
    const http = await createHttp();
    const depth = 50_000;
    const attributes = '{"id":31,"action":"update","updated_at":"2026-01-05 09:00:00 UTC"}';
    const deep = `{"object_kind":"note","project_id":7,"object_attributes":${attributes},"issue":{"iid":3},"changes":${'['.repeat(depth)}${']'.repeat(depth)}}`;

    const answered = await deliver(http, deep, { ...authentic, 'webhook-id': 'deep-1' });

    expect(answered.status).toBe(202);
    expect(http.inbox.stored).toMatchObject([{ id: 'deep-1' }]);
  });

  test('a signed delivery that is repeated after five minutes is refused', async () => {
    const http = await createHttp();
    const headers = signed(body, http.clock.now());
    http.clock.advance(301_000);
    expect((await deliver(http, body, headers)).status).toBe(401);
  });

  test('does not show which token was expected', async () => {
    const http = await createHttp();
    const answered = await deliver(http, body, { 'x-gitlab-token': 'guess' });
    expect(JSON.stringify([answered, http.log.lines])).not.toContain(WEBHOOK_TOKEN);
  });
});

describe('what is not ours', () => {
  test.each([
    ['no JSON', 'hello'],
    ['nothing', ''],
    ['bytes', Buffer.from([0xff, 0x00, 0xfe])],
    ['a number', '7'],
    ['null', 'null'],
    ['a text', '"note"'],
    ['a list', '[{"object_kind":"note"}]'],
    ['an object without a kind', '{}'],
    ['a kind that is no text', '{"object_kind":{"note":1}}'],
    ['a push', '{"object_kind":"push"}'],
    ['a name of every object', '{"object_kind":"constructor"}'],
    ['JSON cut off', '{"object_kind":"note"'],
    ['deep JSON', `{"object_kind":${'['.repeat(200_000)}`],
  ])('%s: 200 {ignored}, nothing stored', async (_name, body) => {
    const http = await createHttp();
    const answered = await deliver(http, body, authentic);
    expect([answered.status, answered.json]).toEqual([200, { ignored: true }]);
    expect(http.inbox.stored).toEqual([]);
  });
});

describe('storing', () => {
  test('is over before the acknowledgement, which waits for nothing else', async () => {
    const http = await createHttp();
    const { promise, resolve } = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    http.inbox.before(() => {
      asked.resolve();
      return promise;
    });
    const steps: string[] = [];
    const answered = deliver(http, note, authentic).then(({ status }) => steps.push(`answered ${status}`));
    await asked.promise;
    await new Promise(setImmediate);
    steps.push('stored');
    resolve();
    await answered;
    expect(steps).toEqual(['stored', 'answered 202']);
  });

  test('wakes the worker once, after storing, and asks GitLab nothing', async () => {
    const http = await createHttp();
    await deliver(http, note, authentic);
    expect(http.wakes.deliveries).toBe(1);
    expect(http.calls).toEqual([]);
  });

  test('a known id is acknowledged and wakes nobody', async () => {
    const http = await createHttp();
    await deliver(http, note, { ...authentic, 'idempotency-key': 'k1' });
    const again = await deliver(http, note, { ...authentic, 'idempotency-key': 'k1' });
    expect([again.status, again.json]).toEqual([200, { known: true }]);
    expect(http.wakes.deliveries).toBe(1);
  });

  test.each([
    ['the store is away', new TransientFailure('store_unavailable', 'connect ECONNREFUSED 10.0.0.9:5432')],
    ['the store fails oddly', new Error('null value in column "id"')],
  ])('%s: 503, so that GitLab sends again', async (_name, failure) => {
    const http = await createHttp();
    http.inbox.before(() => Promise.reject(failure));
    const answered = await deliver(http, note, authentic);
    expect(answered.status).toBe(503);
    expect(answered.json).toMatchObject({ code: 'store_unavailable' });
    expect(answered.body).not.toContain(failure.message);
    expect(http.log.lines).toMatchObject([{ level: 'error', data: { error: failure } }]);
  });

  test.each([
    '',
    'application/json',
    'text/plain; charset=utf-8',
    'multipart/form-data',
    'no type at all',
    ';;',
    'a/b/c',
  ])('the content type "%s" does not matter', async (type) => {
    const http = await createHttp();
    expect((await deliver(http, note, { ...authentic, 'content-type': type })).status).toBe(202);
  });

  test('works without a content type', async () => {
    const http = await createHttp();
    const payload = Buffer.from(JSON.stringify(note));
    const answered = await http.send({ method: 'POST', url: '/webhooks/gitlab', headers: authentic, payload });
    expect(answered.status).toBe(202);
  });

  test('keeps the body as it came', async () => {
    const http = await createHttp();
    const body = `{ "object_kind" : "issue",\n "text": "日本語 \\u0000 😀" }`;
    await deliver(http, body, authentic);
    expect(http.inbox.stored[0]?.body).toBe(body);
  });

  test('takes 25 MB and refuses over 26 MiB with a problem document', async () => {
    const http = await createHttp();
    const large = JSON.stringify({ ...note, filler: 'x'.repeat(25_000_000) });
    const tooLarge = Buffer.alloc(26 * 1024 * 1024 + 1, 'x');
    expect((await deliver(http, large, authentic)).status).toBe(202);
    const answered = await deliver(http, tooLarge, authentic);
    expect(answered.status).toBe(413);
    expect(answered.headers['content-type']).toMatch('application/problem+json');
    expect(answered.json).toMatchObject({ status: 413, code: 'too_large' });
  });
});

describe('delivery id', () => {
  async function idOf(headers: Record<string, string>): Promise<string | undefined> {
    const http = await createHttp();
    await deliver(http, note, { ...authentic, ...headers });
    return http.inbox.stored[0]?.id;
  }

  test('is webhook-id, else Idempotency-Key, never the UUID that is new with every send', async () => {
    const uuid = { 'x-gitlab-webhook-uuid': 'u', 'x-gitlab-event-uuid': 'e' };
    expect(await idOf({ 'webhook-id': 'w', 'idempotency-key': 'k', ...uuid })).toBe('w');
    expect(await idOf({ 'idempotency-key': 'k', ...uuid })).toBe('k');
  });

  test('is the hash of the body without one', async () => {
    const hash = createHash('sha256').update(JSON.stringify(note)).digest('hex');
    expect(await idOf({ 'x-gitlab-webhook-uuid': 'u' })).toBe(`body-${hash}`);
    expect(await idOf({ 'idempotency-key': '' })).toBe(`body-${hash}`);
  });

  test('two overlong ones with one beginning are two', async () => {
    const ids = [
      await idOf({ 'idempotency-key': `${'k'.repeat(300)}1` }),
      await idOf({ 'idempotency-key': `${'k'.repeat(300)}2` }),
    ];
    expect(new Set(ids).size).toBe(2);
    expect(ids.every((id) => id !== undefined && id.length <= 200)).toBe(true);
  });

  test('an overlong event name is cut', async () => {
    const http = await createHttp();
    await deliver(http, note, { ...authentic, 'x-gitlab-event': 'E'.repeat(5000) });
    expect(http.inbox.stored[0]?.event).toHaveLength(100);
  });
});

describe('item key', () => {
  test.each([
    ['a note', note, '7/3'],
    ['an edited note', { ...note, object_attributes: { ...note.object_attributes, action: 'update' } }, '7/3'],
    ['an issue', { object_kind: 'issue', project: { id: 7 }, object_attributes: { iid: 3 } }, '7/3'],
    ['a work item', { object_kind: 'work_item', object_attributes: { iid: 3, project_id: 7 } }, '7/3'],
    ['a reaction on an item', { object_kind: 'emoji', project_id: 7, issue: { iid: 3 } }, '7/3'],
    ['a merge request', { object_kind: 'merge_request', project: { id: 7 }, object_attributes: { iid: 3 } }, '7'],
    ['an expiring token', { object_kind: 'access_token', project: { id: 7 }, object_attributes: { id: 3 } }, '7'],
    ['an item of a group', { object_kind: 'work_item', group: { id: 9 }, object_attributes: { iid: 3 } }, 'none'],
    ['numbers that are none', { object_kind: 'note', project_id: 'x'.repeat(900), issue: { iid: {} } }, 'none'],
  ])('%s', async (_name, payload, key) => {
    const http = await createHttp();
    await deliver(http, payload, authentic);
    expect(http.inbox.stored.map(({ itemKey }) => itemKey)).toEqual([key]);
  });
});
