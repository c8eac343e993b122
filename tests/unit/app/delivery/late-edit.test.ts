import { expect, test } from 'vitest';
import { deliverOutbox } from '../../../../src/app/delivery/outbox.ts';
import { deliverer, never, rowOf, texts, write } from './outbox-desk.ts';

/** The first deliverer freezes right before its edit for so long; meanwhile `others` do what they do. */
async function frozenBeforeEdit(ms: number, others: boolean) {
  const { service, deps } = await deliverer();
  const statusNote = async () => rowOf('status', 'as it stands now').body;
  await write(service, rowOf('status', 'first'));
  await deliverOutbox(deps, never);
  await write(service, rowOf('status', 'second'));
  const { updateNote } = deps.gitlab;
  let froze = false;
  const edits: string[] = [];
  const gitlab = {
    ...deps.gitlab,
    async updateNote(...given: Parameters<typeof updateNote>) {
      if (!froze) {
        froze = true;
        service.clock.advance(ms);
        if (others) {
          const other = { ...deps, owner: 'deliveries-2' };
          await deliverOutbox(other, never);
          await write(service, rowOf('status', 'third'));
          await deliverOutbox(other, never);
        }
      }
      edits.push(given[3].split('\n')[0] ?? '');
      return updateNote(...given);
    },
  };
  await deliverOutbox({ ...deps, gitlab, statusNote }, never).catch(() => undefined);
  return { service, edits };
}

test('an edit that others have overtaken is put right: the note says how things stand now', async () => {
  const { service } = await frozenBeforeEdit(31_000, true);

  expect(await texts(service)).toEqual(['as it stands now']);
  expect(service.log.lines).toContainEqual(
    expect.objectContaining({ level: 'warn', message: 'a note was edited after another worker had taken it over' }),
  );
});

test('an edit that took long but was still its own stays as it is', async () => {
  const { service, edits } = await frozenBeforeEdit(29_000, false);

  expect(edits).toEqual(['second']);
  expect(await texts(service)).toEqual(['second']);
});

test('an edit that took no time is not looked at again', async () => {
  const { service, edits } = await frozenBeforeEdit(0, false);

  expect(edits).toEqual(['second']);
  expect(service.store.data.outbox).toEqual([]);
});
