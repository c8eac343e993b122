import { type LostRun, SUSPECT_AT, type TakeoverStore } from '../../ports/takeovers.ts';
import type { Executor } from './connect.ts';
import { PARKED } from './run-claim.ts';

export function createTakeoverStore(db: Executor): TakeoverStore {
  return {
    async note(runIds) {
      const rows = await db.execute<LostRun & { suspectHeld: boolean }>(NOTE, [runIds, SUSPECT_AT]);
      const lost = rows.flatMap(({ runId, seq, count }) => (runId === null ? [] : [{ runId, seq, count }]));
      return { lost, suspectHeld: rows.some((row) => row.suspectHeld) };
    },
  };
}

/** A row without a run tells whether a suspect is held, also where nothing was lost. */
const NOTE = `-- note_takeovers
with lapsed as (
  select id, seq, fence from runs
  where id = any($1::uuid[]) and status = 'GENERATING' and owner is not null and owner <> '${PARKED}' and held_until < now()
),
noted as (
  insert into takeovers as t (run_id, seq, fence, count) select id, seq, fence, 1 from lapsed order by id
  on conflict (run_id) do update set seq = excluded.seq, fence = excluded.fence, count = case
    when t.seq <> excluded.seq then 1
    when t.fence <> excluded.fence then t.count + 1
    else t.count end
  returning t.run_id, t.seq, t.count
),
known as (
  select t.run_id, t.seq, t.count from takeovers t join runs r on r.id = t.run_id and r.seq = t.seq
  where t.run_id = any($1::uuid[]) and not exists (select from noted n where n.run_id = t.run_id)
  union all select run_id, seq, count from noted
)
select k.run_id as "runId", k.seq, k.count, false as "suspectHeld" from known k
union all select null, null, null, exists (
  select from takeovers t join runs r on r.id = t.run_id and r.seq = t.seq
  where t.count >= $2::int and r.status = 'GENERATING' and r.owner is not null and r.owner <> '${PARKED}'
    and r.held_until >= now())`;
