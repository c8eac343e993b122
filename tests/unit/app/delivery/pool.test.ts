import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Pool, workPool } from '../../../../src/app/delivery/pool.ts';
import { startLoop } from '../../../../src/app/loop.ts';
import { createFakeClock } from '../../../helpers/fakes/clock.ts';
import { createMemoryLog } from '../../../helpers/fakes/log.ts';

const never = new AbortController().signal;

/** A store of words; each that is begun ends when the test says so. */
function words(...first: string[]) {
  const waiting = [...first];
  const begun: string[] = [];
  const asked: number[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const place = (word: string) => {
    const known = ends.get(word) ?? Promise.withResolvers<void>();
    ends.set(word, known);
    return known;
  };
  const begins = new Map<string, PromiseWithResolvers<void>>();
  const beginning = (word: string) => {
    const known = begins.get(word) ?? Promise.withResolvers<void>();
    begins.set(word, known);
    return known;
  };
  const failures: unknown[] = [];
  const clock = createFakeClock();
  const extended: string[][] = [];
  const pool: Pool<string> = {
    limit: 2,
    take: async (limit) => {
      asked.push(limit);
      return waiting.splice(0, limit);
    },
    work: (word) => {
      begun.push(word);
      beginning(word).resolve();
      return place(word).promise;
    },
    failed: (error) => void failures.push(error),
    draining: never,
    hold: { holdMs: 900, clock, extend: async (atWork) => void extended.push(atWork) },
  };
  return {
    pool,
    waiting,
    begun,
    asked,
    failures,
    clock,
    extended,
    end: (word: string) => place(word),
    untilBegun: (w: string) => beginning(w).promise,
  };
}

describe('a pool', () => {
  test('holds what is slow anew, a third of the hold apart, until it has ended', async () => {
    const { pool, clock, extended, end, untilBegun } = words('slow', 'quick');
    const working = workPool(pool);
    await Promise.all([untilBegun('slow'), untilBegun('quick')]);
    await clock.untilWaiting(300);
    clock.advance(300);
    await clock.untilWaiting(300);
    end('quick').resolve();
    await setImmediate();
    clock.advance(300);
    await clock.untilWaiting(300);
    end('slow').resolve();

    await working;

    expect(extended).toEqual([['slow', 'quick'], ['slow']]);
  });

  test('takes the next as soon as one place is free, whatever the others take', async () => {
    const { pool, end, untilBegun, begun } = words('slow', 'a', 'b', 'c');
    const working = workPool(pool);

    for (const word of ['a', 'b', 'c']) {
      await untilBegun(word);
      end(word).resolve();
    }
    end('slow').resolve();

    expect(await working).toBe(4);
    expect(begun).toEqual(['slow', 'a', 'b', 'c']);
  });

  test('never takes more than there are places', async () => {
    const { pool, end, untilBegun, asked } = words('a', 'b', 'c');
    const working = workPool(pool);
    await untilBegun('b');
    end('a').resolve();
    await untilBegun('c');
    end('b').resolve();
    end('c').resolve();
    await working;

    expect(asked[0]).toBe(2);
    expect(asked[1]).toBe(1);
  });

  test('takes what came while something is at work, when it is woken', async () => {
    const { pool, end, untilBegun, waiting } = words('stuck');
    const woken = Promise.withResolvers<void>();
    const working = workPool({ ...pool, woken: () => woken.promise });
    await untilBegun('stuck');

    waiting.push('another');
    woken.resolve();
    await untilBegun('another');
    end('another').resolve();
    end('stuck').resolve();

    expect(await working).toBe(2);
  });

  test('drained, it takes nothing more and ends with what is at work', async () => {
    const { pool, end, untilBegun, begun } = words('a', 'b', 'c');
    const draining = new AbortController();
    const working = workPool({ ...pool, draining: draining.signal });
    await untilBegun('b');
    draining.abort();
    end('a').resolve();
    end('b').resolve();

    expect(await working).toBe(2);
    expect(begun).toEqual(['a', 'b']);
  });

  test('what fails beside others is told, and they go on', async () => {
    const { pool, end, untilBegun, failures } = words('bad', 'good', 'next');
    const working = workPool(pool);
    await untilBegun('good');
    end('bad').reject(new Error('away'));
    await untilBegun('next');
    end('next').resolve();
    end('good').resolve();

    expect(await working).toBe(3);
    expect(failures.map(String)).toEqual(['Error: away']);
  });

  test('what fails alone is thrown', async () => {
    const { pool } = words();
    const take = async () => Promise.reject(new Error('the store is away'));

    await expect(workPool({ ...pool, take })).rejects.toThrow('the store is away');
  });
});

describe('a pool in a loop', () => {
  test('a wake reaches it although something never ends', async () => {
    const { pool, untilBegun, waiting, end } = words('stuck');
    const loop = startLoop({
      name: 'sample',
      idleMs: 1000,
      clock: createFakeClock(),
      log: createMemoryLog(),
      work: (_signal, draining, woken) => workPool({ ...pool, draining, woken }),
    });
    await untilBegun('stuck');

    waiting.push('another');
    loop.wake();
    await untilBegun('another');

    end('another').resolve();
    end('stuck').resolve();
    await loop.stop();
  });

  test('looks by itself now and then although something never ends', async () => {
    const { pool, untilBegun, waiting, end } = words('stuck');
    const clock = createFakeClock();
    const loop = startLoop({
      name: 'sample',
      idleMs: 1000,
      clock,
      log: createMemoryLog(),
      work: (_signal, draining, woken) => workPool({ ...pool, draining, woken }),
    });
    await clock.untilWaiting(1000);

    waiting.push('another');
    clock.advance(1000);
    await untilBegun('another');

    end('another').resolve();
    end('stuck').resolve();
    await loop.stop();
  });
});
