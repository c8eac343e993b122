import type { IncomingHttpHeaders } from 'node:http';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSandbox, type TestSandbox } from './client.ts';

const ALL_EVENTS = { issues_events: true, note_events: true };

let sandbox: TestSandbox;
let receiver: Server;
let received: IncomingHttpHeaders[];
let bodies: { object_kind: string }[];

beforeEach(async () => {
  sandbox = await openSandbox();
  received = [];
  bodies = [];
  receiver = createServer(async (request, response) => {
    let raw = '';
    for await (const chunk of request.setEncoding('utf8')) raw += chunk;
    received.push(request.headers);
    bodies.push(JSON.parse(raw));
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await sandbox.close();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

async function addHook(fields: object): Promise<void> {
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const answer = await sandbox.api('maria', 'POST', '/projects/1/hooks', { url, push_events: false, ...fields });
  expect(answer.status).toBe(201);
}

describe('hooks that fail', () => {
  const DOWN = { url: 'http://127.0.0.1:9/hook', note_events: true };
  const fail = async (times: number): Promise<void> => {
    for (let call = 0; call < times; call += 1) {
      await sandbox.api('alice', 'POST', '/projects/1/issues/2/notes', { body: 'a' });
      await sandbox.idle();
    }
  };

  test('stay as they are unless the instance disables them', async () => {
    await sandbox.api('maria', 'POST', '/projects/1/hooks', DOWN);
    await fail(5);
    expect((await sandbox.api('maria', 'GET', '/projects/1/hooks')).body[0].alert_status).toBe('executable');
  });

  test('are disabled for a while from the fourth failure in a row on, and get nothing then', async () => {
    await sandbox.control('PUT', '/settings', { hookAutoDisable: true });
    await sandbox.api('maria', 'POST', '/projects/1/hooks', DOWN);
    await fail(3);
    const third = (await sandbox.api('maria', 'GET', '/projects/1/hooks')).body[0];
    await fail(2);
    const fourth = (await sandbox.api('maria', 'GET', '/projects/1/hooks')).body[0];

    expect(third.alert_status).toBe('executable');
    expect(fourth.alert_status).toBe('temporarily_disabled');
    expect(Date.parse(fourth.disabled_until)).toBeGreaterThan(Date.now());
    expect((await sandbox.control('GET', '/hooks/deliveries')).body).toHaveLength(4);
  });

  test('come back by a test that is answered', async () => {
    await sandbox.control('PUT', '/settings', { hookAutoDisable: true });
    await addHook({ note_events: true });
    const [hook] = (await sandbox.api('maria', 'GET', '/projects/1/hooks')).body;
    await sandbox.control('PUT', `/hooks/${hook.id}`, { alertStatus: 'disabled' });
    const tested = await sandbox.api('maria', 'POST', `/projects/1/hooks/${hook.id}/test/issues_events`);

    expect(tested.status).toBe(201);
    expect((await sandbox.api('maria', 'GET', `/projects/1/hooks/${hook.id}`)).body.alert_status).toBe('executable');
  });

  test('a test that nobody answers is a 422', async () => {
    const hook = (await sandbox.api('maria', 'POST', '/projects/1/hooks', DOWN)).body;
    const tested = await sandbox.api('maria', 'POST', `/projects/1/hooks/${hook.id}/test/issues_events`);
    expect(tested.status).toBe(422);
  });
});

test('in silent mode nothing is sent', async () => {
  await addHook(ALL_EVENTS);
  await sandbox.control('PUT', '/settings', { silentMode: true });
  await sandbox.api('alice', 'POST', '/projects/1/issues/2/notes', { body: 'a' });
  await sandbox.idle();
  expect(received).toEqual([]);
});

test('old releases send no Idempotency-Key, later ones every item as a work item', async () => {
  await addHook(ALL_EVENTS);
  await sandbox.control('PUT', '/settings', { version: '17.3.0', workItemHooks: true });
  await sandbox.api('alice', 'PUT', '/projects/1/issues/3', { add_labels: 'x' });

  await sandbox.idle();
  expect(received).toHaveLength(1);
  expect(received[0]?.['idempotency-key']).toBeUndefined();
  expect([bodies[0]?.object_kind, received[0]?.['x-gitlab-event']]).toEqual(['work_item', 'Issue Hook']);
});
