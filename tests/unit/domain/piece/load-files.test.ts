import { describe, expect, test } from 'vitest';
import { namedFiles } from '../../../../src/domain/piece/files.ts';
import { loadPiece } from '../../../../src/domain/piece/load.ts';
import { bundleOf, findingsOf } from './helpers.ts';

const HEAD = 'name: demo\nmax_iterations: 10\ninitial_movement: a\n';
const RULES = 'rules: [{condition: done, next: COMPLETE}]';

/** A piece of one movement `a` with these keys, in flow style: the movement stands on line 5. */
function one(keys: string, rules = RULES): string {
  return `${HEAD}movements:\n  - {name: a, ${keys}, ${rules}}\n`;
}

describe('YAML', () => {
  test.each<[string, string, string]>([
    ['a quote that is never closed', 'name: "x\n', 'error yaml_syntax'],
    [
      'an aggregate with commas in a flow map',
      one('edit: false', 'rules: [{condition: all("a", "b"), next: a}]'),
      'put the whole condition in single quotes',
    ],
    ['an unknown tag', 'name: !!js/function x\n', 'error yaml_syntax Unresolved tag'],
    [
      'a second document',
      `${one('edit: false')}---\nname: y\n`,
      'error yaml_syntax Source contains multiple documents',
    ],
    ['an alias without anchor', 'name: *x\n', 'error bad_alias there is no anchor &x'],
    ['an alias within itself', 'name: &x [*x]\n', 'error bad_alias the alias *x stands inside its own anchor'],
    ['a key that is no text', 'name: x\n? [a]\n: b\n', 'error bad_key'],
    ['a merge of no map', 'name: x\n<<: 3\n', 'error bad_merge'],
    ['the key __proto__', 'name: x\n__proto__: {}\n', 'error unknown_key unknown key `__proto__`'],
  ])('%s', (_, text, finding) => {
    expect(findingsOf(text)).toContainEqual(expect.stringContaining(finding));
  });

  test('what only follows from a syntax error is not told', () => {
    const findings = findingsOf('name: x\nmax_iterashuns: 3\nmovements: [\n');
    expect(findings.map((finding) => finding.split(' ')[2])).toEqual(['unknown_key', 'yaml_syntax']);
  });
});

describe('findings', () => {
  test('stand in the order of lines, and within a line of columns', () => {
    const text = one('edit: 3, report: ../a.md, on_failure: nowhere, sesion: refresh');
    const places = loadPiece(bundleOf(text)).diagnostics.map(({ column, line }) => [line, column]);

    expect(places.length).toBeGreaterThan(3);
    expect(places).toEqual(places.toSorted(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d));
  });

  test('each is told once', () => {
    const text = `${HEAD}movements:\n  - &m {name: a, edit: false, rules: [{condition: x, next: nowhere}]}\n  - *m\n`;
    const findings = findingsOf(text);

    expect(findings.filter((finding) => finding.includes('unknown_next'))).toHaveLength(1);
  });

  test.each([
    ['max_iterations:', 'empty_value'],
    ['initial_movement: b', 'unknown_movement'],
    ['loop_monitors: [{cycle: [z], judge: {rules: [{condition: x, next: z}]}}]', 'unknown_cycle unknown_next'],
    ['loop_monitors: [{cycle: []}]', 'empty_list missing_key'],
    ['variables: {v: {type: string, values: []}}', 'empty_list'],
  ])('that a broken file has only because it is broken are left out: %s', (line, codes) => {
    const rest = 'movements:\n  - {name: a, edit: false, rules: [{condition: x, next: COMPLETE}]}\n';
    const told = (text: string) => findingsOf(text).map((finding) => finding.split(' ')[2]);

    for (const code of codes.split(' ')) expect(told(`name: x\n${line}\n${rest}`)).toContain(code);
    expect(told(`name: x\n${line}\n${rest}broken: [\n`)).toEqual(['unknown_key', 'yaml_syntax']);
  });

  test('an action without the rule that it needs is no matter of a broken file', () => {
    const text = `${HEAD}movements:\n  - {name: a, action: deliver, rules: [{condition: failed, next: COMPLETE}]}\n`;

    expect(findingsOf(text).join()).toContain('missing_rule');
    expect(findingsOf(`${text}broken: [\n`).map((finding) => finding.split(' ')[2])).toEqual([
      'unknown_key',
      'yaml_syntax',
    ]);
  });

  test('every variable of templates is known, the cycle count in judges alone', () => {
    const names = [
      'task',
      'previous_response',
      'iteration',
      'max_iterations',
      'movement_iteration',
      'report_dir',
      'user_inputs',
    ];
    const template = [...names, 'report:a.md'].map((name) => `{${name}}`).join(' ');
    const judge = `loop_monitors: [{cycle: [a], judge: {instruction_template: '${template} {cycle_count}', rules: [{condition: x, next: a}]}}]`;

    expect(findingsOf(`${one(`edit: false, instruction_template: '${template}'`)}\n${judge}\n`)).toEqual([]);
  });

  test('max_parallel belongs to a parallel movement', () => {
    const subs = 'parallel: [{name: s, edit: false}], max_parallel: 2, rules: [{condition: x, next: COMPLETE}]';

    expect(findingsOf(`${HEAD}movements:\n  - {name: a, ${subs}}\n`)).toEqual([]);
    expect(findingsOf(one('edit: false, max_parallel: 2'))).toContainEqual(expect.stringContaining('ignored_key'));
  });
});

