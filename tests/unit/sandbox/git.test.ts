import { expect, test } from 'vitest';
import { makeCommit, objectId, writeTrees } from '../../../sandbox/git.ts';
import type { RepoFile } from '../../../sandbox/model.ts';

function files(texts: Record<string, string>, executable: string[] = []): Map<string, RepoFile> {
  const entries = Object.entries(texts).map(
    ([path, text]) => [path, { bytes: Buffer.from(text), executable: executable.includes(path) }] as const,
  );
  return new Map(entries);
}

// A folder beside files whose names sort between it and its slash, a name beyond ASCII, an executable file.
const TRICKY = files(
  { 'foo/x.txt': 'one\n', 'foo.txt': 'two\n', 'a-b': 'three\n', 'a/ü.txt': 'é\n', 'run.sh': '#!/bin/sh\n' },
  ['run.sh'],
);
const BASE = {
  message: 'Initial commit',
  authorName: 'Maria',
  authorEmail: 'maria@sandbox.example',
  date: '2026-01-12T09:00:00.000Z',
};

test('a blob has the id that git hash-object gives', () => {
  expect(objectId('blob', Buffer.from('hello\n'))).toBe('ce013625030ba8dba906f756967f9e9ca394464a');
});

test('no files make the empty tree of git', () => {
  expect(writeTrees(new Map()).id).toBe('4b825dc642cb6eb9a060e54bf8d69288fbee4904');
});

test('a tree has the id that git write-tree gives, whatever order the files come in', () => {
  const backwards = new Map([...TRICKY].reverse());

  expect(writeTrees(TRICKY).id).toBe('a6e324c091ff624d0ee0cd9e75da44482d28a82a');
  expect(writeTrees(backwards).id).toBe('a6e324c091ff624d0ee0cd9e75da44482d28a82a');
});

test('commits have the ids that git commit gives', () => {
  const first = makeCommit({ ...BASE, files: TRICKY, parentIds: [] });
  const more = new Map([...TRICKY, ...files({ 'b.txt': 'four\n' })]);
  const second = makeCommit({
    ...BASE,
    files: more,
    parentIds: [first.id],
    message: 'Second',
    date: '2026-01-13T09:00:00.000Z',
  });

  expect(first.id).toBe('497aadacb7beeaba895e71cd667470144adfc97d');
  expect(second.id).toBe('f53aed89a4d5c0076cef388ca2b6bf7a5728bb35');
});

test('a path that leaves the repository is refused', () => {
  expect(() => writeTrees(files({ '../x': '' }))).toThrow('no path inside a repository');
});
