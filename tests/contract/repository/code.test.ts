import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRepository } from '../../../src/adapters/repository/repository.ts';
import type { RepositorySnapshot } from '../../../src/ports/repository.ts';
import { createMemoryLog } from '../../helpers/fakes/log.ts';
import { createFakeSnapshot } from '../../helpers/fakes/repository.ts';
import { createSkippingClock } from '../../helpers/fakes/skipping-clock.ts';
import { commitOf, inPieces, repositoryTar } from '../../helpers/repository/tars.ts';

const files = {
  'src/money.ts': "export function formatMoney(cents: number): string {\n  return 'formatMoney';\n}\n",
  'src/orders.ts':
    "import { formatMoney } from './money.ts';\n// formatMoney in a comment\nexport const total = formatMoney(5);\nconst same = formatMoney;\n",
  'tests/money.test.ts': "import { formatMoney } from '../src/money.ts';\nformatMoney(1);\n",
  'docs/money.txt': 'What formatMoney does.\n',
  'a/run.py': 'class Job:\n    def start(self):\n        return helper(self)\n\ndef helper(job):\n    return job\n',
  'a/run.go':
    'package a\n\ntype Server struct{}\n\nfunc (s *Server) Listen() { s.Stop() }\n\nfunc (s *Server) Stop() {}\n',
  'a/run.rb': 'class Job\n  LIMIT = 3\n  def start\n    finish(LIMIT)\n  end\n\n  def finish(n) = n\nend\n',
  'a/Run.java': 'class Run {\n  void start() { stop(1); }\n  int stop(int n) { return n; }\n}\n',
  'a/run.rs': 'struct Run;\nimpl Run {\n    fn start(&self) { stop(1) }\n}\nfn stop(n: u8) {}\n',
  'a/run.c': '#define MAX 3\nstatic int stop(int n) {\n  return n;\n}\nint start(void) { return stop(MAX); }\n',
  'a/run.cpp': 'class Run {\n public:\n  int start();\n};\nint Run::start() { return stop(1); }\n',
  'a/run.php':
    '<?php\nclass Run {\n  const MAX = 1;\n  function start() { return stop(1); }\n}\nfunction stop($n) {}\n',
  'a/Run.cs':
    'class Run {\n  public int Size { get; set; }\n  int Start() { return Stop(1); }\n  int Stop(int n) { return n; }\n}\n',
  'a/run.tsx': 'export const Run = () => <Stop n={1} />;\nfunction Stop() { return null; }\n',
};

let snapshot: RepositorySnapshot;
let close: () => Promise<void>;

beforeAll(async () => {
  const tar = await repositoryTar(files);
  const repository = createRepository({
    archive: async () => inPieces(tar),
    folder: null,
    clock: createSkippingClock(),
    log: createMemoryLog(),
  });
  close = () => repository.close();
  snapshot = await repository.snapshot(1, commitOf('code'));
});
afterAll(() => close());

describe.each([
  ['the snapshot', () => snapshot],
  ['its fake', () => createFakeSnapshot({ 'a.js': 'function go() {}\ngo();\n', 'b.md': 'go on\n' })],
])('%s', (_name, given) => {
  test('gives references with their lines, definitions first', async () => {
    const name = given() === snapshot ? 'formatMoney' : 'go';
    const { references } = await given().references(name, 50);

    expect(references[0]?.kind).toBe('definition');
    expect(references.length).toBeGreaterThan(1);
    for (const { text } of references) expect(text).toContain(name);
  });

  test('finds lines and says that there are none', async () => {
    const pattern = given() === snapshot ? 'formatMoney' : 'go';

    expect((await given().find({ pattern, regexp: false, limit: 50 })).hits.length).toBeGreaterThan(1);
    expect((await given().find({ pattern: 'zeppelin', regexp: false, limit: 50 })).hits).toEqual([]);
  });

  test('draws a map within its tokens', () => {
    const { text } = given().map({ tokens: 100 });

    expect(text.length).toBeGreaterThan(0);
    expect(text.length).toBeLessThanOrEqual(300);
  });
});

test('references leave comments and texts out; tests come after the code', async () => {
  const { references, more } = await snapshot.references('formatMoney', 50);

  expect(references.map(({ path, line, kind }) => `${path}:${line} ${kind}`)).toEqual([
    'src/money.ts:1 definition',
    'src/orders.ts:3 call',
    'tests/money.test.ts:2 call',
    'src/orders.ts:1 import',
    'tests/money.test.ts:1 import',
    'src/orders.ts:4 use',
    'docs/money.txt:1 use',
  ]);
  expect(more).toBe(false);
});

test('no more references than asked for', async () => {
  const { references, more } = await snapshot.references('formatMoney', 2);

  expect(references).toHaveLength(2);
  expect(more).toBe(true);
});

