import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../../src/domain/workplan/language.ts';
import { sayIn } from '../../../../src/domain/workplan/locale.ts';
import { en, type TextKey } from '../../../../src/domain/workplan/locales/en.ts';

const KEYS = Object.keys(en) as TextKey[];
const parts = (text: string, pattern: RegExp) => (text.match(pattern) ?? []).toSorted();

describe.each(LANGUAGES)('%s', (language) => {
  const say = sayIn(language);

  test.each(KEYS)('%s has the same placeholders and commands as in English', (key) => {
    expect(parts(say(key), /\{\w+\}/g)).toEqual(parts(en[key], /\{\w+\}/g));
    expect(parts(say(key), /`\/workplan \w+`/g)).toEqual(parts(en[key], /`\/workplan \w+`/g));
  });

  test('has headings of its own', () => {
    expect(say('assumptions') === en.assumptions).toBe(language === 'en');
  });
});

test.each([
  ['pt-BR', 'Riscos'],
  ['JA', 'リスク'],
  ['zh_CN', '风险'],
  ['nl', 'Risks'],
  ['', 'Risks'],
])('the tag %j is understood', (tag, risks) => {
  expect(sayIn(tag)('risks')).toBe(risks);
});

test('what is filled in is not filled again', () => {
  expect(sayIn('en')('providedBy', { provider: '{provider} $& {n}' })).toBe('Provider: {provider} $& {n}');
});
