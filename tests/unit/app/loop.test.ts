import { describe, expect, test } from 'vitest';
import { type LoopOptions, startLoop } from '../../../src/app/loop.ts';
import { createFakeClock } from '../../helpers/fakes/clock.ts';
import { createMemoryLog } from '../../helpers/fakes/log.ts';

/** A loop whose rounds are counted; `round(n)` resolves when the n-th began. */
function looping(change: Partial<LoopOptions> = {}) {
  const clock = createFakeClock();
  const log = createMemoryLog();
  const rounds: PromiseWithResolvers<AbortSignal>[] = [];
  let begun = 0;
  const place = (index: number): PromiseWithResolvers<AbortSignal> => {
    const known = rounds[index] ?? Promise.withResolvers<AbortSignal>();
    rounds[index] = known;
    return known;
  };
  const { work, ...rest } = change;
  const loop = startLoop({
    name: 'sample',
    idleMs: 1000,
    clock,
    log,
    ...rest,
    work: async (signal, draining, woken) => {
      place(begun).resolve(signal);
      begun += 1;
      await work?.(signal, draining, woken);
    },
  });
  return { clock, log, loop, begun: () => begun, round: (number: number) => place(number - 1).promise };
}

describe('a loop', () => {
  test('works at once, then when its idle time is over', async () => {
    const { clock, loop, round, begun } = looping();
    await round(1);

    await clock.untilWaiting(1000);
    clock.advance(1000);
    await round(2);

    expect(begun()).toBe(2);
    await loop.stop();
  });

  test('works when something is due before', async () => {
    const { clock, loop, round } = looping({ nextInMs: async () => 300 });
    await round(1);

    await clock.untilWaiting(300);
    clock.advance(300);
    await round(2);

    await loop.stop();
  });

  test.each([
    ['due long ago', async () => -5, 20],
    ['due later than its idle time', async () => 99_999, 1000],
    ['due nobody knows when', async () => null, 1000],
    ['asked of a store that is away', () => Promise.reject(new Error('away')), 1000],
  ])('%s: it waits %i', async (_name, nextInMs, expected) => {
    const { clock, loop, round } = looping({ nextInMs });
    await round(1);

    await clock.untilWaiting(expected);

    expect(clock.waits).toEqual([expected]);
    await loop.stop();
  });

  test('works when it is woken, also during the work at hand', async () => {
    const hold = Promise.withResolvers<void>();
    let first = true;
    const { loop, round } = looping({
      work: async () => {
        if (first) await hold.promise;
        first = false;
      },
    });
    await round(1);

    loop.wake();
    hold.resolve();

    await round(2);
    await loop.stop();
  });

  test('goes on after work that failed', async () => {
    let failed = false;
    const { clock, log, loop, round } = looping({
      work: async () => {
        if (failed) return;
        failed = true;
        throw new Error('once');
      },
    });
    await clock.untilWaiting(1000);
    clock.advance(1000);

    await round(2);

    expect(log.lines).toMatchObject([{ level: 'warn', data: { loop: 'sample' } }]);
    await loop.stop();
  });

  test('stops after the work at hand was aborted, and works no more', async () => {
    const hold = Promise.withResolvers<void>();
    const { loop, round, begun } = looping({ work: () => hold.promise });
    const signal = await round(1);

    const stopped = loop.stop();
    expect(signal.aborted).toBe(true);
    hold.resolve();
    await stopped;
    loop.wake();

    expect(begun()).toBe(1);
  });

  test('lets the work at hand end within the grace time, and tells it to begin nothing new', async () => {
    const hold = Promise.withResolvers<void>();
    const told: AbortSignal[] = [];
    const { loop, round } = looping({
      work: (_signal, draining) => {
        told.push(draining);
        return hold.promise;
      },
    });
    const signal = await round(1);

    const stopped = loop.stop(5000);
    expect([signal.aborted, told[0]?.aborted]).toEqual([false, true]);
    hold.resolve();
    await stopped;
  });

  test('aborts the work at hand when the grace time is over', async () => {
    const hold = Promise.withResolvers<void>();
    const { clock, loop, round } = looping({ work: () => hold.promise });
    const signal = await round(1);

    const stopped = loop.stop(5000);
    await clock.untilWaiting(5000);
    clock.advance(5000);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    hold.resolve();

    await expect(stopped).resolves.toBeUndefined();
  });
});
