import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Judged,
  type Match,
  type MatchSub,
  matchAgent,
  matchParallel,
} from '../../../../src/domain/piece/match.ts';
import { offeredRules } from '../../../../src/domain/piece/rules.ts';
import { rulesOf } from './helpers.ts';

function shown(match: Match): string {
  if (match.kind === 'matched') return `${match.rule.index} ${match.method}`;
  if (match.kind === 'judge')
    return `${match.stage}? ${match.conditions.map(({ index, text }) => `${index}=${text}`).join(' ')}`;
  return 'none';
}

describe('offeredRules', () => {
  test('leaves out aggregates and keeps the numbers', () => {
    const rules = rulesOf('all("x")', 'a', 'any("x")', 'ai("b")');
    expect(offeredRules(rules, true).map((rule) => rule.index)).toEqual([1, 3]);
  });

  test('interactive-only rules exist in an interactive run alone', () => {
    const rules = rulesOf('~ask', 'done');
    expect(offeredRules(rules, false).map((rule) => rule.index)).toEqual([1]);
    expect(offeredRules(rules, true).map((rule) => rule.index)).toEqual([0, 1]);
  });
});

describe('matchAgent', () => {
  const rules = rulesOf('done', 'ai("is stuck")', '~ask', 'ai("needs more")', 'all("done")');
  test.each<[string, string, boolean, Judged, string]>([
    ['a tag', '[STEP:0]', false, {}, '0 tag'],
    ['a tag names an ai() rule', '[STEP:1]', false, {}, '1 tag'],
    ['a tag of an interactive-only rule in an interactive run', '[STEP:2]', true, {}, '2 tag'],
    ['a tag of a rule that was not offered is none', '[STEP:2]', false, {}, 'ai? 1=is stuck 3=needs more'],
    ['a tag of an aggregate is none', '[STEP:4]', false, {}, 'ai? 1=is stuck 3=needs more'],
    [
      'out of range is none, also with a good one before',
      '[STEP:0] [STEP:9]',
      false,
      {},
      'ai? 1=is stuck 3=needs more',
    ],
    ['no tag asks the ai() judge', 'hm', false, {}, 'ai? 1=is stuck 3=needs more'],
    ['the ai() judge found one', 'hm', false, { ai: 3 }, '3 ai'],
    ['the ai() judge failed', 'hm', false, { ai: null }, 'fallback? 0=done 1=is stuck 3=needs more'],
    ['the ai() judge answered nonsense', 'hm', false, { ai: 0 }, 'fallback? 0=done 1=is stuck 3=needs more'],
    [
      'the fallback judge is offered what the run offers',
      'hm',
      true,
      { ai: null },
      'fallback? 0=done 1=is stuck 2=ask 3=needs more',
    ],
    ['the fallback judge found one', 'hm', false, { ai: null, fallback: 0 }, '0 judge'],
    ['the fallback judge named what was not offered', 'hm', false, { ai: null, fallback: 2 }, 'none'],
    ['nobody found one', 'hm', false, { ai: null, fallback: null }, 'none'],
  ])('%s', (_, output, interactive, judged, expected) => {
    expect(shown(matchAgent({ rules, interactive, output, judged }))).toBe(expected);
  });

  test('the number of a rule never shifts, whatever the run leaves out', () => {
    const some = fc.array(fc.constantFrom('a', '~b', 'ai("c")', '~ai("d")', 'all("e")', '~any("f")'), { minLength: 1 });
    fc.assert(
      fc.property(some, fc.boolean(), fc.nat(12), (conditions, interactive, n) => {
        const match = matchAgent({
          rules: rulesOf(...conditions),
          interactive,
          output: `[STEP:${n}]`,
          judged: { ai: null },
        });
        const named = conditions[n] ?? 'all("none")';
        const offered = !/^~?(all|any)/.test(named) && (interactive || !named.startsWith('~'));
        expect(match.kind === 'matched').toBe(offered);
        if (match.kind === 'matched') expect(`${match.rule.interactiveOnly ? '~' : ''}${match.rule.text}`).toBe(named);
        if (match.kind === 'judge')
          for (const { index, text } of match.conditions) expect(conditions[index]).toContain(text);
      }),
    );
  });

  test('without ai() rules the fallback judge is asked at once', () => {
    expect(shown(matchAgent({ rules: rulesOf('a', 'b'), interactive: false, output: 'hm', judged: {} }))).toBe(
      'fallback? 0=a 1=b',
    );
  });

  test('aggregates alone never match, and no judge is asked', () => {
    expect(shown(matchAgent({ rules: rulesOf('all("a")'), interactive: true, output: '[STEP:0]', judged: {} }))).toBe(
      'none',
    );
    expect(shown(matchAgent({ rules: [], interactive: true, output: '[STEP:0]', judged: {} }))).toBe('none');
  });
});

