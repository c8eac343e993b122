import { describe, expect, test } from 'vitest';
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
      provider: 'p',
      model: 'm',
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
