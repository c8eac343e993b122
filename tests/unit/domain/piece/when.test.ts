import { describe, expect, test } from 'vitest';
import { lintPiece } from '../../../../src/domain/piece/lint.ts';
import { loadPiece } from '../../../../src/domain/piece/load.ts';
import { agentOf, bundleOf, findingsOf, pieceOf } from './helpers.ts';

const HEAD = 'name: demo\nmax_iterations: 10\ninitial_movement: a\n';
const SCOPE = 'variables: [{name: scope, type: string, values: [step, plan, ok]}, {name: gaps, type: integer}]\n';

/** A piece of one movement `a`, its rules given. */
function withRules(rules: string, rest = SCOPE, extra = ''): string {
  return `${HEAD}${rest}movements:\n  - name: a\n    edit: false\n    instruction_template: do\n${extra}    rules:\n${rules.replace(/^/gm, '      ')}\n`;
}

function lint(text: string): string[] {
  return lintPiece(bundleOf(text)).map(({ code, level, message }) => `${level} ${code} ${message}`);
}

describe('when rules', () => {
  test('are loaded beside conditions, under their own numbers', () => {
    const rules =
      '- {condition: fine, next: COMPLETE}\n- {when: " scope == \'ok\' ", next: ABORT, interactive_only: true}';
    const [first, second] = agentOf(pieceOf(withRules(rules)), 'a').rules;

    expect(first).toMatchObject({ index: 0, condition: { kind: 'text' }, text: 'fine' });
    expect(second).toMatchObject({
      index: 1,
      condition: { kind: 'when', text: "scope == 'ok'" },
      text: "scope == 'ok'",
      next: 'ABORT',
      interactiveOnly: true,
    });
  });

  test.each(['{when: scope in ("ok", "plan"), next: COMPLETE}', 'when: "ok" == scope\n  next: COMPLETE'])(
    'what YAML reads as something else gets a hint: %s',
    (rule) => {
      expect(findingsOf(withRules(`- ${rule}`))[0]).toMatch(
        /yaml_syntax .*; put the whole expression in single quotes, e\.g\. when: 'scope in \("step", "plan"\)'$/,
      );
    },
  );

  test('`when: true` is an expression, not a truth value', () => {
    expect(agentOf(pieceOf(withRules('- {when: true, next: COMPLETE}')), 'a').rules[0]?.text).toBe('true');
  });

  test.each([
    [
      '{when: scop == "ok", next: COMPLETE}',
      '10:16 error unknown_variable there is no variable `scop` (character 1); did',
    ],
    ['{when: nothing == 1, next: COMPLETE}', 'or write "nothing" for a text'],
    [
      '{when: scope == "okk", next: COMPLETE}',
      'impossible_value `scope` is never "okk" (character 10); it can be "step"',
    ],
    ['{when: scope == "okk", next: COMPLETE}', 'did you mean `ok`?'],
    [`{when: '"okk" != scope', next: COMPLETE}`, 'impossible_value `scope` is never "okk" (character 1)'],
    [`{when: 'scope in ("ok", "no")', next: COMPLETE}`, 'impossible_value `scope` is never "no" (character 17)'],
    ['{when: scope == 1, next: COMPLETE}', 'impossible_value `==` at character 7 compares a text with a number'],
    ['{when: gaps == "1", next: COMPLETE}', 'impossible_value `==` at character 6 compares a number with a text'],
    ['{when: gaps == true, next: COMPLETE}', 'compares a number with true or false'],
    ['{when: scope > "a", next: COMPLETE}', 'bad_condition `>` at character 7 compares numbers, got a text'],
    ['{when: gaps < null, next: COMPLETE}', 'bad_condition `<` at character 6 compares numbers, got null'],
    ['{when: gaps, next: COMPLETE}', "bad_condition a rule's expression must be true or false, got a number"],
    ['{when: "null", next: COMPLETE}', 'must be true or false, got null'],
    ['{when: not gaps, next: COMPLETE}', 'bad_condition `not` needs true or false on its sides, got a number'],
    ['{when: scope and true, next: COMPLETE}', 'bad_condition `and` needs true or false on its sides, got a text'],
    ['{when: true or gaps, next: COMPLETE}', 'bad_condition `or` needs true or false on its sides, got a number'],
    ['{when: produced == "plan", next: COMPLETE}', 'impossible_value `produced` is never "plan"'],
    ['{when: gaps =! 1, next: COMPLETE}', 'bad_condition `=` at character 6 means nothing here'],
    ['{next: COMPLETE}', '10:9 error missing_key `condition` is missing: every rule needs a `condition`, or a `when`'],
    [
      '{when: true, condition: x, next: COMPLETE}',
      '10:10 error conflicting_keys `when` stands in place of `condition`',
    ],
    ['{when: true, next: b}', 'unknown_next `b` names no movement'],
    ['{when: , next: COMPLETE}', 'empty_value `when` must be a text'],
  ])('%s', (rule, finding) => {
    expect(findingsOf(withRules(`- ${rule}`))).toContainEqual(expect.stringContaining(finding));
    expect(loadPiece(bundleOf(withRules(`- ${rule}`))).piece).toBeNull();
  });

  test.each([
    'scope == "ok" and gaps > 0',
    'scope in ("ok", null)',
    'gaps >= 1.5',
    'scope == null or gaps != null',
    'produced == "review"',
    'not (gaps == 0)',
  ])('nothing to say: %s', (expression) => {
    expect(findingsOf(withRules(`- {when: '${expression}', next: COMPLETE}`))).toEqual([]);
  });

  test('`produced` is one of the kinds that the movement gives', () => {
    const rules = '- {when: produced == "score", next: COMPLETE}';
    const found = findingsOf(withRules(rules, SCOPE, '    produces: [review, questions]\n'));

    expect(found).toEqual([
      '11:16 error impossible_value `produced` is never "score" (character 13); it can be "review", "questions"',
    ]);
  });

  test('a wrong declaration is told once, not again at each use', () => {
    const found = findingsOf(withRules('- {when: x == "1", next: COMPLETE}', 'variables: [{name: x, type: text}]\n'));

    expect(found).toHaveLength(1);
  });

  test('gates and actions may have them beside their words, whose rules keep their places', () => {
    const text = `${HEAD}${SCOPE}movements:
  - name: a
    action: deliver
    rules:
      - {when: scope == "ok", next: COMPLETE}
      - {condition: don, next: COMPLETE}
`;

    expect(findingsOf(text)).toEqual([
      '8:5 error missing_rule an action needs a rule with the condition `done`',
      '10:21 warning never_matches an action answers `done` or `failed` only: this rule never matches',
    ]);
  });
});

