import { describe, expect, test } from 'vitest';
import { loadPiece } from '../../../../src/domain/piece/load.ts';
import { bundleOf, findingsOf, pieceOf } from './helpers.ts';

const HEAD = 'name: demo\nmax_iterations: 10\ninitial_movement: a\n';
const SCOPE = 'variables: [{name: scope, type: string, values: [step, plan, ok]}, {name: gaps, type: integer}]\n';

/** A piece of one movement `a`, its rules given. */
function withRules(rules: string, rest = SCOPE, extra = ''): string {
  return `${HEAD}${rest}movements:\n  - name: a\n    edit: false\n    instruction_template: do\n${extra}    rules:\n${rules.replace(/^/gm, '      ')}\n`;
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
