import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildSandbox, type Sandbox } from '../../../sandbox/app.ts';

type Json = Record<string, unknown>;

/** The sandbox's webhooks against GitLab's own examples: no field that GitLab does not send, and none of the used ones missing. */
const FOLDER = new URL('../../fixtures/gitlab/webhooks/', import.meta.url);
const example = (name: string): Json => JSON.parse(readFileSync(fileURLToPath(new URL(name, FOLDER)), 'utf8')) as Json;
const issueHook = example('issue-hook.json');
const noteHook = example('note-hook-issue.json');
const emojiHook = example('emoji-hook.json');
const requestHook = example('merge-request-hook.json');
const tokenHook = example('resource-access-token-hook.json');

/** Things that several examples show, each with some of its fields: their union is what GitLab sends. */
const THINGS: Record<string, Json[]> = {
  user: [issueHook, noteHook, emojiHook].map((hook) => hook['user'] as Json),
  project: [issueHook, noteHook, emojiHook].map((hook) => hook['project'] as Json),
  repository: [issueHook['repository'] as Json],
  issue: [issueHook['object_attributes'] as Json, noteHook['issue'] as Json, emojiHook['issue'] as Json],
  note: [noteHook['object_attributes'] as Json, emojiHook['note'] as Json],
  award: [emojiHook['object_attributes'] as Json],
  merge_request: [requestHook['object_attributes'] as Json],
  access_token: [tokenHook['object_attributes'] as Json],
  label: [...(issueHook['labels'] as Json[]), ...((noteHook['issue'] as Json)['labels'] as Json[])],
};

/** Fields GitLab sends that no example shows, from its documentation of the events. */
const BEYOND: Record<string, string[]> = {
  // `changes` holds whatever was changed; a note's thread is named by the text about comments.
  note: ['discussion_id', 'internal'],
};

function fieldsOf(thing: string): Set<string> {
  return new Set([...(THINGS[thing] ?? []).flatMap((one) => Object.keys(one)), ...(BEYOND[thing] ?? [])]);
}

function strange(thing: string, value: unknown): string[] {
  const known = fieldsOf(thing);
  return [value].flat().flatMap((one) =>
    Object.keys(one as Json)
      .filter((name) => !known.has(name))
      .map((name) => `${thing}.${name}`),
  );
}

const TOP: Record<string, Set<string>> = {
  issue: new Set(Object.keys(issueHook)),
  note: new Set(Object.keys(noteHook)),
  emoji: new Set(Object.keys(emojiHook)),
  merge_request: new Set(Object.keys(requestHook)),
  access_token: new Set(Object.keys(tokenHook)),
};

let sandbox: Sandbox;
const bodies: Json[] = [];

beforeAll(async () => {
  sandbox = await buildSandbox();
  const call = async (method: 'POST' | 'PUT' | 'DELETE', url: string, payload: object = {}) =>
    (
      await sandbox.app.inject({
        method,
        url: `/api/v4/projects/1${url}`,
        headers: { 'private-token': 'sandbox-maria' },
        payload,
      })
    ).json() as Json;
  const events = [
    ...['issues_events', 'confidential_issues_events', 'note_events', 'confidential_note_events', 'emoji_events'],
    ...['merge_requests_events', 'resource_access_token_events'],
  ];
  await call('POST', '/hooks', {
    url: 'http://127.0.0.1:9/hook',
    ...Object.fromEntries(events.map((name) => [name, true])),
  });
  await call('POST', '/issues', { title: 'New', description: 'Text', labels: 'x', assignee_ids: [11] });
  const note = await call('POST', '/issues/6/notes', { body: 'Words' });
  await call('PUT', `/issues/6/notes/${note['id']}`, { body: 'Other words' });
  await call('POST', `/issues/6/notes/${note['id']}/award_emoji`, { name: 'one' });
  await call('POST', '/issues/6/award_emoji', { name: 'tada' });
  await call('PUT', '/issues/6', { title: 'Newer', add_labels: 'y', confidential: true, discussion_locked: true });
  await call('POST', '/issues/6/notes', { body: 'Now\n/due 2026-05-01\n/weight 3\n/estimate 1h\n/spend 5m' });
  await call('PUT', '/issues/6', { state_event: 'close' });
  await call('POST', '/repository/branches', { branch: 'work', ref: 'main' });
  await call('POST', '/merge_requests', {
    title: 'Closes #6',
    source_branch: 'work',
    target_branch: 'main',
    labels: 'x',
  });
  await call('PUT', '/merge_requests/1', { title: 'Closes #6 at last' });
  const lever = { method: 'POST', url: '/_sandbox/projects/1/token-expiry' } as const;
  await sandbox.app.inject({ ...lever, payload: { expiresAt: '2026-01-26' } });
  await sandbox.sender.idle();
  bodies.push(...sandbox.state.deliveries.map(({ body }) => JSON.parse(body) as Json));
});
afterAll(() => sandbox.app.close());

