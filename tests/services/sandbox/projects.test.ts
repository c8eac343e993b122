import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSandbox, type TestSandbox } from './client.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
  await sandbox.control('POST', '/projects/1/members', { username: 'maria', role: 'Owner' });
});
afterEach(() => sandbox.close());

describe('a renamed project', () => {
  beforeEach(async () => {
    await sandbox.api('maria', 'PUT', '/projects/1', { path: 'renamed' });
  });

  test('keeps its id and has its new path', async () => {
    expect((await sandbox.api('alice', 'GET', '/projects/1')).body.path_with_namespace).toBe('acme/renamed');
    expect((await sandbox.api('alice', 'GET', '/projects/acme%2Frenamed')).body.id).toBe(1);
  });

  test('is reached by its old path for reading, by a redirect to its id', async () => {
    const url = `${sandbox.url}/api/v4/projects/acme%2Fsample/issues/1?x=1`;
    const first = await fetch(url, { redirect: 'manual', headers: { 'private-token': 'sandbox-alice' } });

    expect(first.status).toBe(302);
    expect(first.headers.get('location')).toBe(`${sandbox.url}/api/v4/projects/1/issues/1?x=1`);
  });

  test('is not written to by its old path', async () => {
    const answer = await sandbox.api('alice', 'POST', '/projects/acme%2Fsample/issues', { title: 'New' });
    expect(answer).toMatchObject({
      status: 405,
      body: { message: '405 Non GET methods are not allowed for moved projects' },
    });
  });

  test('gives its old path away to a new project', async () => {
    await sandbox.control('POST', '/projects', { path: 'acme/sample', members: { alice: 'Developer' } });
    expect((await sandbox.api('alice', 'GET', '/projects/acme%2Fsample')).body.id).toBe(2);
  });

  test('is unknown by its old path to who may not see it', async () => {
    expect((await sandbox.api('erin', 'GET', '/projects/acme%2Fsample')).status).toBe(404);
  });
});

test('a transferred project has the members of its new groups', async () => {
  await sandbox.control('POST', '/groups', { path: 'other', members: { erin: 'Reporter' } });
  const moved = await sandbox.api('maria', 'PUT', '/projects/1/transfer', { namespace: 'other' });

  expect(moved.body.path_with_namespace).toBe('other/sample');
  expect((await sandbox.api('erin', 'GET', '/projects/1')).body.permissions.group_access.access_level).toBe(20);
});

test.each([
  ['renames', 'PUT', '/projects/1', { path: 'mine' }],
  ['transfers', 'PUT', '/projects/1/transfer', { namespace: 'acme' }],
  ['archives', 'POST', '/projects/1/archive', undefined],
])('only an owner %s', async (_what, method, path, body) => {
  expect((await sandbox.api('alice', method, path, body)).status).toBe(403);
});

test('an archived project is read and not written to', async () => {
  const note = await sandbox.api('alice', 'POST', '/projects/1/issues/1/notes', { body: 'before' });
  await sandbox.api('maria', 'POST', '/projects/1/archive');
  const writes = [
    await sandbox.api('alice', 'POST', '/projects/1/issues', { title: 'New' }),
    await sandbox.api('alice', 'PUT', '/projects/1/issues/1', { title: 'Newer' }),
    await sandbox.api('alice', 'POST', '/projects/1/issues/1/notes', { body: 'x' }),
    await sandbox.api('alice', 'PUT', `/projects/1/issues/1/notes/${note.body.id}`, { body: 'x' }),
    await sandbox.api('alice', 'DELETE', `/projects/1/issues/1/notes/${note.body.id}`),
    await sandbox.api('alice', 'POST', '/projects/1/issues/1/discussions', { body: 'x' }),
    await sandbox.api('maria', 'POST', '/projects/1/labels', { name: 'x', color: '#123456' }),
    await sandbox.api('alice', 'POST', '/projects/1/issues/1/award_emoji', { name: 'tada' }),
  ];

  expect(writes.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403, 403, 404]);
  expect((await sandbox.api('alice', 'GET', '/projects/1')).body.archived).toBe(true);
  await sandbox.api('maria', 'POST', '/projects/1/unarchive');
  expect((await sandbox.api('alice', 'POST', '/projects/1/issues/1/notes', { body: 'x' })).status).toBe(201);
});

test('a locked discussion is for members', async () => {
  await sandbox.control('PUT', '/projects/1', { visibility: 'public' });
  const before = await sandbox.api('erin', 'POST', '/projects/1/issues/1/notes', { body: 'hello' });
  await sandbox.api('alice', 'PUT', '/projects/1/issues/1', { discussion_locked: true });

  const path = '/projects/1/issues/1/notes';
  expect((await sandbox.api('erin', 'POST', path, { body: 'x' })).status).toBe(403);
  expect((await sandbox.api('erin', 'PUT', `${path}/${before.body.id}`, { body: 'x' })).status).toBe(403);
  expect((await sandbox.api('erin', 'POST', '/projects/1/issues/1/award_emoji', { name: 'tada' })).status).toBe(404);
  expect((await sandbox.api('bob', 'POST', path, { body: 'x' })).status).toBe(201);
});

