import type { InboxStore, StoredDelivery } from '../../../src/ports/inbox.ts';
import type { OutboxStore } from '../../../src/ports/outbox.ts';
import type { FakeClock } from './clock.ts';
import type { MemoryData } from './run-store.ts';

const OF_A_PAUSE: readonly string[] = ['question', 'gate', 'approval', 'reminder'];

export interface MemoryOutbox extends OutboxStore {
  /** What was said of each row that was set aside for later: milliseconds and error. */
  readonly postponed: { id: number; retryInMs: number; error: string }[];
}

/** The outbox in memory, over the same data as the runs. */
export function createMemoryOutbox(data: MemoryData, clock: FakeClock): MemoryOutbox {
  const postponed: MemoryOutbox['postponed'] = [];
  const now = () => clock.now().getTime();
  const rowOf = (id: number, owner: string) => data.outbox.find((row) => row.id === id && row.owner === owner);
  const remove = (id: number) => {
    data.outbox = data.outbox.filter((row) => row.id !== id);
  };

  /** Its pause is over, or its run was cancelled. */
  function isOver(row: MemoryData['outbox'][number]): boolean {
    const run = row.runId === null ? undefined : data.runs.get(row.runId);
    const paused = run?.pauses.some((pause) => pause.id === row.pauseId && pause.closedAt !== null) ?? false;
    const canceled = run?.row.status === 'CANCELED';
    return (OF_A_PAUSE.includes(row.kind) && (paused || canceled)) || (row.kind === 'status' && canceled);
  }

  function isReplaced({ runId, kind, id }: MemoryData['outbox'][number]): boolean {
    return (
      kind === 'status' && data.outbox.some((other) => other.runId === runId && other.kind === kind && other.id > id)
    );
  }

  return {
    postponed,
    async add(rows, { actionKey, deliveryId }) {
      if (deliveryId !== null && !data.deliveriesDone.has(deliveryId)) data.deliveriesDone.set(deliveryId, 'told');
      if (actionKey !== null && data.actions.has(actionKey)) return;
      if (actionKey !== null) data.actions.add(actionKey);
      for (const row of rows) {
        const known = [...data.outbox, ...data.notes, ...data.failures].some((other) => other.marker === row.marker);
        if (known) continue;
        data.lastId += 1;
        data.outbox.push({ ...row, id: data.lastId, attempts: 0, dueAt: now(), owner: null, heldUntil: 0 });
      }
    },
    async take({ owner, limit, leaseMs }) {
      const taken = [];
      const items = new Set<number>();
      for (const row of [...data.outbox]) {
        if (items.has(row.itemGlobalId) || taken.length === limit) continue;
        if (isOver(row) || isReplaced(row)) {
          remove(row.id);
          continue;
        }
        items.add(row.itemGlobalId);
        if (row.dueAt > now() || (row.owner !== null && row.heldUntil > now())) continue;
        const note = data.notes.find((other) => other.marker === row.marker);
        const known = note ? { noteId: note.noteId, discussionId: note.discussionId } : null;
        const item = row.runId === null ? undefined : data.runs.get(row.runId)?.row.item;
        const wasConfidential = item?.confidential ?? false;
        taken.push({ ...row, known, ...(row.kept ? { wasConfidential } : {}) });
        Object.assign(row, { owner, heldUntil: now() + leaseMs, attempts: row.attempts + 1 });
      }
      return taken;
    },
    async delivered(id, owner, note) {
      if (rowOf(id, owner)) remove(id);
      if (!note) return;
      data.notes = [...data.notes.filter((known) => known.marker !== note.marker), note];
      const run = note.runId === null ? undefined : data.runs.get(note.runId);
      if (!run) return;
      run.row.version += 1;
      const pause = run.pauses.find((known) => known.id === note.pauseId);
      if (pause) pause.firstNoteId = Math.min(pause.firstNoteId ?? note.noteId, note.noteId);
    },
    async postpone(id, owner, retryInMs, error) {
      const row = rowOf(id, owner);
      if (!row) throw new Error(`row ${id} is not held by ${owner}`);
      Object.assign(row, { owner: null, dueAt: now() + retryInMs });
      postponed.push({ id, retryInMs, error });
    },
    async fail(id, owner, error) {
      const row = rowOf(id, owner);
      if (!row) throw new Error(`row ${id} is not held by ${owner}`);
      remove(id);
      data.failures.push({ runId: row.runId, marker: row.marker, kind: row.kind, error });
    },
    async stillWanted(id) {
      const row = data.outbox.find((known) => known.id === id);
      return row !== undefined && !isOver(row);
    },
    nextDueInMs: async () =>
      data.outbox.length === 0 ? null : Math.max(0, Math.min(...data.outbox.map((row) => row.dueAt)) - now()),
    notesOfRun: async (runId) => data.notes.filter((note) => note.runId === runId),
    noteByDiscussion: async (_item, discussionId) =>
      data.notes.find((note) => note.discussionId === discussionId) ?? null,
    failures: async (runId) =>
      data.failures
        .filter((failure) => failure.runId === runId)
        .map(({ marker, kind, error }) => ({ marker, kind, error })),
  };
}

