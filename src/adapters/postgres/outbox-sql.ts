/** The statements of the outbox; `outbox-store.ts` says what they are for. */
import { MOST_UNANSWERED, SUSPECT } from '../../ports/unanswered.ts';

const ROW = `o.id, o.kind, o.item_global_id as "itemGlobalId", o.project_id as "projectId", o.iid, o.run_id as "runId",
  o.pause_id as "pauseId", o.marker, o.body, o.discussion, o.reply_to as "replyTo", o.item_url as "itemUrl",
  o.question_id as "questionId", o.kept, o.label`;

/** True of row \`o\` when nobody needs it any more: its pause is over, or its run was cancelled. */
const IS_OVER = `(
  o.kind in ('question', 'gate', 'approval', 'reminder') and exists (
    select from pauses p where p.run_id = o.run_id and p.id = o.pause_id and p.closed_at is not null)
  or o.kind in ('question', 'gate', 'approval', 'status') and exists (
    select from runs r where r.id = o.run_id and r.status = 'CANCELED'))`;

const NOTE = `n.run_id as "runId", n.marker, n.kind, n.pause_id as "pauseId", n.question_id as "questionId",
  n.note_id as "noteId", n.discussion_id as "discussionId", n.url`;

/**
 * Adds rows whose marker the item does not know yet, unless the action was done before; the delivery is done either way. A status or
 * notice row is always added: its note is edited in place under one marker, and older rows of it give way to the newest. $4: lines that
 * are told in such notes.
 */
export const ADD = `-- add_outbox
with fresh as materialized (
  select $2::text is null or not exists (select from actions a where a.key = $2::text) as it_is
),
acted as (
  insert into actions (key) select $2::text from fresh where $2::text is not null and it_is
),
handled as (
  update inbox set state = 'done', result = 'told', done_at = now(), owner = null, held_until = null
  where id = $3::text and state = 'open'
),
noticed as (
  insert into notices (item_global_id, key, run_id, text)
  select n.item, n.key, n.run, n.text
  from json_to_recordset($4::json) as n(item bigint, key text, run uuid, text text) cross join fresh where it_is
  on conflict do nothing
)
insert into outbox
  (item_global_id, project_id, iid, run_id, kind, pause_id, marker, body, discussion, reply_to, item_url, question_id, kept, label)
select o.item, o.project, o.iid, o.run, o.kind, o.pause, o.marker, o.body, o.discussion, o.reply_to, o.item_url, o.question,
  o.kept, o.label
from json_to_recordset($1::json) as o(run uuid, ord int, item bigint, project bigint, iid bigint, kind text, pause text,
  marker text, body text, discussion boolean, reply_to text, item_url text, question text, kept text, label text)
cross join fresh
where it_is and (o.kind in ('status', 'notice') or not exists (
  select from outbox k where k.item_global_id = o.item and k.marker = o.marker
  union all select from notes k where k.item_global_id = o.item and k.marker = o.marker
  union all select from outbox_failures k where k.item_global_id = o.item and k.marker = o.marker))
order by o.ord
on conflict do nothing`;

/**
 * The oldest row of each item, if it is due and nothing of the item is held. To be alone with an item although rows are committed out of
 * order, every row of it is locked: who cannot lock them all, or finds one held by now, leaves the item alone. What nobody needs any
 * more is deleted and answered as \`over\`. Of rows that nobody answered twice one comes, and with $4 false none: one of them may be what
 * ends the process, the others were only beside it. What nobody answered too often goes the way of \`FAIL\`.
 */
