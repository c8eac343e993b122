import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRateBreaker } from '../../../src/adapters/postgres/breaker.ts';
import type { RateBreaker } from '../../../src/ports/breaker.ts';
import { createMemoryBreaker } from '../../helpers/fakes/breaker.ts';
import { createFakeClock } from '../../helpers/fakes/clock.ts';
import { databases } from './databases.ts';
import { newItem } from './samples.ts';

interface Subject {
  breaker: RateBreaker;
  /** Lets a minute pass. */
  minute(): Promise<void>;
  close(): Promise<void>;
}

const inMemory = {
  name: 'the fake',
  async open(): Promise<Subject> {
    const clock = createFakeClock();
    return {
      breaker: createMemoryBreaker(clock),
      minute: async () => clock.advance(61_000),
      close: async () => undefined,
    };
  },
};
const stored = databases.map(({ name, open }) => ({
  name,
  async open(): Promise<Subject> {
    const { db, close } = await open();
    return {
      breaker: createRateBreaker(db),
      async minute() {
        await db.execute(`update action_rates set told_at = told_at - interval '61 seconds', hits = (
          select jsonb_agg(h.value || jsonb_build_object('t', (h.value ->> 't')::timestamptz - interval '61 seconds'))
          from jsonb_array_elements(hits) h)`);
      },
      close,
    };
  },
}));

describe.each([inMemory, ...stored])('the rate breaker of $name', ({ open }) => {
  let subject: Subject;
  let item: number;

  beforeAll(async () => {
    subject = await open();
  });
  afterAll(() => subject.close());

  const hit = (key: string, change = {}) =>
    subject.breaker.hit({ itemGlobalId: item, personId: 11, key, limit: 2, ...change });

  test('lets so many through in a minute, and tells of the first that is too much', async () => {
    item = newItem().globalId;

    const verdicts = [];
    for (const key of ['a', 'b', 'c', 'd']) verdicts.push(await hit(key));

    expect(verdicts).toEqual([
      { allowed: true, tell: false },
      { allowed: true, tell: false },
      { allowed: false, tell: true },
      { allowed: false, tell: false },
    ]);
  });

  test('answers the same action the same again', async () => {
    item = newItem().globalId;
    for (const key of ['a', 'b', 'c']) await hit(key);

    expect(await hit('a')).toEqual({ allowed: true, tell: false });
    expect(await hit('c')).toEqual({ allowed: false, tell: true });
    expect((await hit('d')).allowed).toBe(false);
  });

  test('a minute later all is as before, and it tells anew', async () => {
    item = newItem().globalId;
    for (const key of ['a', 'b', 'c']) await hit(key);

    await subject.minute();

    const verdicts = [];
    for (const key of ['e', 'f', 'g']) verdicts.push(await hit(key));
    expect(verdicts.map(({ allowed, tell }) => `${allowed} ${tell}`)).toEqual([
      'true false',
      'true false',
      'false true',
    ]);
  });

  test('what is too much does not make the wait longer', async () => {
    item = newItem().globalId;
    for (const key of ['a', 'b', 'c', 'd', 'e']) await hit(key);

    await subject.minute();

    expect((await hit('f')).allowed).toBe(true);
  });

  test('counts each person and item apart', async () => {
    item = newItem().globalId;
    for (const key of ['a', 'b', 'c']) await hit(key);

    expect((await hit('c', { personId: 12 })).allowed).toBe(true);
    expect((await hit('c', { itemGlobalId: newItem().globalId })).allowed).toBe(true);
  });

  test('at one moment not one too many is let through', async () => {
    item = newItem().globalId;

    const verdicts = await Promise.all(Array.from({ length: 20 }, (_, index) => hit(`k${index}`)));

    expect(verdicts.filter((verdict) => verdict.allowed)).toHaveLength(2);
    expect(verdicts.filter((verdict) => verdict.tell)).toHaveLength(1);
  });
});

test.each(databases)('rows that nobody touched for a day go: $name', async ({ open }) => {
  const { db, close } = await open();
  const breaker = createRateBreaker(db);
  await breaker.hit({ itemGlobalId: 1, personId: 1, key: 'a', limit: 1 });
  await breaker.hit({ itemGlobalId: 2, personId: 1, key: 'a', limit: 1 });
  await db.execute("update action_rates set touched_at = now() - interval '25 hours' where item_global_id = 1");

  await breaker.hit({ itemGlobalId: 3, personId: 1, key: 'a', limit: 1 });

  const rows = await db.execute<{ item: number }>('select item_global_id as item from action_rates order by 1');
  expect(rows.map((row) => row.item)).toEqual([2, 3]);
  await close();
});
