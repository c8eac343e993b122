/** The client of the API as a process, against a server that answers as the API does. */
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const run = promisify(execFile);
const root = path.join(import.meta.dirname, '../..');

/** Answers every status; `asked` are the paths that were asked for. */
async function startApi(gitlabUrl: string): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const body = request.url === '/openapi.json' ? { externalDocs: { url: gitlabUrl } } : STATUS;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
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

test('of a group and a project alone nothing is asked before', async () => {
  const api = await startApi('https://git.example');

  await statusOf(api.url, 'https://git.example/group/project/-/issues/7');

  expect(api.asked).toEqual([itemPath('group/project')]);
});

test('a service that does not answer is named', async () => {
  const closed = 'http://127.0.0.1:9';

  await expect(statusOf(closed, 'https://git.example/group/project/-/issues/7')).rejects.toMatchObject({
    stderr: expect.stringContaining(`${closed} does not answer`),
  });
});
