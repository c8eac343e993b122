import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createRedisCallLimit } from '../../src/adapters/redis/call-limit.ts';
import { connectRedis } from '../../src/adapters/redis/connect.ts';
import type { CallGate, CallLimit, EnterCall, PauseCalls } from '../../src/ports/call-limit.ts';
import { createMemoryCallLimit } from '../helpers/fakes/call-limit.ts';
import { createFakeClock } from '../helpers/fakes/clock.ts';
import { createMemoryLog } from '../helpers/fakes/log.ts';
import { testRedis } from '../helpers/servers.ts';

interface Harness {
  gate: CallLimit;
  close(): Promise<void>;
}

async function memoryHarness(): Promise<Harness> {
  return { gate: createMemoryCallLimit(createFakeClock()), close: async () => undefined };
}

async function redisHarness(): Promise<Harness> {
  const { url, prefix } = await testRedis();
  const redis = connectRedis({ url, name: 'test', log: createMemoryLog() });
  return { gate: createRedisCallLimit({ redis, prefix }), close: () => redis.close() };
}

let limit = '';
let places = 0;
let limits = 0;

function call(given: Partial<EnterCall> = {}): EnterCall {
  places += 1;
  const fixed = { limit, owner: 'one', place: `p${places}`, kind: 'GET /a', urgent: false };
  return { ...fixed, holdMs: 60_000, places: 2, waitsMs: 60_000, ...given };
}

function refusal(given: Partial<PauseCalls> = {}): PauseCalls {
  return { limit, kind: null, refused: 'GET /a', ms: null, firstMs: 1000, maxMs: 5000, stretch: 1, ...given };
}

/** Between `ms` less what the test itself took, and `ms`. */
function expectPause(gate: CallGate, ms: number): void {
  expect(gate.kind).toBe('paused');
  const waits = gate.kind === 'paused' ? gate.ms : 0;
  expect(waits).toBeLessThanOrEqual(ms);
  expect(waits).toBeGreaterThan(ms / 2);
}

describe.each([
  ['memory', memoryHarness],
  ['Redis', redisHarness],
])('the gate in %s', (_name, open) => {
  let gate: CallLimit;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ gate, close } = await open());
  });
  beforeEach(() => {
    limits += 1;
    limit = `limit-${limits}`;
  });
  afterAll(() => close());

  const enter = (given: Partial<EnterCall> = {}): Promise<CallGate> => gate.enter(call(given));

  test('lets in as many as there are places, of all owners, and another one when a place is given back', async () => {
    const first = call();
    expect(await gate.enter(first)).toEqual({ kind: 'entered' });
    expect(await enter({ owner: 'two' })).toEqual({ kind: 'entered' });
    expect(await enter({ owner: 'three' })).toEqual({ kind: 'full' });

    await gate.leave(first);

    expect(await enter({ owner: 'three' })).toEqual({ kind: 'entered' });
  });

  test('a place that was never taken or given back before frees nothing', async () => {
    const first = call();
    await gate.enter(first);
    await enter();
    await gate.leave({ ...first, place: 'unknown' });

    expect(await enter()).toEqual({ kind: 'full' });
  });

  test('a refusal holds back all owners, and no other service', async () => {
    await gate.pause(refusal({ ms: 60_000 }));

    expectPause(await enter({ owner: 'two', kind: 'POST /b', urgent: true }), 60_000);
    expect(await enter({ limit: `${limit}-other` })).toEqual({ kind: 'entered' });
  });

  test('a refusal of a single feature holds back that one only', async () => {
    await gate.pause(refusal({ kind: 'POST /notes', ms: 60_000 }));

    expectPause(await enter({ kind: 'POST /notes' }), 60_000);
    expect(await enter()).toEqual({ kind: 'entered' });
  });

  test('a shorter pause does not end a longer one', async () => {
    await gate.pause(refusal({ ms: 60_000 }));
    await gate.pause(refusal({ ms: 10 }));

    expectPause(await enter(), 60_000);
  });

  test('refusals without a time double, up to the longest; a call that went well ends that', async () => {
    await gate.pause(refusal({ firstMs: 10_000, maxMs: 30_000 }));
    expectPause(await enter(), 10_000);
    await gate.pause(refusal({ firstMs: 10_000, maxMs: 30_000 }));
    expectPause(await enter(), 20_000);
    await gate.pause(refusal({ firstMs: 10_000, maxMs: 30_000 }));
    expectPause(await enter(), 30_000);

    await gate.calm(limit, 'GET /a');
    await gate.pause(refusal({ kind: 'GET /a', firstMs: 100_000, maxMs: 300_000 }));

    expectPause(await enter(), 100_000);
  });

  test('a pause is stretched by so much', async () => {
    await gate.pause(refusal({ ms: 40_000, stretch: 1.5 }));

    expectPause(await enter(), 60_000);
  });

  test('nothing in the background gets a place while a person waits for one', async () => {
    const [first, second] = [call(), call()];
    await gate.enter(first);
    await gate.enter(second);
    expect(await enter({ owner: 'api', urgent: true })).toEqual({ kind: 'full' });
    await gate.leave(first);
    await gate.leave(second);

    expect(await enter({ owner: 'two' })).toEqual({ kind: 'full' });
    expect(await enter({ owner: 'api', urgent: true })).toEqual({ kind: 'entered' });
    expect(await enter({ owner: 'two' })).toEqual({ kind: 'entered' });
  });

  test('an owner gets no more than its share while another one waits', async () => {
    const held = [call(), call(), call(), call()];
    for (const one of held) await gate.enter({ ...one, places: 4 });
    expect(await enter({ owner: 'two', places: 4 })).toEqual({ kind: 'full' });
    await gate.leave(held[0] ?? call());

    expect(await enter({ owner: 'one', places: 4 })).toEqual({ kind: 'full' });
    expect(await enter({ owner: 'two', places: 4 })).toEqual({ kind: 'entered' });
  });

  test('the last part of a budget is kept for people, and nothing goes beyond it', async () => {
    await gate.budget({ limit, remaining: 3, resetMs: 60_000, reserve: 2 });

    expect(await enter({ places: 9 })).toEqual({ kind: 'entered' });
    expectPause(await enter({ places: 9 }), 60_000);
    expect(await enter({ places: 9, urgent: true })).toEqual({ kind: 'entered' });
    expect(await enter({ places: 9, urgent: true })).toEqual({ kind: 'entered' });
    expectPause(await enter({ places: 9, urgent: true }), 60_000);
  });

  test('an older answer does not raise what is left; a new count does', async () => {
    await gate.budget({ limit, remaining: 0, resetMs: 20_000, reserve: 0 });
    await gate.budget({ limit, remaining: 5, resetMs: 20_000, reserve: 0 });
    expectPause(await enter(), 20_000);

    await gate.budget({ limit, remaining: 5, resetMs: 80_000, reserve: 0 });

    expect(await enter()).toEqual({ kind: 'entered' });
  });
});

test('a gate that cannot be reached says so within a second', async () => {
  const redis = connectRedis({ url: 'redis://127.0.0.1:1', name: 'test', log: createMemoryLog() });
  const gate = createRedisCallLimit({ redis, prefix: 'test' });

  await expect(gate.enter(call())).rejects.toMatchObject({ code: 'redis_unavailable' });
  await redis.close();
});