function sub(condition: string | null, output = '', hasRules = true): MatchSub {
  return { name: `s-${condition}`, output, hasRules, condition };
}

describe('matchParallel', () => {
  test.each<[string, string[], (string | null)[], string]>([
    ['all: every one', ['all("x")'], ['x', 'x'], '0 aggregate'],
    ['all: some', ['all("x")'], ['x', 'y'], 'none'],
    ['all: none is', ['all("x")'], ['y', 'y'], 'none'],
    ['all: one without a result', ['all("x")'], ['x', null], 'none'],
    ['all: no sub-movement', ['all("x")'], [], 'none'],
    ['any: every one', ['any("x")'], ['x', 'x'], '0 aggregate'],
    ['any: some', ['any("x")'], ['y', 'x'], '0 aggregate'],
    ['any: none is', ['any("x")'], ['y', 'y'], 'none'],
    ['any: passes over one without a result', ['any("x")'], [null, 'x'], '0 aggregate'],
    ['any: nobody has one', ['any("x")'], [null, null], 'none'],
    ['any: no sub-movement', ['any("x")'], [], 'none'],
    ['all by position', ['all("x", "y")'], ['x', 'y'], '0 aggregate'],
    ['all by position, swapped', ['all("x", "y")'], ['y', 'x'], 'none'],
    ['all with another number', ['all("x", "y")'], ['x'], 'none'],
    ['any of several', ['any("x", "y")'], ['z', 'y'], '0 aggregate'],
    ['the first that holds', ['all("x")', 'any("y")', 'any("x")'], ['x', 'y'], '1 aggregate'],
    ['ai() result without the wrapper', ['all("is fine")'], ['ai("is fine")'], '0 aggregate'],
    ['ai() result with the wrapper', ['all("ai(\\"is fine\\")")'], ['ai("is fine")'], '0 aggregate'],
    ['ai() result in other quotes', ['all(\'ai("is fine")\')'], ["ai( 'is fine' )"], '0 aggregate'],
    ['a plain result is no ai() result', ['all("ai(\\"x\\")")'], ['x'], 'none'],
  ])('%s', (_, conditions, results, expected) => {
    const subs = results.map((result) => sub(result));
    expect(shown(matchParallel({ rules: rulesOf(...conditions), interactive: false, subs, judged: {} }))).toBe(
      expected,
    );
  });

  test('an interactive-only aggregate does not exist in a run that is not interactive', () => {
    const input = { rules: rulesOf('~any("x")', 'all("x")'), subs: [sub('x')], judged: {} };
    expect(shown(matchParallel({ ...input, interactive: false }))).toBe('1 aggregate');
    expect(shown(matchParallel({ ...input, interactive: true }))).toBe('0 aggregate');
  });

  test('an aggregate that stands first costs no judge', () => {
    const rules = rulesOf('any("x")', 'ai("b")');
    expect(shown(matchParallel({ rules, interactive: false, subs: [sub('x')], judged: {} }))).toBe('0 aggregate');
  });

  test('the walk stops at the first ai() and asks over all of them', () => {
    const rules = rulesOf('all("x")', 'ai("a")', 'any("y")', 'ai("b")');
    expect(shown(matchParallel({ rules, interactive: false, subs: [sub('y')], judged: {} }))).toBe('ai? 1=a 3=b');
  });

  test('after the ai() judge the walk goes on from top to bottom', () => {
    const rules = rulesOf('ai("a")', 'any("y")', 'ai("b")');
    const input = { rules, interactive: false, subs: [sub('y')] };
    expect(shown(matchParallel({ ...input, judged: { ai: 2 } }))).toBe('1 aggregate');
    expect(shown(matchParallel({ ...input, judged: { ai: 0 } }))).toBe('0 ai');
  });

  test('a plain condition is named by a tag of a sub-movement without rules', () => {
    const input = { rules: rulesOf('a', 'b'), interactive: false, judged: {} };
    expect(shown(matchParallel({ ...input, subs: [sub(null, '[STEP:1]', false), sub('x', '[STEP:0]')] }))).toBe(
      '1 tag',
    );
    expect(shown(matchParallel({ ...input, subs: [sub('x', '[STEP:0]')] }))).toBe('fallback? 0=a 1=b');
  });

  test('of several sub-movements without rules the last tag counts, plain before fenced', () => {
    const input = { rules: rulesOf('a', 'b', 'c'), interactive: false, judged: {} };
    const subs = [sub(null, '[STEP:1]', false), sub(null, '[STEP:2]', false), sub(null, '```\n[STEP:0]\n```', false)];
    expect(shown(matchParallel({ ...input, subs }))).toBe('2 tag');
  });

  test('nothing matched: the fallback judge over plain and ai() conditions', () => {
    const input = { rules: rulesOf('all("x")', 'a', 'ai("b")'), interactive: false, subs: [sub('y')] };
    expect(shown(matchParallel({ ...input, judged: { ai: null } }))).toBe('fallback? 1=a 2=b');
    expect(shown(matchParallel({ ...input, judged: { ai: null, fallback: 2 } }))).toBe('2 judge');
    expect(shown(matchParallel({ ...input, judged: { ai: null, fallback: null } }))).toBe('none');
  });

  test('aggregates agree with their truth table', () => {
    const result = fc.constantFrom('x', 'y', 'z', null);
    fc.assert(
      fc.property(
        fc.array(result, { maxLength: 5 }),
        fc.array(fc.constantFrom('x', 'y', 'z'), { minLength: 1, maxLength: 4 }),
        (results, args) => {
          const written = args.map((arg) => `"${arg}"`).join(', ');
          const holds = (kind: string) =>
            matchParallel({
              rules: rulesOf(`${kind}(${written})`),
              interactive: false,
              subs: results.map((one) => sub(one)),
              judged: {},
            }).kind === 'matched';
          const wanted = args.length === 1 ? results.map(() => args[0]) : args;
          expect(holds('all')).toBe(
            results.length > 0 &&
              wanted.length === results.length &&
              results.every((one, index) => one === wanted[index]),
          );
          expect(holds('any')).toBe(results.some((one) => one !== null && args.includes(one)));
        },
      ),
    );
  });
});