describe('paths of a piece from a repository', () => {
  const problems = (agent: string, file: string) =>
    loadPiece(
      { ...bundleOf(one(`edit: false, agent: "${agent}"`), { [agent]: '' }, file) },
      { strictPaths: true },
    ).diagnostics.map(({ code }) => code);

  test.each([
    ['agents/a.md', 'p.yaml', []],
    ['../agents/a.md', '.gitlab/pieces/p.yaml', []],
    ['../../agents/a.md', '.gitlab/pieces/p.yaml', []],
    ['../../../a.md', '.gitlab/pieces/p.yaml', ['bad_path']],
    ['../a.md', 'p.yaml', ['bad_path']],
    ['x/../../y/a.md', 'p.yaml', ['bad_path']],
    ['~/a.md', 'p.yaml', ['bad_path']],
    ['/etc/a.md', 'p.yaml', ['bad_path']],
    ['C:/a.md', 'p.yaml', ['bad_path']],
  ])('%s of %s', (agent, file, expected) => {
    expect(problems(agent, file)).toEqual(expected);
  });

  test("of the operator's own pieces they may lead anywhere", () => {
    expect(findingsOf(one('edit: false, agent: ~/agents/a.md'), { '~/agents/a.md': '' })).toEqual([]);
  });
});

describe('namedFiles', () => {
  test('gives agents and format files of movements, sub-movements and judges, as written, once', () => {
    const text = `movements:
  - {name: a, agent: ../a.md, report: {name: r.md, format: f/r.md}}
  - {name: b, parallel: [{name: s, persona: ~/s.md}, {name: t, agent: ../a.md}]}
loop_monitors: [{cycle: [a], judge: {agent: j.md}}]
`;
    expect(namedFiles(text)).toEqual(['../a.md', 'f/r.md', '~/s.md', 'j.md']);
  });

  test.each(['', '- x', 'movements: 3', 'movements: [{agent: 5}, null]', '"', 'a: &a [*a]'])(
    'never throws: %j',
    (text) => {
      expect(namedFiles(text)).toEqual(text.includes('agent') ? ['5'] : []);
    },
  );

  test('a format is no path', () => {
    expect(namedFiles('movements: [{report: {name: a.md, format: "# See a.md"}}]')).toEqual([]);
  });
});
