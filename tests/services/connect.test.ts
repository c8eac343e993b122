/** Connecting a project of the sandbox, over real HTTP; and the command as a process. */
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type SandboxHandle, startSandbox } from '../../sandbox/server.ts';
import { type ConnectOptions, connectProject } from '../../src/app/connect.ts';
import { loadConfig } from '../../src/config.ts';
import { LABELS } from '../../src/domain/workplan/labels.ts';
import { HOOK_EVENTS } from '../../src/ports/gitlab-setup.ts';
import { openGitLab } from '../../src/wire/infrastructure.ts';
import { createMemoryLog } from '../helpers/fakes/log.ts';

const root = path.join(import.meta.dirname, '../..');
const SIGNING = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const hook = { url: 'http://127.0.0.1:9/webhooks/gitlab', token: null, signingToken: SIGNING };
let sandbox: SandboxHandle;
let projectId: number;
let projectPath: string;
let projects = 0;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

beforeEach(async () => {
  projects += 1;
  projectPath = `team/connect-${projects}`;
  const body = {
    path: projectPath,
    members: { maria: 'Maintainer', alice: 'Developer' },
    issues: [{ title: 'One', description: 'x' }],
    files: { 'README.md': '# Sample' },
  };
  const made = await fetch(`${sandbox.url}/_sandbox/projects`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  projectId = ((await made.json()) as { id: number }).id;
});
afterEach(() => {
  Object.assign(sandbox.state.settings, { webhookSigning: true, hookAutoDisable: false });
});

const project = () => sandbox.state.project(projectId);
const options: ConnectOptions = { dryRun: false, keepOthers: false };

async function connect(change: Partial<typeof hook> = {}, how: Partial<ConnectOptions> = {}, person = 'maria') {
  const config = { ...loadConfig({}), gitlabUrl: sandbox.url, gitlabToken: `sandbox-${person}` };
  const gitlab = openGitLab(config, createMemoryLog());
  try {
    return await connectProject(gitlab.setup, projectId, { ...hook, ...change }, { ...options, ...how });
  } finally {
    await gitlab.close();
  }
}

describe('connecting', () => {
  test('makes one hook with every event and the secret, and the labels', async () => {
    const report = await connect();

    expect(report).toMatchObject({
      hook: { done: 'created', remarks: [] },
      labels: { created: LABELS.map((label) => label.name) },
    });
    const [made, ...more] = project().hooks;
    expect(more).toEqual([]);
    expect(made).toMatchObject({ url: hook.url, signingToken: SIGNING, name: 'Planwright' });
    for (const event of HOOK_EVENTS) expect(made?.events[event]).toBe(true);
    expect(made?.events['push_events']).toBe(false);
    expect(made?.description).not.toContain(SIGNING);
  });

  test('twice changes nothing and says so', async () => {
    await connect();
    const before = sandbox.state.journal.length;

    const again = await connect();

    expect(again).toEqual({
      hook: { done: 'unchanged', changes: [], remarks: [] },
      labels: { created: [], remarks: [] },
    });
    expect(sandbox.state.journal.slice(before).filter((entry) => entry.method !== 'GET')).toEqual([]);
  });

  test('brings up to date what differs, and says what', async () => {
    await connect();
    const [made] = project().hooks;
    if (made) Object.assign(made, { enableSslVerification: false, events: { ...made.events, emoji_events: false } });
    const otherSecret = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;

    const report = await connect({ url: 'http://127.0.0.1:10/webhooks/gitlab', signingToken: otherSecret });

    expect(report.hook).toEqual({
      done: 'updated',
      changes: [
        `its address was ${hook.url}`,
        'these events were off: emoji_events',
        'certificates were not verified',
        'its secret was another one',
      ],
      remarks: [],
    });
    expect(project().hooks).toHaveLength(1);
    expect(made).toMatchObject({
      url: 'http://127.0.0.1:10/webhooks/gitlab',
      signingToken: otherSecret,
      enableSslVerification: true,
    });
    expect((await connect({ url: 'http://127.0.0.1:10/webhooks/gitlab', signingToken: otherSecret })).hook.done).toBe(
      'unchanged',
    );
  });

  test('leaves a hook to another address alone when told to', async () => {
    await connect();

    const report = await connect({ url: 'http://127.0.0.1:10/webhooks/gitlab' }, { keepOthers: true });

    expect(report.hook).toMatchObject({ done: 'created', remarks: [expect.stringContaining(hook.url)] });
    expect(project().hooks).toHaveLength(2);
  });

  test('tells of a second hook to the same address', async () => {
    await connect();
    const [made] = project().hooks;
    if (made) project().hooks.push({ ...made, id: 990 });

    expect((await connect()).hook.remarks).toEqual(['hook 990 goes to the same address: delete it']);
  });

  test('writes the secret again where nobody can tell whether it is the same', async () => {
    sandbox.state.settings.webhookSigning = false;
    await connect({ token: 'a-token' as never });
    const [made] = project().hooks;
    if (made) made.description = '';

    expect((await connect({ token: 'a-token' as never })).hook.changes).toEqual([
      'its secret is written again: GitLab does not tell whether it was the same',
    ]);
  });

  test('puts a secret where there was none', async () => {
    await connect();
    const [made] = project().hooks;
    if (made) made.signingToken = null;

    expect((await connect()).hook.changes).toEqual(['it had no secret']);
    expect(made?.signingToken).toBe(SIGNING);
  });

  test('as a dry run only says what it would do', async () => {
    const before = sandbox.state.journal.length;

    const report = await connect({}, { dryRun: true });

    expect(report).toMatchObject({ hook: { done: 'created' }, labels: { created: LABELS.map((label) => label.name) } });
    expect(sandbox.state.journal.slice(before).filter((entry) => entry.method !== 'GET')).toEqual([]);
    expect(project().hooks).toEqual([]);
  });

  test('makes only the labels that are missing', async () => {
    await connect();
    project().labels.splice(
      project().labels.findIndex((label) => label.name === 'workplan-never'),
      1,
    );

    expect((await connect()).labels.created).toEqual(['workplan-never']);
  });

  test("without a Maintainer's token says that one is needed", async () => {
    await expect(connect({}, {}, 'alice')).rejects.toMatchObject({ code: 'maintainer_needed' });
  });
});

describe('a hook that GitLab has disabled', () => {
  async function disabled(url: string) {
    sandbox.state.settings.hookAutoDisable = true;
    await connect({ url });
    const [made] = project().hooks;
    if (made) Object.assign(made, { alertStatus: 'disabled', failures: 40 });
  }

  /** Answers every delivery with this status. */
  async function receiver(status: number): Promise<string> {
    const server = createServer((_request, response) => void response.writeHead(status).end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/gitlab`;
  }

  test.each([
    [200, 'a test was answered, so it is enabled again'],
    [500, 'a test did not help (GitLab answered 422'],
  ])('is sent a test; answered with %d: %s', async (status, said) => {
    const url = await receiver(status);
    await disabled(url);

    expect((await connect({ url })).hook.remarks).toEqual([expect.stringContaining(said)]);
    expect(project().hooks[0]?.alertStatus).toBe(status === 200 ? 'executable' : 'disabled');
  });

  test('is told of in a dry run', async () => {
    await disabled(hook.url);

    expect((await connect({}, { dryRun: true })).hook.remarks[0]).toContain('a test would be sent');
  });
});

async function command(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = {
    PATH: process.env['PATH'],
    GITLAB_URL: sandbox.url,
    GITLAB_TOKEN: 'sandbox-maria',
    GITLAB_WEBHOOK_TOKEN: 'hook-secret',
    PUBLIC_URL: 'https://planwright.example',
  };
  return promisify(execFile)(process.execPath, ['src/cli.ts', 'connect', ...args], { cwd: root, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error) => ({ code: error.code, stdout: error.stdout, stderr: error.stderr }),
  );
}

test('the command says what it did, needs neither database nor Redis, and shows a settings file', async () => {
  const first = await command(projectPath);
  const second = await command(String(projectId));

  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toContain('webhook   created');
  expect(first.stdout).toContain('to https://planwright.example/webhooks/gitlab');
  expect(first.stdout).toContain('plan_target: note');
  expect(first.stdout).not.toContain('hook-secret');
  expect(second.stdout).toContain('webhook   as it should be');
  expect(second.stdout).toContain('Nothing was changed.');
});

test('the command refuses a project that is not there', async () => {
  expect(await command('nobody/nothing')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no project "nobody/nothing"'),
  });
});