describe('a moved issue', () => {
  test('takes its notes along, is closed here, and each side names the other', async () => {
    await sandbox.control('POST', '/projects', { path: 'acme/other', members: { alice: 'Developer' } });
    const thread = await sandbox.api('alice', 'POST', '/projects/1/issues/3/discussions', { body: 'Why?' });
    await sandbox.api('bob', 'POST', `/projects/1/issues/3/discussions/${thread.body.id}/notes`, { body: 'So.' });

    const moved = await sandbox.api('alice', 'POST', '/projects/1/issues/3/move', { to_project_id: 2 });

    const notes = (await sandbox.api('alice', 'GET', `/projects/2/issues/${moved.body.iid}/notes?sort=asc`)).body;
    expect(notes.map((note: { body: string }) => note.body)).toEqual(['Why?', 'So.', 'moved from acme/sample#3']);
    const here = (await sandbox.api('alice', 'GET', '/projects/1/issues/3')).body;
    expect(here).toMatchObject({ state: 'closed', moved_to_id: moved.body.id });
    const told = (await sandbox.api('alice', 'GET', '/projects/1/issues/3/notes')).body[0];
    expect(told).toMatchObject({ system: true, body: `moved to acme/other#${moved.body.iid}` });
  });

  test('is not moved again', async () => {
    await sandbox.control('POST', '/projects', { path: 'acme/other', members: { alice: 'Developer' } });
    await sandbox.api('alice', 'POST', '/projects/1/issues/3/move', { to_project_id: 2 });
    expect((await sandbox.api('alice', 'POST', '/projects/1/issues/3/move', { to_project_id: 2 })).status).toBe(400);
  });
});

describe('labels', () => {
  test('a renamed one is renamed on the items', async () => {
    await sandbox.api('alice', 'PUT', '/projects/1/labels/area%3A%3Asearch', { new_name: 'area::find' });
    expect((await sandbox.api('alice', 'GET', '/projects/1/issues/3')).body.labels).toEqual(['area::find']);
  });

  test('a deleted one is gone from the items, its events name none', async () => {
    await sandbox.api('alice', 'DELETE', '/projects/1/labels/area%3A%3Asearch');
    const events = (await sandbox.api('alice', 'GET', '/projects/1/issues/3/resource_label_events')).body;

    expect((await sandbox.api('alice', 'GET', '/projects/1/issues/3')).body.labels).toEqual([]);
    expect(events.map((event: { label: unknown }) => event.label)).toContain(null);
  });

  test.each([
    ['one that is there', 'POST', '', { name: 'backend', color: '#123456' }, 409],
    ['one without a colour', 'POST', '', { name: 'x' }, 400],
    ['one with a comma', 'POST', '', { name: 'a,b', color: '#123456' }, 400],
    ['a name that is taken', 'PUT', '/backend', { new_name: 'area::search' }, 400],
    ['nothing to change', 'PUT', '/backend', {}, 400],
    ['one that is not there', 'DELETE', '/nothing', undefined, 404],
  ])('%s: refused', async (_what, method, path, body, status) => {
    expect((await sandbox.api('alice', method, `/projects/1/labels${path}`, body)).status).toBe(status);
  });
});

test('an internal thread begins as an internal comment: the API of discussions knows no such field', async () => {
  const base = '/projects/1/issues/3';
  const thread = await sandbox.api('alice', 'POST', `${base}/discussions`, { body: 'psst', internal: true });
  await sandbox.api('alice', 'POST', `${base}/notes`, { body: 'really', internal: true });
  const threads = (await sandbox.api('alice', 'GET', `${base}/discussions`)).body;
  const reply = await sandbox.api('alice', 'POST', `${base}/discussions/${threads.at(-1).id}/notes`, { body: 'yes' });

  expect([thread.body.notes[0].internal, reply.body.internal]).toEqual([false, true]);
});

test.each<[string, string, Record<string, unknown>]>([
  ['due', '/due 2026-05-01', { due_date: '2026-05-01' }],
  ['weight', '/weight 3', { weight: 3 }],
  ['estimate', '/estimate 1h 30m', { time_stats: { time_estimate: 5400, human_time_estimate: '1h 30m' } }],
  ['spend', '/spend 5m', { time_stats: { total_time_spent: 300 } }],
  ['promote_to_incident', '/promote_to_incident', { issue_type: 'incident' }],
  ['award', '/award :thumbsup:', { upvotes: 1 }],
  ['lock', '/lock', { discussion_locked: true }],
  ['reassign', '/reassign @bob', { assignee: { username: 'bob' } }],
  ['duplicate', '/duplicate #1', { state: 'closed' }],
])('the quick action %s is carried out', async (_name, body, fields) => {
  await sandbox.api('alice', 'POST', '/projects/1/issues/3/notes', { body });
  expect((await sandbox.api('alice', 'GET', '/projects/1/issues/3')).body).toMatchObject(fields);
});

test.each(['/merge', '/approve', '/move nowhere/at/all', '/weight many'])('%s cannot be applied here', async (body) => {
  const answer = await sandbox.api('alice', 'POST', '/projects/1/issues/3/notes', { body });
  expect(answer.status).toBe(400);
});
