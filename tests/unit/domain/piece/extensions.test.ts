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
