import type { DeliveredNote, OutboxKind, OutboxRow, OutboxStore } from '../../../src/ports/outbox.ts';

/** Short words for what the outbox's tests do; `outbox` gives the store once it is open. */
export function outboxDesk(outbox: () => OutboxStore) {
  const add = (...rows: OutboxRow[]) => outbox().add(rows, { actionKey: null, deliveryId: null });
  const take = (owner = 'a', change: { limit?: number; leaseMs?: number } = {}) =>
    outbox().take({ owner, limit: 100, leaseMs: 60_000, ...change });
  const takeOne = async (owner = 'a') => {
    const [row] = await take(owner);
    if (row === undefined) throw new Error('nothing to take');
    return row;
  };
  /** Takes and delivers, one after the other, until nothing is left; the kinds in order. */
  async function drain(): Promise<OutboxKind[]> {
    const kinds: OutboxKind[] = [];
    for (let rows = await take(); rows.length > 0; rows = await take()) {
      for (const row of rows) {
        kinds.push(row.kind);
        await outbox().delivered(row.id, 'a', null);
      }
    }
    return kinds;
  }
  return { add, take, takeOne, drain };
}

/** What is kept of a row that was posted as note `noteId`. */
export function noteOf(row: OutboxRow, noteId: number, change: Partial<DeliveredNote> = {}): DeliveredNote {
  const { runId, marker, kind, pauseId, questionId } = row;
  const url = `https://gitlab.example/n#note_${noteId}`;
  return { runId, marker, kind, pauseId, questionId, noteId, discussionId: `d${noteId}`, url, ...change };
}
