import { execFileSync } from 'node:child_process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { objectId } from '../../../sandbox/git.ts';
import { openSandbox, type TestSandbox } from './client.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
});
afterEach(() => sandbox.close());

const REPO = '/projects/1/repository';

async function download(path: string, user = 'alice'): Promise<Buffer> {
  const response = await fetch(`${sandbox.url}/api/v4${path}`, { headers: { 'private-token': `sandbox-${user}` } });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

async function unpack(archive: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const tar = extract();
  tar.on('entry', (header, stream, next) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk) => chunks.push(chunk as Buffer));
    stream.on('end', () => {
      if (header.type === 'file') files.set(header.name, Buffer.concat(chunks));
      next();
    });
  });
  await pipeline(Readable.from([archive]), createGunzip(), tar);
  return files;
}

async function head(): Promise<string> {
  return (await sandbox.api('alice', 'GET', `${REPO}/branches/main`)).body.commit.id;
}

test('the archive unpacks to the files of the tree, under one folder', async () => {
  const sha = await head();
  const tree = (await sandbox.api('alice', 'GET', `${REPO}/tree?recursive=true&per_page=100&ref=${sha}`)).body;
  const blobs = tree.filter((entry: { type: string }) => entry.type === 'blob');

  const files = await unpack(await download(`${REPO}/archive.tar.gz?sha=${sha}`));

  expect([...files.keys()].sort()).toEqual(
    blobs.map((entry: { path: string }) => `sample-${sha}-${sha}/${entry.path}`).sort(),
  );
  for (const entry of blobs) {
    expect(objectId('blob', files.get(`sample-${sha}-${sha}/${entry.path}`) ?? Buffer.alloc(0))).toBe(entry.id);
  }
});

test('the archive names its commit where git archive does', async () => {
  const sha = await head();
  const archive = await download(`${REPO}/archive?sha=${sha}`);

  // The tool reads the first kilobyte and closes: it takes the unpacked tar.
  const chunks: Buffer[] = [];
  for await (const chunk of Readable.from([archive]).pipe(createGunzip())) chunks.push(chunk as Buffer);
  const named = execFileSync('git', ['get-tar-commit-id'], { input: Buffer.concat(chunks).subarray(0, 1024) });

  expect(named.toString().trim()).toBe(sha);
});

test('the commit of the sample is the same in every sandbox', async () => {
  const other = await openSandbox();
  const there = (await other.api('alice', 'GET', `${REPO}/branches/main`)).body.commit.id;
  await other.close();

  expect(there).toBe(await head());
});

test('a tree is walked by keyset and by offset to the same end', async () => {
  const walk = async (start: string): Promise<string[]> => {
    const paths: string[] = [];
    for (let next: string | undefined = `${sandbox.url}/api/v4${REPO}/tree${start}`; next; ) {
      const response: Response = await fetch(next, { headers: { 'private-token': 'sandbox-alice' } });
      paths.push(...((await response.json()) as { path: string }[]).map((entry) => entry.path));
      next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    }
    return paths;
  };

  const keyset = await walk('?recursive=true&per_page=7&pagination=keyset');
  const offset = await walk('?recursive=true&per_page=7');

  expect(keyset.length).toBeGreaterThan(40);
  expect(new Set(keyset).size).toBe(keyset.length);
  expect(keyset).toEqual(offset);
});

test('a folder lists its own entries, folders first', async () => {
  const root = (await sandbox.api('alice', 'GET', `${REPO}/tree?per_page=100`)).body;
  const inside = (await sandbox.api('alice', 'GET', `${REPO}/tree?path=src/auth`)).body;

  expect(root[0]).toMatchObject({ name: 'docs', type: 'tree', mode: '040000' });
  expect(root.at(-1).type).toBe('blob');
  expect(inside.map((entry: { name: string }) => entry.name)).toEqual([
    'permissions.ts',
    'roles.ts',
    'session.ts',
    'tokens.ts',
  ]);
});

test('a file is the same raw and in base64', async () => {
  const path = encodeURIComponent('src/auth/permissions.ts');
  const raw = await download(`${REPO}/files/${path}/raw?ref=main`);
  const { body } = await sandbox.api('alice', 'GET', `${REPO}/files/${path}?ref=main`);

  expect(Buffer.from(body.content, 'base64').equals(raw)).toBe(true);
  expect(body).toMatchObject({
    file_path: 'src/auth/permissions.ts',
    blob_id: objectId('blob', raw),
    commit_id: await head(),
  });
});

test.each([
  ['a file', `${REPO}/files/nothing.ts/raw?ref=main`, '404 File Not Found'],
  ['a folder', `${REPO}/tree?path=nothing`, '404 Tree Not Found'],
  ['a branch', `${REPO}/branches/nothing`, '404 Branch Not Found'],
  ['a commit', `${REPO}/commits/0123456789`, '404 Commit Not Found'],
])('%s that is not there is a 404', async (_what, path, message) => {
  expect((await sandbox.api('alice', 'GET', path)).body).toEqual({ message });
});

test('a new commit moves the branch, and the old one stays as it was', async () => {
  const before = await head();
  const { body } = await sandbox.control('POST', '/projects/1/commits', {
    message: 'Change and delete',
    files: { 'README.md': '# New\n', 'CHANGELOG.md': null, 'src/new/file.ts': 'export {};\n' },
  });

  expect(body.parent_ids).toEqual([before]);
  expect(await head()).toBe(body.id);
  expect((await download(`${REPO}/files/README.md/raw?ref=${body.id}`)).toString()).toBe('# New\n');
  expect((await download(`${REPO}/files/README.md/raw?ref=${before.slice(0, 8)}`)).toString()).toContain(
    '# Order Desk',
  );
  expect((await sandbox.api('alice', 'GET', `${REPO}/files/CHANGELOG.md?ref=main`)).status).toBe(404);
});

test('the history of a path has only the commits that touched it', async () => {
  const commit = { message: 'Only the readme', files: { 'README.md': '# New\n' } };
  await sandbox.control('POST', '/projects/1/commits', commit);

  const readme = (await sandbox.api('alice', 'GET', `${REPO}/commits?path=README.md`)).body;
  const auth = (await sandbox.api('alice', 'GET', `${REPO}/commits?path=src/auth`)).body;

  expect(readme.map((entry: { title: string }) => entry.title)).toEqual(['Only the readme', 'Initial commit']);
  expect(auth.map((entry: { title: string }) => entry.title)).toEqual(['Initial commit']);
});

test('a project made by a test has its files, members and issues', async () => {
  const made = await sandbox.control('POST', '/projects', {
    path: 'lab/tools/counter',
    files: { 'counter.py': 'def count(): ...\n' },
    members: { bob: 'Maintainer', planwright: 'Developer' },
    issues: [{ title: 'Count faster', description: 'Please', author: 'bob' }],
  });
  const id = made.body.id;

  expect((await download(`/projects/${id}/repository/files/counter.py/raw?ref=main`, 'bob')).toString()).toBe(
    'def count(): ...\n',
  );
  expect((await sandbox.api('bob', 'GET', `/projects/${id}/issues/1`)).body).toMatchObject({
    title: 'Count faster',
    author: { username: 'bob' },
  });
  expect((await sandbox.api('alice', 'GET', `/projects/${id}`)).status).toBe(404);
});
