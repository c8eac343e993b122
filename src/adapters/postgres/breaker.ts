import type { BreakerVerdict, RateBreaker } from '../../ports/breaker.ts';
import { cleanText } from './clean.ts';
import type { Executor } from './connect.ts';

/** The rate breaker on PostgreSQL or PGlite. */
export function createRateBreaker(db: Executor): RateBreaker {
  return {
    async hit({ itemGlobalId, personId, key, limit }) {
      const [verdict] = await db.execute<BreakerVerdict>(HIT, [itemGlobalId, personId, cleanText(key), limit]);
      if (!verdict) throw new Error('the breaker answered nothing');
      return verdict;
    },
  };
}

/**
 * One row a person and item: who updates it has locked it, so that actions of one moment are counted one after another. What is too much
 * is not counted, so that who waits a minute may go on. Rows that nobody touched for a day go, a few at a time.
 */
const HIT = `-- breaker_hit
with old as (
  delete from action_rates where (item_global_id, person_id) in (
    select o.item_global_id, o.person_id from action_rates o
    where o.touched_at < now() - interval '1 day' and (o.item_global_id, o.person_id) <> ($1::bigint, $2::bigint)
    order by o.touched_at limit 10 for update skip locked)
)
insert into action_rates as r (item_global_id, person_id, hits)
select $1::bigint, $2::bigint, jsonb_build_array(jsonb_build_object('k', $3::text, 't', now()))
on conflict (item_global_id, person_id) do update set
  (hits, told_key, told_at, touched_at) = (
    select
      case when c.known or c.hits >= $4::int then c.kept
        else c.kept || jsonb_build_array(jsonb_build_object('k', $3::text, 't', now())) end,
      case when c.tells then $3::text else r.told_key end,
      case when c.tells then now() else r.told_at end,
      now()
    from (
      select k.*, not k.known and k.hits >= $4::int
        and (r.told_at is null or r.told_at < now() - interval '1 minute') as tells
      from (
        select coalesce(jsonb_agg(h.value), '[]') as kept, count(h.value) as hits,
          coalesce(bool_or(h.value ->> 'k' = $3::text), false) as known
        from jsonb_array_elements(r.hits) h
        where (h.value ->> 't')::timestamptz > now() - interval '1 minute'
      ) k
    ) c
  )
returning exists (select from jsonb_array_elements(r.hits) h where h.value ->> 'k' = $3::text) as allowed,
  coalesce(r.told_key = $3::text, false) as tell`;
