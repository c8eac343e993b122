import { describe, expect, test } from 'vitest';
import { reachable } from '../../../../src/domain/piece/graph.ts';
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

describe('variables', () => {
  test('are declared in a list, or in a map by name', () => {
    const rest = '{type: string, values: [1, yes, ok]}';
    const expected = [{ name: 'scope', type: 'string', values: ['1', 'yes', 'ok'] }];
    const rules = '- {when: scope == "ok", next: COMPLETE}';

    expect(pieceOf(withRules(rules, `variables: [{name: scope, ${rest.slice(1)}]\n`)).variables).toEqual(expected);
    expect(pieceOf(withRules(rules, `variables:\n  scope: ${rest}\n`)).variables).toEqual(expected);
  });

  test('have values of their type', () => {
    const declared = `variables:
  n: {type: number, values: [1, 2.5, '3', -1e2]}
  i: {type: integer, values: [1, '2']}
  b: {type: boolean, values: [true]}
  free: {type: boolean, description: said}
`;

    expect(pieceOf(withRules('- {when: b, next: COMPLETE}', declared)).variables).toEqual([
      { name: 'n', type: 'number', values: [1, 2.5, 3, -100] },
      { name: 'i', type: 'integer', values: [1, 2] },
      { name: 'b', type: 'boolean', values: [true] },
      { name: 'free', type: 'boolean' },
    ]);
  });

  test.each([
    ['variables: [{name: i, type: integer, values: [1, 1.5]}]', 'wrong_value entry 2 of `values` is no integer'],
    ['variables: [{name: n, type: number, values: [x]}]', 'wrong_value entry 1 of `values` is no number'],
    ["variables: [{name: n, type: number, values: ['']}]", 'wrong_value entry 1 of `values` is no number'],
    ['variables: [{name: b, type: boolean, values: [yes]}]', 'wrong_value entry 1 of `values` is no boolean'],
    ['variables: [{name: x, type: text}]', 'wrong_value `type` must be one of `string`'],
    ['variables: [{name: x}]', 'missing_key `type` is missing'],
    ['variables: {x: {kind: string}}', 'unknown_key unknown key `kind`; known here: name, type, values, description'],
    ['variables: 3', '`variables` must be a list of variables, each with `name` and `type`, or a map'],
    ['variables: [{name: x, type: string, values: []}]', 'empty_list `values` must be a list with at least one entry'],
    [
      'variables: [{name: x, type: string}, {name: x, type: string}]',
      'duplicate_name the variable `x` is declared twice',
    ],
    ['variables: [{name: a b, type: string}]', 'bad_name the variable `a b` cannot be named so: a name begins with'],
    ['variables: [{name: produced, type: string}]', 'bad_name the variable `produced` cannot be named so: it means'],
  ])('%s', (declared, finding) => {
    const text = withRules('- {condition: x, next: COMPLETE}', `${declared}\n`);

    expect(findingsOf(text)).toContainEqual(expect.stringContaining(finding));
    expect(loadPiece(bundleOf(text)).piece).toBeNull();
  });
});

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

