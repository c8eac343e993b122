import { describe, expect, test } from 'vitest';
import { namedFiles } from '../../../../src/domain/piece/files.ts';
import { loadPiece } from '../../../../src/domain/piece/load.ts';
import { agentOf, bundleOf, findingsOf, pieceOf } from './helpers.ts';

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

describe('a piece that is right', () => {
  test('loads without a finding, with the defaults filled in', () => {
    const text = `${HEAD}movements:\n  - name: a\n    edit: false\n    rules:\n      - condition: done\n        next: COMPLETE\n`;
    expect(loadPiece(bundleOf(text))).toEqual({
      diagnostics: [],
      piece: {
        name: 'demo',
        language: 'en',
        maxIterations: 10,
        initialMovement: 'a',
        loopMonitors: [],
        movements: [
          {
            kind: 'agent',
            name: 'a',
            agentName: 'a',
            edit: false,
            permissionMode: 'default',
            session: 'continue',
            passPreviousResponse: true,
            produces: [],
            rules: [
              {
                index: 0,
                condition: { kind: 'text', text: 'done' },
                text: 'done',
                next: 'COMPLETE',
                requiresUserInput: false,
                interactiveOnly: false,
              },
            ],
          },
        ],
      },
    });
  });

  test('every field of a movement is read', () => {
    const text = one(
      'description: d, agent: ../x/coder.md, provider: p, model: m, edit: true, permission_mode: full, session: refresh, pass_previous_response: false, allowed_tools: [Read, Glob, Bash], instruction_template: "do {task}", report: {name: r.md, format: f, order: o}, produces: review, on_failure: COMPLETE, timeout: 90s',
      'rules: [{condition: done, next: COMPLETE, requires_user_input: true, interactive_only: true, appendix: more}]',
    );
    expect(agentOf(pieceOf(text, { '../x/coder.md': '' }), 'a')).toEqual({
      kind: 'agent',
      name: 'a',
      agentFile: '../x/coder.md',
      agentName: 'coder',
      edit: true,
      permissionMode: 'bypassPermissions',
      session: 'refresh',
      passPreviousResponse: false,
      allowedTools: ['repo_read', 'repo_list'],
      instructionTemplate: 'do {task}',
      report: { form: 'single', name: 'r.md', format: 'f', order: 'o' },
      produces: ['review'],
      onFailure: 'COMPLETE',
      timeoutMs: 90_000,
      rules: [
        {
          index: 0,
          condition: { kind: 'text', text: 'done' },
          text: 'done',
          next: 'COMPLETE',
          requiresUserInput: true,
          interactiveOnly: true,
          appendix: 'more',
        },
      ],
    });
  });

  test('parallel movements, gates, actions, monitors and limits', () => {
    const piece = pieceOf(`${HEAD}timeout: 1h
max_parallel: 4
movements:
  - name: a
    timeout: 60
    parallel:
      - {name: s1, edit: false, rules: [{condition: ok, next: _}, {condition: bad, next: null}]}
      - {name: s2, edit: false, timeout: 2m}
    rules: [{condition: 'all("ok", "fine")', next: ask}, {condition: any("bad"), next: a}]
  - {name: ask, gate: approval, rules: [{condition: approved, next: act}, {condition: rejected, next: ABORT}]}
  - {name: act, action: publish_workplan, on_failure: a, rules: [{condition: done, next: COMPLETE}]}
loop_monitors:
  - {cycle: [a, act], threshold: 2, judge: {instruction: look, rules: [{condition: fine, next: a}]}}
`);
    expect(piece.timeoutMs).toBe(3_600_000);
    expect(piece.movements[0]).toMatchObject({
      kind: 'parallel',
      maxParallel: 4,
      subs: [
        { name: 's1', timeoutMs: 60_000 },
        { name: 's2', timeoutMs: 120_000, rules: [] },
      ],
    });
    expect(piece.movements[1]).toMatchObject({ kind: 'gate', gate: 'approval' });
    expect(piece.movements[2]).toMatchObject({ kind: 'action', action: 'publish_workplan', onFailure: 'a' });
    expect(piece.loopMonitors).toMatchObject([
      { cycle: ['a', 'act'], threshold: 2, judge: { instructionTemplate: 'look' } },
    ]);
  });

  test('anchors and merges work', () => {
    const text = `${HEAD}movements:\n  - &m\n    name: a\n    edit: false\n    rules: &r [{condition: done, next: b}]\n  - <<: *m\n    name: b\n  - {name: c, edit: false, rules: *r}\n`;
    expect(pieceOf(text).movements.map(({ name, rules }) => `${name} ${rules[0]?.next}`)).toEqual([
      'a b',
      'b b',
      'c b',
    ]);
  });

  test.each(['1', '007', 'plan [2]', 'レビュー', 'Обзор 2', 'yes', 'true'])('a movement may be named %s', (name) => {
    const text = `name: d\nmax_iterations: 1\ninitial_movement: ${name}\nmovements:\n  - {name: "${name}", edit: false, rules: [{condition: x, next: "${name}"}]}\n`;
    expect(pieceOf(text).initialMovement).toBe(name);
  });

  test.each([
    ['timeout: 1.5m', 90_000],
    ['timeout: 2h', 7_200_000],
    ['timeout: 30', 30_000],
    ['timeout: "45"', 45_000],
  ])('%s', (timeout, expected) => {
    expect(agentOf(pieceOf(one(`edit: false, ${timeout}`)), 'a').timeoutMs).toBe(expected);
  });

  test('the language follows the texts of the piece', () => {
    expect(pieceOf(one('edit: false, instruction_template: 実装する')).language).toBe('ja');
    expect(pieceOf(one('edit: false, instruction_template: 实现它')).language).toBe('en');
    expect(pieceOf(`# ひらがな\n${one('edit: false')}`).language).toBe('en');
    expect(pieceOf(`language: en\n${one('edit: false, instruction_template: 実装する')}`).language).toBe('en');
  });

  test('reports in their forms', () => {
    const reportOf = (report: string, files = {}) =>
      agentOf(pieceOf(one(`edit: false, report: ${report}`), files), 'a').report;
    expect(reportOf('plan.md')).toEqual({ form: 'single', name: 'plan.md' });
    expect(reportOf('[{Summary: s.md}, {Scope: 01-scope.md}]')).toEqual({
      form: 'list',
      files: [
        { label: 'Summary', name: 's.md' },
        { label: 'Scope', name: '01-scope.md' },
      ],
    });
    expect(reportOf('{name: p.md, format: formats/p.md}', { 'formats/p.md': '# P' })).toEqual({
      form: 'single',
      name: 'p.md',
      format: '# P',
    });
  });
});

