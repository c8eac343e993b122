import { describe, expect, test } from 'vitest';
import { reachable, targetsOf } from '../../../../src/domain/piece/graph.ts';
import { pieceOf } from './helpers.ts';

const agent = (name: string, ...nexts: string[]) =>
  `  - {name: ${name}, edit: false, rules: [${nexts.map((next) => `{condition: to ${next}, next: ${next}}`).join(', ')}]}`;
const monitor = (cycle: string, next: string) =>
  `  - {cycle: ${cycle}, judge: {rules: [{condition: x, next: ${next}}]}}`;

function found(movements: string[], monitors: string[] = [], rest = ''): string[] {
  const loops = monitors.length === 0 ? '' : `loop_monitors:\n${monitors.join('\n')}\n`;
  const text = `name: demo\nmax_iterations: 9\ninitial_movement: a\n${rest}movements:\n${movements.join('\n')}\n${loops}`;
  return [...reachable(pieceOf(text))].sort();
}

describe('reachable', () => {
  test('follows rules, from the first movement on', () => {
    expect(found([agent('a', 'b'), agent('b', 'a', 'COMPLETE'), agent('c', 'a')])).toEqual(['a', 'b']);
  });

  test("a judge's rules lead on only where the whole cycle is reached", () => {
    const movements = [agent('a', 'b'), agent('b', 'a'), agent('c', 'd'), agent('d', 'c'), agent('e', 'COMPLETE')];

    expect(found(movements, [monitor('[a, b]', 'e')])).toEqual(['a', 'b', 'e']);
    expect(found(movements, [monitor('[b, c]', 'e')])).toEqual(['a', 'b']);
  });

  test('one judge may make the cycle of another reachable, whatever their order', () => {
    const movements = [agent('a', 'b'), agent('b', 'a'), agent('c', 'd'), agent('d', 'c'), agent('e', 'COMPLETE')];

    expect(found(movements, [monitor('[c, d]', 'e'), monitor('[a, b]', 'c')])).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('a rule that asks people leads nowhere, on_failure does', () => {
    const asks =
      '  - {name: a, edit: false, on_failure: c, rules: [{condition: x, next: b, requires_user_input: true}]}';

    expect(found([asks, agent('b', 'COMPLETE'), agent('c', 'COMPLETE')])).toEqual(['a', 'c']);
  });

  test.each([
    ['{name: a, gate: input, rules: [{condition: continued, next: b}, {condition: approved, next: c}]}', ['a', 'b']],
    [
      '{name: a, gate: approval, rules: [{condition: approved, next: b}, {condition: rejected, next: c}]}',
      ['a', 'b', 'c'],
    ],
    ['{name: a, action: deliver, rules: [{condition: done, next: b}, {condition: failed, next: c}]}', ['a', 'b', 'c']],
    ['{name: a, action: deliver, rules: [{condition: done, next: b}, {condition: continued, next: c}]}', ['a', 'b']],
    ['{name: a, gate: input, rules: [{condition: continued, next: b}, {when: true, next: c}]}', ['a', 'b', 'c']],
    ['{name: a, rules: [{when: true, next: c}]}', ['a', 'c']],
    [`{name: a, edit: false, rules: [{condition: 'all("x")', next: b}, {condition: 'ai("y")', next: c}]}`, ['a', 'c']],
    [`{name: a, parallel: [], rules: [{condition: 'all("x")', next: b}]}`, ['a', 'b']],
  ])('of %s only what can match', (movement, expected) => {
    expect(found([`  - ${movement}`, agent('b', 'COMPLETE'), agent('c', 'COMPLETE')])).toEqual(expected);
  });
});

test('targetsOf tells ends too', () => {
  const piece = pieceOf(
    `name: demo\nmax_iterations: 9\ninitial_movement: a\nmovements:\n${agent('a', 'COMPLETE', 'ABORT', 'a')}\n`,
  );

  expect(piece.movements.flatMap(targetsOf)).toEqual(['COMPLETE', 'ABORT', 'a']);
});
