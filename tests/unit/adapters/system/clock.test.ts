import { expect, test } from 'vitest';
import { createSystemClock } from '../../../../src/adapters/system/clock.ts';
import { createIds } from '../../../../src/adapters/system/ids.ts';

test('a wait of no time ends', async () => {
  await expect(createSystemClock().sleep(0)).resolves.toBeUndefined();
});

test('a wait longer than a timer can be does not end at once', async () => {
  const abort = new AbortController();
  const ended: string[] = [];
  const wait = createSystemClock()
    .sleep(1e12, abort.signal)
    .then(
      () => ended.push('slept'),
      () => ended.push('aborted'),
    );
  await createSystemClock().sleep(5);

  abort.abort();
  await wait;

  expect(ended).toEqual(['aborted']);
});

test('an aborted wait rejects with the reason', async () => {
  const reason = new Error('enough');
  const abort = new AbortController();
  const wait = createSystemClock().sleep(60_000, abort.signal);

  abort.abort(reason);

  await expect(wait).rejects.toBe(reason);
});

test('a wait under an aborted signal does not begin', async () => {
  const reason = new Error('enough');

  await expect(createSystemClock().sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
});

test('ids are different UUIDs', () => {
  const ids = createIds();

  const [first, second] = [ids.next(), ids.next()];

  expect(first).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(second).not.toBe(first);
});
