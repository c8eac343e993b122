import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { expect, test } from 'vitest';
import { createHttp, type Http, ITEM, WEBHOOK_TOKEN } from './harness.ts';

const SEED = 20_260_105;

/** Printable ASCII: what HTTP lets into a header. */
const headerText = fc.stringMatching(/^[\x20-\x7e]{0,40}$/);
const pick = <T>(...values: T[]) => fc.constantFrom(...values);

const segment = fc.oneof(
  { weight: 3, arbitrary: pick('1', 'acme%2Fsample', 'acme', 'plan', 'continue', 'cancel', 'reject', 'workplan') },
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.stringMatching(/^(%[0-9a-f]{2}|%[0-9a-z]{0,2}|[!-~]){0,12}$/).map((text) => text.replace(/[?#\\/]/g, '')),
  fc.integer({ min: 0, max: 1200 }).map((length) => 'a'.repeat(length)),
  pick('..', '.', '%2e%2e', '%00', '%252F', '%ff', '-1', '9'.repeat(40)),
);

const address = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(segment, segment).map(([p, i]) => `/api/v1/projects/${p}/issues/${i}/workplan`) },
  { weight: 4, arbitrary: segment.map((action) => `${ITEM}/${action}`) },
  {
    weight: 2,
    arbitrary: pick(ITEM, `${ITEM}/plan`, `${ITEM}/continue`, `${ITEM}/cancel`, '/readyz', '/openapi.json'),
  },
  fc.array(segment, { maxLength: 9 }).map((parts) => `/${parts.join('/')}`),
);

const payload = fc.oneof(
  fc.constant(undefined),
  fc.json(),
  fc.record({ pauseId: fc.anything(), reason: fc.anything() }, { requiredKeys: [] }).map(jsonOf),
  fc.record({ pauseId: fc.string(), reason: fc.string({ unit: 'binary' }) }, { requiredKeys: [] }).map(jsonOf),
  fc.string({ unit: 'binary' }),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

const headers = fc.record(
  {
    authorization: fc.oneof(
      { weight: 8, arbitrary: pick('Bearer token-alice', 'Bearer token-bob', 'Bearer token-erin') },
      headerText,
    ),
    'private-token': fc.oneof(pick('token-alice', 'token-carol', 'token-planwright'), headerText),
    'content-type': fc.oneof({ weight: 3, arbitrary: fc.constant('application/json') }, headerText),
    'if-none-match': fc.oneof(pick('*', '"none"', 'W/"run-1.1"'), headerText),
    accept: headerText,
    origin: headerText,
  },
  { requiredKeys: ['authorization'] },
);

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return '{}';
  }
}

/** Whatever comes, the answer is one of ours: no 5xx, no stack, and every refusal of the API a problem document. */
function expectDecent(answered: Awaited<ReturnType<Http['send']>>, request: InjectOptions): void {
  const told = JSON.stringify(request);
  expect(answered.status, told).toBeLessThan(500);
  expect(answered.body, told).not.toMatch(/\bat [^\n]*\.[jt]s:\d+/);
  if (answered.status < 400 || request.method === 'HEAD') return;
  expect(answered.headers['content-type'], told).toMatch('application/problem+json');
  expect(answered.json, told).toMatchObject({ status: answered.status, code: expect.stringMatching(/^[a-z_]+$/) });
}

test('no request to the API is answered by a 5xx', async () => {
  const http = await createHttp();
  const seen = new Set<number>();
  const request = fc.record({
    method: pick('GET', 'POST', 'HEAD', 'PUT', 'OPTIONS', 'PATCH'),
    url: address,
    headers,
    payload,
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ payload: body, ...rest }) => {
      const sent = { ...rest, ...(body === undefined ? {} : { payload: body }) } as InjectOptions;
      const answered = await http.send(sent);
      seen.add(answered.status);
      expectDecent(answered, sent);
    }),
    { numRuns: 3000, seed: SEED },
  );
  expect([...seen]).toEqual(expect.arrayContaining([200, 202, 304, 400, 401, 403, 404, 409, 415]));
});

const kind = fc.oneof(
  pick('note', 'issue', 'work_item', 'emoji', 'merge_request', 'access_token', 'push'),
  fc.anything(),
);
const number = fc.oneof(fc.integer(), fc.anything());
const hook = fc
  .record(
    {
      object_kind: kind,
      project_id: number,
      project: fc.oneof(fc.record({ id: number }), fc.anything()),
      issue: fc.oneof(fc.record({ iid: number }), fc.anything()),
      object_attributes: fc.oneof(
        fc.record({
          id: number,
          iid: number,
          note: fc.anything(),
          noteable_type: pick('Issue', 'WorkItem', 'Commit'),
          action: fc.anything(),
        }),
        fc.anything(),
      ),
    },
    { requiredKeys: ['object_kind'] },
  )
  .map(jsonOf);

/** A body with one byte changed, cut off or put in. */
const mutated = fc.tuple(hook, fc.nat(), fc.nat(255), pick('change', 'cut', 'insert')).map(([text, at, byte, how]) => {
  const bytes = Buffer.from(text);
  const place = at % (bytes.length + 1);
  if (how === 'cut') return bytes.subarray(0, place);
  return Buffer.concat([
    bytes.subarray(0, place),
    Buffer.from([byte]),
    bytes.subarray(how === 'change' ? place + 1 : place),
  ]);
});

test('every authentic delivery is acknowledged, every other is 401', async () => {
  const http = await createHttp();
  const seen = new Set<number>();
  const delivery = fc.record({
    authentic: fc.boolean(),
    body: fc.oneof(
      hook,
      mutated,
      fc.json(),
      fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
    ),
    headers: fc.record(
      {
        'content-type': headerText,
        'x-gitlab-event': headerText,
        'idempotency-key': headerText,
        'webhook-id': headerText,
        'webhook-timestamp': headerText,
      },
      { requiredKeys: [] },
    ),
    forged: fc.record({ 'x-gitlab-token': headerText, 'webhook-signature': headerText }, { requiredKeys: [] }),
  });
  await fc.assert(
    fc.asyncProperty(delivery, async ({ authentic, body, headers: given, forged }) => {
      const proof = authentic ? { 'x-gitlab-token': WEBHOOK_TOKEN } : forged;
      const before = http.inbox.stored.length;
      const request: InjectOptions = {
        method: 'POST',
        url: '/webhooks/gitlab',
        headers: { ...given, ...proof },
        payload: body,
      };
      const answered = await http.send(request);
      seen.add(answered.status);
      expectDecent(answered, request);
      expect(authentic ? [200, 202] : [401], JSON.stringify(request)).toContain(answered.status);
      expect(http.inbox.stored.length - before).toBe(answered.status === 202 ? 1 : 0);
      const stored = http.inbox.stored.at(-1);
      if (stored)
        expect([stored.id.length <= 200, stored.event.length <= 100, stored.itemKey.length <= 40]).toEqual([
          true,
          true,
          true,
        ]);
    }),
    { numRuns: 3000, seed: SEED },
  );
  expect([...seen].toSorted()).toEqual([200, 202, 401]);
});
