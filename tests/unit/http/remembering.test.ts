import { expect, test } from 'vitest';
import { remembering } from '../../../src/http/remembering.ts';
import { createFakeClock } from '../../helpers/fakes/clock.ts';

const minute = () => 60_000;

function create(max = 3) {
  const clock = createFakeClock();
  const asked: string[] = [];
  const memory = remembering<string>({ clock, max, waitMs: 10_000 });
  const get = (key: string) =>
    memory.get(key, minute, async () => {
      asked.push(key);
      return `${key}!`;
    });
  return { clock, asked, memory, get };
}

test('holds at most so many, the oldest goes', async () => {
  const { asked, get } = create(3);
  for (const key of ['a', 'b', 'c', 'd', 'b', 'c', 'd', 'a']) await get(key);
  expect(asked).toEqual(['a', 'b', 'c', 'd', 'a']);
});

test('shows what is there, not what is awaited, lapsed or forgotten', async () => {
  const { clock, memory, get } = create();
  const awaited = get('a');
  expect(memory.peek('a')).toBeUndefined();
  await awaited;
  expect(memory.peek('a')).toBe('a!');
  memory.forget('a');
  expect(memory.peek('a')).toBeUndefined();
  await get('a');
  clock.advance(60_000);
  expect(memory.peek('a')).toBeUndefined();
});

test('an answer that does not come is asked for again, and its late failure takes nothing away', async () => {
  const { clock, memory, get } = create();
  const { promise, reject } = Promise.withResolvers<string>();
  const first = memory.get('a', minute, () => promise);
  clock.advance(10_000);
  await get('a');
  reject(new Error('late'));
  await expect(first).rejects.toThrow('late');
  expect(memory.peek('a')).toBe('a!');
});
