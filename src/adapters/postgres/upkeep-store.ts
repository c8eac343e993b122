import type { PauseKind } from '../../domain/run/events.ts';
import type { Backlog, UpkeepStore, WaitingPause, WorkerSign } from '../../ports/upkeep.ts';
import { cleanText } from './clean.ts';
import type { Executor } from './connect.ts';

/** Upkeep on PostgreSQL or PGlite. */
export function createUpkeepStore(db: Executor): UpkeepStore {
  return {
    pausesOlderThan: (input) => readPauses(db, PAUSES_OLDER, input),
    pausesToRemind: (input) => readPauses(db, PAUSES_TO_REMIND, input),
    pausesToLookAt: (input) => readPauses(db, PAUSES_TO_LOOK_AT, input),
    async reminded(runId, pauseId) {
      await db.execute(REMINDED, [runId, cleanText(pauseId)]);
    },
    backlog: () => readBacklog(db),
    async sign({ owner, parts, ready, detail }) {
      await db.execute(SIGN, [owner, parts.join(','), ready, cleanText(detail)]);
    },
    async signOff(owner) {
      await db.execute(SIGN_OFF, [owner]);
    },
    workers: (withinMs) => readWorkers(db, withinMs),
  };
}

interface PauseRow {
  run_id: string;
  seq: number;
  id: string;
  kind: PauseKind;
  opened_at: string;
}

async function readPauses(
  db: Executor,
  statement: string,
  input: { ageMs: number; limit: number; maxFormat: number },
): Promise<WaitingPause[]> {
  const rows = await db.execute<PauseRow>(statement, [input.ageMs, input.limit, input.maxFormat]);
  return rows.map(({ run_id: runId, seq, id: pauseId, kind, opened_at: openedAt }) => {
    return { runId, seq, pauseId, kind, openedAt };
  });
}

const OPEN_PAUSES = `
select p.run_id, r.seq, p.id, p.kind, p.opened_at
from pauses p join runs r on r.id = p.run_id
where p.closed_at is null and p.opened_at < now() - $1::bigint * interval '1 millisecond'
  and r.status = 'NEEDS_INPUT' and r.pause_id = p.id and r.format <= $3::int`;

const PAUSES_OLDER = `-- pauses_older_than${OPEN_PAUSES}
order by p.opened_at limit $2::int`;

const PAUSES_TO_REMIND = `-- pauses_to_remind${OPEN_PAUSES} and p.reminded_at is null
order by p.opened_at limit $2::int`;

const PAUSES_TO_LOOK_AT = `-- pauses_to_look_at
with due as materialized (
  select p.run_id, p.id, p.kind, p.opened_at, r.seq, coalesce(p.looked_at, p.opened_at) as since
  from pauses p join runs r on r.id = p.run_id
  where p.closed_at is null and coalesce(p.looked_at, p.opened_at) < now() - $1::bigint * interval '1 millisecond'
    and r.status = 'NEEDS_INPUT' and r.pause_id = p.id and r.format <= $3::int
  order by since limit $2::int
  for update of p skip locked
),
looked as (
  update pauses p set looked_at = now() from due d where p.run_id = d.run_id and p.id = d.id
)
select run_id, seq, id, kind, opened_at from due order by since`;

const REMINDED = `-- pause_reminded
update pauses set reminded_at = now() where run_id = $1 and id = $2`;

interface BacklogRow {
  inbox_open: number;
  inbox_oldest: number | null;
  given_up: number;
  outbox_open: number;
  outbox_oldest: number | null;
  generating: number;
  needs_input: number;
  abandoned: number;
}

async function readBacklog(db: Executor): Promise<Backlog> {
  const [row] = await db.execute<BacklogRow>(BACKLOG);
  if (row === undefined) throw new Error('counting answered nothing');
  return {
    inbox: { open: row.inbox_open, oldestDueMs: row.inbox_oldest },
    outbox: { open: row.outbox_open, oldestDueMs: row.outbox_oldest },
    deliveriesGivenUp: row.given_up,
    runs: { generating: row.generating, needsInput: row.needs_input, abandoned: row.abandoned },
  };
}

/** A row that is held by a process that lives is at work: it counts as open, not as due. */
const DUE = `filter (where due_at <= now() and (held_until is null or held_until < now()))`;
const AGE = `(extract(epoch from now() - min(due_at) ${DUE}) * 1000)::bigint`;

const BACKLOG = `-- backlog
select i.open as inbox_open, i.oldest as inbox_oldest, f.given_up, o.open as outbox_open, o.oldest as outbox_oldest,
  g.generating, g.abandoned, n.needs_input
from (select count(*)::int as open, ${AGE} as oldest from inbox where state = 'open') i,
  (select count(*)::int as given_up from inbox where state = 'failed') f,
  (select count(*)::int as open, ${AGE} as oldest from outbox) o,
  (select count(*)::int as generating, count(*) filter (where (owner is null or held_until < now()) and waits_since is null)::int as abandoned
    from runs where status = 'GENERATING') g,
  (select count(*)::int as needs_input from pauses where closed_at is null) n`;

const SIGN = `-- sign_worker
with gone as (
  delete from workers where seen_at < now() - interval '1 day' and owner <> $1::text
)
insert into workers (owner, parts, ready, detail) values ($1, $2, $3, $4)
on conflict (owner) do update set parts = excluded.parts, ready = excluded.ready, detail = excluded.detail, seen_at = now()`;

const SIGN_OFF = `-- sign_worker_off
delete from workers where owner = $1`;

interface WorkerRow {
  owner: string;
  parts: string;
  ready: boolean;
  detail: string;
  seen_at: string;
}

async function readWorkers(db: Executor, withinMs: number): Promise<(WorkerSign & { seenAt: string })[]> {
  const rows = await db.execute<WorkerRow>(WORKERS, [withinMs]);
  return rows.map(({ owner, parts, ready, detail, seen_at: seenAt }) => {
    return { owner, parts: parts.split(','), ready, detail, seenAt };
  });
}

const WORKERS = `-- workers_within
select owner, parts, ready, detail, seen_at from workers
where seen_at >= now() - $1::bigint * interval '1 millisecond' order by owner`;
