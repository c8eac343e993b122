import { describe, expect, test } from 'vitest';
import { computeScore, coverageScore, type ScoreInput, scoreBand } from '../../../../src/domain/workplan/score.ts';
import type {
  Coverage,
  Defect,
  Examination,
  Feedback,
  Rubric,
  Score,
} from '../../../../src/domain/workplan/score-schema.ts';

function rubric(total: number, feedback: Feedback[] = []): Rubric {
  const each = total / 5;
  return { coverage: each, groundedness: each, specificity: each, feasibility: each, completeness: each, feedback };
}

/** Of ten requirements and ten units so many are covered and traced. */
function coverage(covered: number, traced: number, feedback: Feedback[] = []): Coverage {
  const ten = (yes: number, prefix: string) =>
    Array.from({ length: 10 }, (_, n) => ({ id: `${prefix}${n}`, yes: n < yes }));
  return {
    requirements: ten(covered, 'R').map(({ id, yes }) => ({ id, covered: yes })),
    units: ten(traced, 'U').map(({ id, yes }) => ({ id, traced: yes })),
    feedback,
  };
}

const KNOWN = {
  knownRequirements: coverage(10, 10).requirements.map(({ id }) => id),
  knownUnits: coverage(10, 10).units.map(({ id }) => id),
};
const NONE: Defect = { defect: 'none', confidence: 0.9, explanation: 'Nothing found.', feedback: [] };
const WRONG: Defect = { ...NONE, defect: 'wrong_claim', explanation: 'The file says otherwise.' };

function examination(of: Examination['of'], revised: number | null, changes: Partial<Examination> = {}): Examination {
  return { of, revised, verdict: 'confirmed', resolutionKnown: false, explanation: 'Read again.', ...changes };
}

function score(changes: Partial<ScoreInput>) {
  const result = computeScore({
    rubric: rubric(80),
    coverage: coverage(10, 10),
    falsifier: NONE,
    examinations: [],
    checks: [],
    ...KNOWN,
    ...changes,
  });
  if (!result.ok) throw new Error(`missing: ${result.missing}`);
  return result.score;
}

describe('the value', () => {
  test.each<[string, Partial<ScoreInput>, number]>([
    ['plain mean: (80 + 100) / 2', {}, 90],
    ['halves round up: (75 + 100) / 2 = 87.5', { rubric: rubric(75) }, 88],
    ['fractions of points are not rounded before the mean: (80.6 + 100) / 2 = 90.3', { rubric: rubric(80.6) }, 90],
    ['rounded once: (81 + 100) / 2 = 90.5', { rubric: rubric(81) }, 91],
    ['examined without a change', { examinations: [examination('rubric', 80), examination('coverage', 100)] }, 90],
    // 65 with weight 1/2 and 100 with weight 1: (32.5 + 100) / 1.5 = 88.33
    ['a delta of −15 weighs half', { examinations: [examination('rubric', 65)] }, 88],
    // 95 with weight 1/2 and 100: (47.5 + 100) / 1.5 = 98.33
    ['a delta of +15 weighs half', { examinations: [examination('rubric', 95)] }, 98],
    // 50 with weight 1/3 and 70 with weight 1/3: 60
    [
      'equal deltas: the mean of the revised',
      { examinations: [examination('rubric', 50), examination('coverage', 70)] },
      60,
    ],
    // 20 with weight 1/5 (delta −60) and 85 with weight 1/2 (delta −15): (4 + 42.5) / 0.7 = 66.43
    ['different deltas', { examinations: [examination('rubric', 20), examination('coverage', 85)] }, 66],
    // 0 with weight 1/(1 + 80/15) = 15/95 and 100 with weight 1: 100 / (110/95) = 86.36
    ['revised to nothing', { examinations: [examination('rubric', 0)] }, 86],
    ['a missing examination keeps the first value', { examinations: [examination('coverage', 100)] }, 90],
    ['an examination without a number keeps the first value', { examinations: [examination('rubric', null)] }, 90],
    // The later 80 counts, not 0.
    [
      'of two examinations the later counts',
      { examinations: [examination('rubric', 0), examination('rubric', 80)] },
      90,
    ],
    ['nothing at all', { rubric: rubric(0), coverage: coverage(0, 0) }, 0],
    ['everything', { rubric: rubric(100) }, 100],
  ])('%s', (_name, changes, value) => {
    expect(score(changes).value).toBe(value);
  });
});

describe('a defect', () => {
  test.each<[string, Partial<ScoreInput>, number]>([
    ['none caps nothing', { examinations: [examination('falsifier', null, { verdict: 'confirmed' })] }, 90],
    [
      'refuted caps nothing',
      { falsifier: WRONG, examinations: [examination('falsifier', null, { verdict: 'refuted' })] },
      90,
    ],
    ['confirmed and unresolved caps at 20', { falsifier: WRONG, examinations: [examination('falsifier', null)] }, 20],
    [
      'confirmed with a known resolution caps at 50',
      { falsifier: WRONG, examinations: [examination('falsifier', null, { resolutionKnown: true })] },
      50,
    ],
    [
      'plausible caps at 55',
      { falsifier: WRONG, examinations: [examination('falsifier', null, { verdict: 'plausible' })] },
      55,
    ],
    [
      'plausible with a known resolution caps at 55',
      {
        falsifier: WRONG,
        examinations: [examination('falsifier', null, { verdict: 'plausible', resolutionKnown: true })],
      },
      55,
    ],
    ['not examined caps at 55', { falsifier: WRONG }, 55],
    ['never raises', { falsifier: WRONG, rubric: rubric(10), coverage: coverage(1, 1) }, 10],
  ])('%s', (_name, changes, value) => {
    expect(score(changes).value).toBe(value);
  });
});

