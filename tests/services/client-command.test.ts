/** The client of the API as a process, against a server that answers as the API does. */
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const run = promisify(execFile);
const root = path.join(import.meta.dirname, '../..');

/** Answers every status; `asked` are the paths that were asked for. */
async function startApi(gitlabUrl: string): Promise<{ url: string; asked: string[]; bodies: unknown[] }> {
  const asked: string[] = [];
  const bodies: unknown[] = [];
  const server = createServer(async (request, response) => {
    asked.push(request.url ?? '');
    if (request.method === 'POST') bodies.push(await json(request));
    const body = request.url === '/openapi.json' ? { externalDocs: { url: gitlabUrl } } : STATUS;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, bodies };
}

const STATUS = { generationStatus: 'NOT_STARTED', questions: [], score: null, provider: null };
const itemPath = (project: string) => `/api/v1/projects/${encodeURIComponent(project)}/issues/7/workplan`;

async function statusOf(api: string, issue: string): Promise<string> {
  const env = { ...process.env, PLANWRIGHT_TOKEN: 'sandbox-alice' };
  const { stdout } = await run(process.execPath, ['src/cli.ts', 'status', issue, '--api', api], { cwd: root, env });
  return stdout;
}

test.each([
  ['https://git.example/gitlab', 'https://git.example/gitlab/group/sub/project/-/issues/7', 'group/sub/project'],
  ['https://git.example/gitlab', 'https://git.example/gitlab/gitlab/project/-/work_items/7', 'gitlab/project'],
  ['https://git.example/a/b', 'https://git.example/a/b/group/project/-/issues/7', 'group/project'],
  ['https://git.example', 'https://git.example/gitlab/group/project/-/issues/7', 'gitlab/group/project'],
])('of a GitLab at %s, %s is an issue of %s', async (gitlab, issue, project) => {
  const api = await startApi(gitlab);

  expect(await statusOf(api.url, issue)).toBe('NOT_STARTED\n');

  expect(api.asked).toEqual(['/openapi.json', itemPath(project)]);
});

test.each(['https://git.example', 'https://git.example/group'])(
  'a group and a project alone are not cut, of a GitLab at %s',
  async (gitlab) => {
    const api = await startApi(gitlab);

    await statusOf(api.url, 'https://git.example/group/project/-/issues/7');

    expect(api.asked).toEqual(['/openapi.json', itemPath('group/project')]);
  },
);

test('an issue of another GitLab is refused before a token is sent', async () => {
  const api = await startApi('https://git.example/gitlab');

  await expect(statusOf(api.url, 'https://other.example/group/project/-/issues/7')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/plans issues of https:\/\/git\.example\/gitlab, and this one is at other\.example/),
  });
  expect(api.asked).toEqual(['/openapi.json']);
});

test('a rejection carries its reason, and needs one', async () => {
  const api = await startApi('https://git.example');
  const issue = 'https://git.example/group/project/-/issues/7';
  const env = { ...process.env, PLANWRIGHT_TOKEN: 'sandbox-alice' };
  const reject = (...args: string[]) =>
    run(process.execPath, ['src/cli.ts', 'reject', ...args, '--api', api.url], { cwd: root, env });

  await reject(issue, 'too', 'large');

  expect(api.bodies).toEqual([{ reason: 'too large' }]);
  await expect(reject(issue)).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('Expected a reason') });
});

test('a service that does not answer is named', async () => {
  const closed = 'http://127.0.0.1:9';

  await expect(statusOf(closed, 'https://git.example/group/project/-/issues/7')).rejects.toMatchObject({
    stderr: expect.stringContaining(`${closed} does not answer`),
  });
});

const ISSUE = 'https://git.example/group/project/-/issues/7';

/** What `status` says on standard error with an environment that cannot work. */
async function refused(env: Record<string, string>, issue = ISSUE): Promise<{ code: number; stderr: string }> {
  const given = { ...process.env, PLANWRIGHT_TOKEN: 'sandbox-alice', ...env };
  return run(process.execPath, ['src/cli.ts', 'status', issue], { cwd: root, env: given }).then(
    ({ stdout }) => {
      throw new Error(`It was not refused: ${stdout}`);
    },
    ({ code, stderr }) => ({ code, stderr }),
  );
}

test.each(['hidden-1\nhidden-2', 'hidden-1\u200B', 'hidden-1…'])(
  'a token that no header can hold is refused and not repeated: %j',
  async (token) => {
    const { code, stderr } = await refused({ PLANWRIGHT_URL: 'http://127.0.0.1:9', PLANWRIGHT_TOKEN: token });

    expect(code).toBe(2);
    expect(stderr).toContain('PLANWRIGHT_TOKEN: expected a GitLab token');
    expect(stderr).not.toContain('hidden');
  },
);

test.each(['localhost:3000', 'ftp://host.example', 'http://user:hidden@host.example', 'http://host.example/?hidden'])(
  'the address of a service that cannot be one is refused and not repeated: %s',
  async (address) => {
    const { code, stderr } = await refused({ PLANWRIGHT_URL: address });

    expect(code).toBe(2);
    expect(stderr).toContain('PLANWRIGHT_URL (or --api): expected the http(s) address of the service');
    expect(stderr).not.toContain('hidden');
  },
);

test('an address with a broken escape is no issue', async () => {
  const address = 'https://git.example/group/100%/-/issues/7';

  const { code, stderr } = await refused({ PLANWRIGHT_URL: 'http://127.0.0.1:9' }, address);

  expect(code).toBe(2);
  expect(stderr).toContain(`Expected the address of an issue`);
});

test.each(['<html>', 'null', '[]', '{}'])(
  'a server that is none of this service is named: it answers %s',
  async (body) => {
    const server = createServer((_request, response) => response.end(body));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

    const { code, stderr } = await refused({ PLANWRIGHT_URL: url });

    expect(code).toBe(1);
    expect(stderr).toContain(`${url} does not answer as this service does`);
  },
);

test('who waits for a run outlasts a service that is away for a moment', async () => {
  const answers = [
    { status: 503, body: { code: 'store_unavailable', detail: 'later' } },
    { status: 200, body: { ...STATUS, generationStatus: 'COMPLETED' } },
  ];
  const server = createServer((request, response) => {
    const { status, body } =
      request.url === '/openapi.json' ? { status: 200, body: {} } : (answers.shift() ?? { status: 500, body: {} });
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const env = {
    ...process.env,
    PLANWRIGHT_TOKEN: 'sandbox-alice',
    PLANWRIGHT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };

  const { stdout } = await run(process.execPath, ['src/cli.ts', 'status', ISSUE, '--wait'], { cwd: root, env });

  expect(stdout).toBe('COMPLETED\n');
});
