import { expect, test } from 'vitest';
import { globMatcher } from '../../../../src/adapters/repository/glob.ts';

test.each([
  ['*.ts', 'src/a.ts', true],
  ['*.ts', 'src/a.tsx', false],
  ['src/*.ts', 'src/a.ts', true],
  ['src/*.ts', 'src/b/a.ts', false],
  ['src/**/*.ts', 'src/a.ts', true],
  ['src/**/*.ts', 'src/b/c/a.ts', true],
  ['**/test/**', 'a/test/b/c.js', true],
  ['**/test/**', 'a/tests/b/c.js', false],
  ['docs/', 'docs/a/b.md', true],
  ['./src/a.ts', 'src/a.ts', true],
  ['a?c.[ch]', 'abc.h', true],
  ['a?c.[!ch]', 'abc.h', false],
  ['[a-f]*.md', 'guide/changes.md', true],
  ['[a-f]*.md', 'guide/readme.md', false],
  ['*.{yml,yaml}', '.gitlab/ci.yaml', true],
  ['{src,lib}/{a,b}.js', 'lib/b.js', true],
  ['[', '[', true],
  ['設計/*.md', '設計/注文.md', true],
])('%s of %s is %s', (glob, path, fits) => {
  expect(globMatcher(glob)?.(path)).toBe(fits);
});

test('one that is too large is refused', () => {
  expect(globMatcher('{a,b,c}'.repeat(5))).toBeNull();
  expect(globMatcher('*a'.repeat(40))).toBeNull();
});

test('a hostile one takes no time', { timeout: 2000 }, () => {
  const matches = globMatcher(`${'*a'.repeat(15)}b`);

  expect(matches?.(`${'a'.repeat(5000)}`)).toBe(false);
});
