import { createHash } from 'node:crypto';
import type { PieceBundle } from '../../domain/piece/types.ts';
import { EVENT_VERSION, type PauseKind, type RunEvent, RunEventBody } from '../../domain/run/events.ts';
import { fromStored, toStored } from '../../domain/run/stored.ts';
import type { ItemRef, Person } from '../../domain/workplan/people.ts';
import type { OutboxRow } from '../../ports/outbox.ts';
import type { GenerationStatus, RunRow, ScoreStatus } from '../../ports/run-store.ts';
import { cleanJson } from './clean.ts';
import { FIELD_SEPARATOR, SEPARATOR } from './run-sql.ts';

/** What `runColumns` selects. */
export interface StoredRun {
  id: string;
  item_global_id: number;
  item: string;
  started_by: string;
  status: GenerationStatus;
  reason: string | null;
  pause_id: string | null;
  pause_kind: PauseKind | null;
  score_status: ScoreStatus;
  view: string;
  /** Null: the view says it. */
  movement: string | null;
  iteration: number | null;
  fence: number;
  seq: number;
  version: number;
  waits_since: string | null;
  created_at: string;
  updated_at: string;
}

export function toRunRow(stored: StoredRun): RunRow {
  const { pause_id: id, pause_kind: kind } = stored;
  return {
    id: stored.id,
    itemGlobalId: stored.item_global_id,
    item: JSON.parse(stored.item) as ItemRef,
    startedBy: JSON.parse(stored.started_by) as Person,
    status: stored.status,
    reason: stored.reason,
    pause: id === null || kind === null ? null : { id, kind },
    scoreStatus: stored.score_status,
    view: viewOf(stored),
    fence: stored.fence,
    seq: stored.seq,
    version: stored.version,
    createdAt: stored.created_at,
    updatedAt: stored.updated_at,
    ...(stored.waits_since === null ? {} : { waitsForTurn: true }),
  };
}

function viewOf({ view, movement, iteration }: StoredRun): unknown {
  const written: unknown = JSON.parse(view);
  if (iteration === null || typeof written !== 'object' || written === null) return written;
  return { ...written, movement, iteration };
}

/** The events of `logOf`'s text; what a newer version added to them is filled in by its defaults (D1). */
export function toEvents(log: string | null): RunEvent[] {
  if (log === null) return [];
  return log.split(SEPARATOR).map((line, index) => {
    const [v = '', at = '', data = ''] = line.split(FIELD_SEPARATOR);
    const stored = fromStored(JSON.parse(data));
    const { success, data: body } = RunEventBody.safeParse(stored);
    // One that this version cannot read is left as it is: who folds the log finds out, and fails that run alone.
    return {
      ...(success ? body : (stored as RunEventBody)),
      v: Number(v),
      seq: index + 1,
      at: new Date(at).toISOString(),
    };
  });
}

/** What `CONSEQUENCES` takes ($2–$8), of runs whose parts were made text when they were asked for. */
export function consequenceParameters(writes: { runId: string; events: EventText[]; outbox: string[] }[]): unknown[] {
  const firsts: number[] = [];
  const types: string[] = [];
  const data: string[] = [];
  for (const { events } of writes) {
    firsts.push(types.length);
    for (const event of events) {
      types.push(event.type);
      data.push(event.data);
    }
  }
  return [
    writes.map((write) => write.runId),
    firsts,
    writes.map((write) => write.events.length),
    types,
    data.join(SEPARATOR),
    jsonArray(writes.flatMap((write) => write.outbox)),
    EVENT_VERSION,
  ];
}

export interface EventText {
  type: string;
  data: string;
}

export function toEventTexts(events: RunEventBody[]): EventText[] {
  return events.map((event) => ({ type: event.type, data: cleanJson(toStored(event)) }));
}

/** Rows as the JSON that `CONSEQUENCES` reads, in the order in which they are to be delivered. */
export function toOutboxTexts(runId: string, rows: OutboxRow[]): string[] {
  return rows.map((row, index) => toOutboxText(runId, row, index));
}

export function toOutboxText(runId: string | null, row: OutboxRow, index: number): string {
  return cleanJson({
    run: runId,
    ord: index,
    item: row.itemGlobalId,
    project: row.projectId,
    iid: row.iid,
    kind: row.kind,
    pause: row.pauseId,
    marker: row.marker,
    body: row.body,
    discussion: row.discussion,
    reply_to: row.replyTo,
    item_url: row.itemUrl,
    question: row.questionId,
    kept: row.kept ?? null,
    label: row.label ?? null,
  });
}

export function jsonArray(texts: string[]): string {
  return `[${texts.join(',')}]`;
}

/** A bundle's text and the hash it is stored under. */
export function toBundleText(bundle: PieceBundle): { hash: string; text: string } {
  const text = cleanJson(bundle);
  return { hash: createHash('sha256').update(text).digest('hex'), text };
}
