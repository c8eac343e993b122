import { describe, expect, test } from 'vitest';
import { lintPiece } from '../../../../src/domain/piece/lint.ts';
import { bundleOf } from './helpers.ts';

function lint(movements: string, rest = ''): string[] {
  const text = `name: demo\nmax_iterations: 10\ninitial_movement: a\nmovements:\n${movements.replace(/^/gm, '  ')}\n${rest}`;
  return lintPiece(bundleOf(text)).map(
    ({ code, column, level, line, message }) => `${line}:${column} ${level} ${code} ${message}`,
  );
}

const SUBS = `  parallel:
    - {name: s, edit: false, rules: [{condition: ok}, {condition: bad}]}
    - {name: t, edit: false, rules: [{condition: fine}, {condition: bad}, {condition: 'ai("is odd")'}]}
    `;
function parallel(...conditions: string[]): string[] {
  const rules = [...conditions, 'otherwise']
    .map((condition) => `    - {condition: '${condition}', next: COMPLETE}`)
    .join('\n');
  return lint(`- name: a\n${SUBS.trimEnd()}\n  rules:\n${rules}`);
}
const agent = (name: string, ...nexts: string[]) =>
  `- {name: ${name}, edit: false, rules: [${nexts.map((next, index) => `{condition: c${index}, next: ${next}}`).join(', ')}]}`;
const monitor = (cycle: string, next = 'a') =>
  `loop_monitors:\n  - {cycle: ${cycle}, judge: {rules: [{condition: x, next: ${next}}]}}\n`;

describe('aggregates', () => {
  test.each([
    ['all by position', ['all("ok", "fine")']],
    ['single all that every one knows', ['all("bad")']],
    ['any of one', ['any("fine")']],
    ['ai() without the wrapper', ['any("is odd")']],
    ['different aggregates', ['all("ok", "fine")', 'any("bad")', 'all("ok", "bad")']],
  ])('nothing to say: %s', (_, conditions) => {
    expect(parallel(...conditions).filter((finding) => !finding.includes('shadowed'))).toEqual([]);
  });

  test.each<[string, string[], string]>([
    [
      'an unknown text',
      ['any("okk")'],
      '10:21 warning unknown_argument "okk" is no condition of any sub-movement; did you mean `ok`?',
    ],
    [
      'all: a text that one does not know',
      ['all("ok")'],
      'warning unknown_argument `all("ok")` can never hold: it is no condition of `t`',
    ],
    [
      'by position: in another order',
      ['all("fine", "ok")'],
      '"fine" is no condition of sub-movement 1, `s`; the texts fit as all("ok", "fine")',
    ],
    [
      'by position: unknown',
      ['all("ok", "fin")'],
      '"fin" is no condition of sub-movement 2, `t`; did you mean `fine`?',
    ],
    ['behind the same', ['any("bad")', 'any("bad")'], '11:21 warning shadowed_rule this rule never wins: rule 0'],
    ['all behind any', ['any("bad")', 'all("bad")'], 'shadowed_rule'],
    ['any behind a wider any', ['any("bad", "ok")', 'any("ok")'], 'shadowed_rule'],
    ['by position behind single', ['all("bad")', 'all("bad", "bad")'], 'shadowed_rule'],
    ['by position behind any', ['any("bad")', 'all("ok", "bad")'], 'shadowed_rule'],
  ])('%s', (_, conditions, finding) => {
    expect(parallel(...conditions)).toContainEqual(expect.stringContaining(finding));
  });

  test.each([
    ['a narrower any first', ['any("ok")', 'any("bad", "ok")']],
    ['all first', ['all("bad")', 'any("bad")']],
    ['other positions', ['all("ok", "fine")', 'all("bad", "fine")']],
  ])('not shadowed: %s', (_, conditions) => {
    expect(parallel(...conditions)).toEqual([]);
  });

  test('a rule that only interactive runs have shadows none of the others', () => {
    const rules =
      '  rules: [{condition: any("bad"), next: a, interactive_only: true}, {condition: any("bad"), next: COMPLETE}]';
    expect(lint(`- name: a\n${SUBS.trimEnd()}\n${rules}`)).toEqual([]);
  });

  test('over sub-movements without rules', () => {
    const subs = '  parallel: [{name: s, edit: false}, {name: t, edit: false, rules: [{condition: ok}]}]\n';
    const finding = (condition: string) =>
      lint(`- name: a\n${subs}  rules: [{condition: ${condition}, next: COMPLETE}]`);
    expect(finding('all("ok")')).toEqual([
      '7:25 warning aggregate_without_rules `all()` can never hold: `s` without rules has no result',
    ]);
    expect(finding('any("ok")')).toEqual([]);
  });

  test('the second rule of a gate for the same word', () => {
    const findings = lint(
      '- {name: a, gate: input, rules: [{condition: continued, next: COMPLETE}, {condition: continued, next: a}]}',
    );
    expect(findings).toEqual([expect.stringContaining('shadowed_rule')]);
  });
});

