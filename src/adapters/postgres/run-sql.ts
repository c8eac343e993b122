/** Parts that several statements on runs share. All of them take JSON for what is small and arrays for events (D12). */

/** Between the data of several events in one parameter: JSON text holds no raw control character, so nothing needs escaping. */
export const SEPARATOR = '\x1f';
/** Between the fields of one event when a log is loaded. */
export const FIELD_SEPARATOR = '\x1e';

/** Columns of a `StoredRun`: `run` names a relation with the columns of runs, `definition` one of run_definitions. */
export function runColumns(run: string, definition: string): string {
  const hot = [
    'id',
    'item_global_id',
    'status',
    'reason',
    'pause_id',
    'pause_kind',
    'score_status',
    'view',
    'movement',
    'iteration',
    'fence',
    'seq',
    'version',
    'waits_since',
  ];
  const columns = [...hot, 'created_at', 'updated_at'].map((name) => `${run}.${name}`);
  return [...columns, `${definition}.item`, `${definition}.started_by`].join(', ');
}

/** The whole log of a run as one text, which costs one row and no array parsing. */
export function logOf(runId: string): string {
  return `(select string_agg(concat_ws(E'\\x1e', e.v, e.at, e.data), E'\\x1f' order by e.seq) from events e where e.run_id = ${runId})`;
}

/**
 * The CTEs that write what belongs to a changed run. They join `changed(id, item_global_id, base, at, action_key, delivery_id,
 * result)`, so a run that was not changed writes nothing. Parameters: $2 run ids, $3 sequence offsets, $4 types, $5 data of events;
 * $6 outbox rows, $7 version of the event format.
 */
export const CONSEQUENCES = `
logged as (
  insert into events (run_id, seq, at, v, type, data)
  select c.id, c.base + e.ord, c.at, $7::int, e.type, e.data
  from unnest($2::uuid[], $3::int[], $4::text[], string_to_array($5::text, E'\\x1f')) as e(run_id, ord, type, data)
  join changed c on c.id = e.run_id
),
posted as (
  insert into outbox
    (item_global_id, project_id, iid, run_id, kind, pause_id, marker, body, discussion, reply_to, item_url, question_id,
    kept, label)
  select o.item, o.project, o.iid, c.id, o.kind, o.pause, o.marker, o.body, o.discussion, o.reply_to, o.item_url, o.question,
    o.kept, o.label
  from json_to_recordset($6::json) as o(run uuid, ord int, item bigint, project bigint, iid bigint, kind text, pause text,
    marker text, body text, discussion boolean, reply_to text, item_url text, question text, kept text, label text)
  join changed c on c.id = o.run
  order by c.id, o.ord
),
acted as (
  insert into actions (key, run_id) select c.action_key, c.id from changed c where c.action_key is not null
),
handled as (
  update inbox d set state = 'done', result = c.result, done_at = now(), owner = null, held_until = null
  from changed c where d.id = c.delivery_id and d.state = 'open'
)`;
