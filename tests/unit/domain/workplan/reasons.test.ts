import { describe, expect, test } from 'vitest';
import type { RefusalCode } from '../../../../src/app/actions/types.ts';
import { LANGUAGES } from '../../../../src/domain/workplan/language.ts';
import { REASON_CODES, type ReasonCode } from '../../../../src/domain/workplan/locales/reasons/codes.ts';
import { reasonText } from '../../../../src/domain/workplan/locales/reasons.ts';

/** Fails to compile when a refusal is added that no language has a text for. */
const refusals: readonly ReasonCode[] = [] as RefusalCode[];

const others = LANGUAGES.filter((language) => language !== 'en');

describe.each(others)('in %s', (language) => {
  test.each(REASON_CODES)('%s has a text of its own', (code) => {
    const { text } = reasonText(language, code, 'An English sentence.');

    expect(text).not.toBe('');
    expect(text).not.toContain('English sentence');
  });

  test('no two codes say the same', () => {
    const texts = REASON_CODES.map((code) => reasonText(language, code, '').text);

    expect(new Set(texts).size).toBe(REASON_CODES.length);
  });
});

test('what the English sentence says besides stands beside the text', () => {
  expect(reasonText('de', 'forbidden', 'plan needs one of the roles Owner.')).toEqual({
    text: 'Dazu fehlt die Berechtigung.',
    detail: 'plan needs one of the roles Owner.',
  });
});

test('in English the sentence is the text', () => {
  expect(reasonText('en', 'forbidden', 'plan needs one of the roles Owner.')).toEqual({
    text: 'plan needs one of the roles Owner.',
    detail: '',
  });
});

test('a code that no table knows is told by its sentence', () => {
  expect(reasonText('fr', 'something_new', 'It is new.')).toEqual({ text: 'It is new.', detail: '' });
  expect(reasonText('fr', 'constructor', 'It is odd.').text).toBe('It is odd.');
  expect(refusals).toEqual([]);
});
