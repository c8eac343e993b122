/** Answers that break off, lists that lie and callers that go: what the stand-in does not do. */
import { afterEach, describe, expect, test } from 'vitest';
import type { GitLabOptions } from '../../../src/adapters/gitlab/client.ts';
import type { GitLabPort } from '../../../src/ports/gitlab.ts';
import { openAdapter } from '../../helpers/gitlab/adapter.ts';
import { type Handler, json, type RawServer, startRawServer } from '../../helpers/gitlab/raw-server.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function serve(handler: Handler): Promise<RawServer> {
  const server = await startRawServer(handler);
  cleanups.push(() => server.close());
  return server;
}

function adapter(url: string, options: Partial<GitLabOptions> = {}): ReturnType<typeof openAdapter> {
  const opened = openAdapter(url, options);
  cleanups.push(() => opened.gitlab.close());
  return opened;
}

const user = { id: 11, username: 'alice', name: 'Alice', state: 'active', extra: { ignored: true } };
const note = (id: number): object => ({
  id,
  body: `note ${id}`,
  author: user,
  system: false,
  created_at: '2026-01-05T09:00:00.000Z',
  updated_at: '2026-01-05T09:00:00.000Z',
});
async function collect(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

const page = (from: number, count: number): object[] => Array.from({ length: count }, (_, index) => note(from + index));

describe('answers that are broken', () => {
  test('an answer that breaks off is read again', async () => {
    const server = await serve((_request, response, nth) => {
      if (nth > 1) return json(response, 200, user);
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
      response.write('{"id": 11,', () => response.destroy());
    });

    expect(await adapter(server.url).gitlab.user(11)).toMatchObject({ username: 'alice' });
    expect(server.seen).toHaveLength(2);
  });

  test('a connection cut before the answer is tried again for a read', async () => {
    const server = await serve((request, response, nth) => (nth > 1 ? json(response, 200, user) : request.destroy()));

    expect(await adapter(server.url).gitlab.user(11)).toMatchObject({ id: 11 });
    expect(server.seen).toHaveLength(2);
  });

  test('a connection cut after a POST is not tried again', async () => {
    const server = await serve((request) => request.destroy());

    const writing = adapter(server.url).gitlab.createNote(1, 1, 'x');

    await expect(writing).rejects.toMatchObject({ name: 'TransientFailure', code: 'gitlab_unreachable' });
    expect(server.seen).toHaveLength(1);
  });

  test('a page of a proxy in place of JSON is a failure worth repeating', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<html>Please sign in</html>');
    });

    await expect(adapter(server.url).gitlab.issue(1, 1)).rejects.toMatchObject({
      name: 'TransientFailure',
      code: 'gitlab_bad_answer',
    });
    expect(server.seen).toHaveLength(4);
  });

  test('JSON without the fields needed is named by them', async () => {
    const server = await serve((_request, response) => json(response, 200, { id: 11, name: 'Alice' }));

    const reading = adapter(server.url).gitlab.user(11);

    await expect(reading).rejects.toMatchObject({ code: 'gitlab_unexpected_answer' });
    await expect(reading).rejects.toThrow(/username/);
  });

  test('no answer in time', async () => {
    const server = await serve(() => undefined);

    const reading = adapter(server.url, { timeoutMs: 50, maxAttempts: 1 }).gitlab.user(11);

    await expect(reading).rejects.toMatchObject({ name: 'TransientFailure', code: 'gitlab_timeout' });
  });

  test.each([
    [202, { commands_changes: {}, summary: ['Closed this issue.'] }],
    [201, { body: 'no id' }],
    [200, null],
  ])('a POST answered %i with %j made no note', async (status, body) => {
    const server = await serve((_request, response) => json(response, status, body));

    await expect(adapter(server.url).gitlab.createNote(1, 1, 'x')).rejects.toMatchObject({
      name: 'PermanentFailure',
      code: 'note_not_created',
    });
    expect(server.seen).toHaveLength(1);
  });

  test('a DELETE is sent again when the first could not even connect', async () => {
    const server = await serve(() => undefined);
    await server.close();
    const { gitlab, clock } = adapter(server.url);

    await expect(gitlab.deleteNote(1, 1, 5)).rejects.toMatchObject({ code: 'gitlab_unreachable' });
    expect(clock.waits).toHaveLength(1);
  });

  test('an archive that breaks off fails while it is read', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': '500' });
      response.write('abc', () => response.destroy());
    });

    const reading = adapter(server.url)
      .gitlab.archive(1, 'a'.repeat(40))
      .then((stream) => collect(stream));

    await expect(reading).rejects.toMatchObject({ name: 'TransientFailure' });
  });
});

