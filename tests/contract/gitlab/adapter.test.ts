import { afterEach, describe, expect, test } from 'vitest';
import { type SandboxHandle, startSandbox } from '../../../sandbox/server.ts';
import { openAdapter } from '../../helpers/gitlab/adapter.ts';
import { gitlabContract } from './suite.ts';

gitlabContract('the GitLab adapter over HTTP', async () => {
  const sandbox = await startSandbox();
  const { gitlab } = openAdapter(sandbox.url);
  const { gitlab: maintainer } = openAdapter(sandbox.url, { token: 'sandbox-maria' });
  return {
    gitlab,
    maintainer,
    close: async () => {
      await Promise.all([gitlab.close(), maintainer.close()]);
      await sandbox.close();
    },
  };
});

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function open(): Promise<{ sandbox: SandboxHandle } & ReturnType<typeof openAdapter>> {
  const sandbox = await startSandbox();
  cleanups.push(() => sandbox.close());
  const adapter = openAdapter(sandbox.url);
  cleanups.push(() => adapter.gitlab.close());
  return { sandbox, ...adapter };
}

async function fault(sandbox: SandboxHandle, body: Record<string, unknown>): Promise<void> {
  const answer = await fetch(`${sandbox.url}/_sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(201);
}

describe('the GitLab adapter with faults', () => {
  test.each([500, 502, 503, 504])('repeats a read that was answered %i', async (status) => {
    const { sandbox, gitlab, clock } = await open();
    await fault(sandbox, { method: 'GET', path: '/issues/1$', status, times: 2 });

    expect(await gitlab.issue(1, 1)).toMatchObject({ iid: 1 });
    expect(clock.waits).toEqual([250, 500]);
  });

  test('gives a read up after its attempts', async () => {
    const { sandbox, gitlab } = await open();
    await fault(sandbox, { method: 'GET', path: '/issues/1$', status: 502, times: 10 });

    await expect(gitlab.issue(1, 1)).rejects.toMatchObject({ name: 'TransientFailure', code: 'gitlab_unavailable' });
    const left = (await (await fetch(`${sandbox.url}/_sandbox/faults`)).json()) as { left: number }[];
    expect(left[0]?.left).toBe(6);
  });

  test('never repeats a POST, though it may have been stored', async () => {
    const { sandbox, gitlab } = await open();
    await fault(sandbox, { method: 'POST', path: '/notes$', status: 502, afterCommit: true, times: 1 });

    await expect(gitlab.createNote(1, 1, 'once')).rejects.toMatchObject({ code: 'gitlab_unavailable' });

    const notes = await gitlab.notes(1, 1);
    expect(notes.filter((note) => note.body === 'once')).toHaveLength(1);
  });

  test('never repeats a PUT that reached GitLab', async () => {
    const { sandbox, gitlab } = await open();
    const note = await gitlab.createNote(1, 1, 'before');
    await fault(sandbox, { method: 'PUT', path: '/notes/', status: 503, times: 1 });

    await expect(gitlab.updateNote(1, 1, note.id, 'after')).rejects.toMatchObject({ code: 'gitlab_unavailable' });

    expect((await gitlab.note(1, 1, note.id))?.body).toBe('before');
  });

  test('waits as long as a 429 asks for', async () => {
    const { sandbox, gitlab, clock } = await open();
    await fault(sandbox, { method: 'GET', path: '/issues/1$', status: 429, headers: { 'retry-after': '7' }, times: 1 });

    expect(await gitlab.issue(1, 1)).toMatchObject({ iid: 1 });
    expect(clock.waits).toEqual([7000]);
  });

  test('a POST answered 429 fails with the time to wait', async () => {
    const { sandbox, gitlab } = await open();
    await fault(sandbox, { method: 'POST', path: '/notes$', status: 429, headers: { 'retry-after': '30' }, times: 1 });

    await expect(gitlab.createNote(1, 1, 'x')).rejects.toMatchObject({
      code: 'gitlab_rate_limited',
      retryAfterMs: 30_000,
    });
  });

  test('does not wait longer than a call may take', async () => {
    const { sandbox, gitlab, clock } = await open();
    await fault(sandbox, {
      method: 'GET',
      path: '/issues/1$',
      status: 429,
      headers: { 'retry-after': '300' },
      times: 1,
    });

    await expect(gitlab.issue(1, 1)).rejects.toMatchObject({ code: 'gitlab_rate_limited', retryAfterMs: 300_000 });
    expect(clock.waits).toEqual([]);
  });

  test('reads a list of several pages to its end', async () => {
    const { gitlab } = await open();
    const before = (await gitlab.notes(1, 1)).length;
    for (let index = 0; index < 250; index += 1) await gitlab.createNote(1, 1, `note ${index}`);

    const notes = await gitlab.notes(1, 1);

    expect(notes).toHaveLength(before + 250);
    expect(notes.at(-1)?.body).toBe('note 249');
    expect(new Set(notes.map((note) => note.id)).size).toBe(notes.length);
  });
});