export const TAKE = `-- take_outbox
with heads as (
  select o.id, o.item_global_id from outbox o
  where o.due_at <= now() and (o.held_until is null or o.held_until < now())
    and (o.unanswered < ${SUSPECT} or $4::boolean)
    and not exists (select from outbox p
      where p.item_global_id = o.item_global_id and (p.id < o.id or p.held_until >= now()))
  order by o.id
  limit $2::int
),
locked as (
  select o.id, o.item_global_id from outbox o join heads h on h.item_global_id = o.item_global_id
  where o.held_until is null or o.held_until < now()
  order by o.id
  for update of o skip locked
),
free as (
  select min(l.id) as id from locked l group by l.item_global_id
  having count(*) = (select count(*) from outbox v where v.item_global_id = l.item_global_id)
),
judged as materialized (
  select o.id, o.unanswered, (
    ${IS_OVER}
    or o.kind = 'status' and exists (
      select from outbox n where n.run_id = o.run_id and n.kind = 'status' and n.id > o.id
        and (o.label is null or n.label is not null))
    or o.kind = 'notice' and exists (
      select from outbox n where n.item_global_id = o.item_global_id and n.id > o.id and n.marker = o.marker)
  ) as over
  from free f join outbox o on o.id = f.id
),
gone as (
  delete from outbox o using judged j where (j.over or j.unanswered >= ${MOST_UNANSWERED}) and o.id = j.id
  returning ${ROW}, o.attempts, o.unanswered, j.over
),
set_aside as (
  insert into outbox_failures (id, item_global_id, run_id, kind, marker, body, error, attempts)
  select g.id, g."itemGlobalId", g."runId", g.kind, g.marker, g.body,
    'set aside: ' || g.unanswered || ' processes in a row ended while they worked on it', g.attempts
  from gone g where not g.over
),
shown as (
  update runs r set version = r.version + 1
  -- Asked first of all, so that no plan looks at runs where nothing is given up.
  where exists (select from gone g where not g.over) and r.id = any(array(select g."runId" from gone g where not g.over))
),
suspect as (
  select min(j.id) as id from judged j where j.unanswered >= ${SUSPECT} and j.unanswered < ${MOST_UNANSWERED} and not j.over
),
held as (
  update outbox o set owner = $1::text, held_until = now() + $3::int * interval '1 millisecond', attempts = o.attempts + 1,
    unanswered = o.unanswered + 1
  from judged j
  where not j.over and o.id = j.id
    and (j.unanswered < ${SUSPECT} or j.unanswered < ${MOST_UNANSWERED} and j.id = (select id from suspect))
  returning ${ROW}, o.attempts - 1 as attempts, o.unanswered - 1 as unanswered, false as over
)
select t.*, n.note_id as "knownId", n.discussion_id as "knownDiscussion",
  case when t.kind in ('status', 'cancel', 'notice') then (
    select json_agg(l.text order by l.no) from (
      select k.text, k.no from notices k
      where k.item_global_id = t."itemGlobalId" and k.run_id is not distinct from t."runId"
      order by k.no desc limit 3) l) end as notices,
  case when t.kept is not null then coalesce(
    (select (d.item::json ->> 'confidential')::boolean from run_definitions d where d.run_id = t."runId"), false) end as "wasConfidential"
from (select * from gone union all select * from held) t
left join notes n on n.item_global_id = t."itemGlobalId" and n.marker = t.marker`;

/**
 * All that was delivered at one moment: $1 has {row, owner} and the note's fields, without a note `note` is null. A note that was posted is
 * kept even if the row is not ours any more (its hold lapsed, or a cancel dropped it while it went out): it stands on the item. Without a
 * row the item is the run's. A note that was edited in place writes nothing and changes no version: where it stands is known.
 */
