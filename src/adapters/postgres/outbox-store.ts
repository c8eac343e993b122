import type {
  DeliveredNote,
  OutboxKind,
  OutboxNotice,
  OutboxRow,
  OutboxStore,
  StoredOutboxRow,
} from '../../ports/outbox.ts';
import { MOST_UNANSWERED, SUSPECT } from '../../ports/unanswered.ts';
import { cleanJson, cleanText, cleanTextOrNull } from './clean.ts';
import type { Executor } from './connect.ts';
import { isUniqueViolation } from './errors.ts';
import { createGather } from './gather.ts';
import {
  ADD,
  DELIVERED,
  EXTEND,
  FAIL,
  FAILURES,
  IS_WAITING,
  NEXT_DUE,
  NOTE_BY_DISCUSSION,
  NOTE_BY_ID,
  NOTES_OF_RUN,
  POSTPONE,
  QUESTION_NOTES,
  STILL_WANTED,
  TAKE,
} from './outbox-sql.ts';
import { createSuspects, type Suspects } from './outbox-suspects.ts';
import { jsonArray, toOutboxText } from './run-rows.ts';

/**
 * The outbox (D11). `attempts` of a taken row counts how often it was taken before. A row that waits for its retry holds back the later
 * ones of its item, so that an item's notes keep their order.
 */
export function createOutboxStore(db: Executor): OutboxStore {
  const deliver = createGather<Delivered, void>({
    // The note's place in the store: two for one place cannot be written by one statement.
    keyOf: ({ id, note }) => (note === null ? `${id}` : `${note.runId} ${note.marker}`),
    flush: async (delivered) => {
      await db.execute(DELIVERED, [JSON.stringify(delivered.map(toDeliveredRow))]);
      return delivered.map(() => undefined);
    },
    max: 128,
  });
  const stillWanted = createGather<number, boolean>({
    keyOf: String,
    flush: async (ids) => {
      const rows = await db.execute<{ id: number }>(STILL_WANTED, [ids]);
      const wanted = new Set(rows.map((row) => row.id));
      return ids.map((id) => wanted.has(id));
    },
    max: 128,
  });
  const notesOfRun = createGather<string, DeliveredNote[]>({
    keyOf: (runId) => runId,
    flush: async (runIds) => {
      const notes = Map.groupBy(await db.execute<DeliveredNote>(NOTES_OF_RUN, [runIds]), (note) => note.runId);
      return runIds.map((runId) => notes.get(runId) ?? []);
    },
    max: 128,
  });
  const questionNotes = createGather<number, DeliveredNote[]>({
    keyOf: (itemGlobalId) => String(itemGlobalId).padStart(20, '0'),
    flush: async (items) => {
      const rows = await db.execute<DeliveredNote & { itemGlobalId: number }>(QUESTION_NOTES, [items]);
      const notes = Map.groupBy(rows, (row) => row.itemGlobalId);
      return items.map((item) => (notes.get(item) ?? []).map(({ itemGlobalId: _, ...note }) => note));
    },
    max: 128,
  });
  const extend = createGather<Hold, boolean>({
    keyOf: ({ id }) => String(id).padStart(20, '0'),
    flush: async (holds) => {
      const rows = await db.execute<{ id: number }>(EXTEND, [
        holds.map((hold) => hold.id),
        holds.map((hold) => hold.owner),
        holds.map((hold) => hold.leaseMs),
      ]);
      const held = new Set(rows.map((row) => row.id));
      return holds.map((hold) => held.has(hold.id));
    },
    max: 256,
  });
  const suspects = createSuspects();
  return {
    add: (rows, cause, notices = []) => addRows(db, rows, cause, notices),
    take: (input) => takeRows(db, input, suspects),
    delivered(id, owner, note) {
      suspects.answered(owner, id);
      return deliver({ id, owner, note });
    },
    async extend({ owner, ids, leaseMs }) {
      const answers = await Promise.all(ids.map((id) => extend({ id, owner, leaseMs })));
      const held = ids.filter((_, index) => answers[index]);
      suspects.extended(owner, held, leaseMs);
      return held;
    },
    async postpone(id, owner, retryInMs, error) {
      suspects.answered(owner, id);
      await db.execute(POSTPONE, [id, owner, retryInMs, cleanText(error)]);
    },
    async fail(id, owner, error) {
      suspects.answered(owner, id);
      await db.execute(FAIL, [id, owner, cleanText(error)]);
    },
    stillWanted,
    async isWaiting(itemGlobalId, marker) {
      const [row] = await db.execute<{ waits: boolean }>(IS_WAITING, [itemGlobalId, cleanText(marker)]);
      return row?.waits === true;
    },
    async nextDueInMs() {
      const [row] = await db.execute<{ ms: number | null }>(NEXT_DUE);
      return row?.ms ?? null;
    },
    notesOfRun,
    questionNotes,
    async noteById(itemGlobalId, noteId) {
      const [note] = await db.execute<DeliveredNote>(NOTE_BY_ID, [itemGlobalId, noteId]);
      return note ?? null;
    },
    async noteByDiscussion(itemGlobalId, discussionId) {
      const [note] = await db.execute<DeliveredNote>(NOTE_BY_DISCUSSION, [itemGlobalId, cleanText(discussionId)]);
      return note ?? null;
    },
    failures: (runId) => db.execute<{ marker: string; kind: OutboxKind; error: string }>(FAILURES, [runId]),
  };
}

