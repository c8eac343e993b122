import type { DeliveredNote } from '../../ports/outbox.ts';
import type { ExportedRun, ExportFilter, Pruned, RetentionStore } from '../../ports/retention.ts';
import type { RunSettings, UsageRow } from '../../ports/run-store.ts';
import { cleanTextOrNull } from './clean.ts';
import type { Executor } from './connect.ts';
import { readPauses } from './run-read.ts';
import { type StoredRun, toEvents, toRunRow } from './run-rows.ts';
import { logOf, runColumns } from './run-sql.ts';

/** Retention on PostgreSQL or PGlite. */
export function createRetentionStore(db: Executor): RetentionStore {
  return {
    exportRuns: (filter, afterNo, limit) => exportRuns(db, filter, afterNo, limit),
    prune: ({ ageMs, limit }) => counted(db, PRUNE, [ageMs, limit]),
    countPrunable: ({ ageMs }) => counted(db, COUNT, [ageMs]),
  };
}

type ExportRow = StoredRun & {
  no: number;
  settings: string;
  piece_hash: string;
  piece_name: string;
  log: string | null;
};

async function exportRuns(db: Executor, filter: ExportFilter, afterNo: number, limit: number): Promise<ExportedRun[]> {
  const rows = await db.execute<ExportRow>(EXPORT, [afterNo, limit, filter.since, cleanTextOrNull(filter.item)]);
  const runs: ExportedRun[] = [];
  for (const row of rows) {
    const { view: _, ...run } = toRunRow(row);
    runs.push({
      no: row.no,
      run,
      settings: JSON.parse(row.settings) as RunSettings,
      piece: { name: row.piece_name, hash: row.piece_hash },
      pauses: await readPauses(db, row.id),
      events: toEvents(row.log),
      usage: await db.execute<UsageRow & { at: string }>(USAGE_OF_RUN, [row.id]),
      notes: await db.execute<DeliveredNote>(NOTES_OF_RUN, [row.id]),
    });
  }
  return runs;
}

const EXPORT = `-- export_runs
select ${runColumns('r', 'd')}, r.no, d.settings, d.piece_hash, coalesce(b.bundle::json ->> 'name', '') as piece_name,
  ${logOf('r.id')} as log
from runs r join run_definitions d on d.run_id = r.id left join piece_bundles b on b.hash = d.piece_hash
where r.no > $1::bigint and ($3::timestamptz is null or r.updated_at >= $3::timestamptz)
  and ($4::text is null or $4::text in (r.item_global_id::text, d.item::json ->> 'webUrl', d.item::json ->> 'reference'))
order by r.no limit $2::int`;

const USAGE_OF_RUN = `-- usage_of_run
select effect_id as "effectId", model, input_tokens as "inputTokens", output_tokens as "outputTokens", estimated,
  project_id as "projectId", cached_tokens as "cachedTokens", cache_write_tokens as "cacheWriteTokens", money, ms, at
from usage where run_id = $1 order by id`;

const NOTES_OF_RUN = `-- export_notes_of_run
select n.run_id as "runId", n.marker, n.kind, n.pause_id as "pauseId", n.question_id as "questionId",
  n.note_id as "noteId", n.discussion_id as "discussionId", n.url from notes n where n.run_id = $1 order by n.note_id`;

async function counted(db: Executor, statement: string, parameters: unknown[]): Promise<Pruned> {
  const [row] = await db.execute<Pruned>(statement, parameters);
  if (row === undefined) throw new Error('counting answered nothing');
  return row;
}

const CUT = `now() - $1::bigint * interval '1 millisecond'`;

/** The newest run of an item stays: what it asked is handed on, and its status is shown. */
const OLD_RUNS = `
select r.id from runs r
where not r.live and r.updated_at < ${CUT}
  and exists (select from runs n where n.item_global_id = r.item_global_id and n.no > r.no)
  and not exists (select from outbox o where o.run_id = r.id)`;
const OLD_DELIVERIES = `select seq from inbox where state <> 'open' and done_at < ${CUT}`;
const OLD_ACTIONS = `select key from actions where run_id is null and at < ${CUT}`;
const OLD_FAILURES = `
select f.id from outbox_failures f
where f.failed_at < ${CUT} and not exists (select from runs r where r.id = f.run_id)`;
/** Of items that were never planned: what was refused there once. */
const OLD_NOTICES = `select item_global_id, key from notices where run_id is null and at < ${CUT}`;
const OLD_BUNDLES = `
select b.hash from piece_bundles b
where b.used_at < ${CUT} and not exists (select from run_definitions d where d.piece_hash = b.hash)`;

/** Definitions go with their run (cascade). A bundle goes when the statement after its last run looks. */
const PRUNE = `-- prune
with old as materialized (${OLD_RUNS} order by r.no limit $2::int),
ids as materialized (select array(select id from old) as runs),
gone_events as (delete from events e using old o where e.run_id = o.id returning 1),
gone_pauses as (delete from pauses p using old o where p.run_id = o.id),
gone_usage as (delete from usage u using old o where u.run_id = o.id),
gone_notes as (delete from notes n using old o where n.run_id = o.id),
gone_notices as (
  delete from notices k using old o, runs r where r.id = o.id and k.item_global_id = r.item_global_id and k.run_id = o.id
),
gone_own_notices as (
  delete from notices k using (${OLD_NOTICES} limit $2::int) o where k.item_global_id = o.item_global_id and k.key = o.key
),
gone_run_failures as (delete from outbox_failures f using old o where f.run_id = o.id returning 1),
gone_run_actions as (delete from actions a using ids i where a.run_id = any(i.runs) returning 1),
gone_runs as (delete from runs r using old o where r.id = o.id returning 1),
gone_deliveries as (
  delete from inbox d using (${OLD_DELIVERIES} order by seq limit $2::int) o where d.seq = o.seq returning 1
),
gone_actions as (delete from actions a using (${OLD_ACTIONS} limit $2::int) o where a.key = o.key returning 1),
gone_failures as (
  delete from outbox_failures f using (${OLD_FAILURES} limit $2::int) o where f.id = o.id returning 1
),
gone_bundles as (delete from piece_bundles b using (${OLD_BUNDLES} limit $2::int) o where b.hash = o.hash returning 1)
select (select count(*) from gone_runs)::int as runs,
  (select count(*) from gone_events)::int as events,
  (select count(*) from gone_deliveries)::int as deliveries,
  ((select count(*) from gone_run_actions) + (select count(*) from gone_actions))::int as actions,
  ((select count(*) from gone_run_failures) + (select count(*) from gone_failures))::int as "outboxFailures",
  (select count(*) from gone_bundles)::int as "pieceBundles"`;

const COUNT = `-- count_prunable
with old as materialized (${OLD_RUNS})
select (select count(*) from old)::int as runs,
  (select count(*) from events e join old o on o.id = e.run_id)::int as events,
  (select count(*) from (${OLD_DELIVERIES}) d)::int as deliveries,
  ((select count(*) from actions a join old o on o.id = a.run_id) + (select count(*) from (${OLD_ACTIONS}) a))::int as actions,
  ((select count(*) from outbox_failures f join old o on o.id = f.run_id)
    + (select count(*) from (${OLD_FAILURES}) f))::int as "outboxFailures",
  (select count(*) from piece_bundles b where b.used_at < ${CUT} and not exists (
    select from run_definitions d where d.piece_hash = b.hash and d.run_id not in (select id from old)))::int as "pieceBundles"`;
