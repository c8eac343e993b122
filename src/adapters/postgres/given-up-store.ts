import type { GivenUpDelivery, GivenUpNote, GivenUpStore } from '../../ports/given-up.ts';
import { cleanText } from './clean.ts';
import type { Executor } from './connect.ts';

export function createGivenUpStore(db: Executor): GivenUpStore {
  return {
    list: (limit) => db.execute<GivenUpDelivery>(LIST, [limit]),
    notes: (limit) => db.execute<GivenUpNote>(NOTES, [limit]),
    async reopen(ids) {
      const rows = await db.execute(REOPEN, [ids === 'all' ? null : ids.map(cleanText)]);
      return rows.length;
    },
  };
}

const LIST = `-- deliveries_given_up
select id, event, item_key as "itemKey", received_at as "receivedAt", done_at as "givenUpAt", attempts, coalesce(error, '') as error
from inbox where state = 'failed' order by seq desc limit $1`;

const NOTES = `-- notes_given_up
select f.id, f.kind, f.run_id as "runId", f.item_global_id as "itemGlobalId", d.item::json ->> 'reference' as item,
  f.failed_at as "givenUpAt", f.attempts, f.error
from outbox_failures f left join run_definitions d on d.run_id = f.run_id
where not exists (select from notes n
  where n.item_global_id = f.item_global_id and n.marker = f.marker and n.delivered_at > f.failed_at)
order by f.id desc limit $1`;

/** In their old place: what came later of their items and is not done yet waits for them. */
const REOPEN = `-- reopen_deliveries
update inbox set state = 'open', attempts = 0, unanswered = 0, due_at = now(), done_at = null
where state = 'failed' and ($1::text[] is null or id = any($1::text[]))
returning id`;
