import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPieceFolder, readPieceFile } from '../../../../src/adapters/system/piece-folder.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'planwright-pieces-'));
});

afterEach(() => rm(root, { recursive: true, force: true }));

async function write(file: string, text: string): Promise<void> {
  const target = path.join(root, file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, text);
}

function pieceWith(agent: string): string {
  return `name: demo\nmovements:\n  - name: plan\n    agent: ${agent}\n    edit: false\n    rules:\n      - { condition: done, next: COMPLETE }\n`;
}

function source() {
  return createPieceFolder(path.join(root, 'operator/pieces'), path.join(root, 'home'));
}

describe('a folder of pieces', () => {
  test('a piece comes with the files it names, by the path as written', async () => {
    await write('operator/pieces/demo.yaml', pieceWith('../agents/planner.md'));
    await write('operator/agents/planner.md', 'You plan.');

    const bundle = await source().load('demo');

    expect(bundle).toEqual({
      name: 'demo',
      file: 'demo.yaml',
      text: pieceWith('../agents/planner.md'),
      files: { '../agents/planner.md': 'You plan.' },
    });
  });

  test('both endings are pieces', async () => {
    await write('operator/pieces/demo.yml', pieceWith('planner.md'));

    expect((await source().load('demo'))?.file).toBe('demo.yml');
  });

  test('a tilde is the home folder', async () => {
    await write('operator/pieces/demo.yaml', pieceWith('~/agents/planner.md'));
    await write('home/agents/planner.md', 'At home.');

    expect((await source().load('demo'))?.files).toEqual({ '~/agents/planner.md': 'At home.' });
  });

  test('a named file that is not there is left out', async () => {
    await write('operator/pieces/demo.yaml', pieceWith('../agents/planner.md'));

    expect((await source().load('demo'))?.files).toEqual({});
  });

  test.each(['missing', '../operator/pieces/demo', 'sub/demo', '/etc/passwd', '', '.', '..', 'demo\0', 'demo.yaml'])(
    'there is no piece named %j',
    async (name) => {
      await write('operator/pieces/demo.yaml', pieceWith('planner.md'));
      await write('operator/pieces/sub/demo.yaml', pieceWith('planner.md'));

      expect(await source().load(name)).toBeNull();
    },
  );

  test.each(['../../secret.md', '../agents/../../secret.md', '/etc/hostname', '~/../secret.md'])(
    'the path %s is outside',
    async (agent) => {
      await write('operator/pieces/demo.yaml', pieceWith(agent));
      await write('secret.md', 'secret');

      await expect(source().load('demo')).rejects.toMatchObject({ code: 'piece_path_outside' });
    },
  );

  test('a piece over 1 MiB is refused', async () => {
    await write('operator/pieces/demo.yaml', `${pieceWith('a.md')}${'#'.repeat(1_048_576)}`);

    await expect(source().load('demo')).rejects.toMatchObject({ code: 'piece_too_large' });
  });

  test('a folder in place of an agent file cannot be read', async () => {
    await write('operator/pieces/demo.yaml', pieceWith('../agents'));
    await write('operator/agents/planner.md', 'You plan.');

    await expect(source().load('demo')).rejects.toMatchObject({ code: 'piece_unreadable' });
  });
});

describe('a piece file of a person', () => {
  test('its files may lie anywhere', async () => {
    await write('a/b/demo.yaml', pieceWith('../../planner.md'));
    await write('planner.md', 'You plan.');
    const file = path.join(root, 'a/b/demo.yaml');

    const bundle = await readPieceFile(file, root);

    expect(bundle).toMatchObject({ name: 'demo', file, files: { '../../planner.md': 'You plan.' } });
  });

  test('a missing file is said', async () => {
    await expect(readPieceFile(path.join(root, 'none.yaml'), root)).rejects.toMatchObject({ code: 'piece_missing' });
  });
});
