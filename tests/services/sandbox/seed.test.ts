import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildSandbox } from '../../../sandbox/app.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-seed-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function seed(definition: string): Promise<void> {
  await mkdir(join(folder, 'lab/tools/repo/src'), { recursive: true });
  await writeFile(join(folder, 'lab/tools/repo/src/main.py'), 'print(1)\n');
  await writeFile(join(folder, 'lab/tools/project.yaml'), definition);
}

test('a folder of its own takes the place of the samples', async () => {
  await seed(
    'members: { bob: Owner }\nissues: [{ title: First, author: bob, comments: [{ author: bob, body: Hi }] }]\n',
  );

  const { app, state } = await buildSandbox({ seedDir: folder });
  await app.close();

  const [project] = state.projects;
  expect(state.projects).toHaveLength(1);
  expect(project?.path).toBe('lab/tools');
  expect(project?.issues[0]?.discussions[0]?.notes[0]?.body).toBe('Hi');
  expect([...(project?.commits.values().next().value?.files.keys() ?? [])]).toEqual(['src/main.py']);
});

test('an empty folder is refused with what was expected', async () => {
  await expect(buildSandbox({ seedDir: folder })).rejects.toThrow('expected NAMESPACE/PROJECT/project.yaml');
});

test('a wrong definition is refused with its file and field', async () => {
  await seed('members: { bob: Owner }\nissues: [{ titel: First, author: bob }]\n');

  await expect(buildSandbox({ seedDir: folder })).rejects.toThrow(/project\.yaml[\s\S]*issues\[0\]\.title/);
});

test('an unknown person is refused with the known ones', async () => {
  await seed('members: { somebody: Owner }\n');

  await expect(buildSandbox({ seedDir: folder })).rejects.toThrow('no user "somebody": it knows alice');
});
