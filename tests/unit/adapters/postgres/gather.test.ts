import { expect, test } from 'vitest';
import { StatementRefused } from '../../../../src/adapters/postgres/errors.ts';
import { createGather } from '../../../../src/adapters/postgres/gather.ts';
import { TransientFailure } from '../../../../src/ports/failures.ts';

/** A gather of words by their first letter; the test answers each flush. */
function gatherWords(flush: (words: string[]) => Promise<string[]>, max = 10, beside?: number) {
  const batches: string[][] = [];
  const gather = createGather<string, string>({
    keyOf: (word) => word.charAt(0),
    flush: (words) => {
      batches.push(words);
      return flush(words);
    },
    max,
    ...(beside === undefined ? {} : { beside }),
  });
  return { gather, batches };
}

const upper = async (words: string[]) => words.map((word) => word.toUpperCase());

test('what is asked for at one moment leaves together, sorted, and each learns its own outcome', async () => {
  const { gather, batches } = gatherWords(upper);

  const outcomes = await Promise.all(['pear', 'apple', 'fig'].map(gather));

  expect(batches).toEqual([['apple', 'fig', 'pear']]);
  expect(outcomes).toEqual(['PEAR', 'APPLE', 'FIG']);
});

test('a batch holds at most one item of a key, and the later ones keep their order', async () => {
  const { gather, batches } = gatherWords(upper);

  await Promise.all(['a1', 'a2', 'b1', 'a3'].map(gather));

  expect(batches).toEqual([['a1', 'b1'], ['a2'], ['a3']]);
});

test('a batch holds at most the maximum', async () => {
  const { gather, batches } = gatherWords(upper, 2);

  await Promise.all(['a', 'b', 'c'].map(gather));

  expect(batches).toEqual([['a', 'b'], ['c']]);
});

test('the next batch leaves when the last one returned', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { gather, batches } = gatherWords(async (words) => {
    await promise;
    return upper(words);
  });
  const first = gather('a');
  await Promise.resolve();
  const later = [gather('b'), gather('c')];
  const meanwhile = [...batches];

  resolve();
  await Promise.all([first, ...later]);

  expect(meanwhile).toEqual([['a']]);
  expect(batches).toEqual([['a'], ['b', 'c']]);
});

test('a refused batch is repeated one by one, and only the bad item fails', async () => {
  const { gather, batches } = gatherWords(async (words) => {
    if (words.includes('bad')) throw new StatementRefused('store_refused', 'refused', '23505', null);
    return upper(words);
  });

  const settled = await Promise.allSettled(['a', 'bad', 'c'].map(gather));

  expect(batches).toEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']]);
  expect(settled.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('after a lost connection the batch fails without a repeat, and the next one is tried', async () => {
  let away = true;
  const { gather, batches } = gatherWords(async (words) => {
    if (away) throw new TransientFailure('store_unavailable', 'away');
    return upper(words);
  });
  const lost = await Promise.allSettled([gather('a'), gather('b')]);
  away = false;

  const found = await gather('a');

  expect(lost.map((result) => result.status)).toEqual(['rejected', 'rejected']);
  expect(found).toBe('A');
  expect(batches).toEqual([['a', 'b'], ['a']]);
});

test('beside a batch another leaves as soon as enough wait, but never with the same key', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { gather, batches } = gatherWords(
    async (words) => {
      await promise;
      return upper(words);
    },
    10,
    2,
  );
  const asked = [gather('a1')];
  await Promise.resolve();
  asked.push(gather('b1'));
  await Promise.resolve();
  const few = [...batches];
  asked.push(gather('a2'), gather('c1'));
  await Promise.resolve();
  asked.push(gather('d1'), gather('e1'));
  await Promise.resolve();
  const enough = [...batches];

  resolve();
  const outcomes = await Promise.all(asked);

  expect(few).toEqual([['a1']]);
  expect(enough).toEqual([['a1'], ['b1', 'c1']]);
  expect(batches.flat().toSorted()).toEqual(['a1', 'a2', 'b1', 'c1', 'd1', 'e1']);
  expect(outcomes).toEqual(['A1', 'B1', 'A2', 'C1', 'D1', 'E1']);
});

test('what is asked for at one moment leaves in two halves where each makes a batch', async () => {
  const { gather, batches } = gatherWords(upper, 10, 2);

  const outcomes = await Promise.all(['d', 'b', 'a', 'c'].map(gather));

  expect(batches).toEqual([
    ['b', 'd'],
    ['a', 'c'],
  ]);
  expect(outcomes).toEqual(['D', 'B', 'A', 'C']);
});

test('what is done to an item while it waits counts: it is prepared once, when its batch leaves', async () => {
  const batches: string[][] = [];
  const prepared: string[] = [];
  const gather = createGather<{ word: string }, string, string>({
    keyOf: ({ word }) => word.charAt(0),
    prepare({ word }) {
      prepared.push(word);
      if (word === 'bad') throw new Error('cannot be written');
      return word;
    },
    flush: async (words) => {
      batches.push(words);
      if (words.includes('refused')) throw new StatementRefused('store_refused', 'refused', '23505', null);
      return upper(words);
    },
    max: 10,
    afterTurn: true,
  });
  const item = { word: 'a' };
  const settled = Promise.allSettled([gather(item), gather({ word: 'bad' }), gather({ word: 'refused' })]);
  await Promise.resolve();

  item.word = 'apple';

  expect((await settled).map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(batches).toEqual([['apple', 'refused'], ['apple'], ['refused']]);
  expect(prepared).toEqual(['apple', 'bad', 'refused']);
});
