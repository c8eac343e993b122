import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkArchitecture } from '../helpers/architecture/rules.ts';

const root = path.join(import.meta.dirname, '../..');

function projectSources(): Map<string, string> {
  const files = globSync('{src,sandbox,workers,scripts,tests,bench}/**/*.ts', { cwd: root, exclude: isPackages })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => !file.startsWith('sandbox/seed/') && !file.startsWith('tests/fixtures/'));
  return new Map(files.sort().map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
}

/** Packages are not ours wherever they stand, e.g. in `bench/peers`. */
function isPackages(file: string): boolean {
  return path.basename(file) === 'node_modules';
}

function check(sources: Record<string, string>): string[] {
  return checkArchitecture(new Map(Object.entries(sources)));
}

test('the project keeps to the rules of its house', () => {
  const sources = projectSources();

  const findings = checkArchitecture(sources);

  expect(sources.size).toBeGreaterThan(10);
  expect([...sources.keys()].filter((file) => file.includes('node_modules'))).toEqual([]);
  expect(findings).toEqual([]);
});

describe('imports go down only', () => {
  test.each([
    ['src/ports/a.ts', '../domain/b.ts'],
    ['src/app/a.ts', '../ports/b.ts'],
    ['src/adapters/redis/a.ts', '../../ports/b.ts'],
    ['src/adapters/redis/a.ts', './b.ts'],
    ['src/http/a.ts', '../app/b.ts'],
    ['src/wire.ts', './adapters/redis/b.ts'],
    ['src/wire.ts', './config.ts'],
    ['src/cli.ts', './wire.ts'],
    ['src/cli.ts', '../sandbox/server.ts'],
    ['workers/runs.ts', '../src/config.ts'],
    ['scripts/demo.ts', '../src/wire.ts'],
    ['tests/unit/a.test.ts', '../../src/domain/b.ts'],
  ])('%s may import %s', (file, specifier) => {
    expect(check({ [file]: `import { b } from '${specifier}';\n` })).toEqual([]);
  });

  test.each([
    ['src/domain/a.ts', '../ports/b.ts', 'domain may not know ports'],
    ['src/ports/a.ts', '../app/b.ts', 'ports may not know app'],
    ['src/app/a.ts', '../adapters/redis/b.ts', 'app may not know adapters/redis'],
    ['src/app/a.ts', '../config.ts', 'app may not know config'],
    ['src/adapters/redis/a.ts', '../postgres/b.ts', 'adapters/redis may not know adapters/postgres'],
    ['src/adapters/redis/a.ts', '../../app/b.ts', 'adapters/redis may not know app'],
    ['src/adapters/redis/a.ts', '../../logger.ts', 'adapters/redis may not know logger'],
    ['src/http/a.ts', '../adapters/redis/b.ts', 'http may not know adapters/redis'],
    ['src/http/a.ts', '../mcp/b.ts', 'http may not know mcp'],
    ['src/http/a.ts', '../config.ts', 'http may not know config'],
    ['src/cli.ts', './adapters/redis/b.ts', 'entries may not know adapters/redis'],
    ['src/wire.ts', './cli.ts', 'wire may not know entries'],
    ['src/app/a.ts', '../../tests/helpers/b.ts', 'app may not know outside'],
    ['sandbox/a.ts', '../src/domain/b.ts', 'sandbox may not know domain'],
    ['src/app/a.ts', '../../sandbox/b.ts', 'app may not know sandbox'],
  ])('%s may not import %s', (file, specifier, reason) => {
    expect(check({ [file]: `import { b } from '${specifier}';\n` })).toEqual([
      `${file}:1: imports ${specifier}: ${reason}`,
    ]);
  });

  test.each([
    "import type { B } from '../ports/b.ts';",
    "import '../ports/b.ts';",
    "import\n  { b,\n c as d } from '../ports/b.ts';",
    "export { b } from '../ports/b.ts';",
    "const b = await import('../ports/b.ts');",
    "type B = import('../ports/b.ts').B;",
    'import * as b from "../ports/b.ts";',
    "const text = `${await import('../ports/b.ts')}`;",
    "const quote = /['\"`]/; import { b } from '../ports/b.ts';",
  ])('every form is seen: %s', (source) => {
    expect(check({ 'src/domain/a.ts': source })).toEqual([expect.stringContaining('domain may not know ports')]);
  });

  test.each([
    "// import { b } from '../ports/b.ts';",
    "/* import '../ports/b.ts' */",
    'const text = "import { b } from \'../ports/b.ts\'";',
    "const text = `import { b } from '../ports/b.ts'`;",
    "export const from = '../ports/b.ts';",
  ])('what only looks like an import is not one: %s', (source) => {
    expect(check({ 'src/domain/a.ts': source })).toEqual([]);
  });

  test('a file outside every layer is named', () => {
    expect(check({ 'src/utils/a.ts': '' })).toEqual(['src/utils/a.ts: stands in no layer of the house']);
  });
});

