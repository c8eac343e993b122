import type { PieceBundle } from '../../domain/piece/types.ts';
import type { PauseKind } from '../../domain/run/events.ts';
import { PermanentFailure } from '../../ports/failures.ts';
import type { RunRow, RunStore } from '../../ports/run-store.ts';
import type { Executor } from './connect.ts';
import { createGather } from './gather.ts';
import type { Bundles, LoadedRun } from './run-claim.ts';
import { type StoredRun, toRunRow } from './run-rows.ts';
import { logOf, runColumns } from './run-sql.ts';

/** Run rows by id and by item; the reads of one moment leave in one statement (people poll). */
export function createRowReads(db: Executor, max: number): Pick<RunStore, 'byId' | 'latestForItem'> {
  const byId = createGather<string, RunRow | null>({
    keyOf: (id) => id,
    flush: (ids) => readRows(db, RUNS_BY_ID, ids),
    max,
  });
  const latest = createGather<number, RunRow | null>({
    keyOf: String,
    flush: (items) => readRows(db, LATEST_OF_ITEMS, items),
    max,
  });
  return {
    // Anything may be asked for by a link; what is no id names no run.
    byId: async (runId) => (UUID.test(runId) ? byId(runId.toLowerCase()) : null),
    latestForItem: latest,
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function readRows(db: Executor, statement: string, keys: (string | number)[]): Promise<(RunRow | null)[]> {
  const rows = await db.execute<StoredRun & { place: number }>(statement, [keys]);
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  return keys.map((_, index) => {
    const row = byPlace.get(index + 1);
    return row === undefined ? null : toRunRow(row);
  });
}

const RUNS_BY_ID = `-- runs_by_id
select ${runColumns('r', 'd')}, k.place::int as place
from unnest($1::uuid[]) with ordinality as k(id, place)
join runs r on r.id = k.id join run_definitions d on d.run_id = r.id`;

const LATEST_OF_ITEMS = `-- latest_of_items
select ${runColumns('r', 'd')}, k.place::int as place
from unnest($1::bigint[]) with ordinality as k(item, place)
cross join lateral (select * from runs where item_global_id = k.item order by no desc limit 1) r
join run_definitions d on d.run_id = r.id`;

export async function readRunsOfItem(db: Executor, itemGlobalId: number, limit: number): Promise<RunRow[]> {
  return (await db.execute<StoredRun>(RUNS_OF_ITEM, [itemGlobalId, limit])).map(toRunRow);
}

const RUNS_OF_ITEM = `-- runs_of_item
select ${runColumns('r', 'd')} from runs r join run_definitions d on d.run_id = r.id
where r.item_global_id = $1 order by r.no desc limit $2`;

export async function readLoaded(db: Executor, runId: string): Promise<LoadedRun | null> {
  if (!UUID.test(runId)) return null;
  const [run] = await db.execute<LoadedRun>(LOAD_RUN, [runId]);
  return run ?? null;
}

const LOAD_RUN = `-- load_run
select ${runColumns('r', 'd')}, r.lease_token, d.settings, d.piece_hash, ${logOf('r.id')} as log
from runs r join run_definitions d on d.run_id = r.id where r.id = $1`;

/** Bundles by hash. They never change, so the few that are in use are read once. */
export function createBundles(db: Executor): Bundles {
  const known = new Map<string, Promise<PieceBundle>>();
  return (hash) => {
    const remembered = known.get(hash);
    if (remembered !== undefined) return remembered;
    const reading = readBundle(db, hash);
    known.set(hash, reading);
    reading.catch(() => known.delete(hash));
    const oldest = known.keys().next().value;
    if (known.size > 50 && oldest !== undefined) known.delete(oldest);
    return reading;
  };
}

async function readBundle(db: Executor, hash: string): Promise<PieceBundle> {
  const [row] = await db.execute<{ bundle: string }>(READ_BUNDLE, [hash]);
  if (row === undefined)
    throw new PermanentFailure('piece_missing', 'The piece that the run was started with is not stored any more');
  return JSON.parse(row.bundle) as PieceBundle;
}

const READ_BUNDLE = `-- read_bundle
select bundle from piece_bundles where hash = $1`;

/** Any format of runs. */
const ANY_FORMAT = 2_147_483_647;

export async function readAbandoned(db: Executor, limit: number, maxFormat = ANY_FORMAT): Promise<string[]> {
  return (await db.execute<{ id: string }>(FIND_ABANDONED, [limit, maxFormat])).map((row) => row.id);
}

const FIND_ABANDONED = `-- find_abandoned
select id from runs where status = 'GENERATING' and (owner is null or held_until < now()) and format <= $2 and waits_since is null
order by no limit $1`;

export async function readOverdue(
  db: Executor,
  limit: number,
  maxFormat = ANY_FORMAT,
): Promise<{ runId: string; seq: number }[]> {
  const rows = await db.execute<{ id: string; seq: number }>(FIND_OVERDUE, [limit, maxFormat]);
  return rows.map(({ id, seq }) => ({ runId: id, seq }));
}

const FIND_OVERDUE = `-- find_overdue
select id, seq from runs where status = 'GENERATING' and deadline_at < now() and format <= $2
order by deadline_at limit $1`;

export async function readPauses(db: Executor, runId: string): ReturnType<RunStore['pauses']> {
  if (!UUID.test(runId)) return [];
  const rows = await db.execute<{
    id: string;
    kind: PauseKind;
    opened_at: string;
    closed_at: string | null;
    first: number | null;
    posting: boolean;
  }>(READ_PAUSES, [runId]);
  return rows.map(({ id, kind, opened_at, closed_at, first, posting }) => {
    return { id, kind, openedAt: opened_at, closedAt: closed_at, firstNoteId: first, posting };
  });
}

const READ_PAUSES = `-- read_pauses
select p.id, p.kind, p.opened_at, p.closed_at,
  (select min(n.note_id) from notes n where n.run_id = p.run_id and n.pause_id = p.id) as first,
  exists (select from outbox o where o.run_id = p.run_id and o.pause_id = p.id) as posting
from pauses p where p.run_id = $1 order by p.opened_at, p.no`;

export async function isActionKnown(db: Executor, key: string): Promise<boolean> {
  const rows = await db.execute(ACTION_KNOWN, [key]);
  return rows.length > 0;
}

const ACTION_KNOWN = `-- action_known
select 1 from actions where key = $1`;

export async function isPauseKnown(db: Executor, runId: string, pauseId: string): Promise<boolean> {
  const rows = await db.execute(PAUSE_KNOWN, [runId, pauseId]);
  return rows.length > 0;
}

const PAUSE_KNOWN = `-- pause_known
select 1 from pauses where run_id = $1 and id = $2`;