describe('ways', () => {
  test('a movement that nothing leads to', () => {
    expect(lint([agent('a', 'COMPLETE'), agent('b', 'a')].join('\n'))).toEqual([
      '6:12 warning unreachable_movement `b` is never reached from `a`',
    ]);
  });

  test('movements reached by on_failure and by a judge are reached', () => {
    const movements = [
      `${agent('a', 'a2', 'COMPLETE').slice(0, -1)}, on_failure: f}`,
      agent('a2', 'a'),
      agent('f', 'COMPLETE'),
      agent('j', 'COMPLETE'),
    ];
    expect(lint(movements.join('\n'), monitor('[a, a2]', 'j'))).toEqual([]);
  });

  test('what only a rule with requires_user_input leads to is not reached', () => {
    const asking =
      '- {name: a, edit: false, rules: [{condition: x, next: b, requires_user_input: true}, {condition: y, next: COMPLETE}]}';
    expect(lint([asking, agent('b', 'COMPLETE')].join('\n'))).toEqual([
      expect.stringContaining('unreachable_movement `b`'),
    ]);
  });

  test('a run that cannot complete', () => {
    expect(lint([agent('a', 'b', 'ABORT'), agent('b', 'a')].join('\n'))).toEqual([
      '4:1 warning no_complete no way leads to COMPLETE: the run can only be aborted',
    ]);
  });

  test('requires_user_input with next: ABORT', () => {
    const findings = lint(
      '- {name: a, edit: false, rules: [{condition: x, next: ABORT, requires_user_input: true}, {condition: y, next: COMPLETE}]}',
    );
    expect(findings).toEqual([expect.stringMatching(/^5:57 warning input_then_abort/)]);
  });

  test.each([
    ['of one element', [agent('a', 'a', 'COMPLETE')], '[a]', 'one_element_cycle'],
    [
      'that the rules cannot walk',
      [agent('a', 'b'), agent('b', 'COMPLETE')],
      '[a, b]',
      'impossible_cycle the cycle is never full: no rule leads from `b` to `a`',
    ],
    [
      'with a gate in it',
      [agent('a', 'g', 'COMPLETE'), '- {name: g, gate: input, rules: [{condition: continued, next: a}]}'],
      '[a, g]',
      'gates such as `g`',
    ],
  ])('a cycle %s', (_, movements, cycle, finding) => {
    expect(lint(movements.join('\n'), monitor(cycle))).toEqual([expect.stringContaining(finding)]);
  });

  test('a cycle through a gate that it does not name can be walked', () => {
    const movements = [
      agent('a', 'g', 'COMPLETE'),
      '- {name: g, gate: input, rules: [{condition: continued, next: b}]}',
      agent('b', 'a'),
    ];
    expect(lint(movements.join('\n'), monitor('[a, b]'))).toEqual([]);
  });
});

describe('other findings', () => {
  test('a report that no movement writes', () => {
    const findings = lint(
      '- {name: a, edit: false, report: x.md, instruction_template: "{report:x.md} {report:y.md}", rules: [{condition: ok, next: COMPLETE}]}',
    );
    expect(findings).toEqual([expect.stringContaining('report_never_written `{report:y.md}`')]);
  });

  test('edit: true, once a file', () => {
    const movements = ['a', 'b'].map(
      (name) => `- {name: ${name}, edit: true, rules: [{condition: x, next: b}, {condition: y, next: COMPLETE}]}`,
    );
    expect(lint(movements.join('\n'))).toEqual([expect.stringMatching(/^5:15 notice no-write-tools/)]);
  });

  test('a piece with errors gets those of the loader alone', () => {
    expect(lint(agent('a', 'nowhere'))).toEqual([expect.stringContaining('error unknown_next')]);
  });
});
