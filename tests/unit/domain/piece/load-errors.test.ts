import { describe, expect, test } from 'vitest';
import { loadPiece } from '../../../../src/domain/piece/load.ts';
import { bundleOf, findingsOf } from './helpers.ts';

const HEAD = 'name: demo\nmax_iterations: 10\ninitial_movement: a\n';
const RULES = 'rules: [{condition: done, next: COMPLETE}]';

/** A piece of one movement `a` with these keys, in flow style: the movement stands on line 5. */
function one(keys: string, rules = RULES): string {
  return `${HEAD}movements:\n  - {name: a, ${keys}, ${rules}}\n`;
}

/** The errors and warnings without their places. */
function codes(text: string, files: Record<string, string> = {}): string[] {
  return findingsOf(text, files).map((finding) => finding.split(' ').slice(1, 3).join(' '));
}

describe('errors', () => {
  test.each<[string, string, string]>([
    [
      'an unknown key, with the nearest',
      one('edit: false, instuction: x'),
      '5:28 error unknown_key unknown key `instuction`; did you mean `instruction`?',
    ],
    [
      'an unknown key, with the known ones',
      `priority: 3\n${one('edit: false')}`,
      '1:1 error unknown_key unknown key `priority`; known here: name, description, max_iterations',
    ],
    ['later extensions', one('edit: false, teleports: []'), 'error unknown_key unknown key `teleports`; known here:'],
    [
      'a gate on a sub-movement',
      one('parallel: [{name: sub, gate: input}]'),
      'error unknown_key unknown key `gate` on a sub-movement; make it a movement of its own',
    ],
    [
      'a next that names no movement',
      one('edit: false', 'rules: [{condition: x, next: aa}]'),
      '5:57 error unknown_next `aa` names no movement; did you mean `a`?',
    ],
    [
      'a sub-movement named in a next',
      one('parallel: [{name: sub, edit: false}]', 'rules: [{condition: x, next: sub}]'),
      '`sub` is a sub-movement of `a`',
    ],
    [
      'an initial movement that does not exist',
      `name: d\nmax_iterations: 1\ninitial_movement: b\nmovements: [{name: a, edit: false, ${RULES}}]\n`,
      '3:19 error unknown_movement `b` names no movement',
    ],
    [
      'a cycle that does not exist',
      `${one('edit: false')}loop_monitors: [{cycle: [a, bb], judge: {rules: [{condition: x, next: a}]}}]\n`,
      'error unknown_cycle `bb` names no movement',
    ],
    [
      "a judge's next that does not exist",
      `${one('edit: false')}loop_monitors: [{cycle: [a], judge: {rules: [{condition: x, next: bb}]}}]\n`,
      '6:67 error unknown_next `bb`',
    ],
    [
      'a reserved name',
      `${HEAD}movements: [{name: loop_judge, edit: false, ${RULES}}]\n`,
      'error reserved_name the name `loop_judge`',
    ],
    [
      'the same name twice',
      one('parallel: [{name: a, edit: false}]'),
      'error duplicate_name the name `a` is used twice',
    ],
    [
      'a missing agent file',
      one('edit: false, agent: ../x.md'),
      '5:35 error missing_file there is no agent file `../x.md`',
    ],
    [
      'an aggregate without quotes',
      one('edit: false', 'rules: [{condition: all(approved), next: a}]'),
      'error bad_condition the text in all(…) must stand in quotes: write all("approved")',
    ],
    [
      'another number of arguments than sub-movements',
      one('parallel: [{name: s, edit: false}]', `rules: [{condition: 'all("x", "y")', next: a}]`),
      'error argument_count `all()` with several texts needs one for each sub-movement: expected 1, got 2',
    ],
    [
      'a pair of edit and permission_mode',
      one('edit: false, permission_mode: full'),
      'error permission_pair `edit: false` goes with `permission_mode` `readonly` or none, got `full`',
    ],
    ['no rules', `${HEAD}movements: [{name: a, edit: false}]\n`, 'error missing_key `rules` is missing'],
    ['empty rules', one('edit: false', 'rules: []'), 'error empty_list `rules` must be a list with at least one entry'],
    ['a wrong type', one('edit: "true"'), '5:21 error wrong_type `edit` must be true or false, got "true"'],
    ['an empty value', one('edit: false, agent: '), 'error empty_value `agent` must be a text, got nothing'],
    [
      'a wrong word',
      one('edit: false, session: refres'),
      'error wrong_value `session` must be one of `continue`, `refresh`, got "refres"; did you mean `refresh`?',
    ],
    [
      'a wrong number',
      `max_parallel: 0\n${one('edit: false')}`,
      '1:15 error wrong_value `max_parallel` must be at least 1, got 0',
    ],
    [
      'a fraction',
      `max_parallel: 1.5\n${one('edit: false')}`,
      'error wrong_type `max_parallel` must be a whole number, got 1.5',
    ],
    [
      'a wrong time',
      one('edit: false, timeout: soon'),
      'error wrong_value `timeout` must be seconds, or a text such as 90s, 10m or 1h, got "soon"',
    ],
    ['no time', one('edit: false, timeout: 0m'), 'error wrong_value `timeout` must be more than 0'],
    ['a kind of data that is none', one('edit: false, produces: [question]'), 'did you mean `questions`?'],
    [
      'a report of a wrong shape',
      one('edit: false, report: {nam: x.md}'),
      'error unknown_key unknown key `nam`; did you mean `name`?',
    ],
    [
      'two reports in one entry',
      one('edit: false, report: [{A: a.md, B: b.md}]'),
      'error wrong_value each report of the list is one `Label: file`, got 2',
    ],
    ['a report twice', one('edit: false, report: [{A: a.md}, {B: a.md}]'), 'error duplicate_report'],
    [
      'a gate without its rule',
      one('gate: input', RULES),
      'error missing_rule a gate needs a rule with the condition `continued`',
    ],
    [
      'an approval without rejected',
      one('gate: approval', 'rules: [{condition: approved, next: a}]'),
      'needs a rule with the condition `rejected`',
    ],
    [
      'a gate that is an action',
      one('gate: input, action: deliver', 'rules: [{condition: continued, next: a}]'),
      'error conflicting_keys `gate` and `action`',
    ],
    [
      'a parallel within a parallel',
      one('parallel: [{name: s, edit: false, parallel: []}]'),
      'error unknown_key unknown key `parallel`',
    ],
    ['on_failure that names nothing', one('edit: false, on_failure: bb'), 'error unknown_next `bb`'],
    [
      'on_failure: ABORT',
      one('edit: false, on_failure: ABORT'),
      'error unknown_next `on_failure` names a movement or COMPLETE',
    ],
    ['a key twice', `${one('edit: false')}name: x\n`, '6:1 error duplicate_key the key `name` stands here twice'],
    ['no map', '- a\n', '1:1 error wrong_type the file must be a map, got a list'],
    ['nothing', '# nothing\n', 'error empty_file'],
  ])('%s', (_, text, finding) => {
    const { piece } = loadPiece(bundleOf(text));
    expect(piece).toBeNull();
    expect(findingsOf(text)).toContainEqual(expect.stringContaining(finding));
  });

  test.each(['../x.md', 'a/b.md', '/etc/passwd', '..\\x.md', 'C:x.md', 'a\\0b', '..', '.'])(
    'a report name that leaves the folder: %s',
    (name) => {
      expect(codes(one(`edit: false, report: "${name}"`.replaceAll('\\', '\\\\').replace('\\\\0', '\\0')))).toContain(
        'error bad_report_name',
      );
    },
  );

  test('all of a file at once, in the order of their places', () => {
    const text = `name: demo
max_iterations: ten
initial_movement: a
movements:
  - name: a
    edit: false
    agent: gone.md
    rules:
      - condition: all(x)
        next: bb
  - name: ABORT
    edit: false
    colour: red
    rules: []
`;
    expect(findingsOf(text).map((finding) => finding.split(' ').slice(0, 3).join(' '))).toEqual([
      '2:17 error wrong_type',
      '7:12 error missing_file',
      '9:20 error bad_condition',
      '10:15 error unknown_next',
      '11:11 error reserved_name',
      '13:5 error unknown_key',
      '14:5 error empty_list',
    ]);
  });

  test('of very many the first 200 are told, and that there are more', () => {
    const keys = Array.from({ length: 300 }, (_, index) => `k${index}: 1\n`).join('');
    const findings = findingsOf(`${one('edit: false')}${keys}`);
    expect(findings).toHaveLength(201);
    expect(findings.at(-1)).toContain('notice more_findings');
  });

  test('many warnings never hide an error', () => {
    const many = Array.from({ length: 300 }, (_, index) => `{v${index}}`).join(' ');
    expect(
      codes(one(`edit: false, instruction_template: "${many}"`, 'rules: [{condition: all(x), next: a}]')),
    ).toContain('error bad_condition');
  });
});