describe('vendor packages have one home', () => {
  test.each([
    ['src/adapters/redis/a.ts', 'ioredis'],
    ['src/adapters/gitlab/a.ts', '@gitbeaker/rest'],
    ['src/adapters/postgres/a.ts', 'kysely/migration'],
    ['src/http/a.ts', '@fastify/helmet'],
    ['src/logger.ts', 'pino'],
    ['src/domain/a.ts', 'zod'],
    ['src/app/a.ts', 'node:crypto'],
    ['sandbox/a.ts', 'tar-stream'],
    ['tests/helpers/a.ts', 'ioredis'],
  ])('%s may use %s', (file, name) => {
    expect(check({ [file]: `import x from '${name}';\n` })).toEqual([]);
  });

  test.each([
    ['src/http/a.ts', 'ioredis', 'its home is adapters/redis'],
    ['src/wire.ts', 'pg', 'its home is adapters/postgres'],
    ['src/domain/a.ts', 'markdown-it', 'its home is http, ui'],
    ['src/domain/a.ts', 'node:crypto', 'domain uses no module of Node'],
    ['src/ports/a.ts', 'node:stream', 'ports uses no module of Node'],
    ['src/app/a.ts', 'node:fs/promises', 'use cases do no I/O of their own: ask a port'],
    ['src/app/a.ts', 'lodash', 'a package without a home'],
    ['sandbox/a.ts', 'ioredis', 'the sandbox uses fastify'],
    ['src/adapters/postgres/a.ts', 'node:sqlite', 'its home is adapters/repository'],
  ])('%s may not use %s', (file, name, reason) => {
    expect(check({ [file]: `import x from '${name}';\n` })).toEqual([
      expect.stringContaining(`${file}:1: imports ${name}: ${reason}`),
    ]);
  });
});

describe('the domain is pure', () => {
  test.each([
    'const t = Date.now();',
    'const t = new Date();',
    'const t = new Date;',
    'const t = Date();',
    'const n = Math.random();',
    'const p = process.pid;',
    'setTimeout(() => {}, 1);',
    'const text = `at ${Date.now()}`;',
  ])('%s', (source) => {
    expect(check({ 'src/domain/a.ts': `\n${source}\n` })).toEqual([
      expect.stringMatching(/^src\/domain\/a\.ts:2: the domain is pure/),
    ]);
  });

  test.each([
    'const t = new Date(text);',
    'const t: Date = Date.parse(text);',
    '// Date.now() is for adapters',
    "const text = 'Date.now()';",
    'this.process.start();',
  ])('%s is allowed', (source) => {
    expect(check({ 'src/domain/a.ts': source })).toEqual([]);
  });
});

describe('process.env', () => {
  test('is read in config.ts only', () => {
    const source = 'const env = process.env;\n';

    expect(check({ 'src/config.ts': source })).toEqual([]);
    expect(check({ 'src/wire.ts': source })).toEqual(['src/wire.ts:1: process.env is read in src/config.ts only']);
  });
});

describe('files', () => {
  test('have 300 lines at most', () => {
    expect(check({ 'src/app/a.ts': 'x;\n'.repeat(300) })).toEqual([]);
    expect(check({ 'src/app/a.ts': 'x;\n'.repeat(301) })).toEqual([expect.stringContaining('301 lines')]);
  });

  test('are no barrels', () => {
    expect(check({ 'src/app/index.ts': "export { a } from './a.ts';\n" })).toEqual([
      expect.stringContaining('a barrel'),
    ]);
    expect(check({ 'src/app/b.ts': "export * from './a.ts';\n" })).toEqual([expect.stringContaining('export *')]);
  });

  test('are imported with their extension', () => {
    expect(check({ 'src/app/b.ts': "import { a } from './a';\n" })).toEqual([expect.stringContaining('extension')]);
  });
});

describe('import cycles', () => {
  test('are found, each once', () => {
    const findings = check({
      'src/app/a.ts': "import { b } from './b.ts';\n",
      'src/app/b.ts': "import { c } from './c.ts';\n",
      'src/app/c.ts': "import { a } from './a.ts';\n",
    });

    expect(findings).toEqual(['src/app/a.ts: import cycle: src/app/a.ts → src/app/b.ts → src/app/c.ts → src/app/a.ts']);
  });

  test('two ways to one file are none', () => {
    const findings = check({
      'src/app/a.ts': "import { b } from './b.ts';\nimport { c } from './c.ts';\n",
      'src/app/b.ts': "import { c } from './c.ts';\n",
      'src/app/c.ts': '',
    });

    expect(findings).toEqual([]);
  });
});