describe('names of other versions', () => {
  const later = `workflow: demo\nmax_steps: 3\ninitial_step: a\nsteps:\n  - {step: a, persona: p.md, edit: false, instruction: do it, ${RULES}}\n`;

  test('are read as their twins, with one notice a file', () => {
    const { piece, diagnostics } = loadPiece(bundleOf(later, { 'p.md': '' }));
    expect(piece).toMatchObject({
      name: 'demo',
      maxIterations: 3,
      initialMovement: 'a',
      movements: [{ name: 'a', agentFile: 'p.md', instructionTemplate: 'do it' }],
    });
    expect(diagnostics.map(({ code, level, line }) => `${line} ${level} ${code}`)).toEqual(['1 notice twin_names']);
  });

  test('both at once are an error', () => {
    expect(findingsOf(`${one('edit: false')}steps: []\n`)).toContainEqual(
      expect.stringMatching(/^6:1 error both_names `movements` and `steps`/),
    );
    expect(codes(one('edit: false, instruction: a, instruction_template: b'))).toContain('error both_names');
  });

  test('answer_agent is accepted', () => {
    expect(codes(`answer_agent: x\n${one('edit: false')}`)).toEqual([]);
  });
});

describe('warnings', () => {
  test.each<[string, string, string]>([
    [
      'max_iterations left out',
      `name: d\ninitial_movement: a\nmovements:\n  - {name: a, edit: false, ${RULES}}\n`,
      '1:1 warning defaulted `max_iterations`',
    ],
    [
      'initial_movement left out',
      `name: d\nmax_iterations: 2\nmovements:\n  - {name: a, edit: false, ${RULES}}\n`,
      '1:1 warning defaulted `initial_movement`',
    ],
    ['edit left out', one('session: refresh'), '5:5 warning defaulted `edit` is left out on `a`'],
    ['an empty parallel', one('parallel: []'), 'warning no_sub_movements'],
    [
      'an agent on a parallel movement',
      one('agent: x.md, parallel: [{name: s, edit: false}]'),
      'warning ignored_key `agent` is ignored',
    ],
    [
      'an aggregate without parallel',
      one('edit: false', 'rules: [{condition: all("x"), next: COMPLETE}]'),
      '5:48 warning aggregate_without_parallel `all()`',
    ],
    [
      'a variable that is none',
      one('edit: false, instruction_template: "{tsk}"'),
      'warning unknown_variable `{tsk}` is no variable and stays as written; did you mean `task`?',
    ],
    [
      'cycle_count outside a judge',
      one('edit: false, instruction_template: "{cycle_count}"'),
      "exists only in a loop monitor's judge",
    ],
    [
      'a format file that is not there',
      one('edit: false, report: {name: a.md, format: f.md}'),
      'warning missing_format',
    ],
    ['max_parallel on an agent', one('edit: false, max_parallel: 2'), 'warning ignored_key `max_parallel`'],
    [
      'on_failure on a sub-movement',
      one('parallel: [{name: s, edit: false, on_failure: COMPLETE}]'),
      'warning ignored_key `on_failure`',
    ],
    [
      'another rule on a gate',
      one('gate: input', 'rules: [{condition: continued, next: a}, {condition: x, next: a}]'),
      'warning never_matches a gate answers `continued` only',
    ],
    [
      'tools that are not here',
      one('edit: false, allowed_tools: [Bash, Read, Edit]'),
      'notice unknown_tools tools that do not exist here are passed over: `Bash`, `Edit`',
    ],
  ])('%s', (_, text, finding) => {
    const { piece, diagnostics } = loadPiece(bundleOf(text));
    expect(piece).not.toBeNull();
    expect(
      diagnostics.map(({ code, column, level, line, message }) => `${line}:${column} ${level} ${code} ${message}`),
    ).toContainEqual(expect.stringContaining(finding));
  });

  test('with no tool left, all are offered', () => {
    expect(agentOf(pieceOf(one('edit: false, allowed_tools: [Bash]')), 'a').allowedTools).toBeUndefined();
  });
});

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
