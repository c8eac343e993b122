import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSandbox, type TestSandbox } from './client.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
});
afterEach(() => sandbox.close());

const NOTES = '/projects/1/issues/3/notes';
const THREADS = '/projects/1/issues/3/discussions';

test('the five samples are there, with integers, booleans and arrays where GitLab has them', async () => {
  const { body } = await sandbox.api('alice', 'GET', '/projects/1/issues?sort=asc');

  expect(body.map((issue: { iid: number }) => issue.iid)).toEqual([1, 2, 3, 4, 5]);
  expect(body[0]).toMatchObject({
    id: 501,
    project_id: 1,
    state: 'opened',
    confidential: false,
    issue_type: 'issue',
    moved_to_id: null,
    author: { id: 11, username: 'alice' },
    assignees: [{ username: 'alice' }],
    labels: ['backend', 'type::feature'],
    web_url: `${sandbox.url}/acme/sample/-/issues/1`,
    references: { full: 'acme/sample#1' },
  });
});

test('a list is walked to its end by its Link header alone', async () => {
  for (let index = 0; index < 45; index += 1) await sandbox.api('alice', 'POST', NOTES, { body: `note ${index}` });
  const seen: string[] = [];
  const sizes: number[] = [];

  for (let next: string | undefined = `${sandbox.url}/api/v4${NOTES}?sort=asc`; next; ) {
    const response: Response = await fetch(next, { headers: { 'private-token': 'sandbox-alice' } });
    const page = (await response.json()) as { body: string }[];
    seen.push(...page.map((note) => note.body));
    sizes.push(page.length);
    next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  }

  expect(sizes).toEqual([20, 20, 5]);
  expect(seen).toEqual(Array.from({ length: 45 }, (_, index) => `note ${index}`));
});

test('a page says what it is in its headers and holds at most a hundred', async () => {
  const { headers } = await sandbox.api('alice', 'GET', '/projects/1/issues?per_page=500&page=1');
  const second = await sandbox.api('alice', 'GET', '/projects/1/issues?per_page=2&page=2');

  expect(headers.get('x-per-page')).toBe('100');
  expect(second.headers.get('x-total')).toBe('5');
  expect(second.headers.get('x-total-pages')).toBe('3');
  expect(second.headers.get('x-next-page')).toBe('3');
  expect(second.headers.get('ratelimit-limit')).toBe('2000');
});

test('notes are listed newest first unless asked otherwise', async () => {
  await sandbox.api('alice', 'POST', NOTES, { body: 'old' });
  await sandbox.api('alice', 'POST', NOTES, { body: 'new' });

  const { body } = await sandbox.api('alice', 'GET', NOTES);

  expect(body.map((note: { body: string }) => note.body)).toEqual(['new', 'old']);
});

test('a thread takes replies and can be resolved', async () => {
  const thread = await sandbox.api('planwright', 'POST', THREADS, { body: 'Which one?' });
  const reply = await sandbox.api('alice', 'POST', `${THREADS}/${thread.body.id}/notes`, { body: 'The first.' });
  await sandbox.api('alice', 'PUT', `${THREADS}/${thread.body.id}`, { resolved: true });

  const { body } = await sandbox.api('alice', 'GET', `${THREADS}/${thread.body.id}`);

  expect(thread.body.individual_note).toBe(false);
  expect(body.notes.map((note: { id: number }) => note.id)).toEqual([thread.body.notes[0].id, reply.body.id]);
  expect(body.notes[1]).toMatchObject({ type: 'DiscussionNote', resolvable: true, resolved: true });
  expect(body.notes[0].resolved_by).toMatchObject({ username: 'alice' });
});

test('a comment becomes a thread by the first reply', async () => {
  await sandbox.api('alice', 'POST', NOTES, { body: 'A comment' });
  const [comment] = (await sandbox.api('alice', 'GET', THREADS)).body;
  await sandbox.api('bob', 'POST', `${THREADS}/${comment.id}/notes`, { body: 'An answer' });

  const { body } = await sandbox.api('alice', 'GET', `${THREADS}/${comment.id}`);

  expect(comment.individual_note).toBe(true);
  expect(body.individual_note).toBe(false);
});

test('a quick action in a note is carried out and taken out of it', async () => {
  const note = await sandbox.api('planwright', 'POST', NOTES, { body: 'Here is the plan.\n/close\n/label ~done' });
  const { body: issue } = await sandbox.api('alice', 'GET', '/projects/1/issues/3');

  expect(note).toMatchObject({ status: 201, body: { body: 'Here is the plan.' } });
  expect(issue).toMatchObject({ state: 'closed', closed_by: { username: 'planwright' } });
  expect(issue.labels).toContain('done');
});

test('a note of quick actions only is a 202 and no note', async () => {
  const answer = await sandbox.api('alice', 'POST', NOTES, { body: '/title Better' });

  expect(answer.status).toBe(202);
  expect(answer.body.id).toBeUndefined();
  expect((await sandbox.api('alice', 'GET', NOTES)).body).toEqual([]);
  expect((await sandbox.api('alice', 'GET', '/projects/1/issues/3')).body.title).toBe('Better');
});

test('a quick action of a guest changes nothing', async () => {
  await sandbox.api('carol', 'POST', NOTES, { body: 'Please.\n/close' });

  expect((await sandbox.api('alice', 'GET', '/projects/1/issues/3')).body.state).toBe('opened');
});

