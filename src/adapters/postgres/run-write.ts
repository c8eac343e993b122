import type { PauseKind, RunEventBody } from '../../domain/run/events.ts';
import type { OutboxRow } from '../../ports/outbox.ts';
import type { Cause, GenerationStatus, RowChange, ScoreStatus, UsageRow } from '../../ports/run-store.ts';
import { cleanJson, cleanTextOrNull } from './clean.ts';
import type { Executor } from './connect.ts';
import {
  consequenceParameters,
  type EventText,
  jsonArray,
  type StoredRun,
  toEventTexts,
  toOutboxTexts,
} from './run-rows.ts';
import { CONSEQUENCES, runColumns } from './run-sql.ts';

/** A change of a live run as text; many of them leave in one statement (D12). */
export interface Write {
  runId: string;
  /** The row's part as JSON. */
  change: string;
  events: EventText[];
  outbox: string[];
  usage: string[];
}

/** Under which condition a run changes: an append's fence and sequence, a Continue's pause, a sequence while it waits, an end's sequence or none. */
type Condition =
  | { kind: 'append'; fence: number; expectedSeq: number }
  | { kind: 'resume'; pauseId: string }
  | { kind: 'observe'; onlyAtSeq: number }
  | { kind: 'end'; onlyAtSeq: number | null };

export interface WriteInput {
  runId: string;
  at: string;
  condition: Condition;
  row: RowChange;
  events: RunEventBody[];
  outbox: OutboxRow[];
  usage: UsageRow[];
  cause: Cause;
  leaseToken: string | null;
}

/** The whole row is answered to a Continue or an end; to an append only `seq` and `version` count. */
export type WrittenRun = StoredRun;

export function toWrite(input: WriteInput): Write {
  const { runId, condition, row, cause } = input;
  const change: ChangeText = {
    run: runId,
    kind: condition.kind,
    at: input.at,
    fence: condition.kind === 'append' ? condition.fence : null,
    expected: expectedSeqOf(condition),
    pause_was: condition.kind === 'resume' ? condition.pauseId : null,
    events: input.events.length,
    status: row.status ?? null,
    set_reason: row.reason !== undefined,
    reason: row.reason ?? null,
    set_pause: row.pause !== undefined,
    pause: row.pause?.id ?? null,
    pause_kind: row.pause?.kind ?? null,
    score: row.scoreStatus ?? null,
    ...(row.view === undefined ? {} : { view: row.view }),
    ...(row.progress === undefined ? {} : { progress: true, ...row.progress }),
    lease: input.leaseToken,
    action: cleanTextOrNull(cause.actionKey),
    delivery: cleanTextOrNull(cause.deliveryId),
  };
  return {
    runId,
    change: cleanJson(change),
    events: toEventTexts(input.events),
    outbox: toOutboxTexts(runId, input.outbox),
    usage: input.usage.map((usage) => toUsageText(runId, usage)),
  };
}

function expectedSeqOf(condition: Condition): number | null {
  if (condition.kind === 'resume') return null;
  return condition.kind === 'append' ? condition.expectedSeq : condition.onlyAtSeq;
}

