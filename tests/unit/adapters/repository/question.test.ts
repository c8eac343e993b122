import { describe, expect, test } from 'vitest';
import { createPathIndex, type Mention } from '../../../../src/adapters/repository/ranking/mentions.ts';
import { readQuestion } from '../../../../src/adapters/repository/ranking/question.ts';

const paths = [
  '',
  'django/db/models/query.py',
  'django/db/models/sql/query.py',
  'src/app/index.ts',
  'lib/util.js',
  'test/util.js',
  'java/org/acme/Bridge.java',
  'pkg/server/server.go',
];

function meant(mention: Partial<Mention> & { text: string }): string[] {
  const found = createPathIndex(paths).resolve({ kind: 'path', weight: 1, ...mention });
  return found.map(({ file }) => paths[file] ?? '');
}

describe('what is named', () => {
  test.each([
    ['/usr/lib/python3/site-packages/django/db/models/sql/query.py', ['django/db/models/sql/query.py']],
    ['models/query.py:45', ['django/db/models/query.py']],
    ['C:\\work\\lib\\util.js', ['lib/util.js']],
    ['util.js', ['lib/util.js', 'test/util.js']],
    ['nowhere.js', []],
  ])('the path %s means %j', (text, files) => {
    expect(meant({ text })).toEqual(files);
  });

  test.each([
    ['django.db.models.query.QuerySet', ['django/db/models/query.py']],
    ['org.acme.Bridge.savePermissionCall', ['java/org/acme/Bridge.java']],
    ['app.index', ['src/app/index.ts']],
    ['server::server', ['pkg/server/server.go']],
    ['self.query', []],
  ])('the name %s means %j', (text, files) => {
    expect(meant({ text, kind: 'name' })).toEqual(files);
  });
});

test('frames weigh by how near they are to the raise: the last of Python, the first of others', () => {
  const python = readQuestion(
    'T\n\n```\n  File "/x/a.py", line 3, in f\n    g()\n  File "/x/b.py", line 9, in g\n```\n',
  );
  const node = readQuestion('T\n\n    at f (/x/a.js:3:1)\n    at g (/x/b.js:9:1)\n');

  const order = (mentions: readonly Mention[]): string[] =>
    mentions
      .filter(({ kind, text }) => kind === 'frame' && text.includes('/x/'))
      .toSorted((a, b) => b.weight - a.weight)
      .map(({ text }) => text.replace(/.*\/x\//, '').slice(0, 4));
  expect(order(python.mentions)).toEqual(['b.py', 'a.py']);
  expect(order(node.mentions)).toEqual(['a.js', 'b.js']);
});

test('the title and identifiers in code weigh more than prose; forms and grammar hardly anything', () => {
  const { terms } = readQuestion(
    'Zeppelin is late\n\n### Steps to reproduce\n\nThe airship has `loadCargo` and a hangar.\n\n- OS: Linux\n- Node version: 24\n',
  );

  const weight = (term: string): number => terms.get(term) ?? 0;
  expect(weight('zeppelin')).toBeGreaterThan(weight('hangar'));
  expect(weight('=loadcargo')).toBeGreaterThan(weight('hangar'));
  expect(weight('linux')).toBeLessThan(0.1);
  expect(terms.has('the')).toBe(false);
  expect(terms.has('reproduc')).toBe(false);
});

test('two neighbouring words ask for the name they may be together', () => {
  expect(readQuestion('wrong content type').terms.has('=contenttype')).toBe(true);
});

test('an address shows a file of a repository, else nothing', () => {
  const { mentions, terms } = readQuestion(
    'Broken\n\nSee https://gitlab.example.com/a/b/-/blob/main/src/app/index.ts#L3 and https://zeppelin.example.com/x',
  );

  expect(mentions.map(({ text }) => text)).toContain('src/app/index.ts');
  expect(terms.has('zeppelin')).toBe(false);
});

test.each([
  ['blanks', ' '.repeat(50_000)],
  ['slashes', '/a'.repeat(25_000)],
  ['dots', 'a.'.repeat(25_000)],
  ['backticks', '`'.repeat(50_000)],
  ['quotes', '"a'.repeat(25_000)],
  ['headings with blanks', `# description${' '.repeat(1900)}x\n`.repeat(25)],
  ['opened comments', '<!-- '.repeat(10_000)],
  ['frames', '  at x\n'.repeat(7_000)],
])('an issue of %s is read in linear time', { timeout: 5000 }, (_name, text) => {
  expect(() => readQuestion(`Title\n\n${text}`)).not.toThrow();
});

test.each(['', '\n\n', '```', '# '])('an issue of %j asks for nothing', (text) => {
  expect(readQuestion(text).terms.size).toBe(0);
});
