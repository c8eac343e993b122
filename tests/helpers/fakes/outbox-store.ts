import type { DeliveredNote, OutboxNotice, OutboxStore } from '../../../src/ports/outbox.ts';
import { MOST_UNANSWERED, SUSPECT } from '../../../src/ports/unanswered.ts';
import type { FakeClock } from './clock.ts';
import { type MemoryData, putIntoOutbox } from './run-data.ts';

const NOTICED: readonly string[] = ['status', 'cancel', 'notice'];
const OF_A_PAUSE: readonly string[] = ['question', 'gate', 'approval', 'reminder'];

export interface MemoryOutbox extends OutboxStore {
  /** What was said of each row that was set aside for later: milliseconds and error. */
  readonly postponed: { id: number; retryInMs: number; error: string }[];
}

type Row = MemoryData['outbox'][number];

/** The outbox in memory, over the same data as the runs; the contract suite holds it to what the database does. */
export function createMemoryOutbox(data: MemoryData, clock: FakeClock): MemoryOutbox {
  const postponed: MemoryOutbox['postponed'] = [];
  const now = () => clock.now().getTime();
  const rowOf = (id: number, owner: string) => data.outbox.find((row) => row.id === id && row.owner === owner);
  const runOf = (id: string | null) => (id === null ? undefined : data.runs.get(id));
  const isHeld = (row: Row) => row.owner !== null && row.heldUntil >= now();
  const remove = (id: number) => {
    data.outbox = data.outbox.filter((row) => row.id !== id);
  };

  /** Its pause is over, or its run was cancelled. */
  function isOver(row: Row): boolean {
    const run = runOf(row.runId);
    const paused = run?.pauses.some((pause) => pause.id === row.pauseId && pause.closedAt !== null) ?? false;
    const canceled = run?.row.status === 'CANCELED';
    const asks = OF_A_PAUSE.includes(row.kind);
    return (asks && paused) || (canceled && (row.kind === 'status' || (asks && row.kind !== 'reminder')));
  }

  function isReplaced({ itemGlobalId, runId, kind, id, marker, label }: Row): boolean {
    if (kind === 'notice')
      return data.outbox.some(
        (other) => other.itemGlobalId === itemGlobalId && other.id > id && other.marker === marker,
      );
    const replaces = (other: Row) =>
      other.runId === runId && other.kind === kind && other.id > id && (label == null || other.label != null);
    return kind === 'status' && data.outbox.some(replaces);
  }

  function isKnown(row: { itemGlobalId: number; marker: string }): boolean {
    const { outbox, notes, failures } = data;
    return [...outbox, ...notes, ...failures].some(
      (other) => other.itemGlobalId === row.itemGlobalId && other.marker === row.marker,
    );
  }

  /** The item's rows in order, those at its head that nobody needs any more taken away. */
  function queueOf(item: number): Row[] {
    for (;;) {
      const rows = data.outbox.filter((row) => row.itemGlobalId === item);
      const [head] = rows;
      if (!head || rows.some(isHeld) || head.dueAt > now() || !(isOver(head) || isReplaced(head))) return rows;
      remove(head.id);
    }
  }

  function giveUp({ id, runId, marker, kind, itemGlobalId }: Row, error: string): void {
    remove(id);
    data.lastId += 1;
    data.failures.push({
      runId,
      marker,
      kind,
      error: error.replaceAll('\0', '\uFFFD'),
      itemGlobalId,
      no: data.lastId,
    });
    const run = runOf(runId);
    if (run) run.row.version += 1;
  }

  const noteOf = ({ itemGlobalId: _item, no: _no, ...note }: MemoryData['notes'][number]): DeliveredNote => note;

  return {
    postponed,
    async add(rows, { actionKey, deliveryId }, notices = []) {
      if (deliveryId !== null && !data.deliveriesDone.has(deliveryId)) data.deliveriesDone.set(deliveryId, 'told');
      if (actionKey !== null && data.actions.has(actionKey)) return;
      if (actionKey !== null) data.actions.add(actionKey);
      for (const notice of notices) {
        const same = (known: OutboxNotice) => known.itemGlobalId === notice.itemGlobalId && known.key === notice.key;
        if (!data.notices.some(same)) data.notices.push(notice);
      }
      const fresh = rows.filter((row) => row.kind === 'status' || row.kind === 'notice' || !isKnown(row));
      for (const row of fresh) {
        if (row.kind === 'reply' && isKnown(row)) continue;
        putIntoOutbox(data, row, now());
      }
    },
    async take({ owner, limit, leaseMs }) {
      const taken = [];
      let hasSuspect = data.outbox.some((row) => row.owner === owner && isHeld(row) && row.unanswered > SUSPECT);
      for (const item of new Set(data.outbox.map((row) => row.itemGlobalId))) {
        const rows = queueOf(item);
        const [head] = rows;
        if (!head || taken.length === limit || head.dueAt > now() || rows.some(isHeld)) continue;
        if (head.unanswered >= SUSPECT && hasSuspect) continue;
        const isLost = head.unanswered >= MOST_UNANSWERED;
        if (head.unanswered >= SUSPECT && !isLost) hasSuspect = true;
        const note = data.notes.find((other) => other.itemGlobalId === item && other.marker === head.marker);
        const known = note ? { noteId: note.noteId, discussionId: note.discussionId } : null;
        const wasConfidential = runOf(head.runId)?.row.item.confidential ?? false;
        const { dueAt: _due, owner: _owner, heldUntil: _held, label, ...row } = head;
        const told = data.notices.filter((line) => line.itemGlobalId === item && line.runId === row.runId).slice(-3);
        const notices = NOTICED.includes(row.kind) && told.length > 0 ? { notices: told.map((line) => line.text) } : {};
        const labelled = label == null ? {} : { label };
        taken.push({ ...row, known, ...(row.kept ? { wasConfidential } : {}), ...labelled, ...notices });
        const { attempts, unanswered } = head;
        if (isLost) giveUp(head, `set aside: ${unanswered} processes in a row ended while they worked on it`);
        else
          Object.assign(head, {
            owner,
            heldUntil: now() + leaseMs,
            attempts: attempts + 1,
            unanswered: unanswered + 1,
          });
      }
      return taken.sort((a, b) => a.id - b.id);
    },
    async delivered(id, owner, note) {
      const run = runOf(note?.runId ?? null);
      const itemGlobalId = data.outbox.find((row) => row.id === id)?.itemGlobalId ?? run?.row.itemGlobalId;
      if (rowOf(id, owner)) remove(id);
      if (!note || itemGlobalId === undefined) return;
      const others = data.notes.filter((other) => other.itemGlobalId !== itemGlobalId || other.marker !== note.marker);
      data.lastId += 1;
      data.notes = [...others, { ...note, itemGlobalId, no: data.lastId }];
      if (!run) return;
      run.row.version += 1;
      const pause = run.pauses.find((known) => known.id === note.pauseId);
      if (pause) pause.firstNoteId = Math.min(pause.firstNoteId ?? note.noteId, note.noteId);
    },
    async extend({ owner, ids, leaseMs }) {
      const held = data.outbox.filter((row) => ids.includes(row.id) && row.owner === owner);
      for (const row of held) row.heldUntil = now() + leaseMs;
      return held.map((row) => row.id);
    },
    async postpone(id, owner, retryInMs, error) {
      const row = rowOf(id, owner);
      if (!row) return;
      Object.assign(row, { owner: null, dueAt: now() + retryInMs, unanswered: 0 });
      postponed.push({ id, retryInMs, error });
    },
    async fail(id, owner, error) {
      const row = rowOf(id, owner);
      if (row) giveUp(row, error);
    },
    async stillWanted(id) {
      const row = data.outbox.find((known) => known.id === id);
      return row !== undefined && !isOver(row);
    },
    isWaiting: async (item, marker) => data.outbox.some((row) => row.itemGlobalId === item && row.marker === marker),
    async nextDueInMs() {
      const heads = [...new Set(data.outbox.map((row) => row.itemGlobalId))].flatMap(
        (item) => data.outbox.find((row) => row.itemGlobalId === item) ?? [],
      );
      const due = heads.map((row) => Math.max(row.dueAt, row.owner === null ? 0 : row.heldUntil));
      return due.length === 0 ? null : Math.max(0, Math.min(...due) - now());
    },
    notesOfRun: async (runId) =>
      data.notes
        .filter((note) => note.runId === runId)
        .sort((a, b) => a.noteId - b.noteId)
        .map(noteOf),
    questionNotes: async (item) =>
      data.notes
        .filter((note) => note.itemGlobalId === item && note.questionId !== null)
        .sort((a, b) => a.noteId - b.noteId)
        .map(noteOf),
    async noteById(item, noteId) {
      const found = data.notes.find((note) => note.itemGlobalId === item && note.noteId === noteId);
      return found ? noteOf(found) : null;
    },
    async noteByDiscussion(item, discussionId) {
      const found = data.notes.find((note) => note.itemGlobalId === item && note.discussionId === discussionId);
      return found ? noteOf(found) : null;
    },
    failures: async (runId) =>
      data.failures
        .filter((failure) => failure.runId === runId)
        .filter(
          (failure) =>
            !data.notes.some(
              (note) =>
                note.itemGlobalId === failure.itemGlobalId &&
                note.marker === failure.marker &&
                (note.no ?? 0) > (failure.no ?? 0),
            ),
        )
        .map(({ marker, kind, error }) => ({ marker, kind, error })),
  };
}
