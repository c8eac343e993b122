import { expect, test } from 'vitest';
import { LANGUAGES } from '../../../../src/domain/workplan/language.ts';
import { sayIn } from '../../../../src/domain/workplan/locale.ts';
import { scoreSection } from '../../../../src/domain/workplan/render-score.ts';
import type { Score } from '../../../../src/domain/workplan/score-schema.ts';

const score: Score = { value: 55, band: 'Medium', feedback: [], checks: [] };
const shown = (cap: Score['cap'], language = 'en') =>
  scoreSection({ score: { ...score, ...(cap ? { cap } : {}) }, scoreStatus: 'EVALUATED' }, sayIn(language)).join('\n');

test.each([
  [20, 'unresolved', 'confirmed, and nobody knows yet how to resolve it'],
  [50, 'resolvable', 'confirmed; how to resolve it is known'],
  [55, 'plausible', 'plausible and was not refuted'],
] as const)('a cap of %d says that the defect is %s', (limit, reason, words) => {
  expect(shown({ limit, reason, uncapped: 88 })).toContain(`Held at ${limit}: a defect`);
  expect(shown({ limit, reason, uncapped: 88 })).toContain(words);
  expect(shown({ limit, reason, uncapped: 88 })).toContain('would be 88.');
});

test.each(LANGUAGES)('the cap is said in %s', (language) => {
  expect(shown({ limit: 20, reason: 'unresolved', uncapped: 88 }, language)).toMatch(/20[\s\S]*88/);
});

test('without a cap nothing is said of one', () => {
  expect(shown(undefined)).not.toContain('Held');
});