describe('a cap', () => {
  const found = (changes: Partial<Examination>) => ({
    falsifier: WRONG,
    examinations: [examination('falsifier', null, changes)],
  });
  test.each<[string, Partial<ScoreInput>, Score['cap']]>([
    ['none', {}, undefined],
    ['unresolved', found({}), { limit: 20, reason: 'unresolved', uncapped: 90 }],
    ['resolvable', found({ resolutionKnown: true }), { limit: 50, reason: 'resolvable', uncapped: 90 }],
    ['plausible', found({ verdict: 'plausible' }), { limit: 55, reason: 'plausible', uncapped: 90 }],
    [
      'a defect of a plan that is worse than its cap',
      { ...found({}), rubric: rubric(10), coverage: coverage(1, 1) },
      undefined,
    ],
  ])('%s is said beside the value', (_name, changes, cap) => {
    expect(score(changes).cap).toEqual(cap);
  });
});

describe('coverage', () => {
  const known = (n: number, prefix: string) => Array.from({ length: n }, (_, index) => `${prefix}${index}`);
  test.each<[string, Coverage, number, number, number]>([
    ['all', coverage(10, 10), 10, 10, 100],
    // recall 0.5, precision 1: 2·0.5/1.5 = 0.6667
    ['half the requirements', coverage(5, 10), 10, 10, 67],
    // recall 0.8, precision 0.4: 0.64/1.2 = 0.5333
    ['both partly', coverage(8, 4), 10, 10, 53],
    ['nothing covered', coverage(0, 10), 10, 10, 0],
    ['nothing traced', coverage(10, 0), 10, 10, 0],
    ['unknown ids are ignored', coverage(10, 10), 5, 5, 100],
    // recall 10/20, precision 1
    ['ids that were not answered are not covered', coverage(10, 10), 20, 10, 67],
    ['units that were not answered are not traced', coverage(10, 10), 10, 20, 67],
    ['no requirements', coverage(0, 10), 0, 10, 0],
  ])('%s', (_name, data, requirements, units, value) => {
    expect(coverageScore(data, known(requirements, 'R'), known(units, 'U'))).toBe(value);
  });

  test('an id twice counts once, and the worse answer stands', () => {
    const data: Coverage = {
      requirements: [
        { id: 'R0', covered: true },
        { id: 'R0', covered: true },
        { id: 'R1', covered: true },
        { id: 'R1', covered: false },
      ],
      units: [{ id: 'U0', traced: true }],
      feedback: [],
    };
    expect(coverageScore(data, ['R0', 'R1'], ['U0'])).toBe(67);
  });
});

test.each([
  [100, 'High'],
  [80, 'High'],
  [79, 'Medium'],
  [40, 'Medium'],
  [39, 'Low'],
  [0, 'Low'],
])('%d is %s', (value, band) => {
  expect(scoreBand(value)).toBe(band);
});

test.each<[string, Partial<ScoreInput>, string[]]>([
  ['the rubric', { rubric: null }, ['rubric']],
  ['the coverage', { coverage: null }, ['coverage']],
  ['the falsifier', { falsifier: null }, ['falsifier']],
  ['all', { rubric: null, coverage: null, falsifier: null }, ['rubric', 'coverage', 'falsifier']],
])('without %s there is no score', (_name, changes, missing) => {
  const result = computeScore({
    rubric: rubric(80),
    coverage: coverage(1, 1),
    falsifier: NONE,
    examinations: [],
    checks: [],
    ...KNOWN,
    ...changes,
  });
  expect(result).toEqual({ ok: false, missing });
});

describe('feedback', () => {
  const say = (text: string, blocking = false): Feedback => ({ text, blocking });

  test('is at most three, blocking first', () => {
    const { feedback } = score({
      rubric: rubric(80, [say('a'), say('b', true)]),
      coverage: coverage(1, 1, [say('c'), say('d', true)]),
    });
    expect(feedback).toEqual([say('b', true), say('d', true), say('a')]);
  });

  test('says nothing twice, and blocking wins', () => {
    const { feedback } = score({
      rubric: rubric(80, [say('Name the file.')]),
      coverage: coverage(1, 1, [say('name  the FILE', true)]),
    });
    expect(feedback).toEqual([say('Name the file.', true)]);
  });

  test('tells a standing defect', () => {
    expect(score({ falsifier: WRONG }).feedback).toEqual([say('The file says otherwise.', true)]);
  });

  test('does not tell a refuted defect', () => {
    expect(
      score({ falsifier: WRONG, examinations: [examination('falsifier', null, { verdict: 'refuted' })] }).feedback,
    ).toEqual([]);
  });
});

test('checks are shown and change nothing', () => {
  const checks = [{ code: 'no_cycle', ok: false, message: 'There is one.' }];
  expect(score({ checks })).toMatchObject({ value: 90, checks });
});