export interface MemoryInbox extends InboxStore {
  /** By delivery id: `open`, `done: RESULT`, `failed: ERROR`. */
  state(id: string): string | undefined;
  readonly postponed: { id: string; retryInMs: number; error: string }[];
}

/** The inbox in memory; a delivery that its cause marked done counts as done. */
export function createMemoryInbox(data: MemoryData, clock: FakeClock): MemoryInbox {
  const deliveries: (StoredDelivery & { state: string; dueAt: number; owner: string | null })[] = [];
  const postponed: MemoryInbox['postponed'] = [];
  const isOpen = (delivery: (typeof deliveries)[number]) =>
    delivery.state === 'open' && !data.deliveriesDone.has(delivery.id);

  function held(id: string, owner: string) {
    const delivery = deliveries.find((known) => known.id === id && known.owner === owner);
    if (!delivery) throw new Error(`delivery ${id} is not held by ${owner}`);
    return delivery;
  }

  return {
    postponed,
    state: (id) => {
      const caused = data.deliveriesDone.get(id);
      return caused === undefined ? deliveries.find((known) => known.id === id)?.state : `done: ${caused}`;
    },
    async put(delivery) {
      const { id, content = null } = delivery;
      const failed = deliveries.find(
        (known) =>
          known.state.startsWith('failed') && (known.id === id || (content !== null && known.content === content)),
      );
      if (failed) {
        Object.assign(failed, { state: 'open', attempts: 0, dueAt: clock.now().getTime() });
        return 'stored';
      }
      if (deliveries.some((known) => known.id === id || (content !== null && known.content === content)))
        return 'known';
      const seq = deliveries.length + 1;
      deliveries.push({ ...delivery, seq, attempts: 0, state: 'open', dueAt: clock.now().getTime(), owner: null });
      return 'stored';
    },
    async take({ owner, limit }) {
      const taken: StoredDelivery[] = [];
      const items = new Set<string>();
      for (const delivery of deliveries) {
        if (!isOpen(delivery) || items.has(delivery.itemKey) || taken.length === limit) continue;
        items.add(delivery.itemKey);
        if (delivery.owner !== null || delivery.dueAt > clock.now().getTime()) continue;
        taken.push({ ...delivery });
        Object.assign(delivery, { owner, attempts: delivery.attempts + 1 });
      }
      return taken;
    },
    async done(id, result) {
      const delivery = deliveries.find((known) => known.id === id);
      if (delivery?.state === 'open') Object.assign(delivery, { state: `done: ${result}`, owner: null });
    },
    async postpone(id, owner, retryInMs, error) {
      Object.assign(held(id, owner), { owner: null, dueAt: clock.now().getTime() + retryInMs });
      postponed.push({ id, retryInMs, error });
    },
    async fail(id, owner, error) {
      Object.assign(held(id, owner), { owner: null, state: `failed: ${error}` });
    },
    nextDueInMs: async () => null,
  };
}