describe('inputSchema', () => {
  const rules = '- {condition: x, next: COMPLETE}';
  const schema = (inner: string) => withRules(rules, SCOPE, `    inputSchema: ${inner}\n`);

  test('names variables that the movement writes, and describes what stays with it', () => {
    const inner =
      '{type: object, globalInputs: [scope], required: [scope, notes, notes], properties: {notes: {type: string, description: " why ", maxLength: 9}, level: {type: integer, enum: [1, 2], minimum: 1, maximum: 2}, list: {type: array, items: {type: boolean}}}}';

    expect(agentOf(pieceOf(schema(inner)), 'a').inputs).toEqual({
      globals: [{ name: 'scope', type: 'string', values: ['step', 'plan', 'ok'] }],
      properties: [
        { name: 'notes', description: 'why', shape: { type: 'string', maxLength: 9 } },
        { name: 'level', shape: { type: 'integer', enum: [1, 2], minimum: 1, maximum: 2 } },
        { name: 'list', shape: { type: 'array', items: { type: 'boolean' } } },
      ],
      required: ['scope', 'notes'],
    });
  });

  test.each([
    ['{globalInputs: [scop]}', 'unknown_variable `scop` is no declared variable; did you mean `scope`?'],
    ['{globalInputs: [other]}', 'unknown_variable `other` is no declared variable; declare it under `variables`'],
    ['{globalInputs: [scope, scope]}', 'duplicate_name `scope` stands here twice'],
    ['{required: [x]}', 'unknown_variable `x` stands neither under `globalInputs` nor under `properties`'],
    ['{globalInputs: [scope], required: [scop]}', 'nor under `properties`; did you mean `scope`?'],
    ['{properties: {x: {type: number, enum: [a]}}}', 'wrong_value entry 1 of `enum` is no number'],
    ['{properties: {x: {type: number, minimum: 2, maximum: 1}}}', '`minimum` must not be above `maximum`, got 2 and 1'],
    ['{properties: {x: {type: string, minLength: 2, maxLength: 1}}}', '`minLength` must not be above `maxLength`'],
    ['{properties: {x: {type: array, items: {type: number, enum: [a]}}}}', 'entry 1 of `enum` is no number'],
    ['{properties: {x: {type: text}}}', '`type` must be one of `string`'],
    ['{properties: {x: {type: string, pattern: x}}}', 'unknown key `pattern`; known here: type, description, enum'],
    ['{globals: [scope]}', 'unknown key `globals`; known here: type, globalInputs, properties, required'],
  ])('%s', (inner, finding) => {
    expect(findingsOf(schema(inner))).toContainEqual(expect.stringContaining(finding));
    expect(loadPiece(bundleOf(schema(inner))).piece).toBeNull();
  });

  test('equal bounds leave one value', () => {
    expect(findingsOf(schema('{properties: {x: {type: number, minimum: 1, maximum: 1}}}'))).toEqual([]);
  });
});

