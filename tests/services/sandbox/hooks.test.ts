import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSandbox, type TestSandbox } from './client.ts';

interface Received {
  headers: IncomingHttpHeaders;
  raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes.
  body: any;
}

const KEY = Buffer.alloc(32, 7);
const ALL_EVENTS = {
  issues_events: true,
  confidential_issues_events: true,
  note_events: true,
  confidential_note_events: true,
  emoji_events: true,
};

let sandbox: TestSandbox;
let receiver: Server;
let received: Received[];
let hookUrl: string;

beforeEach(async () => {
  sandbox = await openSandbox();
  received = [];
  receiver = createServer((request, response) => {
    let raw = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      raw += chunk;
    });
    request.on('end', () => {
      received.push({ headers: request.headers, raw, body: JSON.parse(raw) });
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  hookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});
afterEach(async () => {
  await sandbox.close();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

async function addHook(fields: object = {}): Promise<void> {
  const answer = await sandbox.api('maria', 'POST', '/projects/1/hooks', {
    url: hookUrl,
    push_events: false,
    ...fields,
  });
  expect(answer.status).toBe(201);
}

async function only(): Promise<Received> {
  await sandbox.idle();
  expect(received).toHaveLength(1);
  const [first] = received;
  if (!first) throw new Error('no delivery came');
  return first;
}

test('a note fires a hook with the headers of GitLab', async () => {
  await addHook({ note_events: true, token: 'secret' });
  await sandbox.api('alice', 'POST', '/projects/1/issues/2/notes', { body: '/workplan plan' });

  const { headers, body } = await only();

  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'x-gitlab-event': 'Note Hook',
    'x-gitlab-token': 'secret',
    'x-gitlab-instance': sandbox.url,
  });
  expect(headers['user-agent']).toMatch(/^GitLab\//);
  for (const name of ['idempotency-key', 'x-gitlab-webhook-uuid', 'x-gitlab-event-uuid']) {
    expect(headers[name]).toMatch(/^[0-9a-f-]{36}$/);
  }
  expect(headers['webhook-signature']).toBeUndefined();
  expect(body).toMatchObject({
    object_kind: 'note',
    event_type: 'note',
    user: { id: 11, username: 'alice' },
    project_id: 1,
    project: { id: 1, path_with_namespace: 'acme/sample' },
    object_attributes: {
      note: '/workplan plan',
      noteable_type: 'Issue',
      action: 'create',
      system: false,
      internal: false,
    },
    issue: { id: 502, iid: 2, state: 'opened' },
  });
  expect(body.object_attributes.discussion_id).toMatch(/^[0-9a-f]{40}$/);
});

test('a signing token signs the delivery', async () => {
  await addHook({ note_events: true, signing_token: `whsec_${KEY.toString('base64')}` });
  await sandbox.api('alice', 'POST', '/projects/1/issues/2/notes', { body: 'ünïcode ✓' });

  const { headers, raw } = await only();
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${raw}`;

  expect(headers['webhook-id']).toBe(headers['idempotency-key']);
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', KEY).update(signed).digest('base64')}`);
});

test('a signing token that is no 32-byte key is refused, and none is ever shown', async () => {
  const bad = await sandbox.api('maria', 'POST', '/projects/1/hooks', { url: hookUrl, signing_token: 'whsec_abc' });
  const token = `whsec_${KEY.toString('base64')}`;
  const good = await sandbox.api('maria', 'POST', '/projects/1/hooks', { url: hookUrl, signing_token: token });

  expect(bad.status).toBe(422);
  expect(good.body).toMatchObject({ signing_token_present: true, token_present: false });
  expect(JSON.stringify(good.body)).not.toContain(KEY.toString('base64'));
});

test.each([
  ['an issue is opened', 'POST', '/projects/1/issues', { title: 'New' }, 'open'],
  ['an issue is closed', 'PUT', '/projects/1/issues/3', { state_event: 'close' }, 'close'],
  ['a label is added', 'PUT', '/projects/1/issues/3', { add_labels: 'workplan-do::plan' }, 'update'],
])('%s: issue hook', async (_what, method, path, fields, action) => {
  await addHook(ALL_EVENTS);
  await sandbox.api('alice', method, path, fields);

  const { headers, body } = await only();

  expect(headers['x-gitlab-event']).toBe('Issue Hook');
  expect(body).toMatchObject({ object_kind: 'issue', object_attributes: { action } });
});

test('a change of labels is told with before and after', async () => {
  await addHook(ALL_EVENTS);
  await sandbox.api('alice', 'PUT', '/projects/1/issues/3', { add_labels: 'workplan-do::plan' });

  const { labels } = (await only()).body.changes;

  expect(labels.previous.map((label: { title: string }) => label.title)).toEqual(['area::search']);
  expect(labels.current.map((label: { title: string }) => label.title)).toEqual(['area::search', 'workplan-do::plan']);
});

test('an update that changes nothing fires nothing', async () => {
  await addHook(ALL_EVENTS);
  await sandbox.api('alice', 'PUT', '/projects/1/issues/3', { add_labels: 'area::search' });
  await sandbox.idle();

  expect(received).toEqual([]);
});

test('an edited note is an update', async () => {
  const note = await sandbox.api('alice', 'POST', '/projects/1/issues/2/notes', { body: 'a' });
  await addHook(ALL_EVENTS);
  await sandbox.api('alice', 'PUT', `/projects/1/issues/2/notes/${note.body.id}`, { body: 'b' });

  expect((await only()).body.object_attributes).toMatchObject({ id: note.body.id, note: 'b', action: 'update' });
});

test('reactions fire emoji hooks with their note', async () => {
  const note = await sandbox.api('planwright', 'POST', '/projects/1/issues/2/notes', { body: 'a' });
  await addHook(ALL_EVENTS);
  const awards = `/projects/1/issues/2/notes/${note.body.id}/award_emoji`;
  const award = await sandbox.api('alice', 'POST', awards, { name: 'one' });
  await sandbox.idle();
  await sandbox.api('alice', 'DELETE', `${awards}/${award.body.id}`);
  await sandbox.idle();

  expect(received.map(({ body }) => body.event_type)).toEqual(['award', 'revoke']);
  expect(received[0]?.body).toMatchObject({
    object_kind: 'emoji',
    object_attributes: { name: 'one', awardable_type: 'Note', awardable_id: note.body.id, action: 'award' },
    note: { id: note.body.id },
    issue: { iid: 2 },
  });
});

test('an internal note goes by the confidential hook only', async () => {
  await addHook({ note_events: true });
  await addHook({ note_events: false, confidential_note_events: true });
  await sandbox.api('maria', 'POST', '/projects/1/issues/2/notes', { body: 'psst', internal: true });

  const { headers, body } = await only();

  expect(headers['x-gitlab-event']).toBe('Confidential Note Hook');
  expect(body).toMatchObject({ event_type: 'confidential_note', object_attributes: { internal: true } });
});

test('a resend has the same key and body, and a new UUID', async () => {
  await addHook({ note_events: true });
  await sandbox.api('alice', 'POST', '/projects/1/issues/2/notes', { body: 'a' });
  await sandbox.idle();
  const [delivery] = (await sandbox.control('GET', '/hooks/deliveries')).body;
  await sandbox.control('POST', '/hooks/redeliver', { deliveryId: delivery.id });

  const [first, second] = received;

  expect(received).toHaveLength(2);
  expect(second?.raw).toBe(first?.raw);
  expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
  expect(second?.headers['x-gitlab-webhook-uuid']).not.toBe(first?.headers['x-gitlab-webhook-uuid']);
});

test('a receiver that is not there leaves a failed attempt and no retry', async () => {
  await sandbox.api('maria', 'POST', '/projects/1/hooks', { url: 'http://127.0.0.1:9/hook', note_events: true });
  await sandbox.api('alice', 'POST', '/projects/1/issues/2/notes', { body: 'a' });
  await sandbox.idle();

  const [delivery] = (await sandbox.control('GET', '/hooks/deliveries')).body;

  expect(delivery.attempts).toHaveLength(1);
  expect(delivery.attempts[0]).toMatchObject({ status: null, error: expect.any(String) });
});

test('hooks are listed, changed and deleted by Maintainers only', async () => {
  await addHook({ note_events: true });
  const [hook] = (await sandbox.api('maria', 'GET', '/projects/1/hooks')).body;
  const path = `/projects/1/hooks/${hook.id}`;

  expect((await sandbox.api('alice', 'GET', '/projects/1/hooks')).status).toBe(403);
  expect((await sandbox.api('maria', 'PUT', path, { emoji_events: true })).body).toMatchObject({
    note_events: true,
    emoji_events: true,
  });
  expect((await sandbox.api('maria', 'DELETE', path)).status).toBe(204);
  expect((await sandbox.api('maria', 'GET', '/projects/1/hooks')).body).toEqual([]);
});

test('closing breaks off a delivery whose receiver never answers', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
  await sandbox.api('maria', 'POST', '/projects/1/hooks', { url, note_events: true });
  const arrived = new Promise((resolve) => silent.once('request', resolve));
  await sandbox.api('alice', 'POST', '/projects/1/issues/2/notes', { body: 'a' });
  await arrived;

  await sandbox.close();

  silent.closeAllConnections();
  await new Promise((resolve) => silent.close(resolve));
});
