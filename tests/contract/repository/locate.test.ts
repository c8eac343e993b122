import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type LocateOptions, locate } from '../../../src/adapters/repository/local.ts';
import { createSystemClock } from '../../../src/adapters/system/clock.ts';

let home: string;
let repo: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'planwright-locate-'));
  repo = join(home, 'repo');
  await put('src/refund.ts', 'export function refundOrder(id: string) {\n  return id;\n}\n');
  await put('src/orders.ts', 'export function listOrders() {\n  return [];\n}\n');
  await put('tests/refund.test.ts', 'refundOrder("1");\nrefundOrder("2");\n');
});
afterEach(() => rm(home, { recursive: true }));

async function put(path: string, text: string | Uint8Array): Promise<void> {
  const file = join(repo, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

function git(...args: string[]): string {
  const settings = ['user.name=alice', 'user.email=alice@example.com', 'init.defaultBranch=main'];
  return execFileSync('git', ['-C', repo, ...settings.flatMap((one) => ['-c', one]), ...args], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
  }).trim();
}

function commitAll(message: string): string {
  git('add', '-A');
  git('commit', '-q', '-m', message);
  return git('rev-parse', 'HEAD');
}

async function found(issue: string | Uint8Array, options: Partial<LocateOptions> = {}): Promise<string[]> {
  const answer = await locate({
    folder: repo,
    issue: Buffer.from(issue),
    at: null,
    top: 10,
    clock: createSystemClock(),
    ...options,
  });
  return answer.files.map(({ path }) => path);
}

describe('what can be looked at', () => {
  test('a plain folder', async () => {
    expect((await found('Refund is wrong'))[0]).toBe('src/refund.ts');
  });

  test('a git repository at a commit, without what is not committed', async () => {
    git('init', '-q');
    const first = commitAll('first');
    await put('src/money-back.ts', 'export function refundOrder() {}\nexport function refund() {}\n');
    commitAll('second');
    await put('src/refund-later.ts', 'export function refund() {}\n');

    expect(await found('refund', { at: first })).toEqual(['src/refund.ts', 'tests/refund.test.ts']);
    expect(await found('refund')).toEqual(expect.arrayContaining(['src/refund.ts', 'src/money-back.ts']));
    expect(await found('refund')).not.toContain('src/refund-later.ts');
  });

  test('a bare repository', async () => {
    git('init', '-q');
    commitAll('first');
    git('clone', '-q', '--bare', repo, join(home, 'bare.git'));

    expect((await found('Refund is wrong', { folder: join(home, 'bare.git') }))[0]).toBe('src/refund.ts');
  });

  test('a folder within a repository is a plain folder', async () => {
    git('init', '-q');
    commitAll('first');

    expect(await found('orders', { folder: join(repo, 'src') })).toEqual(['orders.ts', 'refund.ts']);
  });

  test('history points at files that like commits changed', async () => {
    git('init', '-q');
    commitAll('first');
    await put('src/orders.ts', 'export function listOrders() {\n  return [1];\n}\n');
    commitAll('Zeppelin cargo is counted');

    expect(await found('Zeppelin cargo is wrong')).toEqual(['src/orders.ts']);
  });
});

describe('what cannot', () => {
  test.each<[string, Partial<LocateOptions>, string]>([
    ['no folder', { folder: '/nowhere/at/all' }, 'folder_missing'],
    ['a commit of a plain folder', { at: 'main' }, 'no_git_repository'],
  ])('%s is told', async (_name, options, code) => {
    await expect(found('x', options)).rejects.toMatchObject({ code });
  });

  test.each(['nope', '--help', '-x', 'HEAD:src', ''])('the commit %j is told', async (at) => {
    git('init', '-q');
    commitAll('first');

    await expect(found('x', { at })).rejects.toMatchObject({ code: 'commit_missing' });
  });

  test('a repository without commits is told', async () => {
    git('init', '-q');

    await expect(found('x')).rejects.toMatchObject({ code: 'commit_missing' });
  });
});

test('nothing of the repository is executed', async () => {
  git('init', '-q');
  const trap = join(home, 'trap.sh');
  const sprung = join(home, 'sprung');
  await writeFile(trap, `#!/bin/sh\ntouch ${sprung}\ncat\n`);
  await chmod(trap, 0o755);
  await put('.gitattributes', '* filter=trap diff=trap\n');
  commitAll('first');
  for (const [key, value] of [
    ['core.fsmonitor', trap],
    ['core.hooksPath', home],
    ['core.pager', trap],
    ['core.sshCommand', trap],
    ['filter.trap.smudge', trap],
    ['filter.trap.clean', trap],
    ['filter.trap.required', 'true'],
    ['diff.external', trap],
    ['diff.trap.textconv', trap],
    ['diff.trap.command', trap],
    ['log.showSignature', 'true'],
    ['gpg.program', trap],
    ['alias.ls-tree', `!${trap}`],
    ['pager.log', trap],
    ['uploadpack.packObjectsHook', trap],
    ['extensions.partialClone', 'origin'],
    ['remote.origin.url', `ext::${trap}`],
    ['remote.origin.promisor', 'true'],
  ] as const)
    git('config', key, value);

  const files = await found('refund');

  expect(files[0]).toBe('src/refund.ts');
  expect(() => execFileSync('ls', [sprung], { stdio: 'pipe' })).toThrow();
});

describe('odd files and issues', () => {
  test('links, binary, minified, empty and huge files do no harm', async () => {
    await put('logo.png', Buffer.from([0x89, 0x50, 0, 1, 2, 3]));
    await put('app.min.js', `var refund=1;${'x=refund;'.repeat(50_000)}`);
    await put('one-line.js', `var refund=1;${'x=refund;'.repeat(50_000)}`);
    await put('empty.ts', '');
    await put('latin.ts', Buffer.from('// r\u00e9fund refund\n', 'latin1'));
    await put('huge.txt', 'refund line\n'.repeat(200_000));
    await symlink('/etc', join(repo, 'etc'));

    const files = await found('refund');

    expect(files[0]).toBe('src/refund.ts');
    expect(files).not.toContain('one-line.js');
    expect(files.some((path) => path.startsWith('etc'))).toBe(false);
  });

  test.each([
    ['nothing', '', undefined],
    ['blanks', ' \n\n ', undefined],
    ['words that are nowhere', 'zeppelin hangar', undefined],
    ['JSON of an issue', '{"title": "Refund is wrong", "description": "always"}', 'src/refund.ts'],
    ['JSON of something else', '{"a": 1}', undefined],
    ['Japanese with a name of code', '返金がおかしい。refundOrder を見てください。', 'src/refund.ts'],
    ['UTF-16', Buffer.from('\uFEFFRefund is wrong', 'utf16le'), 'src/refund.ts'],
  ])('an issue of %s', async (_name, issue, first) => {
    expect((await found(issue))[0]).toBe(first);
  });

  test('an issue that is no text is told', async () => {
    await expect(found(Buffer.from([1, 0, 2, 0, 0, 3, 0]))).rejects.toMatchObject({ code: 'issue_unreadable' });
  });
});
