import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOutboxStore } from '../../../src/adapters/postgres/outbox-store.ts';
import { databases, type TestStore } from './databases.ts';
import { newItem, outboxRow } from './samples.ts';

describe.each(databases)('question notes on $name', ({ open }) => {
  let opened: TestStore;

  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());

  test('are found for an item over all its runs, and no other notes', async () => {
    const outbox = createOutboxStore(opened.db);
    const [item, other] = [newItem(), newItem()];
    const given = [
      [item, 'question', 'scope', 12],
      [item, 'question', 'tier', 11],
      [item, 'plan', null, 10],
      [other, 'question', 'scope', 9],
    ] as const;
    for (const [where, kind, questionId, noteId] of given) {
      const row = outboxRow(where, kind, { runId: null, questionId, marker: randomUUID() });
      await outbox.add([row], { actionKey: null, deliveryId: null });
      const [taken] = await outbox.take({ owner: 'w', limit: 1, leaseMs: 60_000 });
      const { runId, marker, pauseId } = row;
      const note = { runId, marker, kind, pauseId, questionId, noteId, discussionId: `d${noteId}`, url: 'u' };
      await outbox.delivered(taken?.id ?? 0, 'w', note);
    }

    expect(await outbox.questionNotes(item.globalId)).toMatchObject([
      { questionId: 'tier', noteId: 11 },
      { questionId: 'scope', noteId: 12, discussionId: 'd12' },
    ]);
  });
});
