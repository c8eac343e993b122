import { describe, expect, test } from 'vitest';
import { fullMonitor } from '../../../../src/domain/piece/loops.ts';
import { sessionKey } from '../../../../src/domain/piece/session.ts';
import { reportDirName } from '../../../../src/domain/piece/slug.ts';
import { agentOf, pieceOf } from './helpers.ts';

function looping(monitors: string): ReturnType<typeof pieceOf> {
  const movement = (name: string) =>
    `  - {name: ${name}, agent: ${name}.md, edit: false, rules: [{condition: x, next: COMPLETE}]}\n`;
  const files = { 'a.md': '', 'b.md': '', 'c.md': '' };
  return pieceOf(
    `name: d\nmax_iterations: 9\ninitial_movement: a\nmovements:\n${['a', 'b', 'c'].map(movement).join('')}loop_monitors:\n${monitors}`,
    files,
  );
}
const judge = 'judge: {rules: [{condition: ok, next: a}]}';

describe('fullMonitor', () => {
  const piece = looping(`  - {cycle: [a, b], threshold: 2, ${judge}}\n  - {cycle: [b], threshold: 2, ${judge}}\n`);
  test.each<[string, string, string | null, unknown]>([
    ['not yet', 'ab', 'a', null],
    ['full', 'abab', 'a', { monitor: 0, cycleCount: 2 }],
    ['more than full', 'cababab', 'a', { monitor: 0, cycleCount: 3 }],
    ['not at the end', 'ababc', 'a', null],
    ['in the middle of the cycle', 'ababa', 'b', null],
    ['broken', 'abcab', 'a', null],
    ['about to leave', 'abab', 'c', null],
    ['about to complete', 'abab', 'COMPLETE', null],
    ['about to abort', 'abab', 'ABORT', null],
    ['no rule matched', 'abab', null, { monitor: 0, cycleCount: 2 }],
    ['the second monitor', 'abb', 'b', { monitor: 1, cycleCount: 2 }],
    ['no history', '', 'a', null],
  ])('%s', (_, history, ownNext, expected) => {
    expect(fullMonitor(piece, [...history], ownNext)).toEqual(expected);
  });

  test('of several full ones the first in the file', () => {
    const both = looping(`  - {cycle: [a, a], threshold: 1, ${judge}}\n  - {cycle: [a], threshold: 2, ${judge}}\n`);
    expect(fullMonitor(both, ['a', 'a', 'a', 'a'], 'a')).toEqual({ monitor: 0, cycleCount: 2 });
  });

  test('the threshold is 3 unless it is given', () => {
    const plain = looping(`  - {cycle: [a], ${judge}}\n`);
    expect(fullMonitor(plain, ['a', 'a'], 'a')).toBeNull();
    expect(fullMonitor(plain, ['a', 'a', 'a'], 'a')).toEqual({ monitor: 0, cycleCount: 3 });
  });
});

describe('sessionKey', () => {
  test('is the agent file, else the name; of a sub-movement always its name', () => {
    const movement = agentOf(looping(`  - {cycle: [a], ${judge}}\n`), 'a');
    const { agentFile: _, ...alone } = movement;
    expect([sessionKey(movement, false), sessionKey(alone, false), sessionKey(movement, true)]).toEqual([
      'a.md',
      'a',
      'a',
    ]);
  });
});

describe('reportDirName', () => {
  test.each([
    ['Add a login page', '20260102-030405-add-a-login-page'],
    ['  Fix: the `foo/bar` (again)!  ', '20260102-030405-fix-the-foo-bar-again'],
    ['ログイン画面を追加する', '20260102-030405-ログイン画面を追加する'],
    ['Добавить вход', '20260102-030405-добавить-вход'],
    ['123456789 123456789 123456789 tail', '20260102-030405-123456789-123456789-123456789'],
    ['../../etc/passwd', '20260102-030405-etc-passwd'],
    ['!!!', '20260102-030405-run'],
    ['', '20260102-030405-run'],
    ['😀\ud800 ok', '20260102-030405-ok'],
  ])('%j', (goal, expected) => {
    expect(reportDirName('2026-01-02T03:04:05.678Z', goal)).toBe(expected);
  });
});
