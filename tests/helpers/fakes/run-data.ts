import type { RunEvent } from '../../../src/domain/run/events.ts';
import type { DeliveredNote, OutboxNotice, OutboxRow } from '../../../src/ports/outbox.ts';
import type { RowChange, RunRow, RunStore, StartRun, UsageRow } from '../../../src/ports/run-store.ts';

type Pause = Omit<Awaited<ReturnType<RunStore['pauses']>>[number], 'posting'>;

export interface StoredRun {
  start: StartRun;
  row: RunRow;
  events: RunEvent[];
  usage: UsageRow[];
  pauses: Pause[];
  owner: string | null;
  heldUntil: number;
  leaseToken: string | null;
  /** Null while it does not generate. */
  deadlineAt: number | null;
  leftMs: number;
}

/** What the stores in memory share, as the tables of the database are shared. */
export interface MemoryData {
  runs: Map<string, StoredRun>;
  outbox: (OutboxRow & {
    id: number;
    attempts: number;
    unanswered: number;
    dueAt: number;
    owner: string | null;
    heldUntil: number;
  })[];
  notices: OutboxNotice[];
  /** `no` counts what was written, whatever it is. */
  notes: (DeliveredNote & { itemGlobalId?: number; no?: number })[];
  failures: {
    runId: string | null;
    marker: string;
    kind: OutboxRow['kind'];
    error: string;
    itemGlobalId?: number;
    no?: number;
  }[];
  actions: Set<string>;
  deliveriesDone: Map<string, string>;
  lastId: number;
}

/** A row that is to be delivered, due at once. */
export function putIntoOutbox(data: MemoryData, row: OutboxRow, dueAt: number): void {
  data.lastId += 1;
  const fresh = { id: data.lastId, attempts: 0, unanswered: 0, dueAt, owner: null, heldUntil: 0 };
  data.outbox.push({ ...structuredClone(row), ...fresh });
}

/** The row after a change, its pauses and its deadline with it, as the database has them. `now`: milliseconds. */
export function changeRow(stored: StoredRun, row: RowChange, at: string, now: number): void {
  const before = JSON.stringify([
    stored.row.status,
    stored.row.reason,
    stored.row.pause,
    stored.row.scoreStatus,
    stored.row.view,
  ]);
  const { progress, ...fields } = row;
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined) Object.assign(stored.row, { [name]: structuredClone(value) });
  if (progress !== undefined && typeof stored.row.view === 'object') Object.assign(stored.row.view ?? {}, progress);
  const after = JSON.stringify([
    stored.row.status,
    stored.row.reason,
    stored.row.pause,
    stored.row.scoreStatus,
    stored.row.view,
  ]);
  if (before !== after) stored.row.version += 1;
  stored.row.updatedAt = at;
  const { pause, status } = stored.row;
  // The deadline's clock stands during a pause.
  if (status === 'GENERATING') stored.deadlineAt ??= now + stored.leftMs;
  else if (stored.deadlineAt !== null) {
    stored.leftMs = Math.max(60_000, stored.deadlineAt - now);
    stored.deadlineAt = null;
  }
  for (const open of stored.pauses) if (open.closedAt === null && open.id !== pause?.id) open.closedAt = at;
  if (pause && !stored.pauses.some((known) => known.id === pause.id))
    stored.pauses.push({ ...pause, openedAt: at, closedAt: null, firstNoteId: null });
  if (status !== 'GENERATING') Object.assign(stored, { owner: null, leaseToken: null });
}
