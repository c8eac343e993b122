import { expect, test } from 'vitest';
import { createSharedRead } from '../../../../src/adapters/postgres/shared-read.ts';

/** A store whose answers come when the test lets them. */
function open(max = 100) {
  const reads: { keys: string[]; answer(values: string[]): void; fail(error: Error): void }[] = [];
  const read = createSharedRead<string, string>({
    read: (keys) => new Promise((answer, fail) => reads.push({ keys, answer, fail })),
    max,
  });
  return { read, reads };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

test('who asks for the same at one moment shares one read', async () => {
  const { read, reads } = open();
  const asked = [read('a'), read('b'), read('a')];
  await settle();
  reads[0]?.answer(['1', '2']);

  expect(await Promise.all(asked)).toEqual(['1', '2', '1']);
  expect(reads.map(({ keys }) => keys)).toEqual([['a', 'b']]);
});

test('who asks in the same turn of the event loop is in the same statement', async () => {
  const { read, reads } = open();
  const first = read('a');
  await Promise.resolve();
  const second = read('b');
  await settle();
  reads[0]?.answer(['1', '2']);

  expect(await Promise.all([first, second])).toEqual(['1', '2']);
  expect(reads).toHaveLength(1);
});

test('who asks while a read is under way gets one that leaves later, so that nothing old is answered', async () => {
  const { read, reads } = open();
  const first = read('a');
  await settle();
  const later = read('a');
  await settle();
  expect(reads).toHaveLength(1);
  reads[0]?.answer(['old']);
  await first;
  await settle();
  reads[1]?.answer(['new']);

  expect(await later).toBe('new');
});

test('a statement takes so many keys, the others follow', async () => {
  const { read, reads } = open(2);
  const asked = [read('a'), read('b'), read('c')];
  await settle();
  reads[0]?.answer(['1', '2']);
  await settle();
  reads[1]?.answer(['3']);

  expect(await Promise.all(asked)).toEqual(['1', '2', '3']);
});

test('a read that fails is told to all who shared it, and the next one is made', async () => {
  const { read, reads } = open();
  const shared = Promise.allSettled([read('a'), read('a'), read('b')]);
  await settle();
  reads[0]?.fail(new Error('away'));
  const outcomes = await shared;
  const next = read('a');
  await settle();
  reads[1]?.answer(['1']);

  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(await next).toBe('1');
});

test('answers that do not fit the keys are nobody’s', async () => {
  const { read, reads } = open();
  const asked = read('a');
  await settle();
  reads[0]?.answer([]);

  await expect(asked).rejects.toThrow('0 answers for 1 keys');
});
