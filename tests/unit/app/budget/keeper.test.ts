import { describe, expect, test } from 'vitest';
import { BudgetSpent, createBudgets } from '../../../../src/app/budget/keeper.ts';
import { loadPiece } from '../../../../src/domain/piece/load.ts';
import { leastOf, type RunBudget, UNLIMITED } from '../../../../src/domain/run/budget.ts';
import { fold } from '../../../../src/domain/run/fold.ts';
import { PermanentFailure } from '../../../../src/ports/failures.ts';
import type { ModelFacts } from '../../../../src/ports/model.ts';
import type { ModelUsageSum } from '../../../../src/ports/usage.ts';
import { createFakeClock } from '../../../helpers/fakes/clock.ts';
import { createMemoryRunStore } from '../../../helpers/fakes/run-store.ts';
import { planningPiece, startRun } from '../setup.ts';

const NONE = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0 };

function sum(more: Partial<ModelUsageSum> = {}): ModelUsageSum {
  return {
    model: 'a:m',
    inputTokens: 0,
    outputTokens: 0,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    money: 0,
    unpriced: NONE,
    ms: 0,
    ...more,
  };
}

const usage = { inputTokens: 100, outputTokens: 10, estimated: false };

interface Stored {
  run?: ModelUsageSum[];
  day?: ModelUsageSum[];
  price?: ModelFacts['price'];
  budget?: Partial<RunBudget>;
  text?: string;
}

async function scene({ run = [], day = [], price = null, budget = {}, text = planningPiece.text }: Stored = {}) {
  const clock = createFakeClock();
  const reads: string[] = [];
  const store = {
    ofRun: async () => {
      reads.push('run');
      return run;
    },
    ofProject: async (_id: number, since: string) => {
      reads.push(since);
      return day;
    },
  };
  const model = { about: () => ({ contextTokens: null, price }) };
  const claimed = await startRun(createMemoryRunStore(clock));
  const full = { run: UNLIMITED, day: UNLIMITED, ...budget };
  const { piece } = loadPiece({ ...planningPiece, text });
  if (!piece) throw new Error('bad piece');
  const context = {
    run: { ...claimed, settings: { ...claimed.settings, budget: full } },
    state: fold(claimed.row.id, claimed.events),
    piece,
  };
  const budgets = createBudgets({ usage: store, model, clock, currency: 'EUR' });
  return {
    budgets,
    clock,
    reads,
    open: (limits?: { tokens?: number; money?: number }) => budgets.open(context, limits),
  };
}

async function reachedBy(work: Promise<void>) {
  const error = await work.then(
    () => null,
    (cause: unknown) => cause,
  );
  if (error instanceof BudgetSpent) return error.reached;
  throw error ?? new Error('there was budget');
}

const limit = (more: Partial<RunBudget['run']>) => leastOf({ ...UNLIMITED, ...more });

describe('a budget of tokens', () => {
  test('counts what was stored before, and every call since', async () => {
    const { open } = await scene({
      run: [sum({ inputTokens: 500, outputTokens: 300 })],
      budget: { run: limit({ tokens: 1000 }) },
    });
    const meter = open();

    await meter.before('a:m', 100);
    meter.after('a:m', usage, 1);

    expect(await reachedBy(meter.before('a:m', 91))).toEqual({
      scope: 'run',
      what: 'tokens',
      used: 910,
      limit: 1000,
      next: 91,
    });
  });

  test('is reached before a call that would go beyond it: nothing is spent on what cannot end', async () => {
    const { open } = await scene({ budget: { run: limit({ tokens: 1000 }) } });

    expect(await reachedBy(open().before('a:m', 1001))).toMatchObject({ used: 0, limit: 1000 });
  });

  test('is one for all effects of the run', async () => {
    const { open } = await scene({ budget: { run: limit({ tokens: 200 }) } });
    const [one, other] = [open(), open()];

    await one.before('a:m', 10);
    one.after('a:m', usage, 1);

    expect(await reachedBy(other.before('a:m', 100))).toMatchObject({ used: 110 });
  });

  test('of the piece counts too, the lower one', async () => {
    const text = planningPiece.text.replace('max_iterations: 8', 'max_iterations: 8\nbudget: {tokens: 50}');
    const { open } = await scene({ text, budget: { run: limit({ tokens: 1000 }) } });

    expect(await reachedBy(open().before('a:m', 60))).toMatchObject({ limit: 50 });
  });

  test('of a movement is a failure of that movement', async () => {
    const { open } = await scene();
    const meter = open({ tokens: 100 });
    await meter.before('a:m', 10);
    meter.after('a:m', usage, 1);

    await expect(meter.before('a:m', 1)).rejects.toMatchObject({ name: 'PermanentFailure', code: 'budget_exceeded' });
  });
});