describe('teleports', () => {
  const movements = `movements:
  - {name: a, edit: false, rules: [{condition: x, next: COMPLETE}]}
  - {name: revise, edit: false, rules: [{condition: y, next: a}]}
  - {name: gate, gate: input, rules: [{condition: continued, next: a}]}
  - {name: route, rules: [{when: true, next: a}]}
`;
  const jump = (next: string, name = 'jump') =>
    `{name: ${name}, hint: "only when", directive: "say why", completion_condition: "it is said", next: ${next}}`;
  const piece = (...entries: string[]) => `${HEAD}${movements}teleports: [${entries.join(', ')}]\n`;

  test('are entries from outside: what they lead to is reached', () => {
    const loaded = pieceOf(piece(jump('revise')));

    expect(loaded.teleports).toEqual([
      { name: 'jump', hint: 'only when', directive: 'say why', completionCondition: 'it is said', next: 'revise' },
    ]);
    expect([...reachable(loaded)]).toEqual(['revise', 'a']);
    expect(lint(piece(jump('revise'))).filter((finding) => finding.includes('revise'))).toEqual([]);
  });

  test.each([
    [piece(jump('revise'), jump('a', 'other')), 'second_reviser one movement owns the revision: `revise` stands here'],
    [piece(jump('gate')), 'reviser_dispatcher `gate` is a movement with `gate`'],
    [piece(jump('route')), 'reviser_dispatcher `route` runs no agent'],
    [piece(jump('route').replace('}', ', x: 1}')), 'unknown_key unknown key `x`; known here: name, hint, directive'],
    [
      piece(jump('p')).replace('teleports', '  - {name: p, parallel: [], rules: [{condition: x, next: a}]}\nteleports'),
      'reviser_dispatcher `p` is a movement with `parallel`',
    ],
    [
      piece(jump('s')).replace(
        'teleports',
        '  - {name: p, parallel: [{name: s, edit: false}], rules: [{condition: x, next: a}]}\nteleports',
      ),
      'unknown_next `s` is a sub-movement; only whole movements can be named here',
    ],
    [piece(jump('revis')), 'unknown_next `revis` names no movement; did you mean `revise`?'],
    [piece(jump('COMPLETE')), 'unknown_next `COMPLETE` names no movement'],
    [piece(jump('revise', 'a')), 'duplicate_name the name `a` is used twice'],
    [piece(jump('revise', 'ABORT')), 'reserved_name the name `ABORT` is reserved'],
    [piece(jump('revise').replace('hint: "only when", ', '')), 'missing_key `hint` is missing'],
    [piece(jump('revise').replace('only when', ' ')), '`hint` must be a text that is not empty'],
    [piece(jump('revise').replace('directive', 'directve')), 'unknown key `directve`; did you mean `directive`?'],
    [
      piece(jump('revise')).replace('next: COMPLETE', 'next: jump'),
      'teleport_edge `jump` is a teleport: it is entered',
    ],
  ])('%#', (text, finding) => {
    expect(findingsOf(text)).toContainEqual(expect.stringContaining(finding));
    expect(loadPiece(bundleOf(text)).piece).toBeNull();
  });

  test('two of them may lead to the one owner', () => {
    expect(pieceOf(piece(jump('revise'), jump('revise', 'other'))).teleports).toHaveLength(2);
  });

  test('a declared value that no rule handles is an error of a piece that replans, and a warning else', () => {
    const rules = `variables: [{name: scope, type: string, values: [step, plan, ok]}]\n${movements}`
      .replace('{when: true', '{when: scope == "step", next: a}, {when: scope == "ok"')
      .replace('next: COMPLETE', 'next: route');
    const message = 'unhandled_value no rule handles scope = "plan": the run would be aborted';

    expect(findingsOf(`${HEAD}${rules}teleports: [${jump('revise')}]`)).toEqual([expect.stringContaining(message)]);
    expect(findingsOf(`${HEAD}${rules}`)).toEqual([]);
    expect(lint(`${HEAD}${rules}`)).toContainEqual(expect.stringContaining(`warning ${message}`));
    expect(
      lint(`${HEAD}${rules.replace('"ok", next: a}', '"ok", next: a}, {when: true, next: a}')}`),
    ).not.toContainEqual(expect.stringContaining(message));
  });
});

describe('budget', () => {
  test('limits a piece and a movement; of a parallel movement each of its sub-movements without one', () => {
    const text = `${HEAD}budget: {tokens: 9, money: 1.5}
movements:
  - name: a
    budget: {tokens: 5}
    parallel:
      - {name: s, edit: false, budget: {tokens: 2}}
      - {name: t, edit: false}
    rules: [{condition: x, next: b}]
  - {name: b, edit: false, budget: {money: 2}, rules: [{condition: x, next: COMPLETE}]}
`;
    const piece = pieceOf(text);

    expect(findingsOf(text)).toEqual([]);
    expect(piece.budget).toEqual({ tokens: 9, money: 1.5 });
    expect(['s', 't', 'b'].map((name) => agentOf(piece, name).budget)).toEqual([
      { tokens: 2 },
      { tokens: 5 },
      { money: 2 },
    ]);
  });

  test.each([
    ['budget: {}', 'empty_value `budget` limits nothing; give `tokens` or `money`'],
    ['budget: {tokens: 0}', '`tokens` must be at least 1, got 0'],
    ['budget: {tokens: 1.5}', '`tokens` must be a whole number'],
    ['budget: {money: x}', '`money` must be a number'],
    ['budget: {token: 5}', 'unknown key `token`; did you mean `tokens`?'],
  ])('%s', (budget, finding) => {
    expect(findingsOf(withRules('- {condition: x, next: COMPLETE}', `${budget}\n`))).toContainEqual(
      expect.stringContaining(finding),
    );
    expect(findingsOf(withRules('- {condition: x, next: COMPLETE}', '', `    ${budget}\n`))).toContainEqual(
      expect.stringContaining(finding),
    );
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
