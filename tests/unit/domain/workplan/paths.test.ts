import { expect, test } from 'vitest';
import { leadsOutside, overlap, permalink } from '../../../../src/domain/workplan/paths.ts';

test('permalinks escape what a path may hold', () => {
  expect(permalink('https://g.example/a', 'c0', { path: 'a b/#1?.ts', startLine: 3, endLine: 3 })).toBe(
    'https://g.example/a/-/blob/c0/a%20b/%231%3F.ts#L3',
  );
});

test.each(['', '..', '../x', '.git/config', '.GIT/hooks/x', 'C:/x', 'https:/evil.example/x', '~/x'])(
  '%s is no path of a repository',
  (path) => {
    expect(leadsOutside(path)).toBe(true);
  },
);

test.each(['x', '.gitlab/planwright.yml', '.github/a', 'a/..b', 'src/a:b.ts'])('%s is one', (path) => {
  expect(leadsOutside(path)).toBe(false);
});

test.each([
  ['src', 'src', true],
  ['src', 'src/a', true],
  ['src/a', 'src', true],
  ['src', 'srcs/a', false],
  ['src/a', 'src/b', false],
])('%s and %s overlap: %s', (a, b, expected) => {
  expect(overlap(a, b)).toBe(expected);
});