describe('lists', () => {
  const nextLink = (server: RawServer, number: number): string =>
    `<${server.url}/api/v4/projects/1/issues/1/notes?page=${number}&per_page=100>; rel="next"`;

  test('a full page without a Link is a failure, never a shorter list', async () => {
    const server = await serve((_request, response) => json(response, 200, page(1, 100)));

    await expect(adapter(server.url).gitlab.notes(1, 1)).rejects.toMatchObject({
      name: 'TransientFailure',
      code: 'gitlab_incomplete_list',
    });
  });

  test.each([
    ['a next page is named', { 'x-next-page': '2' }],
    ['more are counted', { 'x-total': '150' }],
  ])('a page without a Link though %s is a failure', async (_name, headers) => {
    const server = await serve((_request, response) => json(response, 200, page(1, 20), headers));

    await expect(adapter(server.url).gitlab.notes(1, 1)).rejects.toMatchObject({ code: 'gitlab_incomplete_list' });
  });

  test('a list that shrinks between two pages is a failure', async () => {
    const server: RawServer = await serve((_request, response, nth) => {
      if (nth === 1) return json(response, 200, page(1, 100), { link: nextLink(server, 2), 'x-total': '150' });
      return json(response, 200, page(102, 49), { 'x-total': '149', link: '<x>; rel="first"' });
    });

    await expect(adapter(server.url).gitlab.notes(1, 1)).rejects.toMatchObject({ code: 'gitlab_incomplete_list' });
  });

  test('a page that fails for good fails the list', async () => {
    const server: RawServer = await serve((_request, response, nth) => {
      if (nth === 1) return json(response, 200, page(1, 100), { link: nextLink(server, 2) });
      return json(response, 500, { message: 'no' });
    });

    await expect(adapter(server.url).gitlab.notes(1, 1)).rejects.toMatchObject({ code: 'gitlab_unavailable' });
  });

  test('a list without end is refused', async () => {
    const server: RawServer = await serve((_request, response, nth) =>
      json(response, 200, page(nth, 1), { link: nextLink(server, nth + 1) }),
    );

    await expect(adapter(server.url).gitlab.notes(1, 1)).rejects.toMatchObject({ code: 'gitlab_list_too_long' });
    expect(server.seen.length).toBeLessThanOrEqual(201);
  });

  test('what came on two pages is there once', async () => {
    const server: RawServer = await serve((_request, response, nth) => {
      if (nth === 1) return json(response, 200, page(1, 100), { link: nextLink(server, 2) });
      return json(response, 200, page(100, 5), { link: '<x>; rel="first"' });
    });

    expect(await adapter(server.url).gitlab.notes(1, 1)).toHaveLength(104);
  });
});

describe('abort', () => {
  test.each([
    ['read', (gitlab: GitLabPort, signal: AbortSignal) => gitlab.user(11, { signal })],
    ['write', (gitlab: GitLabPort, signal: AbortSignal) => gitlab.createNote(1, 1, 'x', { signal })],
  ])('a %s in flight ends with the reason, and its connection', async (_name, call) => {
    const control = new AbortController();
    const reason = new Error('cancelled');
    const { promise: cut, resolve: onCut } = Promise.withResolvers<void>();
    const server = await serve((_request, response) => {
      response.on('close', onCut);
      control.abort(reason);
    });

    await expect(call(adapter(server.url).gitlab, control.signal)).rejects.toBe(reason);
    await cut;
    expect(server.seen).toHaveLength(1);
  });

  test('nothing is repeated after it', async () => {
    const control = new AbortController();
    const server = await serve((_request, response) => {
      response.writeHead(502);
      response.end('', () => control.abort(new Error('cancelled')));
    });

    await expect(adapter(server.url).gitlab.user(11, { signal: control.signal })).rejects.toThrow();
    expect(server.seen).toHaveLength(1);
  });

  test('no further page is asked for', async () => {
    const control = new AbortController();
    const reason = new Error('cancelled');
    const server: RawServer = await serve((_request, response) => {
      control.abort(reason);
      return json(response, 200, page(1, 1), { link: `<${server.url}/x?page=2>; rel="next"` });
    });

    await expect(adapter(server.url).gitlab.notes(1, 1, { signal: control.signal })).rejects.toBe(reason);
    expect(server.seen).toHaveLength(1);
  });
});

describe('who edited notes last', () => {
  test.each([
    ['there is no GraphQL', 404, { message: '404 Not Found' }],
    ['GraphQL is too old to know', 200, { errors: [{ message: "Field 'lastEditedBy' doesn't exist on type 'Note'" }] }],
    ['only a part is answered', 200, { data: { n1: { lastEditedBy: null } }, errors: [{ message: 'timeout' }] }],
  ])('nobody knows where %s', async (_name, status, body) => {
    const server = await serve((_request, response) => json(response, status, body));

    expect(await adapter(server.url).gitlab.lastEditors([1])).toBeNull();
  });

  test('where there is no GraphQL it is not asked for again and again', async () => {
    const server = await serve((_request, response) => json(response, 404, {}));
    const { gitlab } = adapter(server.url);

    await gitlab.lastEditors([1]);
    expect(await gitlab.lastEditors([1])).toBeNull();

    expect(server.seen).toHaveLength(1);
  });

  test('an outage is no "nobody knows"', async () => {
    const server = await serve((_request, response) => json(response, 502, {}));

    await expect(adapter(server.url).gitlab.lastEditors([1])).rejects.toMatchObject({ code: 'gitlab_unavailable' });
  });

  test('asks for many in several queries below the path of GitLab', async () => {
    const server = await serve((_request, response) => json(response, 200, { data: {} }));
    const ids = Array.from({ length: 45 }, (_, index) => index + 1);

    expect(await adapter(`${server.url}/gitlab`).gitlab.lastEditors(ids)).toEqual(new Map());

    expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual(Array(3).fill('POST /gitlab/api/graphql'));
  });

  test('of no notes is not asked', async () => {
    const server = await serve((_request, response) => json(response, 500, {}));

    expect(await adapter(server.url).gitlab.lastEditors([])).toEqual(new Map());
    expect(server.seen).toEqual([]);
  });
});