/** Sends the writes, at most one a run, sorted by run id; null for each whose condition did not hold. */
export async function writeRuns(db: Executor, writes: Write[]): Promise<(WrittenRun | null)[]> {
  const rows = await db.execute<WrittenRun>(WRITE_RUNS, [
    jsonArray(writes.map((write) => write.change)),
    ...consequenceParameters(writes),
    jsonArray(writes.flatMap((write) => write.usage)),
  ]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return writes.map((write) => byId.get(write.runId) ?? null);
}

interface ChangeText {
  run: string;
  kind: Condition['kind'];
  at: string;
  fence: number | null;
  expected: number | null;
  pause_was: string | null;
  events: number;
  status: GenerationStatus | null;
  set_reason: boolean;
  reason: string | null;
  set_pause: boolean;
  pause: string | null;
  pause_kind: PauseKind | null;
  score: ScoreStatus | null;
  view?: unknown;
  progress?: true;
  movement?: string | null;
  iteration?: number;
  lease: string | null;
  action: string | null;
  delivery: string | null;
}

function toUsageText(runId: string, usage: UsageRow): string {
  return cleanJson({
    run: runId,
    effect: usage.effectId,
    model: usage.model,
    input: usage.inputTokens,
    output: usage.outputTokens,
    estimated: usage.estimated,
    project: usage.projectId ?? null,
    cached: usage.cachedTokens ?? 0,
    written: usage.cacheWriteTokens ?? 0,
    money: usage.money ?? null,
    ms: usage.ms ?? 0,
  });
}

/**
 * The one statement by which live runs change. `input` is materialized in the order of the ids, so that all processes lock rows in one
 * order. A hold ends with a pause and an end; an end from outside raises the fence (D8). The deadline's clock stands during a pause; who
 * continues has a minute at least.
 * The version rises only when something that people see is different.
 */
const WRITE_RUNS = `-- write_runs
with input as materialized (
  select i.*, i.view::text as new_view,
    i.kind = 'end' or coalesce(i.status, '') in ('COMPLETED', 'CANCELED', 'FAILED') as ends
  from json_to_recordset($1::json) as i(run uuid, kind text, at timestamptz, fence int, expected int, pause_was text, events int,
    status text, set_reason boolean, reason text, set_pause boolean, pause text, pause_kind text, score text, view json,
    progress boolean, movement text, iteration int, lease text, action text, delivery text)
  where i.action is null or not exists (select from actions a where a.key = i.action)
  order by i.run
),
changed as (
  update runs r set
    seq = r.seq + i.events,
    version = r.version + case when
      (coalesce(i.status, r.status), coalesce(i.score, r.score_status), coalesce(i.new_view, r.view))
        is distinct from (r.status, r.score_status, r.view)
      or i.set_reason and i.reason is distinct from r.reason
      or i.set_pause and i.pause is distinct from r.pause_id
      or i.progress and (i.movement, i.iteration) is distinct from (r.movement, r.iteration)
      then 1 else 0 end,
    status = coalesce(i.status, r.status),
    reason = case when i.set_reason then i.reason else r.reason end,
    pause_id = case when i.set_pause then i.pause when i.ends or i.kind = 'resume' then null else r.pause_id end,
    pause_kind = case when i.set_pause then i.pause_kind when i.ends or i.kind = 'resume' then null else r.pause_kind end,
    score_status = coalesce(i.score, r.score_status),
    view = coalesce(i.new_view, r.view),
    movement = case when i.progress then i.movement else r.movement end,
    iteration = case when i.progress then i.iteration else r.iteration end,
    live = not i.ends,
    fence = r.fence + case when i.kind = 'end' then 1 else 0 end,
    owner = case when coalesce(i.status, r.status) = 'GENERATING' then r.owner end,
    held_until = case when coalesce(i.status, r.status) = 'GENERATING' then r.held_until end,
    lease_token = case when i.kind = 'resume' then i.lease when coalesce(i.status, r.status) = 'GENERATING' then r.lease_token end,
    deadline_at = case
      when coalesce(i.status, r.status) = r.status then r.deadline_at
      when i.status = 'GENERATING' and r.turn_project is null then now() + r.left_ms * interval '1 millisecond' end,
    waits_since = case when i.kind = 'resume' and r.turn_project is not null then now()
      when not i.ends then r.waits_since end,
    left_ms = case when r.deadline_at is not null and i.status = 'NEEDS_INPUT'
      then greatest((extract(epoch from r.deadline_at - now()) * 1000)::bigint, 60000) else r.left_ms end,
    updated_at = i.at
  from input i
  where r.id = i.run and r.live and case i.kind
    when 'append' then r.fence = i.fence and r.seq = i.expected and r.status = 'GENERATING'
    when 'resume' then r.status = 'NEEDS_INPUT' and r.pause_id = i.pause_was
    when 'observe' then r.status = 'NEEDS_INPUT' and r.seq = i.expected
    else i.expected is null or r.seq = i.expected end
  returning r.id, r.item_global_id, r.status, r.reason, r.pause_id, r.pause_kind, r.score_status,
    case when i.kind <> 'append' then r.view end as view, r.movement, r.iteration, r.fence, r.seq, r.version, r.waits_since,
    -- Of an append only seq and version are read.
    case when i.kind <> 'append' then r.created_at end as created_at, case when i.kind <> 'append' then r.updated_at end as updated_at,
    r.seq - i.events as base, i.at, i.kind, i.set_pause, i.ends, i.action as action_key, i.delivery as delivery_id,
    i.kind as result
),
opened as (
  insert into pauses (run_id, id, kind, opened_at)
  -- Who only looks at a run that waits names the pause that stands.
  select c.id, c.pause_id, c.pause_kind, c.at from changed c where c.set_pause and c.pause_id is not null and c.kind <> 'observe'
),
closed as (
  update pauses p set closed_at = c.at from changed c
  -- Not compared plainly: by the index of what is open, all pauses of all runs would be looked at.
  where p.run_id = c.id and coalesce(p.closed_at, 'infinity') = 'infinity' and (c.kind not in ('append', 'observe') or c.ends)
),
dropped as (
  delete from outbox o using changed c
  where c.kind = 'end' and o.run_id = c.id and o.kind in ('question', 'gate', 'approval', 'reminder', 'status')
    -- One that is being delivered goes on holding its item, so that nothing older is written over what tells of the end.
    and (o.held_until is null or o.held_until < now())
),
used as (
  insert into usage (run_id, effect_id, model, input_tokens, output_tokens, estimated, at,
    project_id, cached_tokens, cache_write_tokens, money, ms)
  select c.id, u.effect, u.model, u.input, u.output, u.estimated, c.at, u.project, u.cached, u.written, u.money, u.ms
  from json_to_recordset($9::json) as u(run uuid, effect text, model text, input bigint, output bigint, estimated boolean,
    project bigint, cached bigint, written bigint, money float8, ms bigint)
  join changed c on c.id = u.run
),
${CONSEQUENCES}
select ${runColumns('c', 'd')}
from changed c left join run_definitions d on d.run_id = c.id and c.kind <> 'append'`;
