import { describe, expect, test } from 'vitest';
import { lintPiece } from '../../../../src/domain/piece/lint.ts';
import { agentOf, bundleOf, findingsOf, pieceOf } from './helpers.ts';

const HEAD = 'name: demo\nmax_iterations: 10\ninitial_movement: a\n';
const RULES = 'rules: [{condition: x, next: COMPLETE}]';
const movement = (inner: string, rules = RULES) => `${HEAD}movements:\n  - {name: a, ${inner}${rules}}\n`;

describe('keys that mean something only where an agent runs', () => {
  const keys: [string, string][] = [
    ['agent', 'x.md'],
    ['agent_name', 'x'],
    ['permission_mode', 'readonly'],
    ['session', 'refresh'],
    ['pass_previous_response', 'false'],
    ['allowed_tools', '[repo_read]'],
    ['instruction_template', 'x'],
    ['report', 'a.md'],
    ['produces', 'review'],
    ['inputSchema', '{}'],
  ];
  const limits: [string, string][] = [
    ['timeout', '5'],
    ['budget', '{tokens: 1}'],
  ];
  const told = (text: string) => findingsOf(text).map((finding) => finding.split(' ').slice(1, 4).join(' '));

  test.each([...keys, ...limits])('%s on a gate, an action and a movement with when rules alone', (key, value) => {
    const ignored = `warning ignored_key \`${key}\``;
    const continued = 'rules: [{condition: continued, next: COMPLETE}]';
    const done = 'rules: [{condition: done, next: COMPLETE}]';

    expect(told(movement(`gate: input, ${key}: ${value}, `, continued))).toEqual([ignored]);
    expect(told(movement(`action: deliver, ${key}: ${value}, `, done))).toEqual([ignored]);
    if (key !== 'instruction_template')
      expect(told(movement(`${key}: ${value}, `, 'rules: [{when: true, next: COMPLETE}]'))).toEqual([ignored]);
  });

  test.each(keys)('%s on a parallel movement', (key, value) => {
    expect(told(movement(`parallel: [{name: s, edit: false}], ${key}: ${value}, `))).toEqual([
      `warning ignored_key \`${key}\``,
    ]);
  });

  test.each(limits)('%s of a parallel movement is one for each sub-movement', (key, value) => {
    expect(told(movement(`parallel: [{name: s, edit: false}], ${key}: ${value}, `))).toEqual([]);
  });
});

test.each([
  'item_read',
  'discussions_read',
  'questions_read',
  'members_read',
  'repo_list',
  'repo_read',
  'repo_search',
  'repo_find',
  'repo_symbols',
  'repo_references',
  'repo_map',
  'repo_history',
  'report_read',
  'research_read',
  'workplan_read',
  'evaluations_read',
])('the tool %s exists here', (tool) => {
  const piece = pieceOf(movement(`edit: false, allowed_tools: [" ${tool} "], `));

  expect(agentOf(piece, 'a').allowedTools).toEqual([tool]);
});

test('tools have aliases, each once, others are told', () => {
  const text = movement('edit: false, allowed_tools: [Read, Glob, Grep, LS, Bash, constructor, repo_read], ');

  expect(agentOf(pieceOf(text), 'a').allowedTools).toEqual(['repo_read', 'repo_list', 'repo_search']);
  expect(findingsOf(text)).toEqual([
    '5:28 notice unknown_tools tools that do not exist here are passed over: `Bash`, `constructor`',
  ]);
});

