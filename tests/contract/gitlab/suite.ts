import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { GitLabPort } from '../../../src/ports/gitlab.ts';

/** A GitLab with the project `acme/sample` (id 1, private), its issue 1, and people with tokens `sandbox-NAME`. */
export interface Subject {
  gitlab: GitLabPort;
  /** The same GitLab with the rights of a Maintainer. */
  maintainer: GitLabPort;
  close(): Promise<void>;
}

/** What every `GitLabPort` keeps to: run on the adapter over real HTTP and on the fake. */
export function gitlabContract(name: string, open: () => Promise<Subject>): void {
  describe(name, () => {
    let subject: Subject;
    let gitlab: GitLabPort;

    beforeEach(async () => {
      subject = await open();
      gitlab = subject.gitlab;
    });
    afterEach(() => subject.close());

    test('knows its own user as a bot', async () => {
      expect(await gitlab.me()).toMatchObject({ username: 'planwright', bot: true });
    });

    test('finds the user of a token, and none for a bad one', async () => {
      expect(await gitlab.userOfToken('sandbox-alice')).toMatchObject({ username: 'alice', bot: false });
      expect(await gitlab.userOfToken('sandbox-nobody')).toBeNull();
    });

    test('shows an issue to a person as GitLab shows it', async () => {
      expect(await gitlab.issueAs('sandbox-alice', 'acme/sample', 1)).toMatchObject({ iid: 1, projectId: 1 });
      expect(await gitlab.issueAs('sandbox-erin', 'acme/sample', 1)).toBeNull();
      expect(await gitlab.issueAs('sandbox-alice', 'acme/nothing', 1)).toBeNull();
    });

    test('finds a project by number and by path', async () => {
      const byPath = await gitlab.project('acme/sample');

      expect(byPath).toMatchObject({ id: 1, path: 'acme/sample', visibility: 'private', archived: false });
      expect(await gitlab.project(1)).toEqual(byPath);
    });

    test.each(['acme/nothing', '', '..', 'a/../..'])('finds no project %j', async (path) => {
      expect(await gitlab.project(path)).toBeNull();
    });

    test('tells a group that a person may see from nothing', async () => {
      expect(await gitlab.groupVisibleTo('sandbox-alice', 'acme')).toBe(true);
      expect(await gitlab.groupVisibleTo('sandbox-alice', 'nothing')).toBe(false);
    });

    test('names the role of a member, and nobody else', async () => {
      const carol = await gitlab.userOfToken('sandbox-carol');
      const erin = await gitlab.userOfToken('sandbox-erin');

      expect(await gitlab.member(1, carol?.id ?? 0)).toMatchObject({
        username: 'carol',
        accessLevel: 10,
        role: 'Guest',
      });
      expect(await gitlab.member(1, erin?.id ?? 0)).toBeNull();
    });

    test('lists the members with their roles', async () => {
      const members = await gitlab.members(1);

      const roles = Object.fromEntries(members.map((member) => [member.username, member.role]));
      expect(roles).toMatchObject({
        alice: 'Developer',
        bob: 'Reporter',
        carol: 'Guest',
        dave: 'Planner',
        maria: 'Maintainer',
      });
      expect(members.every((member) => member.active)).toBe(true);
    });

    test('reads an issue, and null for one that is not there', async () => {
      expect(await gitlab.issue(1, 1)).toMatchObject({
        iid: 1,
        state: 'opened',
        confidential: false,
        type: 'issue',
        createdAt: expect.any(String),
        dueDate: null,
      });
      expect(await gitlab.issue(1, 99_999)).toBeNull();
    });

    test('finds the issues that changed since a time, the oldest change first', async () => {
      const all = await gitlab.changedIssues(1, '2020-01-01T00:00:00.000Z');
      const last = all.at(-1)?.updatedAt ?? '';
      const times = all.map((issue) => Date.parse(issue.updatedAt));

      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(all).toContainEqual(expect.objectContaining({ iid: 1, projectId: 1 }));
      expect(await gitlab.changedIssues(1, last)).not.toEqual([]);
      expect(await gitlab.changedIssues(1, new Date(Date.parse(last) + 1).toISOString())).toEqual([]);
    });

    test('an issue without links has none', async () => {
      expect(await gitlab.linkedIssues(1, 1)).toEqual([]);
      expect(await gitlab.relatedMergeRequests(1, 1)).toEqual([]);
    });

    test('nothing stands above or below an issue by itself', async () => {
      const id = (await gitlab.issue(1, 1))?.id ?? 0;

      expect(await gitlab.hierarchy(id)).toEqual({ parent: null, children: [], more: false });
    });

    test('a note written is found, the newest last', async () => {
      const first = await gitlab.createNote(1, 1, 'first');
      const second = await gitlab.createNote(1, 1, 'second');

      const notes = await gitlab.notes(1, 1);

      expect(notes.slice(-2).map(({ id, body }) => ({ id, body }))).toEqual([
        { id: first.id, body: 'first' },
        { id: second.id, body: 'second' },
      ]);
      expect(notes.at(-1)?.author.username).toBe('planwright');
    });

    test('a note that GitLab took for a quick action is a failure', async () => {
      await expect(gitlab.createNote(1, 1, '/close')).rejects.toMatchObject({ code: 'note_not_created' });
    });

    test('a reply stands in its discussion', async () => {
      const discussion = await gitlab.createDiscussion(1, 1, 'Which one?');
      const reply = await gitlab.replyToDiscussion(1, 1, discussion.id, 'That one.');

      const found = (await gitlab.discussions(1, 1)).find(({ id }) => id === discussion.id);

      expect(found?.notes.map((note) => note.body)).toEqual(['Which one?', 'That one.']);
      expect(reply.discussionId).toBe(discussion.id);
    });

    test('a reply to no discussion fails for good', async () => {
      await expect(gitlab.replyToDiscussion(1, 1, 'f'.repeat(40), 'x')).rejects.toMatchObject({
        code: 'gitlab_not_found',
      });
    });

    test('a description is written whole', async () => {
      const before = (await gitlab.issue(1, 1))?.description ?? '';

      await gitlab.updateDescription(1, 1, `${before}\n\nMore of it.`);

      expect((await gitlab.issue(1, 1))?.description).toBe(`${before}\n\nMore of it.`);
      await gitlab.updateDescription(1, 1, before);
    });

    test('a note is changed', async () => {
      const note = await gitlab.createNote(1, 1, 'before');

      await gitlab.updateNote(1, 1, note.id, 'after');

      expect((await gitlab.note(1, 1, note.id))?.body).toBe('after');
    });

    test('a note is deleted, also when it is gone already', async () => {
      const note = await gitlab.createNote(1, 1, 'to go');

      await gitlab.deleteNote(1, 1, note.id);
      await gitlab.deleteNote(1, 1, note.id);

      expect(await gitlab.note(1, 1, note.id)).toBeNull();
    });

    test('a new note has no awards', async () => {
      const note = await gitlab.createNote(1, 1, 'plain');

      expect(await gitlab.noteAwards(1, 1, note.id)).toEqual([]);
    });

    test('a note that is gone has no awards', async () => {
      const note = await gitlab.createNote(1, 1, 'to go');
      await gitlab.deleteNote(1, 1, note.id);

      expect(await gitlab.noteAwards(1, 1, note.id)).toEqual([]);
    });

    test('labels are put on and taken away in one request, and every change leaves an event', async () => {
      await gitlab.changeLabels(1, 1, { add: ['workplan::generating', 'other'], remove: [] });
      const before = (await gitlab.labelEvents(1, 1)).length;

      const labels = await gitlab.changeLabels(1, 1, {
        add: ['workplan::completed'],
        remove: ['workplan::generating', 'never there'],
      });

      expect(labels).toContain('workplan::completed');
      expect(labels).toContain('other');
      expect(labels).not.toContain('workplan::generating');
      expect((await gitlab.issue(1, 1))?.labels).toEqual(labels);
      const me = await gitlab.me();
      const events = (await gitlab.labelEvents(1, 1)).slice(before);
      expect(events.map(({ action, label }) => `${action} ${label}`).sort()).toEqual([
        'add workplan::completed',
        'remove workplan::generating',
      ]);
      for (const event of events) expect(event).toMatchObject({ id: expect.any(Number), user: { id: me.id } });
    });

    test('label events come oldest first, and an issue that is not there has no list', async () => {
      for (const name of ['one', 'two', 'three']) await gitlab.changeLabels(1, 1, { add: [name], remove: [] });

      const ids = (await gitlab.labelEvents(1, 1)).map((event) => event.id);

      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      await expect(gitlab.labelEvents(1, 99_999)).rejects.toMatchObject({ code: 'gitlab_not_found' });
      await expect(gitlab.changeLabels(1, 99_999, { add: ['x'], remove: [] })).rejects.toMatchObject({
        code: 'gitlab_not_found',
      });
    });

    test('tells who edited notes last, and of those nobody edited or can see', async () => {
      const edited = await gitlab.createNote(1, 1, 'before');
      const untouched = await gitlab.createNote(1, 1, 'as it was');
      await gitlab.updateNote(1, 1, edited.id, 'after');

      const editors = await gitlab.lastEditors([edited.id, untouched.id, 99_999]);

      expect(editors?.get(edited.id)).toMatchObject({ id: (await gitlab.me()).id, username: 'planwright' });
      expect(editors?.get(untouched.id)).toBeNull();
      expect(editors?.has(99_999)).toBe(false);
    });

    test('reads the head, a file at it and its history', async () => {
      const head = await gitlab.headCommit(1, 'main');

      expect(head?.id).toMatch(/^[0-9a-f]{40}$/);
      expect(await gitlab.headCommit(1, 'nothing')).toBeNull();
      expect(await gitlab.rawFile(1, head?.id ?? '', 'README.md')).toMatch(/^# /);
      expect(await gitlab.rawFile(1, head?.id ?? '', 'docs/nothing.md')).toBeNull();
      expect((await gitlab.fileHistory(1, head?.id ?? '', 'README.md', 1)).length).toBe(1);
    });

    test('streams the archive of a commit, and fails for one that is not there', async () => {
      const head = await gitlab.headCommit(1, 'main');

      const chunks: Uint8Array[] = [];
      for await (const chunk of await gitlab.archive(1, head?.id ?? '')) chunks.push(chunk);

      expect(Buffer.concat(chunks).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
      await expect(gitlab.archive(1, 'f'.repeat(40))).rejects.toMatchObject({ code: 'gitlab_not_found' });
    });

    test('a hook is made, listed and changed', async () => {
      const settings = { url: 'http://127.0.0.1:9/one', token: 'secret', signingToken: null };
      const hook = await subject.maintainer.createHook(1, settings);

      await subject.maintainer.updateHook(1, hook.id, { ...settings, url: 'http://127.0.0.1:9/two' });

      expect(await subject.maintainer.hooks(1)).toContainEqual(
        expect.objectContaining({ id: hook.id, url: 'http://127.0.0.1:9/two' }),
      );
    });

    test('nothing begins once the signal is aborted', async () => {
      const reason = new Error('cancelled');
      const options = { signal: AbortSignal.abort(reason) };
      const before = await gitlab.notes(1, 1);

      await expect(gitlab.createNote(1, 1, 'late', options)).rejects.toBe(reason);
      await expect(gitlab.issue(1, 1, options)).rejects.toBe(reason);

      expect(await gitlab.notes(1, 1)).toEqual(before);
    });
  });
}
