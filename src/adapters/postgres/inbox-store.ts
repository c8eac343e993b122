import type { Delivery, InboxStore, StoredDelivery } from '../../ports/inbox.ts';
import { MOST_UNANSWERED, SUSPECT } from '../../ports/unanswered.ts';
import { cleanText, cleanTextOrNull } from './clean.ts';
import type { Executor } from './connect.ts';
import { createGather } from './gather.ts';

/** Bodies in one statement: a delivery may have 26 MiB, and then it goes nearly alone. */
const MAX_BATCH = 64;

/**
 * The inbox (D10). `attempts` of a taken delivery counts how often it was taken before. A delivery that waits for its retry holds back the
 * later ones of its item: they are worked on in order.
 */
export function createInboxStore(db: Executor): InboxStore {
  const put = createGather<Delivery, 'stored' | 'known'>({
    keyOf: (delivery) => delivery.id,
    flush: (deliveries) => putDeliveries(db, deliveries),
    max: MAX_BATCH,
  });
  return {
    put: ({ id, event, itemKey, body, content }) =>
      put({
        id: cleanText(id),
        event: cleanText(event),
        itemKey: cleanText(itemKey),
        body: cleanText(body),
        content: cleanTextOrNull(content ?? null),
      }),
    take: (input) => takeDeliveries(db, input),
    async done(id, result) {
      await db.execute(DONE, [cleanText(id), cleanText(result)]);
    },
    async extend({ owner, ids, leaseMs }) {
      const rows = await db.execute<{ id: string }>(EXTEND, [owner, ids.map(cleanText), leaseMs]);
      return rows.map((row) => row.id);
    },
    async postpone(id, owner, retryInMs, error) {
      await db.execute(POSTPONE, [cleanText(id), owner, retryInMs, cleanText(error)]);
    },
    async fail(id, owner, error) {
      await db.execute(FAIL, [cleanText(id), owner, cleanText(error)]);
    },
    async nextDueInMs() {
      const [row] = await db.execute<{ ms: number | null }>(NEXT_DUE);
      return row?.ms ?? null;
    },
  };
}

async function putDeliveries(db: Executor, deliveries: Delivery[]): Promise<('stored' | 'known')[]> {
  const rows = await db.execute<{ id: string }>(PUT, [
    deliveries.map((delivery) => delivery.id),
    deliveries.map((delivery) => delivery.event),
    deliveries.map((delivery) => delivery.itemKey),
    deliveries.map((delivery) => delivery.body),
    deliveries.map((delivery) => delivery.content ?? null),
  ]);
  const stored = new Set(rows.map((row) => row.id));
  return deliveries.map((delivery) => (stored.has(delivery.id) ? 'stored' : 'known'));
}

/** What was given up and is sent again is worked on again, in its old place: whoever sends it again wants it done. */
const PUT = `-- put_deliveries
with given as (
  select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) as g(id, event, item_key, body, content)
),
reopened as (
  update inbox i set state = 'open', attempts = 0, unanswered = 0, due_at = now(), done_at = null
  from given g where i.state = 'failed' and (i.id = g.id or i.content = g.content)
  returning i.id, i.content
),
stored as (
  insert into inbox (id, event, item_key, body, content) select * from given
  on conflict do nothing returning id
)
select id from stored
union select g.id from given g join reopened r on r.id = g.id or r.content = g.content`;

async function takeDeliveries(
  db: Executor,
  input: { owner: string; limit: number; leaseMs: number },
): Promise<StoredDelivery[]> {
  const rows = await db.execute<StoredDelivery>(TAKE, [input.owner, input.limit, input.leaseMs]);
  return rows.sort((a, b) => a.seq - b.seq);
}

/**
 * The oldest open delivery of each item, if it is due and nothing of the item is held. To be alone with an item although deliveries are
 * committed out of order, every open row of it is locked: who cannot lock them all, or finds one held by now, leaves the item alone.
 * Of those that nobody answered twice a process has one at a time: one of them may be what ends it, the others were only beside it.
 */
const TAKE = `-- take_deliveries
with heads as (
  select o.seq, o.item_key from inbox o
  where o.state = 'open' and o.due_at <= now() and (o.held_until is null or o.held_until < now())
    and (o.unanswered < ${SUSPECT} or not exists (select from inbox q
      where q.state = 'open' and q.owner = $1::text and q.held_until >= now() and q.unanswered > ${SUSPECT}))
    and not exists (select from inbox p
      where p.state = 'open' and p.item_key = o.item_key and (p.seq < o.seq or p.held_until >= now()))
  order by o.seq
  limit $2::int
),
locked as (
  select o.seq, o.item_key from inbox o join heads h on h.item_key = o.item_key
  where o.state = 'open' and (o.held_until is null or o.held_until < now())
  order by o.seq
  for update of o skip locked
),
free as (
  select l.item_key, min(l.seq) as seq from locked l group by l.item_key
  having count(*) = (select count(*) from inbox v where v.state = 'open' and v.item_key = l.item_key)
),
suspect as (
  select min(f.seq) as seq from free f join inbox s on s.seq = f.seq where s.unanswered >= ${SUSPECT}
)
update inbox d set attempts = d.attempts + 1, unanswered = d.unanswered + 1,
  owner = case when d.unanswered < ${MOST_UNANSWERED} then $1::text end,
  held_until = case when d.unanswered < ${MOST_UNANSWERED} then now() + $3::int * interval '1 millisecond' end,
  state = case when d.unanswered < ${MOST_UNANSWERED} then d.state else 'failed' end,
  error = case when d.unanswered < ${MOST_UNANSWERED} then d.error
    else 'set aside: ' || d.unanswered || ' processes in a row ended while they worked on it' end,
  done_at = case when d.unanswered >= ${MOST_UNANSWERED} then now() end
from free f where d.seq = f.seq and (d.unanswered < ${SUSPECT} or d.seq = (select seq from suspect))
returning d.seq, d.id, d.event, d.item_key as "itemKey", d.body, d.attempts - 1 as attempts, d.unanswered - 1 as unanswered`;

const DONE = `-- delivery_done
update inbox set state = 'done', result = $2, done_at = now(), owner = null, held_until = null where id = $1 and state = 'open'`;

const EXTEND = `-- extend_deliveries
update inbox set held_until = now() + $3::int * interval '1 millisecond'
where id = any($2::text[]) and owner = $1 and state = 'open'
returning id`;

const POSTPONE = `-- postpone_delivery
update inbox set due_at = now() + $3::bigint * interval '1 millisecond', error = $4, owner = null, held_until = null,
  unanswered = 0
where id = $1 and owner = $2 and state = 'open'`;

const FAIL = `-- fail_delivery
update inbox set state = 'failed', error = $3, done_at = now(), owner = null, held_until = null
where id = $1 and owner = $2 and state = 'open'`;

/** Only the oldest of an item can be next; a held one may be taken over when its hold lapses. */
const NEXT_DUE = `-- next_delivery_due
select greatest(0, ceil(extract(epoch from min(greatest(h.due_at, h.held_until)) - now()) * 1000))::bigint as ms
from (select distinct on (item_key) due_at, held_until from inbox where state = 'open' order by item_key, seq) h
having count(*) > 0`;