describe('when rules', () => {
  const values: Record<string, string> = { scope: 'plan' };
  const read = (name: string) => values[name] ?? null;
  const holds = 'when scope == "plan"';
  const fails = 'when scope == "ok"';

  test.each<[string, string[], string, string]>([
    ['come before a tag', ['a', fails, holds], '[STEP:0]', '2 when'],
    ['the first in file order', [holds, holds], '', '0 when'],
    ['where none holds the tag counts', ['a', fails], '[STEP:0]', '0 tag'],
    ['are no tag', [fails, 'a'], '[STEP:0]', 'fallback? 1=a'],
    ['alone, none of them holding', [fails], '[STEP:0]', 'none'],
    ['interactive-only ones do not exist here', [`~${holds}`, 'a'], '[STEP:1]', '1 tag'],
  ])('of an agent: %s', (_, conditions, output, expected) => {
    const input = { rules: rulesOf(...conditions), interactive: false, output, judged: {}, read };

    expect(shown(matchAgent(input))).toBe(expected);
  });

  test.each<[string, string[], string]>([
    ['come before aggregates', ['any("x")', holds], '1 when'],
    ['where none holds the aggregate counts', [fails, 'any("x")'], '1 aggregate'],
    ['are put before no judge', [fails, 'ai("b")', 'c'], 'ai? 1=b'],
    ['alone, none of them holding', [fails], 'none'],
  ])('of a parallel movement: %s', (_, conditions, expected) => {
    const input = { rules: rulesOf(...conditions), interactive: false, subs: [sub('x')], judged: {}, read };

    expect(shown(matchParallel(input))).toBe(expected);
  });

  test('without variables nothing but constants holds', () => {
    const input = { interactive: false, output: '', judged: {} };

    expect(shown(matchAgent({ ...input, rules: rulesOf(holds) }))).toBe('none');
    expect(shown(matchAgent({ ...input, rules: rulesOf('when true') }))).toBe('0 when');
    expect(shown(matchParallel({ ...input, subs: [], rules: rulesOf('when not (scope == "x")') }))).toBe('0 when');
  });

  test('a result by expression is compared as it is written', () => {
    const input = { interactive: false, subs: [sub('scope == "plan"')], judged: {} };

    expect(shown(matchParallel({ ...input, rules: rulesOf(`all('scope == "plan"')`) }))).toBe('0 aggregate');
  });
});