describe('a budget of a project’s day', () => {
  test('counts all runs of the day (UTC), and what is at work here', async () => {
    const { open, reads } = await scene({ day: [sum({ inputTokens: 900 })], budget: { day: limit({ tokens: 1100 }) } });
    const [one, other] = [open(), open()];
    await one.before('a:m', 10);
    one.after('a:m', usage, 1);

    expect(await reachedBy(other.before('a:m', 100))).toEqual({
      scope: 'day',
      what: 'tokens',
      used: 1010,
      limit: 1100,
      next: 100,
    });
    expect(reads).toEqual(['2026-01-05T00:00:00.000Z']);
  });

  test('is looked at again after a while, and anew the next day', async () => {
    const { open, reads, clock } = await scene({ budget: { day: limit({ tokens: 1100 }) } });
    const meter = open();

    await meter.before('a:m', 10);
    clock.advance(6000);
    await meter.before('a:m', 10);
    clock.advance(24 * 3_600_000);
    await meter.before('a:m', 10);

    expect(reads).toEqual(['2026-01-05T00:00:00.000Z', '2026-01-05T00:00:00.000Z', '2026-01-06T00:00:00.000Z']);
  });

  test('of time is the time of its model calls', async () => {
    const { open } = await scene({ day: [sum({ ms: 60_000 })], budget: { day: limit({ wallTimeMs: 60_000 }) } });

    expect(await reachedBy(open().before('a:m', 1))).toEqual({
      scope: 'day',
      what: 'wall_time',
      used: 60_000,
      limit: 60_000,
    });
  });
});

test('a budget of a run’s time is the time it was at work', async () => {
  const { open, clock } = await scene({ budget: { run: limit({ wallTimeMs: 60_000 }) } });
  const meter = open();
  await meter.before('a:m', 1);
  clock.advance(60_000);

  expect(await reachedBy(meter.before('a:m', 1))).toMatchObject({ scope: 'run', what: 'wall_time', limit: 60_000 });
});

describe('money', () => {
  const price = { input: 10, output: 100, cached: 1, cacheWrite: 20 };

  test('is counted by kind of token', async () => {
    const { open } = await scene({ price });
    const meter = open();

    meter.after(
      'a:m',
      {
        inputTokens: 1_000_000,
        cachedTokens: 600_000,
        cacheWriteTokens: 100_000,
        outputTokens: 10_000,
        estimated: false,
      },
      5,
    );

    // 0.3 × 10 + 0.6 × 1 + 0.1 × 20 + 0.01 × 100
    expect(meter.rows('e')[0]?.money).toBeCloseTo(6.6);
  });

  test('that is limited stops the call, in the operator’s currency', async () => {
    const { open } = await scene({
      price,
      run: [sum({ inputTokens: 1, money: 2 })],
      budget: { run: limit({ money: 2 }) },
    });

    expect(await reachedBy(open().before('a:m', 1))).toEqual({
      scope: 'run',
      what: 'money',
      used: 2,
      limit: 2,
      next: 0.00001,
      currency: 'EUR',
    });
  });

  test('whose price is not known is never zero: it is not counted, and a limit refuses the call', async () => {
    const free = await scene();
    const meter = free.open();
    meter.after('a:m', usage, 1);
    const limited = await scene({ budget: { day: limit({ money: 5 }) } });

    expect(meter.rows('e')).toMatchObject([{ money: null, inputTokens: 100 }]);
    await expect(limited.open().before('a:m', 1)).rejects.toBeInstanceOf(PermanentFailure);
    await expect(limited.open().before('a:m', 1)).rejects.toMatchObject({ code: 'price_unknown' });
  });

  test('of calls whose price was not known then counts by what it is now', async () => {
    const unpriced = { ...NONE, inputTokens: 1_000_000 };
    const { open } = await scene({
      price,
      run: [sum({ inputTokens: 1_000_000, unpriced })],
      budget: { run: limit({ money: 10 }) },
    });

    expect(await reachedBy(open().before('a:m', 1))).toMatchObject({ what: 'money', used: 10 });
  });
});

test('without limits nothing is asked of the store', async () => {
  const { open, reads } = await scene();
  const meter = open();

  await meter.before('a:m', 1_000_000);
  meter.after('a:m', usage, 7);

  expect(reads).toEqual([]);
  expect(meter.rows('e')).toMatchObject([{ effectId: 'e', model: 'a:m', inputTokens: 100, outputTokens: 10, ms: 7 }]);
});