async function addRows(
  db: Executor,
  rows: OutboxRow[],
  cause: { actionKey: string | null; deliveryId: string | null },
  notices: OutboxNotice[],
): Promise<void> {
  const texts = rows.map((row, index) => toOutboxText(row.runId, row, index));
  const lines = notices.map(({ itemGlobalId, runId, key, text }) => ({ item: itemGlobalId, run: runId, key, text }));
  const parameters = [
    jsonArray(texts),
    cleanTextOrNull(cause.actionKey),
    cleanTextOrNull(cause.deliveryId),
    cleanJson(lines),
  ];
  try {
    await db.execute(ADD, parameters);
  } catch (error) {
    // The same action was done at this very moment: the second time it is seen and nothing is added.
    if (!isUniqueViolation(error, 'actions_pkey')) throw error;
    await db.execute(ADD, parameters);
  }
}

async function takeRows(
  db: Executor,
  { owner, limit, leaseMs }: { owner: string; limit: number; leaseMs: number },
  suspects: Suspects,
): Promise<StoredOutboxRow[]> {
  const taken: StoredOutboxRow[] = [];
  while (taken.length < limit) {
    const rows = await db.execute<TakenRow>(TAKE, [owner, limit - taken.length, leaseMs, !suspects.has(owner)]);
    const suspect = rows.find((row) => !row.over && row.unanswered >= SUSPECT && row.unanswered < MOST_UNANSWERED);
    if (suspect) suspects.took(owner, suspect.id, leaseMs);
    taken.push(...rows.filter((row) => !row.over).map(toStored));
    // Where rows were dropped, the next one of the item has come to the front.
    if (!rows.some((row) => row.over)) break;
  }
  return taken.sort((a, b) => a.id - b.id);
}

type TakenRow = Omit<StoredOutboxRow, 'known' | 'kept' | 'label' | 'notices' | 'wasConfidential'> & {
  over: boolean;
  kept: string | null;
  label: string | null;
  notices: string[] | null;
  wasConfidential: boolean | null;
  knownId: number | null;
  knownDiscussion: string | null;
};

function toStored(taken: TakenRow): StoredOutboxRow {
  const { over: _, kept, label, notices, wasConfidential, knownId, knownDiscussion, ...row } = taken;
  const known = knownId === null ? null : { noteId: knownId, discussionId: knownDiscussion };
  return {
    ...row,
    known,
    ...(kept === null ? {} : { kept, wasConfidential: wasConfidential === true }),
    ...(label === null ? {} : { label }),
    ...(notices === null ? {} : { notices }),
  };
}

interface Hold {
  id: number;
  owner: string;
  leaseMs: number;
}

interface Delivered {
  id: number;
  owner: string;
  note: DeliveredNote | null;
}

function toDeliveredRow({ id, owner, note }: Delivered): Record<string, unknown> {
  if (note === null) return { row: id, owner };
  return {
    row: id,
    owner,
    run: note.runId,
    marker: cleanText(note.marker),
    kind: note.kind,
    pause: cleanTextOrNull(note.pauseId),
    question: cleanTextOrNull(note.questionId),
    note: note.noteId,
    discussion: cleanTextOrNull(note.discussionId),
    url: cleanText(note.url),
  };
}