test.each([
  ['a/run.py', ['class Job 1-3', 'method start 2-3', 'function helper 5-6'], 'helper', 3],
  ['a/run.go', ['type Server 3-3', 'method Listen 5-5', 'method Stop 7-7'], 'Stop', 5],
  ['a/run.rb', ['class Job 1-8', 'constant LIMIT 2-2', 'method start 3-5', 'method finish 7-7'], 'finish', 4],
  ['a/Run.java', ['class Run 1-4', 'method start 2-2', 'method stop 3-3'], 'stop', 2],
  ['a/run.rs', ['class Run 1-1', 'method start 3-3', 'function stop 5-5'], 'stop', 3],
  ['a/run.c', ['constant MAX 1-1', 'function stop 2-4', 'function start 5-5'], 'stop', 5],
  ['a/run.cpp', ['class Run 1-4', 'method start 5-5'], 'stop', 5],
  ['a/run.php', ['class Run 2-5', 'constant MAX 3-3', 'method start 4-4', 'function stop 6-6'], 'stop', 4],
  ['a/Run.cs', ['class Run 1-5', 'method Size 2-2', 'method Start 3-3', 'method Stop 4-4'], 'Stop', 3],
  ['a/run.tsx', ['function Run 1-1', 'function Stop 2-2'], null, 0],
])('%s is parsed: definitions and a call', async (path, definitions, called, line) => {
  const symbols = snapshot.symbolsOf(path);
  const calls = called === null ? [] : (await snapshot.references(called, 100)).references;

  expect(symbols.map((hit) => `${hit.kind} ${hit.name} ${hit.startLine}-${hit.endLine}`)).toEqual(definitions);
  if (called) expect(calls).toContainEqual(expect.objectContaining({ path, line, kind: 'call' }));
});

test('text is found as it stands, folded, by a glob', async () => {
  const places = async (options: Partial<Parameters<RepositorySnapshot['find']>[0]>): Promise<string[]> => {
    const { hits } = await snapshot.find({ pattern: 'FORMATMONEY(', regexp: false, limit: 50, ...options });
    return hits.map(({ path, line }) => `${path}:${line}`);
  };

  expect(await places({})).toEqual([]);
  expect(await places({ ignoreCase: true })).toEqual(['src/money.ts:1', 'src/orders.ts:3', 'tests/money.test.ts:2']);
  expect(await places({ ignoreCase: true, glob: 'src/**' })).toEqual(['src/money.ts:1', 'src/orders.ts:3']);
});

test('expressions are of the line, also those of plain mode', async () => {
  const regexp = await snapshot.find({ pattern: '^export (const|function) \\w+\\b', regexp: true, limit: 50 });
  const plain = await snapshot.find({ pattern: 'What\\ format', regexp: true, limit: 50 });

  expect(regexp.hits.map(({ path }) => path)).toEqual(['a/run.tsx', 'src/money.ts', 'src/orders.ts']);
  expect(plain.hits).toEqual([{ path: 'docs/money.txt', line: 1, text: 'What formatMoney does.' }]);
});

test.each(['(', '[z-a]', '*'])('the expression %s is refused with what is wrong', async (pattern) => {
  await expect(snapshot.find({ pattern, regexp: true, limit: 5 })).rejects.toMatchObject({ code: 'pattern_invalid' });
});

test('a search that is given up ends', async () => {
  const signal = AbortSignal.abort(new Error('left'));

  await expect(snapshot.find({ pattern: 'x', regexp: true, limit: 5, signal })).rejects.toThrow('left');
});

test('files are listed by a glob', () => {
  const listed = (glob: string, under = ''): string[] =>
    snapshot.list({ under, glob, limit: 50 }).files.map(({ path }) => path);

  expect(listed('*.ts')).toEqual(['src/money.ts', 'src/orders.ts', 'tests/money.test.ts']);
  expect(listed('src/*.ts')).toEqual(['src/money.ts', 'src/orders.ts']);
  expect(listed('*.{txt,rb}')).toEqual(['a/run.rb', 'docs/money.txt']);
  expect(listed('*.ts', 'tests')).toEqual(['tests/money.test.ts']);
  expect(() => listed('{a,b}'.repeat(10))).toThrow('too many alternatives');
});

test('the map names what is used most and turns to a subject', () => {
  const whole = snapshot.map({ tokens: 2000 });
  const about = snapshot.map({ tokens: 30, about: 'rust' });

  expect(whole.files).toBe(Object.keys(files).length);
  expect(whole.text).toContain('src/money.ts\n  1: function formatMoney');
  expect(about.text).toBe('');
});

test('an issue finds its files by a trace, a path and a name, with reasons', () => {
  const issue = [
    'Wrong amount',
    '',
    'Since the update the sum is off.',
    '',
    'TypeError: x is undefined',
    '    at total (/srv/app/src/orders.ts:3:14)',
  ].join('\n');

  const [first] = snapshot.search(issue, 5);

  expect(first?.path).toBe('src/orders.ts');
  expect(first?.why).toContainEqual(expect.stringContaining('in the stack trace'));
});
