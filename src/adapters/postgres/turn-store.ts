import type { TurnStore } from '../../ports/turns.ts';
import type { Executor } from './connect.ts';
import { jsonArray, toOutboxText } from './run-rows.ts';

/** Turns on PostgreSQL or PGlite. */
export function createTurnStore(db: Executor): TurnStore {
  return {
    async limit(projectId, max) {
      await db.execute(LIMIT, [projectId, max]);
    },
    async admit(projectId, shifted = false) {
      const rows = await db.execute<{ id: string }>(ADMIT, [projectId, shifted]);
      return rows.map((row) => row.id);
    },
    async ahead(runId) {
      const [row] = await db.execute<{ ahead: number }>(AHEAD, [runId]);
      return row?.ahead ?? null;
    },
    async tellWaiting(row) {
      await db.execute(TELL_WAITING, [jsonArray([toOutboxText(row.runId, row, 0)])]);
    },
  };
}

const LIMIT = `-- limit_turns
insert into turns (project_id, max_live) values ($1::bigint, $2::int)
on conflict (project_id) do update set max_live = excluded.max_live where turns.max_live <> excluded.max_live`;

const WAITS = `r.turn_project is not null and r.status = 'GENERATING' and r.waits_since is not null`;

/**
 * Only here runs get their turn, so the number of those that have it rises only with the round. Rounds and numbers are of one snapshot;
 * who finds the round raised meanwhile changes nothing. The deadline's clock starts with the turn.
 */
const ADMIT = `-- admit_turns
with rounds as materialized (
  select t.project_id, t.round, t.max_live from turns t where $1::bigint is null or t.project_id = $1::bigint
),
free as materialized (
  select s.project_id, s.round, greatest(s.max_live - (
    select count(*) from runs r where r.turn_project = s.project_id and r.status = 'GENERATING' and r.waits_since is null), 0) as places
  from rounds s
),
next as materialized (
  select w.id, f.project_id, f.round from free f cross join lateral (
    select r.id from runs r where ${WAITS} and r.turn_project = f.project_id
    order by r.waits_since, r.no limit f.places) w
),
taken as (
  update turns t set round = t.round + 1
  from (select project_id, round from next union select project_id, round from rounds where $2::boolean) n
  where t.project_id = n.project_id and t.round = n.round
  returning t.project_id
),
moved as (
  update runs r set version = r.version + 1 from taken k
  where ${WAITS} and r.turn_project = k.project_id and not exists (select from next n where n.id = r.id)
),
admitted as (
  update runs r set waits_since = null, version = r.version + 1,
    deadline_at = now() + r.left_ms * interval '1 millisecond'
  from next n join taken k on k.project_id = n.project_id
  where r.id = n.id and ${WAITS}
  returning r.id
)
select id from admitted`;

const AHEAD = `-- ahead_in_turn
select count(o.id)::int as ahead from runs r
left join runs o on o.turn_project = r.turn_project and o.status = 'GENERATING' and o.waits_since is not null
  and (o.waits_since, o.no) < (r.waits_since, r.no)
where r.id = $1 and ${WAITS}
group by r.id`;

/** The run's row is locked, so that what its worker tells later comes later. */
const TELL_WAITING = `-- tell_waiting
with waiting as materialized (
  select o.*, r.id as waiter from json_to_recordset($1::json) as o(run uuid, item bigint, project bigint, iid bigint, kind text,
    marker text, body text, discussion boolean, item_url text)
  join runs r on r.id = o.run
  where ${WAITS}
  for share of r
)
insert into outbox (item_global_id, project_id, iid, run_id, kind, marker, body, discussion, item_url)
select item, project, iid, waiter, kind, marker, body, discussion, item_url from waiting`;
