import { expect, test } from 'vitest';
import { findLimits, findLines } from '../../../../src/adapters/repository/find.ts';

const texts = [{ path: 'a.txt', text: `${'a'.repeat(40)}!\nsecond line\r\nthird` }];

test('an expression that would never end is ended and told', async () => {
  const found = findLines(texts, { pattern: '^(a+)+$', regexp: true, limit: 5 }, { ...findLimits, regexpMs: 300 });

  await expect(found).rejects.toMatchObject({ code: 'pattern_too_slow', message: expect.stringContaining('simpler') });
});

test('portions of the text are looked at one after the other', async () => {
  const many = Array.from({ length: 20 }, (_, index) => ({ path: `${index}.txt`, text: `line ${index}\n` }));

  const { hits, more } = await findLines(
    many,
    { pattern: 'line \\d', regexp: true, limit: 15 },
    { ...findLimits, portion: 10 },
  );

  expect(hits.map(({ path }) => path)).toEqual(many.slice(0, 15).map(({ path }) => path));
  expect(more).toBe(true);
});

test('a line is shown without its carriage return', async () => {
  const { hits } = await findLines(texts, { pattern: 'SECOND', regexp: false, ignoreCase: true, limit: 5 });

  expect(hits).toEqual([{ path: 'a.txt', line: 2, text: 'second line' }]);
});