describe('a movement with when rules alone and no template', () => {
  const route = `${HEAD}${SCOPE}movements:\n  - name: a\n    agent: x.md\n    produces: review\n    budget: {tokens: 1}\n    rules:\n      - {when: true, next: COMPLETE}\n`;

  test('needs no `edit`, and what only an agent uses is ignored', () => {
    const why = 'is ignored: with `when` rules alone and no `instruction_template` no agent runs here';
    expect(findingsOf(route)).toEqual([
      `7:5 warning ignored_key \`agent\` ${why}`,
      `8:5 warning ignored_key \`produces\` ${why}`,
      `9:5 warning ignored_key \`budget\` ${why}`,
    ]);
  });

  test('a blank template is none', () => {
    expect(findingsOf(route.replace('agent: x.md', 'instruction_template: "  "'))[0]).toContain('ignored_key');
  });

  test('with a condition beside them an agent runs', () => {
    const text = route.replace('rules:\n', 'rules:\n      - {condition: x, next: COMPLETE}\n');
    expect(findingsOf(text)).toContainEqual(expect.stringContaining('missing_file'));
  });
});

describe('what lint says of when rules', () => {
  const write = '    inputSchema: {globalInputs: [scope]}\n';
  const only = (rules: string, rest = SCOPE, extra = write) =>
    lint(withRules(rules, rest, extra)).filter((finding) => !finding.includes('unreachable'));

  test.each<[string, string[], string[]]>([
    ['every value handled', ['{when: scope == "ok"', '{when: scope != "ok"'], []],
    ['an else route', ['{when: scope == "ok"', '{when: true'], []],
    ['a condition as the else route', ['{when: scope == "ok"', '{condition: other'], []],
    ['never written is a value of its own', ['{when: scope == null', '{when: true'], []],
    [
      'a value without a route',
      ['{when: scope == "ok"', '{when: scope == "plan"'],
      [
        'warning unhandled_value no rule handles scope = "step": the run would be aborted; add a rule, or `when: true` as the last',
      ],
    ],
    [
      'never holds',
      ['{when: scope == "ok" and scope == "plan"', '{when: true'],
      [
        'warning never_matches this rule never holds, whatever values the variables have: scope == "ok" and scope == "plan"',
      ],
    ],
    [
      'behind one that always wins',
      ['{when: true', '{when: scope == "ok"'],
      ['warning shadowed_rule this rule never wins: `when` rules that are tried before it hold whenever it does'],
    ],
    [
      'a condition beside rules that hold for every value',
      ['{condition: x', '{when: scope == null', '{when: scope != null'],
      ['warning shadowed_rule this rule never wins: `when` rules that are tried before it hold whenever it does'],
    ],
    ['interactive-only ones hide nothing', ['{interactive_only: true, when: true', '{when: true'], []],
    ['numbers cannot be counted up', ['{when: gaps > 0', '{when: gaps > 1'], ['warning variable_never_written']],
  ])('%s', (_, rules, findings) => {
    const found = only(rules.map((rule) => `- ${rule}, next: COMPLETE}`).join('\n'));

    expect(found).toHaveLength(findings.length);
    for (const [index, finding] of findings.entries()) expect(found[index]).toContain(finding);
  });

  test('a rule that exists in interactive runs alone handles no value in the others', () => {
    const rules = '- {when: scope == "ok", next: COMPLETE}\n- {when: true, interactive_only: true, next: COMPLETE}';

    expect(only(rules)).toContainEqual(expect.stringContaining('unhandled_value no rule handles scope = "step"'));
  });

  test('kinds of data that the movement gives are values of `produced`', () => {
    const rules = '- {when: produced == "review", next: COMPLETE}';
    const found = only(rules, SCOPE, '    produces: [review, questions]\n');

    expect(found).toEqual([expect.stringContaining('no rule handles produced = "questions"')]);
    expect(only(rules, SCOPE, '')).toEqual([]);
  });

  test('two sub-movements that write the same variable', () => {
    const sub = (name: string) => `{name: ${name}, edit: false, inputSchema: {globalInputs: [scope]}}`;
    const text = `${HEAD}${SCOPE}movements:\n  - name: a\n    parallel: [${sub('s')}, ${sub('t')}]\n    rules: [{when: scope == "ok", next: COMPLETE}, {when: true, next: ABORT}]\n`;

    expect(lint(text)).toEqual([
      'warning variable_written_twice `scope` is written by another sub-movement too: the last in file order counts',
    ]);
  });
});
