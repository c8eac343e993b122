import { describe, expect, test } from 'vitest';
import { resultLimit } from '../../../../src/app/agent/tool.ts';
import { ask, gitlab } from '../../../helpers/agent-tools.ts';
import { createFakeSnapshot } from '../../../helpers/fakes/repository.ts';

describe('the repository', () => {
  test('is listed with its commit', async () => {
    expect((await ask({}, 'repo_list', { under: './src/' })).value).toEqual({
      commit: 'c0ffee',
      files: [
        { path: 'src/app.ts', size: 46, lines: 3, binary: false },
        { path: 'src/logo.png', size: 0, lines: 0, binary: true },
      ],
      more: false,
    });
  });

  test('is listed with what of it is left out', async () => {
    const notes = ['2 links are left out: links are not followed.'];

    const { value } = await ask({ repository: { ...createFakeSnapshot({ 'a.ts': 'x\n' }), notes } }, 'repo_list');

    expect(value.leftOut).toEqual(notes);
  });

  test('a list that does not fit says that there is more', async () => {
    const many = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`src/module-${index}/file.ts`, 'x\n']));

    const { value, output } = await ask({ repository: createFakeSnapshot(many) }, 'repo_list', { limit: 2000 });

    expect(output.length).toBeLessThanOrEqual(resultLimit);
    expect(value.more).toBe(true);
    expect(value.files.length).toBeGreaterThan(500);
  });

  test('a file is read by lines', async () => {
    expect((await ask({}, 'repo_read', { path: '/src/app.ts', startLine: 2, endLine: 2 })).value).toEqual({
      path: 'src/app.ts',
      startLine: 2,
      endLine: 2,
      totalLines: 3,
      text: 'export function start() {}',
      notice: 'More lines follow: read on from line 3.',
    });
  });

  test('at most 400 lines come at once', async () => {
    const repository = createFakeSnapshot({ 'big.txt': `${'line\n'.repeat(1000)}` });

    const { value } = await ask({ repository }, 'repo_read', { path: 'big.txt', startLine: 101, endLine: 1000 });

    expect(value).toMatchObject({
      startLine: 101,
      endLine: 500,
      totalLines: 1000,
      notice: expect.stringContaining('501'),
    });
  });

  test('long lines are read in portions of whole lines', async () => {
    const repository = createFakeSnapshot({ 'wide.txt': `${'x'.repeat(9999)}\n`.repeat(10) });

    const { value, output } = await ask({ repository }, 'repo_read', { path: 'wide.txt' });

    expect(output.length).toBeLessThanOrEqual(resultLimit);
    expect(value).toMatchObject({ startLine: 1, endLine: 4, totalLines: 10, notice: 'Read on from line 5.' });
  });

  test.each([
    ['a file that is elsewhere', 'repo_read', { path: 'lib/App.ts' }, 'not_found', 'Did you mean src/app.ts?'],
    ['a binary file', 'repo_read', { path: 'src/logo.png' }, 'not_found', 'not a text file'],
    ['a line behind the end', 'repo_read', { path: 'src/app.ts', startLine: 9 }, 'out_of_range', 'has 3 lines'],
    ['lines backwards', 'repo_read', { path: 'src/app.ts', startLine: 3, endLine: 1 }, 'invalid_input', 'before'],
    ['a folder that is not there', 'repo_list', { under: 'docs' }, 'not_found', 'no folder docs'],
    ['symbols of nothing', 'repo_symbols', {}, 'invalid_input', 'expected name or path'],
    ['a search for nothing', 'repo_search', { query: ' ' }, 'invalid_input', 'query'],
    ['a path out of the repository', 'repo_read', { path: '../../etc/passwd' }, 'not_found', 'no file'],
  ])('%s is an error that helps', async (_case, name, input, code, hint) => {
    const { value, isError } = await ask({}, name, input);

    expect(isError).toBe(true);
    expect(value.error).toEqual({ code, message: expect.stringContaining(hint) });
  });

  test('is searched', async () => {
    expect((await ask({}, 'repo_search', { query: 'export' })).value.hits).toEqual([
      { path: 'src/app.ts', line: 2, excerpt: '2: export function start() {}', score: 1 },
    ]);
  });

  test('lines, references and the map are read', async () => {
    const found = await ask({}, 'repo_find', { pattern: 'export \\w+', regexp: true });
    const references = await ask({}, 'repo_references', { name: 'start' });
    const map = await ask({}, 'repo_map', { tokens: 100 });

    expect(found.value).toEqual({
      hits: [{ path: 'src/app.ts', line: 2, text: 'export function start() {}' }],
      more: false,
    });
    expect(references.value.references[0]).toMatchObject({ path: 'src/app.ts', line: 2, kind: 'definition' });
    expect(map.value).toMatchObject({ map: expect.stringContaining('src/app.ts'), ofFiles: expect.any(Number) });
  });

  test('a whole issue may be the query', async () => {
    const { isError } = await ask({}, 'repo_search', { query: `Title\n\n${'word '.repeat(3000)}` });

    expect(isError).toBe(false);
  });

  test.each([[{ name: 'start' }], [{ path: 'src/app.ts' }], [{ name: 'start', path: 'src/app.ts' }]])(
    'symbols are found by %j',
    async (input) => {
      expect((await ask({}, 'repo_symbols', input)).value.symbols).toMatchObject([{ name: 'start', startLine: 2 }]);
    },
  );

  test("a file's history is that of the pinned commit", async () => {
    const asked: unknown[] = [];
    const source = gitlab({
      fileHistory: async (projectId, sha, path, limit) => {
        asked.push([projectId, sha, path, limit]);
        return [{ id: 'c1', title: 'Begin', authoredAt: '2026-01-01T00:00:00Z' }];
      },
    });

    const { value } = await ask({ gitlab: source }, 'repo_history', { path: 'src/app.ts' });

    expect(asked).toEqual([[1, 'c0ffee', 'src/app.ts', 20]]);
    expect(value.commits).toHaveLength(1);
  });
});
