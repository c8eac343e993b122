import { expect, test } from 'vitest';
import { pathKind } from '../../../../src/adapters/repository/path-kind.ts';
import { askedKinds } from '../../../../src/adapters/repository/ranking/asked-kinds.ts';
import { WEIGHTS } from '../../../../src/adapters/repository/ranking/weights.ts';

test.each([
  ['src/app/orders.ts', 'code'],
  ['lib/security/token.rb', 'code'],
  ['src/history.js', 'code'],
  ['lib/languages/js/index.js', 'code'],
  ['include/sass/values.h', 'code'],
  ['tests/orders.ts', 'test'],
  ['src/orders.test.ts', 'test'],
  ['pkg/server/server_test.go', 'test'],
  ['django/test_utils.py', 'test'],
  ['src/OrderTests/Orders.cs', 'test'],
  ['src/main/java/OrderTest.java', 'test'],
  ['src/latest.ts', 'code'],
  ['test/fixtures/a.json', 'fixture'],
  ['docs/guide.md', 'docs'],
  ['README', 'docs'],
  ['CHANGELOG.md', 'changelog'],
  ['SECURITY.md', 'changelog'],
  ['locales/de.json', 'locale'],
  ['src/v4/locales/ja.ts', 'locale'],
  ['po/de.po', 'locale'],
  ['package-lock.json', 'generated'],
  ['static/app.min.js', 'generated'],
  ['api/orders.pb.go', 'generated'],
  ['node_modules/a/index.js', 'vendored'],
  ['third_party/zlib/inflate.c', 'vendored'],
  ['dist/app.js', 'output'],
  ['types/index.d.ts', 'types'],
  ['.github/workflows/ci.yml', 'build'],
  ['package.json', 'config'],
  ['app/views/orders.html.erb', 'template'],
  ['styles/main.scss', 'style'],
  ['logo.png', 'data'],
])('%s is %s', (path, kind) => {
  expect(pathKind(path)).toBe(kind);
});

test.each([
  ['Typo in the documentation', 'docs'],
  ['Flaky unit test', 'test'],
  ['German translation is wrong', 'locale'],
  ['Type definitions lack an option', 'types'],
] as const)('%s: files of the kind %s count nearly as code', (title, kind) => {
  expect(askedKinds(title, WEIGHTS.kinds)[kind]).toBeGreaterThanOrEqual(0.9);
  expect(askedKinds('Order total is wrong', WEIGHTS.kinds)[kind]).toBe(WEIGHTS.kinds[kind]);
});
