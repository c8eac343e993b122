import { expect, test } from 'vitest';
import { createProcessLimiter, type Limiter } from '../../../../src/adapters/gitlab/limiter.ts';
import { createSharedLimiter, limitName } from '../../../../src/adapters/gitlab/shared-limiter.ts';
import type { CallLimit } from '../../../../src/ports/call-limit.ts';
import { TransientFailure } from '../../../../src/ports/failures.ts';
import { createMemoryCallLimit } from '../../../helpers/fakes/call-limit.ts';
import { createFakeClock, type FakeClock } from '../../../helpers/fakes/clock.ts';
import { createMemoryLog, type MemoryLog } from '../../../helpers/fakes/log.ts';

const ASK_AGAIN_MS = 50;

interface Scene {
  clock: FakeClock;
  log: MemoryLog;
  gate: CallLimit;
  /** The limiter of another process at the same gate. */
  process(places?: number): Limiter;
}

function open(wrap: (gate: CallLimit) => CallLimit = (gate) => gate): Scene {
  const clock = createFakeClock();
  const log = createMemoryLog();
  const gate = wrap(createMemoryCallLimit(clock));
  return {
    clock,
    log,
    gate,
    process(places = 2) {
      const alone = createProcessLimiter({ clock, concurrency: 2, random: () => 0 });
      const options = { gate, limit: 'gitlab', alone, clock, log, places, holdMs: 60_000 };
      return createSharedLimiter({ ...options, random: () => 0.5 });
    },
  };
}

/** Takes, notes the name once it is in, and keeps the place. */
function enters(limiter: Limiter, name: string, into: string[], urgent = false): Promise<() => void> {
  const entered = limiter.take('GET /a', { maxWaitMs: 60_000, urgent });
  entered.then(
    () => into.push(name),
    () => undefined,
  );
  return entered;
}

