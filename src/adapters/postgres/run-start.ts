import type { PieceBundle } from '../../domain/piece/types.ts';
import type { StartOutcome, StartRun } from '../../ports/run-store.ts';
import { cleanJson, cleanTextOrNull } from './clean.ts';
import type { Executor } from './connect.ts';
import { isUniqueViolation } from './errors.ts';
import { createGather } from './gather.ts';
import {
  consequenceParameters,
  type EventText,
  jsonArray,
  type StoredRun,
  toBundleText,
  toEventTexts,
  toOutboxTexts,
  toRunRow,
} from './run-rows.ts';
import { CONSEQUENCES, runColumns } from './run-sql.ts';

/** Far below the shortest retention, a day. */
const BUNDLE_FRESH_MS = 3_600_000;

interface Start {
  runId: string;
  itemGlobalId: number;
  definition: string;
  events: EventText[];
  outbox: string[];
}

/** Starts of one moment leave in one statement; the unique index on the live run of an item decides who wins. */
export function createStart(db: Executor, max: number): (input: StartRun) => Promise<StartOutcome> {
  const insert = createGather<Start, StoredRun | null>({
    keyOf: (start) => String(start.itemGlobalId).padStart(20, '0'),
    flush: (starts) => startRuns(db, starts),
    max,
  });
  const texts = new WeakMap<PieceBundle, { hash: string; text: string }>();
  const stored = new Map<string, { at: number; storing: Promise<unknown> }>();

  /**
   * Stores the bundle, and works its hash out once an object: a bundle is never changed. Once an hour a process says again that it uses
   * it, so that pruning leaves it alone.
   */
  async function ensureBundle(bundle: PieceBundle): Promise<string> {
    const { hash, text } = texts.get(bundle) ?? toBundleText(bundle);
    texts.set(bundle, { hash, text });
    const known = stored.get(hash);
    const fresh = known !== undefined && performance.now() - known.at < BUNDLE_FRESH_MS;
    const { storing } = fresh ? known : { storing: db.execute(PUT_BUNDLE, [hash, text]) };
    if (!fresh) stored.set(hash, { at: performance.now(), storing });
    await storing.catch((error: unknown) => {
      stored.delete(hash);
      throw error;
    });
    return hash;
  }

  return async (input) => {
    const start = toStart(input, await ensureBundle(input.piece));
    // Whoever was in the way may have ended before we could look: then the item is free, and we try again.
    for (let attempt = 1; ; attempt += 1) {
      const added = await insert(start).catch((error: unknown) => {
        if (isUniqueViolation(error, 'actions_pkey')) return null;
        throw error;
      });
      if (added !== null) return { kind: 'started', run: toRunRow(added) };
      const obstacle = await findObstacle(db, input);
      if (obstacle !== null) return obstacle;
      if (attempt === 5) throw new Error(`Run ${input.id} could neither be started nor was anything in its way`);
    }
  };
}

function toStart(input: StartRun, pieceHash: string): Start {
  const { row, cause, item } = input;
  const definition = {
    run: input.id,
    item_id: item.globalId,
    // JSON within JSON: cleaned before it is wrapped, for afterwards its escapes are escaped.
    item: cleanJson(item),
    starter: cleanJson(input.startedBy),
    settings: cleanJson(input.settings),
    piece: pieceHash,
    at: input.at,
    events: input.events.length,
    status: row.status ?? 'GENERATING',
    score: row.scoreStatus ?? 'NOT_EVALUATED',
    view: row.view ?? null,
    movement: row.progress?.movement ?? null,
    iteration: row.progress?.iteration ?? null,
    format: input.settings.format,
    timeout: input.settings.timeoutMs,
    turn: input.settings.maxLiveRuns === undefined ? null : item.projectId,
    lease: input.leaseToken ?? null,
    action: cleanTextOrNull(cause.actionKey),
    delivery: cleanTextOrNull(cause.deliveryId),
  };
  return {
    runId: input.id,
    itemGlobalId: item.globalId,
    definition: cleanJson(definition),
    events: toEventTexts(input.events),
    outbox: toOutboxTexts(input.id, input.outbox),
  };
}

async function startRuns(db: Executor, starts: Start[]): Promise<(StoredRun | null)[]> {
  const rows = await db.execute<StoredRun>(START_RUNS, [
    jsonArray(starts.map((start) => start.definition)),
    ...consequenceParameters(starts),
  ]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return starts.map((start) => byId.get(start.runId) ?? null);
}

/** Why nothing was inserted, seen by a new snapshot; null when nothing is in the way any more. */
async function findObstacle(db: Executor, input: StartRun): Promise<StartOutcome | null> {
  const parameters = [cleanTextOrNull(input.cause.actionKey), input.item.globalId, input.id];
  const [found] = await db.execute<StoredRun & { own: boolean; done: boolean }>(FIND_OBSTACLE, parameters);
  if (found === undefined) return null;
  // The same call once more, after its first answer was lost.
  if (found.own) return { kind: 'started', run: toRunRow(found) };
  return found.done ? { kind: 'duplicate' } : { kind: 'already_running', run: toRunRow(found) };
}

const PUT_BUNDLE = `-- put_bundle
insert into piece_bundles (hash, bundle) values ($1, $2) on conflict (hash) do update set used_at = now()`;

const START_RUNS = `-- start_runs
with input as materialized (
  select i.* from json_to_recordset($1::json) as i(run uuid, item_id bigint, item text, starter text, settings text, piece text,
    at timestamptz, events int, status text, score text, view json, movement text, iteration int, format int, timeout bigint, turn bigint, lease text, action text,
    delivery text)
  where i.action is null or not exists (select from actions a where a.key = i.action)
  order by i.item_id
),
added as (
  insert into runs (id, item_global_id, status, live, score_status, view, movement, iteration, lease_token, seq, format, deadline_at, left_ms,
    created_at, updated_at, turn_project, waits_since)
  select i.run, i.item_id, i.status, true, i.score, coalesce(i.view::text, 'null'), i.movement, i.iteration, i.lease, i.events, i.format,
    case when i.turn is null then now() + i.timeout * interval '1 millisecond' end, i.timeout, i.at, i.at,
    i.turn, case when i.turn is not null then now() end
  from input i
  order by i.item_id
  on conflict do nothing
  returning *
),
defined as (
  insert into run_definitions (run_id, item, started_by, settings, piece_hash)
  select i.run, i.item, i.starter, i.settings, i.piece from input i join added a on a.id = i.run
),
changed as (
  select a.id, a.item_global_id, 0 as base, a.created_at as at, i.action as action_key, i.delivery as delivery_id, 'plan' as result
  from added a join input i on i.run = a.id
),
${CONSEQUENCES}
select ${runColumns('a', 'd')} from added a join (select run, item, starter as started_by from input) d on d.run = a.id`;

/** Own run first, then a known action, then the live run of the item. */
const FIND_OBSTACLE = `-- find_obstacle
select ${runColumns('r', 'd')}, r.id = $3::uuid as own, k.done
from (select exists (select from actions a where a.key = $1::text) as done) k
left join runs r on r.id = $3::uuid or (r.item_global_id = $2::bigint and r.live)
left join run_definitions d on d.run_id = r.id
where k.done or r.id is not null
order by own desc nulls last
limit 1`;
