import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createWordTable } from '../../../../src/adapters/repository/word-table.ts';
import { wordsOf } from '../../../../src/adapters/repository/words.ts';

function scanned(texts: readonly string[]): { found: string[]; learned: string[]; counts: number[] } {
  const learned: string[] = [];
  const found: string[] = [];
  const table = createWordTable((word) => {
    learned.push(word);
    return word;
  });
  const counts = texts.map((text) => table.scan(text, (word) => found.push(word)));
  return { found, learned, counts };
}

const pieces = fc.constantFrom(
  'order',
  'Total',
  '_x',
  '$a',
  'i',
  ' ',
  '\n',
  '.',
  '12',
  '345678901234',
  'é',
  'ö',
  '注文',
  'ー',
  '🙂',
  '-',
  'ab1',
);

test('the words are those of the pattern but single letters, each learned once', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.array(pieces, { maxLength: 30 }).map((all) => all.join('')),
        { maxLength: 4 },
      ),
      (texts) => {
        const expected = texts
          .flatMap(wordsOf)
          .filter((word) => word.length > 1 || /[^A-Za-z_$\u00c0-\u024f]/.test(word));

        const { found, learned, counts } = scanned(texts);

        expect(found).toEqual(expected);
        expect(learned.toSorted()).toEqual([...new Set(expected)].toSorted());
        expect(counts.reduce((sum, one) => sum + one, 0)).toBe(expected.length);
      },
    ),
    { numRuns: 300 },
  );
});

test('very many words are told apart', () => {
  const many = Array.from({ length: 100_000 }, (_, number) => `word${number}`);

  const { found, learned } = scanned([many.join(' '), many.toReversed().join(' ')]);

  expect(learned).toHaveLength(many.length);
  expect(found.slice(0, many.length)).toEqual(many);
});