describe('an unknown key is told with those that are known at its place', () => {
  test.each([
    [
      `zz: 1\n${movement('edit: false, ')}`,
      'name, description, max_iterations, initial_movement, movements, loop_monitors',
    ],
    [movement('edit: false, zz: 1, '), 'name, description, agent, agent_name, provider, model, edit, permission_mode'],
    [movement('parallel: [{name: s, edit: false, zz: 1}], '), 'max_parallel, rules'],
    [
      movement('edit: false, ', 'rules: [{condition: x, next: COMPLETE, zz: 1}]'),
      'condition, when, next, requires_user',
    ],
    [movement('edit: false, report: {name: a.md, zz: 1}, '), 'name, format, order'],
    [movement('edit: false, budget: {tokens: 1, zz: 1}, '), 'tokens, money'],
    [movement('edit: false, inputSchema: {zz: 1}, '), 'type, globalInputs, properties, required'],
    [
      movement('edit: false, inputSchema: {properties: {p: {type: string, zz: 1}}}, '),
      'type, description, enum, minimum',
    ],
    [`${movement('edit: false, ')}loop_monitors: [{cycle: [a], zz: 1, judge: {${RULES}}}]`, 'cycle, threshold, judge'],
    [
      `${movement('edit: false, ')}loop_monitors: [{cycle: [a], judge: {zz: 1, ${RULES}}}]`,
      'agent, instruction_template, rules',
    ],
    [`${movement('edit: false, ')}variables: [{name: v, type: string, zz: 1}]`, 'name, type, values, description'],
    [`${movement('edit: false, ')}budget: {tokens: 1, zz: 1}`, 'tokens, money'],
  ])('%#: %s', (text, known) => {
    const finding = findingsOf(text).find((one) => one.includes('unknown_key'));

    expect(finding).toContain(`error unknown_key unknown key \`zz\`; known here: `);
    expect(finding).toContain(known);
  });
});

describe('lint', () => {
  const subs = `parallel: [{name: s, edit: false, rules: [{condition: ok}, {condition: fine}]}, {name: t, edit: false, rules: [{condition: good}, {when: 'false'}]}]`;
  const lint = (rules: string) =>
    lintPiece(bundleOf(movement(`${subs}, `, `rules: [${rules}, {condition: other, next: COMPLETE}]`))).map(
      ({ code, level, message }) => `${level} ${code} ${message}`,
    );

  test('looks at rules of sub-movements too', () => {
    expect(lint(`{condition: 'all("ok", "good")', next: COMPLETE}`)).toEqual([
      'warning never_matches this rule never holds, whatever values the variables have: false',
    ]);
  });

  test.each([
    ['"ok", "bad"', 'warning unknown_argument "bad" is no condition of sub-movement 2, `t`'],
    ['"goo", "good"', 'warning unknown_argument "goo" is no condition of sub-movement 1, `s`'],
    ['"fin", "good"', 'warning unknown_argument "fin" is no condition of sub-movement 1, `s`; did you mean `fine`?'],
    [
      '"good", "fine"',
      'warning unknown_argument "good" is no condition of sub-movement 1, `s`; the texts fit as all("fine", "good")',
    ],
  ])('all(%s) by position', (args, finding) => {
    expect(lint(`{condition: 'all(${args})', next: COMPLETE}`)).toContain(finding);
  });

  test('texts that fit at their positions are nothing to tell', () => {
    expect(lint(`{condition: 'all("fine", "good")', next: COMPLETE}`)).toHaveLength(1);
  });

  test('a parallel movement without sub-movements is told once, not again for each rule', () => {
    const text = movement(
      'parallel: [], ',
      `rules: [{condition: 'any("x")', next: COMPLETE}, {condition: y, next: COMPLETE}]`,
    );

    expect(lintPiece(bundleOf(text)).map(({ code }) => code)).toEqual(['no_sub_movements']);
  });
});

test('an entry of a wrong kind is told by its number', () => {
  expect(findingsOf(`${HEAD}movements: [{name: a, edit: false, ${RULES}}, 3]`)).toEqual([
    '4:78 error wrong_type entry 2 of `movements` must be a map, got "3"',
  ]);
});

test("a description is trimmed, and a judge's agent may be called by its later name", () => {
  const judge = `loop_monitors: [{cycle: [a], judge: {persona: j.md, ${RULES}}}]`;
  const piece = pieceOf(`description: " For people. "\n${movement('edit: false, ')}${judge}`, { 'j.md': 'Judge.' });

  expect(piece.description).toBe('For people.');
  expect(piece.loopMonitors[0]?.judge.agentFile).toBe('j.md');
});

test('a movement with a condition beside its when rules runs an agent', () => {
  const rules = 'rules: [{when: true, next: COMPLETE}, {condition: x, next: COMPLETE}]';

  expect(findingsOf(movement('agent_name: n, ', rules))).toEqual([
    '5:5 warning defaulted `edit` is left out on `a`: read as `edit: false`',
  ]);
});
