import { Gitlab } from '@gitbeaker/rest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SandboxHandle, startSandbox } from '../../../sandbox/server.ts';

/** The plain client, with its own requester and its own camelCase option, against the sandbox. */
let sandbox: SandboxHandle;
const client = (username: string) => new Gitlab({ host: sandbox.url, token: `sandbox-${username}` });
const PROJECT = 'acme/sample';

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

describe('what it creates it reads back', () => {
  test('an issue', async () => {
    const created = await client('alice').Issues.create(PROJECT, 'From a client', {
      description: 'Words',
      labels: 'backend,new',
    });
    const read = await client('bob').Issues.show(created.iid, { projectId: PROJECT });

    expect(read).toMatchObject({
      id: created.id,
      title: 'From a client',
      description: 'Words',
      labels: ['backend', 'new'],
      author: { username: 'alice' },
    });
  });

  test('a note', async () => {
    const created = await client('alice').IssueNotes.create(PROJECT, 3, 'A note');
    expect(await client('bob').IssueNotes.show(PROJECT, 3, created.id)).toMatchObject({
      body: 'A note',
      system: false,
      author: { username: 'alice' },
    });
  });

  test('an internal note', async () => {
    const created = await client('alice').IssueNotes.create(PROJECT, 3, 'psst', { internal: true });
    expect(await client('bob').IssueNotes.show(PROJECT, 3, created.id)).toMatchObject({ internal: true });
    await expect(client('carol').IssueNotes.show(PROJECT, 3, created.id)).rejects.toThrow(/404/);
  });

  test('a thread and a reply', async () => {
    const thread = await client('alice').IssueDiscussions.create(PROJECT, 3, 'Which one?');
    const reply = await client('bob').IssueDiscussions.addNote(PROJECT, 3, thread.id, 'The first.');
    const read = await client('carol').IssueDiscussions.show(PROJECT, 3, thread.id);

    expect(read.notes?.map(({ id, body }) => [id, body])).toEqual([
      [thread.notes?.[0]?.id, 'Which one?'],
      [reply.id, 'The first.'],
    ]);
  });

  test('a label', async () => {
    const created = await client('alice').ProjectLabels.create(PROJECT, 'scope::client', '#336699');
    expect(await client('bob').ProjectLabels.show(PROJECT, 'scope::client')).toMatchObject({
      id: created.id,
      color: '#336699',
    });
    await client('alice').ProjectLabels.edit(PROJECT, created.id, { newName: 'scope::other' });
    await client('alice').ProjectLabels.remove(PROJECT, created.id);
    await expect(client('bob').ProjectLabels.show(PROJECT, created.id)).rejects.toThrow(/404/);
  });

  test('an emoji', async () => {
    const note = await client('alice').IssueNotes.create(PROJECT, 3, 'Vote');
    const given = await client('bob').IssueNoteAwardEmojis.award(PROJECT, 3, note.id, 'thumbsup');
    const all = await client('carol').IssueNoteAwardEmojis.all(PROJECT, 3, note.id);

    expect(all.map(({ id, name, user }) => [id, name, user.username])).toEqual([[given.id, 'thumbsup', 'bob']]);
  });

  test('a hook', async () => {
    const url = 'https://example.com/hook';
    const added = await client('maria').ProjectHooks.add(PROJECT, url, { noteEvents: true, token: 'secret' });
    const read = await client('maria').ProjectHooks.show(PROJECT, added.id);

    expect(read).toMatchObject({ url, note_events: true, issues_events: false });
    expect(JSON.stringify(read)).not.toContain('secret');
    await expect(client('alice').ProjectHooks.all(PROJECT)).rejects.toThrow(/403/);
  });

  test('a member', async () => {
    await client('maria').ProjectMembers.add(PROJECT, 20, { userId: 15 });
    expect(await client('alice').ProjectMembers.show(PROJECT, 15, { includeInherited: true })).toMatchObject({
      username: 'erin',
      access_level: 20,
    });
  });
});

test('a long list is read to its end', async () => {
  const bodies = Array.from({ length: 130 }, (_, index) => `note ${index}`);
  for (const body of bodies) await client('dave').IssueNotes.create(PROJECT, 5, body);

  const all = await client('alice').IssueNotes.all(PROJECT, 5, { sort: 'asc', perPage: 50 });

  expect(all.map(({ body }) => body).filter((body) => body.startsWith('note '))).toEqual(bodies);
});

test('a tree by keyset', async () => {
  const all = await client('bob').Repositories.allRepositoryTrees(PROJECT, {
    pagination: 'keyset',
    perPage: 3,
    recursive: true,
  });
  const plain = await client('bob').Repositories.allRepositoryTrees(PROJECT, { recursive: true });

  expect(all.length).toBeGreaterThan(6);
  expect(all.map(({ path }) => path).toSorted()).toEqual(plain.map(({ path }) => path).toSorted());
});
