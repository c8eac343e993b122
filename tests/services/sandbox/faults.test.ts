import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSandbox, type TestSandbox } from './client.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
});
afterEach(() => sandbox.close());

const NOTES = '/projects/1/issues/3/notes';

test('a fault takes as many calls as it says and stores nothing', async () => {
  await sandbox.control('POST', '/faults', { method: 'POST', path: '/notes$', status: 503, times: 2 });

  const statuses = [];
  for (let call = 0; call < 3; call += 1)
    statuses.push((await sandbox.api('alice', 'POST', NOTES, { body: 'a' })).status);

  expect(statuses).toEqual([503, 503, 201]);
  expect((await sandbox.api('alice', 'GET', NOTES)).body).toHaveLength(1);
});

test('afterCommit fails a call that has stored', async () => {
  await sandbox.control('POST', '/faults', {
    method: 'POST',
    path: '/notes$',
    status: 502,
    afterCommit: true,
    times: 1,
  });

  const answer = await sandbox.api('alice', 'POST', NOTES, { body: 'stored' });
  const listed = await sandbox.api('alice', 'GET', NOTES);

  expect(answer.status).toBe(502);
  expect(listed.body.map((note: { body: string }) => note.body)).toEqual(['stored']);
});

test('afterCommit also fails a call that answers nothing', async () => {
  const note = await sandbox.api('alice', 'POST', NOTES, { body: 'a' });
  await sandbox.control('POST', '/faults', {
    method: 'DELETE',
    path: '/notes/',
    status: 500,
    afterCommit: true,
    times: 1,
  });

  const answer = await sandbox.api('alice', 'DELETE', `${NOTES}/${note.body.id}`);

  expect(answer.status).toBe(500);
  expect((await sandbox.api('alice', 'GET', NOTES)).body).toEqual([]);
});

test('a fault concerns its method and path only', async () => {
  await sandbox.control('POST', '/faults', { method: 'GET', path: '^/projects/1/issues/3$', status: 500, times: 1 });

  expect((await sandbox.api('alice', 'GET', '/projects/1/issues/2')).status).toBe(200);
  expect((await sandbox.api('alice', 'PUT', '/projects/1/issues/3', {})).status).toBe(200);
  expect((await sandbox.api('alice', 'GET', '/projects/1/issues/3')).status).toBe(500);
});

test('a fault can let calls through first', async () => {
  await sandbox.control('POST', '/faults', { method: 'GET', path: '/issues$', status: 500, times: 1, skip: 1 });

  expect((await sandbox.api('alice', 'GET', '/projects/1/issues?page=1&per_page=2')).status).toBe(200);
  expect((await sandbox.api('alice', 'GET', '/projects/1/issues?page=2&per_page=2')).status).toBe(500);
});

test('429 comes as GitLab sends it', async () => {
  await sandbox.control('POST', '/faults', { method: 'GET', path: '/user$', status: 429, times: 1 });

  const answer = await sandbox.api('alice', 'GET', '/user');

  expect(answer).toMatchObject({ status: 429, body: 'Retry later\n' });
  expect(answer.headers.get('retry-after')).toBe('1');
});

test('a delay alone changes nothing but the time', async () => {
  await sandbox.control('POST', '/faults', { method: 'GET', path: '/user$', delayMs: 5, times: 1 });

  expect((await sandbox.api('alice', 'GET', '/user')).body.username).toBe('alice');
  expect((await sandbox.control('GET', '/faults')).body).toEqual([]);
});

test('closing does not wait for a delay', async () => {
  await sandbox.control('POST', '/faults', { method: 'GET', path: '/user$', delayMs: 600_000, times: 1 });
  const call = sandbox.api('alice', 'GET', '/user').catch(() => 'cut');
  await expect.poll(async () => (await sandbox.control('GET', '/faults')).body).toEqual([]);

  await sandbox.close();

  await call;
});

test('faults can be taken back, and a wrong one is explained', async () => {
  await sandbox.control('POST', '/faults', { method: 'GET', path: '/user$', status: 500, times: 9 });
  await sandbox.control('DELETE', '/faults');
  const wrong = await sandbox.control('POST', '/faults', { method: 'GET', path: '(', status: 500 });

  expect((await sandbox.api('alice', 'GET', '/user')).status).toBe(200);
  expect(wrong.status).toBe(400);
  expect(wrong.body.message).toContain('regular expression');
});

test('the journal has every call of the API in order, with what it made', async () => {
  const note = await sandbox.api('alice', 'POST', NOTES, { body: 'a' });
  await sandbox.control('POST', '/faults', {
    method: 'POST',
    path: '/notes$',
    status: 502,
    afterCommit: true,
    times: 1,
  });
  await sandbox.api('bob', 'POST', `${NOTES}?x=1`, { body: 'b' });
  await sandbox.api('nobody', 'GET', '/user');

  const { body } = await sandbox.control('GET', '/journal');

  expect(body).toEqual([
    { seq: 1, at: expect.any(String), actor: 'alice', method: 'POST', path: NOTES, status: 201, id: note.body.id },
    { seq: 2, at: expect.any(String), actor: 'bob', method: 'POST', path: NOTES, status: 502, id: note.body.id + 1 },
    { seq: 3, at: expect.any(String), actor: null, method: 'GET', path: '/user', status: 401, id: null },
  ]);
});