export const DELIVERED = `-- outbox_delivered
with input as materialized (
  select i.* from json_to_recordset($1::json) as i("row" bigint, owner text, run uuid, marker text, kind text, pause text,
    question text, note bigint, discussion text, url text)
),
gone as (
  delete from outbox o using input i where o.id = i."row" and o.owner = i.owner
),
kept as (
  insert into notes (item_global_id, marker, run_id, kind, pause_id, question_id, note_id, discussion_id, url)
  select p.item, i.marker, i.run, i.kind, i.pause, i.question, i.note, i.discussion, i.url
  from input i
  cross join lateral (select coalesce(
    (select o.item_global_id from outbox o where o.id = i."row"),
    (select r.item_global_id from runs r where r.id = i.run)) as item) p
  where p.item is not null and i.note is not null
  order by p.item, i.marker
  on conflict (item_global_id, marker) do update
    set note_id = excluded.note_id, discussion_id = excluded.discussion_id, url = excluded.url, delivered_at = now()
    where (notes.note_id, notes.discussion_id, notes.url)
        is distinct from (excluded.note_id, excluded.discussion_id, excluded.url)
      or exists (select from outbox_failures f where f.item_global_id = notes.item_global_id and f.marker = notes.marker)
  returning run_id
),
shown as materialized (
  select k.run_id as run, count(*)::int as notes from kept k where k.run_id is not null group by k.run_id order by k.run_id
)
update runs r set version = r.version + s.notes from shown s where r.id = s.run`;

/** What is held for long enough is only looked at: asking right before each post must not cost a write. */
export const EXTEND = `-- extend_outbox
with input as materialized (
  select i.* from unnest($1::bigint[], $2::text[], $3::int[]) as i(id, owner, lease_ms) order by i.id
),
firm as (
  select o.id from outbox o join input i on i.id = o.id
  where o.owner = i.owner and o.held_until > now() + i.lease_ms * interval '0.9 milliseconds'
),
extended as (
  update outbox o set held_until = now() + i.lease_ms * interval '1 millisecond'
  from input i where o.id = i.id and o.owner = i.owner and not exists (select from firm f where f.id = i.id)
  returning o.id
)
select id from firm union all select id from extended`;

export const POSTPONE = `-- postpone_outbox
update outbox set due_at = now() + $3::bigint * interval '1 millisecond', error = $4, owner = null, held_until = null,
  unanswered = 0
where id = $1 and owner = $2`;

export const FAIL = `-- fail_outbox
with gone as (
  delete from outbox where id = $1 and owner = $2 returning *
),
kept as (
  insert into outbox_failures (id, item_global_id, run_id, kind, marker, body, error, attempts)
  select id, item_global_id, run_id, kind, marker, body, $3::text, attempts from gone
)
update runs r set version = r.version + 1 from gone g where r.id = g.run_id`;

export const STILL_WANTED = `-- outbox_still_wanted
select o.id from outbox o where o.id = any($1::bigint[]) and not ${IS_OVER}`;

export const IS_WAITING = `-- outbox_is_waiting
select exists (select from outbox o where o.item_global_id = $1 and o.marker = $2) as waits`;

/** Only the oldest of an item can be next; a held one may be taken over when its hold lapses. */
export const NEXT_DUE = `-- next_outbox_due
select greatest(0, ceil(extract(epoch from min(greatest(h.due_at, h.held_until)) - now()) * 1000))::bigint as ms
from (select distinct on (item_global_id) due_at, held_until from outbox order by item_global_id, id) h
having count(*) > 0`;

export const NOTES_OF_RUN = `-- notes_of_run
select ${NOTE} from notes n where n.run_id = any($1::uuid[]) order by n.note_id`;

export const QUESTION_NOTES = `-- question_notes
select n.item_global_id as "itemGlobalId", ${NOTE}
from notes n where n.item_global_id = any($1::bigint[]) and n.question_id is not null order by n.note_id`;

export const NOTE_BY_ID = `-- note_by_id
select ${NOTE} from notes n where n.item_global_id = $1 and n.note_id = $2`;

/** A question before anything else of ours in its discussion. */
export const NOTE_BY_DISCUSSION = `-- note_by_discussion
select ${NOTE} from notes n where n.item_global_id = $1 and n.discussion_id = $2
order by n.question_id is null, n.note_id limit 1`;

/** A note that was delivered later stands, whatever failed before. */
export const FAILURES = `-- outbox_failures_of_run
select f.marker, f.kind, f.error from outbox_failures f
where f.run_id = $1 and not exists (select from notes n
  where n.item_global_id = f.item_global_id and n.marker = f.marker and n.delivered_at > f.failed_at)
order by f.id`;
