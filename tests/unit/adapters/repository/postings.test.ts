import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBytePool } from '../../../../src/adapters/repository/pool.ts';
import {
  createPostings,
  IN_DEFINITIONS,
  IN_FOLDERS,
  IN_NAME,
  readPostings,
} from '../../../../src/adapters/repository/postings.ts';

function index(files: readonly { path: string; names?: string[]; text: string }[]): Map<string, number[][]> {
  const found = new Map<string, number[][]>();
  const postings = createPostings((term, _segment, files, data) => {
    const read: number[][] = [];
    readPostings(data, (...one) => read.push(one));
    expect(read).toHaveLength(files);
    found.set(term, read);
  });
  files.forEach(({ path, names = [], text }, place) => {
    postings.add(place + 1, path, names, text);
  });
  postings.end();
  return found;
}

test('a term has its files with the count and where else it stands', () => {
  const found = index([
    { path: 'src/order-list.ts', names: ['listOrders'], text: 'listOrders() and an order' },
    { path: 'other.md', text: 'nothing' },
    { path: 'order/total.ts', text: 'total' },
  ]);

  expect(found.get('order')).toEqual([
    [1, 2, IN_NAME | IN_DEFINITIONS],
    [3, 0, IN_FOLDERS],
  ]);
  expect(found.get('=listorders')).toEqual([[1, 1, IN_DEFINITIONS]]);
  expect(found.get('=orderlist')).toEqual([[1, 0, IN_NAME]]);
});

test('many files and large counts are read as they were written', () => {
  const files = Array.from({ length: 3000 }, (_, place) => ({
    path: `${place}.txt`,
    text: place % 7 === 0 ? 'zeppelin '.repeat(1 + (place % 400)) : 'hangar',
  }));

  const read = index(files).get('zeppelin') ?? [];

  expect(read.map(([file]) => file)).toEqual(files.flatMap((_, place) => (place % 7 === 0 ? [place + 1] : [])));
  expect(read.map(([, count]) => count)).toEqual(
    files.flatMap((_, place) => (place % 7 === 0 ? [Math.min(255, 1 + (place % 400))] : [])),
  );
});

test('lists in one pool keep apart, whatever is appended in whatever order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat({ max: 6000 }), fc.nat({ max: 2 ** 28 })), { maxLength: 400 }),
      fc.nat({ max: 3000 }),
      (appends, more) => {
        const pool = createBytePool();
        const expected = new Map<number, number[]>();
        const all = [...appends, ...Array.from({ length: more }, (_, one) => [5, one] as const)];
        for (const [list, value] of all) {
          pool.append(list, value);
          const bytes = expected.get(list) ?? [];
          let rest = value;
          for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
          bytes.push(rest);
          expected.set(list, bytes);
        }
        for (const [list, bytes] of expected) expect([...pool.read(list)]).toEqual(bytes);
        pool.clear();
        expect(pool.read(5)).toHaveLength(0);
      },
    ),
    { numRuns: 40 },
  );
});
