import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const launcher = path.join(import.meta.dirname, '../../planwright');

/** A project with the launcher and a program that prints its arguments and Node's version. */
async function project(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'planwright launcher-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(path.join(folder, 'home/src'), { recursive: true });
  await copyFile(launcher, path.join(folder, 'home/planwright'));
  const program = 'console.log(JSON.stringify([process.version, process.cwd(), ...process.argv.slice(2)]));\n';
  await writeFile(path.join(folder, 'home/src/cli.ts'), program);
  return folder;
}

async function installNode(folder: string): Promise<void> {
  await mkdir(path.join(folder, 'home/node_modules/.bin'), { recursive: true });
  await symlink(process.execPath, path.join(folder, 'home/node_modules/.bin/node'));
}

test("runs the command with the project's Node, its arguments unchanged, in the caller's folder", async () => {
  const folder = await project();
  await installNode(folder);

  const result = spawnSync(path.join(folder, 'home/planwright'), ['plan', 'two words', '*'], {
    cwd: folder,
    encoding: 'utf8',
  });

  expect(JSON.parse(result.stdout)).toEqual([process.version, folder, 'plan', 'two words', '*']);
});

test('works through a chain of symbolic links', async () => {
  const folder = await project();
  await installNode(folder);
  await mkdir(path.join(folder, 'bin'));
  await symlink('../home/planwright', path.join(folder, 'bin/relative'));
  await symlink(path.join(folder, 'bin/relative'), path.join(folder, 'absolute'));

  const result = spawnSync(path.join(folder, 'absolute'), ['status'], { cwd: '/', encoding: 'utf8' });

  expect(JSON.parse(result.stdout)).toEqual([process.version, '/', 'status']);
});

test("finds the pieces that come with it, and those it is told of in the caller's folder, from wherever it is called", async () => {
  const root = path.dirname(launcher);
  const program = `const { loadConfig } = await import(${JSON.stringify(path.join(root, 'src/config.ts'))});
    console.log(JSON.stringify([loadConfig({}).piecesDir, loadConfig({ PIECES_DIR: 'own' }).piecesDir]));`;

  const result = spawnSync(process.execPath, ['--input-type=module', '-e', program], { cwd: '/', encoding: 'utf8' });

  expect(result.stderr).toBe('');
  expect(JSON.parse(result.stdout)).toEqual([path.join(root, 'pieces'), '/own']);
});

test('says what to do when the packages are not installed', async () => {
  const folder = await project();

  const result = spawnSync(path.join(folder, 'home/planwright'), [], { encoding: 'utf8' });

  expect(result.status).toBe(2);
  expect(result.stderr).toContain(`Run 'npm ci' in ${path.join(folder, 'home')} first`);
});
