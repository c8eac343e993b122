import { describe, expect, test } from 'vitest';
import { countsAsReply, eligible } from '../../../../src/domain/workplan/answers.ts';

describe('eligible', () => {
  const member = (accessLevel: number, role: string, active = true) => ({ accessLevel, role, active });
  test.each([
    ['a Guest', member(10, 'Guest'), null, false],
    ['minimal access', member(5, 'Minimal Access'), null, false],
    ['a Planner', member(15, 'Planner'), null, true],
    ['a Reporter', member(20, 'Reporter'), null, true],
    ['an Owner', member(50, 'Owner'), null, true],
    ['a blocked Developer', member(30, 'Developer', false), null, false],
    ['no member', null, null, false],
    ['a Guest on the list', member(10, 'Guest'), ['guest'], true],
    ['a Developer not on the list', member(30, 'Developer'), ['Maintainer'], false],
    ['a blocked one on the list', member(30, 'Developer', false), ['Developer'], false],
    ['anybody with an empty list', member(50, 'Owner'), [], false],
  ])('%s', (_name, who, roles, may) => {
    expect(eligible(who, roles)).toBe(may);
  });
});

describe('a note that counts', () => {
  const note = { author: { id: 1, bot: false }, system: false, internal: false };
  const rule = { serviceUserId: 99, allowedBots: [7] };
  test.each([
    ['a person', note, true],
    ['a system note', { ...note, system: true }, false],
    ['an internal note', { ...note, internal: true }, false],
    ['the service', { ...note, author: { id: 99, bot: false } }, false],
    ['a bot', { ...note, author: { id: 8, bot: true } }, false],
    ['an allowed bot', { ...note, author: { id: 7, bot: true } }, true],
  ])('%s', (_name, candidate, counts) => {
    expect(countsAsReply(candidate, rule)).toBe(counts);
  });
});