/** Lets everything that is under way come to where it waits. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}

test('one refusal holds back every process, for as long as GitLab asked', async () => {
  const { clock, process } = open();
  const [refused, other] = [process(), process()];
  const order: string[] = [];
  refused.observe('GET /a', 429, { 'retry-after': '10', 'ratelimit-limit': '2000' });
  await settle();

  void enters(other, 'other', order);
  await clock.untilWaiting(11_000);
  clock.advance(10_000);
  await settle();
  const early = [...order];
  clock.advance(1000);
  await settle();

  expect(early).toEqual([]);
  expect(order).toEqual(['other']);
});

test('a pause that is longer than a call may wait is a failure with its length, in another process too', async () => {
  const { process } = open();
  process().observe('GET /a', 429, { 'retry-after': '100', 'ratelimit-limit': '2000' });
  await settle();

  const take = process().take('GET /a', { maxWaitMs: 5000 });

  await expect(take).rejects.toMatchObject({ code: 'gitlab_rate_limited', retryAfterMs: 110_000 });
});

test('a call for a person overtakes those of other processes in the background', async () => {
  const { clock, process } = open();
  const [worker, api] = [process(), process()];
  const order: string[] = [];
  const [release] = await Promise.all([enters(worker, 'first', order), enters(worker, 'second', order)]);
  const waiting = [1, 2, 3].map((number) => enters(worker, `background ${number}`, order));
  await settle();
  const click = enters(api, 'click', order, true);
  await settle();

  release();
  while (order.length < 3) {
    clock.advance(ASK_AGAIN_MS);
    await settle();
  }
  (await click)();
  while (order.length < 4) {
    clock.advance(ASK_AGAIN_MS);
    await settle();
  }

  expect(order).toEqual(['first', 'second', 'click', 'background 1']);
  expect(waiting).toHaveLength(3);
});

test('what is refused for one feature keeps no other call of the process waiting', async () => {
  const { process } = open();
  const limiter = process();
  limiter.observe('POST /notes', 429, { 'retry-after': '60' });
  const held = Array.from({ length: 20 }, () => limiter.take('POST /notes', { maxWaitMs: 100_000 }));
  await settle();

  const release = await limiter.take('GET /a', { maxWaitMs: 1000 });

  expect(release).toBeTypeOf('function');
  expect(held).toHaveLength(20);
});

test('who finds no place in its time fails, so that nothing waits for ever', async () => {
  const { clock, process } = open();
  const limiter = process(1);
  await limiter.take('GET /a', { maxWaitMs: 1000 });
  const late = limiter.take('GET /a', { maxWaitMs: 120 });
  const failed = expect(late).rejects.toMatchObject({ code: 'gitlab_rate_limited' });
  for (let round = 0; round < 4; round += 1) {
    await settle();
    clock.advance(ASK_AGAIN_MS);
  }

  await failed;
});

test('who is aborted while waiting gives its turn to the next', async () => {
  const { clock, process } = open();
  const limiter = process(1);
  const release = await limiter.take('GET /a', { maxWaitMs: 1000 });
  const control = new AbortController();
  const gone = limiter.take('GET /a', { maxWaitMs: 60_000, signal: control.signal });
  const failed = expect(gone).rejects.toThrow('gone');
  const stays = limiter.take('GET /a', { maxWaitMs: 60_000 });
  await settle();

  control.abort(new Error('gone'));
  release();
  await settle();
  clock.advance(ASK_AGAIN_MS);

  await failed;
  await expect(stays).resolves.toBeTypeOf('function');
});

function broken(gate: CallLimit, state: { away: boolean; asked: number }): CallLimit {
  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    state.asked += 1;
    if (state.away) throw new TransientFailure('redis_unavailable', 'Redis did not answer');
    return work();
  };
  return {
    enter: (input) => guard(() => gate.enter(input)),
    leave: (held) => guard(() => gate.leave(held)),
    pause: (input) => guard(() => gate.pause(input)),
    calm: (limit, kind) => guard(() => gate.calm(limit, kind)),
    budget: (input) => guard(() => gate.budget(input)),
  };
}

test('without the gate each process goes by what it knows itself, and asks again later', async () => {
  const state = { away: true, asked: 0 };
  const { clock, log, process } = open((gate) => broken(gate, state));
  const limiter = process();

  (await limiter.take('GET /a', { maxWaitMs: 1000 }))();
  const asked = state.asked;
  (await limiter.take('GET /a', { maxWaitMs: 1000 }))();
  limiter.observe('GET /a', 429, { 'retry-after': '3' });
  const refused = limiter.take('GET /a', { maxWaitMs: 1000 });
  await expect(refused).rejects.toMatchObject({ code: 'gitlab_rate_limited' });
  const whileAway = state.asked;
  state.away = false;
  clock.advance(5000);
  (await limiter.take('GET /a', { maxWaitMs: 1000 }))();

  expect(whileAway).toBe(asked);
  expect(state.asked).toBeGreaterThan(asked);
  expect(log.lines.filter((line) => line.message === 'the shared limits of GitLab cannot be asked')).toHaveLength(1);
});

test('when little is left of a limit it is kept for people, in every process', async () => {
  const { clock, process } = open();
  const [one, other] = [process(), process()];
  const reset = String(clock.now().getTime() / 1000 + 30);
  const headers = { 'ratelimit-limit': '2000', 'ratelimit-remaining': '60', 'ratelimit-reset': reset };
  one.observe('GET /a', 200, headers);
  await settle();

  const background = other.take('GET /a', { maxWaitMs: 1000 });
  const click = other.take('GET /a', { maxWaitMs: 1000, urgent: true });

  await expect(background).rejects.toMatchObject({ code: 'gitlab_rate_limited' });
  await expect(click).resolves.toBeTypeOf('function');
});

test('the name of a limit tells tokens and hosts apart and does not hold them', () => {
  const names = [
    limitName('https://one.example', 'glpat-a'),
    limitName('https://one.example', 'glpat-b'),
    limitName('https://two.example', 'glpat-a'),
  ];

  expect(new Set(names).size).toBe(3);
  expect(names.join()).not.toMatch(/glpat|example/);
});
