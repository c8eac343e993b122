import { describe, expect, test } from 'vitest';
import { renderGraph } from '../../../../src/domain/piece/mermaid.ts';
import { pieceOf } from './helpers.ts';

const linesOf = (text: string): string[] =>
  renderGraph(pieceOf(text))
    .split('\n')
    .map((line) => line.trim());

const ALL = `name: all
max_iterations: 9
initial_movement: plan
movements:
  - name: plan
    edit: false
    on_failure: gate
    rules:
      - { condition: planned, next: review }
      - { condition: unclear, next: ABORT, requires_user_input: true, interactive_only: true }
  - name: review
    parallel:
      - { name: structure, edit: false, rules: [{ condition: approved }] }
      - { name: safety, edit: false, rules: [{ condition: approved }] }
    rules:
      - { condition: all("approved"), next: gate }
      - { condition: ai("Nothing is settled"), next: plan }
  - name: gate
    gate: approval
    rules:
      - { condition: approved, next: write }
      - { condition: rejected, next: ABORT }
  - name: write
    action: publish_workplan
    rules:
      - { condition: done, next: COMPLETE }
      - { condition: failed, next: plan }
loop_monitors:
  - cycle: [plan, review]
    threshold: 2
    judge: { rules: [{ condition: healthy, next: plan }, { condition: stuck, next: ABORT }] }
`;

test('a whole piece', () => {
  expect(renderGraph(pieceOf(ALL))).toBe(`stateDiagram-v2
  state "plan" as m1
  state "review" as m2 {
    state "structure" as m2s1
    --
    state "safety" as m2s2
  }
  state "gate" as m3
  m3 : gate approval
  state "write" as m4
  m4 : action publish_workplan
  state "loop monitor" as loop1
  loop1 : plan → review, 2 times
  state "COMPLETE" as complete
  state "ABORT" as abort
  [*] --> m1
  m1 --> m2 : planned
  m1 --> m1 : unclear (asks people, then runs again, interactive only)
  m1 --> m3 : on failure
  m2 --> m3 : all("approved")
  m2 --> m1 : ai("Nothing is settled")
  m3 --> m4 : approved
  m3 --> abort : rejected
  m4 --> complete : done
  m4 --> m1 : failed
  m2 --> loop1 : cycle ran 2 times
  loop1 --> m1 : healthy
  loop1 --> abort : stuck
  complete --> [*]
  abort --> [*]
  classDef gate stroke-dasharray: 6 3
  class m3 gate
  classDef monitor stroke-dasharray: 2 2
  class loop1 monitor
`);
});

test('teleports are entries from outside', () => {
  const lines = linesOf(`name: a
movements:
  - { name: a, edit: false, rules: [{ condition: x, next: COMPLETE }] }
  - { name: revise, edit: false, rules: [{ condition: y, next: a }] }
teleports:
  - { name: "blocked: 1", hint: h, directive: d, completion_condition: c, next: revise }
`);

  expect(lines).toContain('[*] --> m1');
  expect(lines).toContain('[*] --> m2 : teleport blocked#58; 1');
});

test('an end that nothing leads to is not drawn', () => {
  expect(linesOf('name: a\nmovements: [{ name: a, rules: [{ condition: x, next: COMPLETE }] }]\n')).not.toContain(
    'state "ABORT" as abort',
  );
});

test('a parallel movement without sub-movements is no composite state', () => {
  const lines = linesOf('name: a\nmovements: [{ name: a, parallel: [], rules: [{ condition: x, next: COMPLETE }] }]\n');

  expect(lines).toContain('m1 : parallel, no sub-movements');
  expect(lines.join(' ')).not.toContain('{');
});

describe('names and conditions are labels', () => {
  const named = (name: string): string =>
    linesOf(
      `name: a\nmovements: [{ name: ${JSON.stringify(name)}, rules: [{ condition: ${JSON.stringify(name)}, next: COMPLETE }] }]\n`,
    )
      .filter((line) => line.startsWith('state ') || line.startsWith('m1 -->'))
      .join('\n');

  test.each(['計画を立てる', 'план 1', '1 step [a] {b}', 'ai_review', 'すべて問題なし（確認済み）', '😀 done'])(
    '%s stays',
    (name) => {
      expect(named(name)).toContain(`state "${name}" as m1`);
      expect(named(name)).toContain(`m1 --> complete : ${name}`);
    },
  );

  test.each([
    ['a: b; c', 'a#58; b#59; c'],
    ['#1', '#35;1'],
    ['a %% b', 'a #37;#37; b'],
    ['a --> b', 'a -#45;#62; b'],
    ['<b>&amp;', '#60;b#62;#38;amp#59;'],
    ['*x* _y_ `z`', '#42;x#42; #95;y#95; #96;z#96;'],
    ['1. one', '1#46; one'],
    ['- one', '#45; one'],
    ['a [[fork]]', 'a [#91;fork]]'],
    ['direction LR', 'direction#160;LR'],
    ['a\u202eb\u2028c', 'a b c'],
  ])('%j is written so that the grammar cannot read it', (name, label) => {
    expect(named(name)).toContain(`m1 --> complete : ${label}`);
  });

  test('quotes end a title, so they are entities there, and stay in edges', () => {
    expect(named('say "x"')).toContain('state "say #34;x#34;" as m1');
    expect(named('say "x"')).toContain('m1 --> complete : say "x"');
  });

  test('a long one is cut', () => {
    expect(named('x'.repeat(500))).toContain(`state "${'x'.repeat(139)}…" as m1`);
  });
});
