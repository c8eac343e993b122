/** Where requests go and with whose token: a path of its own, redirects, TLS, a proxy. */
import { readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import type { GitLabOptions } from '../../../src/adapters/gitlab/client.ts';
import { openAdapter, SERVICE_TOKEN } from '../../helpers/gitlab/adapter.ts';
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

function fixture(name: string): string {
  return fileURLToPath(new URL(`../../fixtures/tls/${name}`, import.meta.url));
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
const page = (from: number, count: number): object[] => Array.from({ length: count }, (_, index) => note(from + index));

describe('addresses', () => {
  test('a GitLab below a path is asked there, for every page too', async () => {
    const server: RawServer = await serve((_request, response, nth) => {
      const next = `<http://other.example/api/v4/projects/1/issues/1/notes?page=2&per_page=100>; rel="next"`;
      return json(response, 200, page(nth, 1), nth === 1 ? { link: next } : { link: '<x>; rel="first"' });
    });
    const { gitlab } = adapter(`${server.url}/git/lab/`);

    await gitlab.notes(1, 1);

    expect(gitlab.baseUrl).toBe(`${server.url}/git/lab`);
    expect(server.seen.map(({ url }) => url.split('?')[0])).toEqual([
      '/git/lab/api/v4/projects/1/issues/1/notes',
      '/git/lab/api/v4/projects/1/issues/1/notes',
    ]);
  });

  test('a long path of a project goes encoded', async () => {
    const server = await serve((_request, response) => json(response, 404, { message: '404 Project Not Found' }));
    const path = `${'team/'.repeat(40)}ünï côdé`;

    expect(await adapter(server.url).gitlab.project(path)).toBeNull();
    expect(server.seen[0]?.url).toBe(`/api/v4/projects/${encodeURIComponent(path)}`);
  });

  test.each(['..', '.', '%2e%2e'])('a name that climbs out of its place asks nothing: %s', async (name) => {
    const server = await serve((_request, response) => json(response, 404, { message: '404 Not Found' }));

    expect(await adapter(server.url).gitlab.rawFile(1, 'main', name)).toBeNull();
    for (const { url } of server.seen) expect(url).toMatch(/^\/api\/v4\/projects\/1\/repository\/files\//);
  });

  test('a renamed project is followed within GitLab', async () => {
    const server = await serve((request, response) => {
      if (request.url?.includes('old')) return response.writeHead(301, { location: '/api/v4/projects/7' }).end();
      return json(response, 200, { id: 7, path_with_namespace: 'acme/new', web_url: 'x', visibility: 'private' });
    });

    expect(await adapter(server.url).gitlab.project('acme/old')).toMatchObject({ id: 7 });
  });

  test('a token follows no redirect to another host', async () => {
    const other = await serve((_request, response) => json(response, 200, user));
    const server = await serve((_request, response) => {
      response.writeHead(302, { location: `${other.url}/api/v4/users/11` }).end();
    });

    await expect(adapter(server.url).gitlab.user(11)).rejects.toMatchObject({ code: 'gitlab_redirected' });
    expect(other.seen).toHaveLength(0);
  });

  test('a POST that is redirected fails and is not sent on as something else', async () => {
    const server = await serve((_request, response) => response.writeHead(301, { location: '/elsewhere' }).end());

    await expect(adapter(server.url).gitlab.createNote(1, 1, 'x')).rejects.toMatchObject({ code: 'gitlab_redirected' });
    expect(server.seen).toHaveLength(1);
  });

  test.each(['ftp://gitlab.example', 'gitlab.example', 'https://alice:secret@gitlab.example'])('refuses %s', (url) => {
    expect(() => openAdapter(url)).toThrow(expect.objectContaining({ code: 'gitlab_url_invalid' }));
  });

  async function serveTls(): Promise<string> {
    const tls = { key: readFileSync(fixture('key.pem')), cert: readFileSync(fixture('cert.pem')) };
    const server = await startRawServer(
      (_request, response) => json(response, 200, user),
      (listener) => createTlsServer(tls, listener),
    );
    cleanups.push(() => server.close());
    return server.url.replace('http:', 'https:');
  }

  test('trusts the authority of the CA file, and nothing without it', async () => {
    const url = await serveTls();

    expect(await adapter(url, { caFile: fixture('cert.pem') }).gitlab.user(11)).toMatchObject({ id: 11 });
    await expect(adapter(url).gitlab.user(11)).rejects.toMatchObject({ code: 'gitlab_tls' });
  });

  test('goes through the proxy of the settings', async () => {
    const url = await serveTls();
    const tunnels: string[] = [];
    const proxy = await serve((_request, response) => response.writeHead(500).end());
    proxy.server.on('connect', (request, socket) => {
      tunnels.push(request.url ?? '');
      const target = new URL(`http://${request.url}`);
      const upstream = connect(Number(target.port), target.hostname, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        upstream.pipe(socket).pipe(upstream);
      });
      cleanups.push(async () => {
        upstream.destroy();
        socket.destroy();
      });
    });
    const { gitlab } = adapter(url, { proxy: proxy.url, caFile: fixture('cert.pem') });

    expect(await gitlab.user(11)).toMatchObject({ id: 11 });
    expect(tunnels).toEqual([new URL(url).host]);
  });
});

describe('tokens', () => {
  test("the service's goes as PRIVATE-TOKEN, a person's as Bearer", async () => {
    const server = await serve((_request, response) => json(response, 200, user));
    const { gitlab } = adapter(server.url);

    await gitlab.me();
    await gitlab.userOfToken('glpat-person');

    expect(server.seen[0]?.headers).toMatchObject({ 'private-token': SERVICE_TOKEN });
    expect(server.seen[1]?.headers['private-token']).toBeUndefined();
    expect(server.seen[1]?.headers.authorization).toBe('Bearer glpat-person');
  });

  test('appear in no failure and no line of the log', async () => {
    const server = await serve((request, response, nth) => {
      const said = `token ${request.headers['private-token'] ?? request.headers.authorization} is odd`;
      if (nth === 1) return json(response, 502, { message: said });
      return json(response, 403, { message: said });
    });
    const { gitlab, log } = adapter(server.url);

    const failures = await Promise.all([
      gitlab.user(1).catch((error: Error) => error),
      gitlab.userOfToken('glpat-person').catch((error: Error) => error),
    ]);

    const told = `${failures.map((failure) => JSON.stringify([String(failure), failure, (failure as Error).cause]))} ${JSON.stringify(log.lines)}`;
    expect(failures).toEqual([
      expect.objectContaining({ code: 'gitlab_forbidden' }),
      expect.objectContaining({ code: 'gitlab_forbidden' }),
    ]);
    expect(told).not.toContain(SERVICE_TOKEN);
    expect(told).not.toContain('glpat-person');
  });

  test.each(['', 'two words', 'line\nbreak', 'ключ'])(
    'a token that no header can carry is nobody: %j',
    async (token) => {
      const server = await serve((_request, response) => json(response, 200, user));

      expect(await adapter(server.url).gitlab.userOfToken(token)).toBeNull();
      expect(server.seen).toHaveLength(0);
    },
  );

  test("the service's own is asked for once", async () => {
    const server = await serve((_request, response) => json(response, 200, user));
    const { gitlab } = adapter(server.url);

    await gitlab.me();
    await gitlab.me();

    expect(server.seen).toHaveLength(1);
  });
});
