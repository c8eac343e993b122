import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createGatherer } from '../../../../src/adapters/bullmq/gather.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

function gathering() {
  const sent: string[][] = [];
  const answers: PromiseWithResolvers<void>[] = [];
  const failures: unknown[] = [];
  const gather = createGatherer({
    limitMs: 500,
    send: (items) => {
      sent.push(items);
      const answer = Promise.withResolvers<void>();
      answers.push(answer);
      return answer.promise;
    },
    failed: (error) => void failures.push(error),
  });
  return { gather, sent, answers, failures };
}

test('what comes while a batch is under way leaves together when it returned', async () => {
  const { gather, sent, answers } = gathering();

  const first = gather(['a']);
  await Promise.resolve();
  const others = [gather(['b']), gather(['c'])];
  await Promise.resolve();
  const whileSending = [...sent];
  answers[0]?.resolve();
  await first;
  answers[1]?.resolve();
  await Promise.all(others);

  expect(whileSending).toEqual([['a']]);
  expect(sent).toEqual([['a'], ['b', 'c']]);
});

test('a failure is reported and never thrown', async () => {
  const { gather, answers, failures } = gathering();

  const asked = gather(['a']);
  await Promise.resolve();
  answers[0]?.reject(new Error('lost'));
  await asked;

  expect(failures).toEqual([new Error('lost')]);
});

test('nobody waits longer than the limit for a sending that hangs', async () => {
  const { gather, sent } = gathering();

  const first = gather(['a']);
  await Promise.resolve();
  await vi.advanceTimersByTimeAsync(500);
  await first;
  await gather(['b']);

  expect(sent).toEqual([['a']]);
});

test('what was asked for meanwhile is sent when the hanging one returned', async () => {
  const { gather, sent, answers } = gathering();
  const first = gather(['a']);
  await Promise.resolve();
  await vi.advanceTimersByTimeAsync(500);
  await first;
  await gather(['b']);

  answers[0]?.reject(new Error('lost'));
  await vi.waitFor(() => expect(sent).toEqual([['a'], ['b']]));

  const again = gather(['c']);
  answers[1]?.resolve();
  await vi.waitFor(() => expect(sent).toEqual([['a'], ['b'], ['c']]));
  answers[2]?.resolve();
  await again;
});
