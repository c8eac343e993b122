import { expect, test } from 'vitest';
import { scanSymbols } from '../../../../src/adapters/repository/symbols.ts';

function scan(path: string, text: string) {
  return scanSymbols(path, text, text.split('\n'));
}

test('modifiers, generators and async functions are read', () => {
  const java = scan('A.java', '  public static final int size() {\n  }\n');
  const typescript = scan('a.ts', 'export async function* rows() {\n}\nfunction *cells() {}\nfunction plain() {}\n');
  expect(java.map(({ name }) => name)).toEqual(['size']);
  expect(typescript.map(({ name }) => name)).toEqual(['rows', 'cells', 'plain']);
});

// One file of a repository must never hold up the worker that reads it.
test.each([
  ['modifiers, a line each', 'A.java', ' public\n'.repeat(30_000)],
  ['modifiers of methods', 'a.ts', ' static\n'.repeat(30_000)],
  ['visibilities', 'a.rs', 'pub\n'.repeat(30_000)],
  ['blank lines after a keyword', 'a.ts', `export async function${'\n'.repeat(200_000)}`],
  ['brackets that are never closed', 'a.ts', `${'const a = ('.padEnd(300, ' ')}\n`.repeat(3000)],
])('a file of %s is scanned in linear time', { timeout: 5000 }, (_name, path, text) => {
  expect(() => scan(path, text)).not.toThrow();
});
