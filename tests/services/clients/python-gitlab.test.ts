import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SandboxHandle, startSandbox } from '../../../sandbox/server.ts';
import { findPythonGitlab } from '../../helpers/python-gitlab.ts';

const DRIVE = fileURLToPath(new URL('./drive.py', import.meta.url));
const FETCHING_MS = 300_000;

let sandbox: SandboxHandle;
let client: Awaited<ReturnType<typeof findPythonGitlab>>;

beforeAll(async () => {
  sandbox = await startSandbox();
  client = await findPythonGitlab();
}, FETCHING_MS);
afterAll(() => sandbox.close());

test("Debian's client creates one of each, pages through long lists and reads all back", async (context) => {
  if ('missing' in client) {
    console.warn(`python3-gitlab is neither installed nor can be fetched, its test is skipped: ${client.missing}`);
    context.skip('no python3-gitlab');
    return;
  }

  const seen: unknown = JSON.parse(await client.run(DRIVE, sandbox.url));

  expect(seen).toMatchObject({
    issue: { title: 'From Python', description: 'Words', labels: ['backend', 'new'], author: 'alice' },
    note: { same: true, body: 'A note', author: 'alice' },
    discussion: [
      ['alice', 'Which one?'],
      ['bob', 'The first.'],
    ],
    label: { name: 'scope::python', color: '#336699' },
    renamed: ['scope::other'],
    emoji: [['thumbsup', 'bob']],
    hook: { url: 'https://example.com/hook', note_events: true, token: false },
    member: 20,
    list: { count: 130, ordered: true },
    refused: 403,
  });
});
