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
  return `(select string_agg(l.line, E'\\x1f') from (
    select e.v || E'\\x1e' || e.at || E'\\x1e' || e.data as line from events e where e.run_id = ${runId} order by e.seq) l)`;
}

/**
 * The CTEs that write what belongs to a changed run. They join `changed(id, item_global_id, base, at, action_key, delivery_id,
 * result)`, so a run that was not changed writes nothing. Parameters: $2 run ids; of the events of each, which are in one row with those
 * of the others, $3 how many come before and $4 how many they are; $5 types, $6 data of all events; $7 outbox rows, $8 version of the event
 * format. Events are taken by their place: a join would look at each of them once for each run.
 */
export const CONSEQUENCES = `
logged as (
  insert into events (run_id, seq, at, v, type, data)
  select c.id, c.base + n.ord, c.at, $8::int, ($5::text[])[n.place], (select string_to_array($6::text, E'\\x1f'))[n.place]
  from unnest($2::uuid[], $3::int[], $4::int[]) as w(run_id, first, events)
  join changed c on c.id = w.run_id
  cross join lateral (select k as ord, w.first + k as place from generate_series(1, w.events) k) n
),
posted as (
  insert into outbox
    (item_global_id, project_id, iid, run_id, kind, pause_id, marker, body, discussion, reply_to, item_url, question_id,
    kept, label)
  select o.item, o.project, o.iid, c.id, o.kind, o.pause, o.marker, o.body, o.discussion, o.reply_to, o.item_url, o.question,
    o.kept, o.label
  from json_to_recordset($7::json) as o(run uuid, ord int, item bigint, project bigint, iid bigint, kind text, pause text,
    marker text, body text, discussion boolean, reply_to text, item_url text, question text, kept text, label text)
  join changed c on c.id = o.run
  order by c.id, o.ord
),
acted as (
  insert into actions (key, run_id) select c.action_key, c.id from changed c where c.action_key is not null
),
handled as (
  update inbox d set state = 'done', result = c.result, done_at = now(), owner = null, held_until = null
  -- Not compared plainly: by the index of what is open, all open deliveries would be looked at.
  from changed c where d.id = c.delivery_id and coalesce(d.state, '') = 'open'
)`;
