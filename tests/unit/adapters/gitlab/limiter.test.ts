import { expect, test } from 'vitest';
import {
  createProcessLimiter,
  type Limiter,
  limitWaitMs,
  retryAfterMs,
} from '../../../../src/adapters/gitlab/limiter.ts';
import { createSkippingClock, type SkippingClock } from '../../../helpers/fakes/skipping-clock.ts';

function open(concurrency = 16): { limiter: Limiter; clock: SkippingClock } {
  const clock = createSkippingClock();
  return { limiter: createProcessLimiter({ clock, concurrency, random: () => 0 }), clock };
}

test('a 429 with RateLimit headers pauses every call', async () => {
  const { limiter, clock } = open();

  limiter.observe('GET /a', 429, { 'retry-after': '3', 'ratelimit-limit': '2000' });
  await limiter.take('GET /b', { maxWaitMs: 10_000 });

  expect(clock.waits).toEqual([3000]);
});

test('a 429 of a single feature pauses that one only', async () => {
  const { limiter, clock } = open();

  limiter.observe('POST /notes', 429, { 'retry-after': '3' });
  await limiter.take('GET /b', { maxWaitMs: 10_000 });
  await limiter.take('POST /notes', { maxWaitMs: 10_000 });

  expect(clock.waits).toEqual([3000]);
});

test('a pause longer than the caller may wait is a failure with its length', async () => {
  const { limiter } = open();

  limiter.observe('GET /a', 429, { 'retry-after': '60', 'ratelimit-limit': '2000' });

  await expect(limiter.take('GET /a', { maxWaitMs: 5_000 })).rejects.toMatchObject({
    code: 'gitlab_rate_limited',
    retryAfterMs: 60_000,
  });
});

test('429 without a time doubles the pause, and a success ends that', async () => {
  const { limiter, clock } = open();

  limiter.observe('GET /a', 429, {});
  await limiter.take('GET /a', { maxWaitMs: 10_000 });
  limiter.observe('GET /a', 429, {});
  await limiter.take('GET /a', { maxWaitMs: 10_000 });
  limiter.observe('GET /a', 200, {});
  limiter.observe('GET /a', 429, {});
  await limiter.take('GET /a', { maxWaitMs: 10_000 });

  expect(clock.waits).toEqual([1000, 2000, 1000]);
});

test('an exhausted limit pauses before GitLab refuses', async () => {
  const { limiter, clock } = open();
  const reset = String(clock.now().getTime() / 1000 + 12);

  limiter.observe('GET /a', 200, { 'ratelimit-remaining': '0', 'ratelimit-reset': reset });
  await limiter.take('GET /b', { maxWaitMs: 60_000 });

  expect(clock.waits).toEqual([12_000]);
});

test('only so many run at once, the next in the order they came', async () => {
  const { limiter } = open(1);
  const order: string[] = [];
  const release = await limiter.take('GET /a', { maxWaitMs: 1000 });
  const second = limiter.take('GET /b', { maxWaitMs: 1000 }).then((done) => {
    order.push('second');
    done();
  });
  const third = limiter.take('GET /c', { maxWaitMs: 1000 }).then(() => order.push('third'));

  order.push('first');
  release();
  await Promise.all([second, third]);

  expect(order).toEqual(['first', 'second', 'third']);
});

test('who works for a person goes before what came earlier in the background', async () => {
  const { limiter } = open(1);
  const order: string[] = [];
  const release = await limiter.take('GET /a', { maxWaitMs: 1000 });
  const enter = (name: string, urgent: boolean) =>
    limiter.take('GET /a', { maxWaitMs: 1000, urgent }).then((done) => {
      order.push(name);
      done();
    });
  const all = [enter('background', false), enter('click', true)];

  release();
  await Promise.all(all);

  expect(order).toEqual(['click', 'background']);
});

test('who is aborted while waiting leaves the line', async () => {
  const { limiter } = open(1);
  const control = new AbortController();
  const release = await limiter.take('GET /a', { maxWaitMs: 1000 });
  const left = limiter.take('GET /b', { maxWaitMs: 1000, signal: control.signal });
  const stays = limiter.take('GET /c', { maxWaitMs: 1000 });

  control.abort(new Error('gone'));
  release();

  await expect(left).rejects.toThrow('gone');
  await expect(stays).resolves.toBeTypeOf('function');
});

test('a place given back twice counts once', async () => {
  const { limiter } = open(1);
  const release = await limiter.take('GET /a', { maxWaitMs: 1000 });
  release();
  release();
  await limiter.take('GET /b', { maxWaitMs: 1000 });
  const control = new AbortController();
  const full = limiter.take('GET /c', { maxWaitMs: 1000, signal: control.signal });

  control.abort(new Error('still full'));

  await expect(full).rejects.toThrow('still full');
});

test.each([
  ['5', 5000],
  ['Mon, 05 Jan 2026 09:00:20 GMT', 20_000],
  ['Mon, 05 Jan 2026 08:00:00 GMT', 0],
  ['soon', undefined],
])('Retry-After %j asks for %j ms', (value, ms) => {
  expect(retryAfterMs({ 'retry-after': value }, Date.parse('2026-01-05T09:00:00Z'))).toBe(ms);
});

test('RateLimit-Reset counts where no Retry-After is given', () => {
  const now = Date.parse('2026-01-05T09:00:00Z');

  expect(limitWaitMs({ 'ratelimit-reset': String(now / 1000 + 9) }, now)).toBe(9000);
});