test('labels are replaced, added and removed, and leave events', async () => {
  await sandbox.api('alice', 'PUT', '/projects/1/issues/3', { labels: 'a,b' });
  const { body } = await sandbox.api('alice', 'PUT', '/projects/1/issues/3', { add_labels: 'c', remove_labels: ['a'] });
  const events = (await sandbox.api('alice', 'GET', '/projects/1/issues/3/resource_label_events')).body;

  expect(body.labels).toEqual(['b', 'c']);
  expect(
    events.slice(-2).map((event: { action: string; label: { name: string } }) => [event.action, event.label.name]),
  ).toEqual([
    ['add', 'c'],
    ['remove', 'a'],
  ]);
});

test('an issue is closed, reopened and moved', async () => {
  await sandbox.control('POST', '/projects', { path: 'acme/other', members: { alice: 'Developer' } });
  const closed = await sandbox.api('alice', 'PUT', '/projects/1/issues/3', { state_event: 'close' });
  const reopened = await sandbox.api('alice', 'PUT', '/projects/1/issues/3', { state_event: 'reopen' });
  const moved = await sandbox.api('alice', 'POST', '/projects/1/issues/3/move', { to_project_id: 2 });

  expect([closed.body.state, reopened.body.state]).toEqual(['closed', 'opened']);
  const { body } = await sandbox.api('alice', 'GET', '/projects/1/issues/3');
  expect(body).toMatchObject({ state: 'closed', moved_to_id: moved.body.id });
});

test('reactions are given once a person and taken back by whoever gave them', async () => {
  const note = await sandbox.api('planwright', 'POST', NOTES, { body: 'Vote' });
  const awards = `${NOTES}/${note.body.id}/award_emoji`;
  const given = await sandbox.api('alice', 'POST', awards, { name: 'thumbsup' });
  const twice = await sandbox.api('alice', 'POST', awards, { name: 'thumbsup' });
  const foreign = await sandbox.api('bob', 'DELETE', `${awards}/${given.body.id}`);
  const listed = await sandbox.api('alice', 'GET', awards);

  expect(given.body).toMatchObject({ name: 'thumbsup', awardable_type: 'Note', awardable_id: note.body.id });
  expect([twice.status, foreign.status]).toEqual([404, 403]);
  expect(listed.body).toHaveLength(1);
  expect((await sandbox.api('alice', 'DELETE', `${awards}/${given.body.id}`)).status).toBe(204);
});

test('who edited a note last is told by GraphQL', async () => {
  const note = await sandbox.api('carol', 'POST', NOTES, { body: 'Yes' });
  await sandbox.api('maria', 'PUT', `${NOTES}/${note.body.id}`, { body: 'No' });

  const response = await fetch(`${sandbox.url}/api/graphql`, {
    method: 'POST',
    headers: { 'private-token': 'sandbox-alice', 'content-type': 'application/json' },
    body: JSON.stringify({
      query: `{ n1: note(id: "gid://gitlab/Note/${note.body.id}") { lastEditedBy { username } } }`,
    }),
  });

  expect(await response.json()).toMatchObject({
    data: { n1: { lastEditedBy: { username: 'maria' }, author: { username: 'carol' } } },
  });
});

test.each([
  ['a body that is no JSON', 'POST', NOTES, '{', 400],
  ['a note without a body', 'POST', NOTES, {}, 400],
  ['a state nobody knows', 'PUT', '/projects/1/issues/3', { state_event: 'burn' }, 400],
  ['a page that is no number', 'GET', '/projects/1/issues?page=x', undefined, 400],
  ['an issue that does not exist', 'GET', '/projects/1/issues/99', undefined, 404],
  ['a route that does not exist', 'GET', '/nothing/here', undefined, 404],
])('%s is refused in JSON', async (_what, method, path, body, status) => {
  const answer = await sandbox.api('alice', method, path, body);

  expect(answer.status).toBe(status);
  expect(answer.body).toBeTypeOf('object');
});

test('the words of GitLab for a missing body and an unknown route', async () => {
  expect((await sandbox.api('alice', 'POST', NOTES)).body).toEqual({ message: '400 (Bad request) "body" not given' });
  expect((await sandbox.api('alice', 'GET', '/nothing')).body).toEqual({ error: '404 Not Found' });
});

test.each([
  ['a name', 'ask @bob', ['bob']],
  ['everybody, as an entity', '&#64;all look', ['alice', 'bob', 'carol', 'dave', 'planwright']],
  ['a name that is bold', '**@carol**', ['carol']],
  ['somebody who may not see it', '@erin', []],
  ['code, a link and an address', '`@bob` [@carol](https://x.example) dave@example.com', []],
  ['a name that is parted', '@&#8203;bob', []],
])('a note mentions %s', async (_what, body, expected) => {
  await sandbox.api('maria', 'POST', NOTES, { body });
  const people = ['alice', 'bob', 'carol', 'dave', 'erin', 'planwright'];
  const reminded = [];
  for (const one of people) if ((await sandbox.api(one, 'GET', '/todos')).body.length > 0) reminded.push(one);
  expect(reminded).toEqual(expected);
});

test('an Owner deletes an issue, with what links to it; nobody else does', async () => {
  await sandbox.api('maria', 'POST', '/projects/1/issues/1/links', { target_project_id: 1, target_issue_iid: 3 });
  const refused = await sandbox.api('maria', 'DELETE', '/projects/1/issues/3');
  await sandbox.control('POST', '/projects/1/members', { username: 'maria', role: 'owner' });
  const deleted = await sandbox.api('maria', 'DELETE', '/projects/1/issues/3');

  expect([refused.status, deleted.status]).toEqual([403, 204]);
  expect((await sandbox.api('maria', 'GET', '/projects/1/issues/3')).status).toBe(404);
  expect((await sandbox.api('maria', 'GET', '/projects/1/issues/1/links')).body).toEqual([]);
});