test('every kind of event was sent', () => {
  const kinds = bodies.map((body) => `${body['event_type']} ${(body['object_attributes'] as Json)['action']}`);
  expect(new Set(kinds)).toEqual(
    new Set([
      'issue open',
      'note create',
      'note update',
      'award award',
      'confidential_issue update',
      'confidential_note create',
      'confidential_issue close',
      'merge_request open',
      'merge_request update',
      'undefined undefined',
    ]),
  );
});

test('no field is sent that GitLab does not send', () => {
  const found = bodies.flatMap((body) => {
    const kind = String(body['object_kind']);
    const top = Object.keys(body).filter((name) => !TOP[kind]?.has(name));
    const attributes = strange(kind === 'emoji' ? 'award' : kind, body['object_attributes']);
    const parts = ['user', 'project', 'repository', 'issue', 'note'].flatMap((name) =>
      body[name] === undefined ? [] : strange(name, body[name]),
    );
    const thing = (body['issue'] ?? body['object_attributes']) as Json;
    return [...top, ...attributes, ...parts, ...strange('label', thing['labels'] ?? [])];
  });
  expect([...new Set(found)]).toEqual([]);
});

test('a change is told as before and after, of fields that an issue has', () => {
  const issues = bodies.filter((body) => body['object_kind'] === 'issue');
  const changes = issues.flatMap((body) => Object.entries((body['changes'] ?? {}) as Json));
  const known = new Set([...fieldsOf('issue'), 'assignees']);
  expect(changes.filter(([name]) => !known.has(name))).toEqual([]);
  expect(changes.filter(([, change]) => Object.keys(change as Json).join() !== 'previous,current')).toEqual([]);
  expect(changes.map(([name]) => name)).toEqual(
    expect.arrayContaining(['title', 'labels', 'confidential', 'due_date', 'weight', 'time_estimate', 'state_id']),
  );
});

test('what the examples always show is there', () => {
  const always = (thing: string): string[] => {
    const [first, ...others] = (THINGS[thing] ?? []).map((one) => new Set(Object.keys(one)));
    return [...(first ?? [])].filter((name) => others.every((other) => other.has(name)));
  };
  const missing = bodies.flatMap((body) => {
    const kind = String(body['object_kind']);
    const issue = (kind === 'issue' ? body['object_attributes'] : body['issue']) as Json | undefined;
    const parts: [string, Json | undefined][] = [
      ['user', body['user'] as Json | undefined],
      ['project', kind === 'merge_request' ? undefined : (body['project'] as Json)],
      ['issue', issue],
      [kind, kind === 'access_token' ? (body['object_attributes'] as Json) : undefined],
      ['note', (kind === 'note' ? body['object_attributes'] : body['note']) as Json | undefined],
    ];
    return parts.flatMap(([thing, value]) =>
      value === undefined
        ? []
        : always(thing)
            .filter((name) => !(name in value))
            .map((name) => `${thing}.${name}`),
    );
  });
  expect([...new Set(missing)]).toEqual([]);
});
