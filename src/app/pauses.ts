/** Pauses that wait too long (spec 2: a pause has its own optional expiry and a reminder). */
import type { EventOf } from '../domain/run/events.ts';
import { fold } from '../domain/run/fold.ts';
import type { RunState } from '../domain/run/state.ts';
import { marker } from '../domain/text/marker.ts';
import { renderReminder } from '../domain/workplan/reminder.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { OutboxRow, OutboxStore } from '../ports/outbox.ts';
import type { RunQueue } from '../ports/run-queue.ts';
import type { RunStore } from '../ports/run-store.ts';
import type { UpkeepStore, WaitingPause } from '../ports/upkeep.ts';
import { announce, statusOf } from './announce.ts';
import { RUN_FORMAT } from './run-format.ts';
import { applyAll } from './runner/settle.ts';

export interface PauseDeps {
  store: Pick<RunStore, 'load' | 'end'>;
  upkeep: Pick<UpkeepStore, 'pausesOlderThan' | 'pausesToRemind' | 'reminded'>;
  outbox: Pick<OutboxStore, 'add'>;
  queue: Pick<RunQueue, 'wakeDeliveries'>;
  clock: Clock;
  log: Log;
}

export interface PauseSettings {
  /** Milliseconds after which a pause ends its run; null: never. */
  expiryMs: number | null;
  /** Milliseconds after which whoever started the run is reminded, once a pause; null: never. */
  reminderMs: number | null;
}

const AT_ONCE = 100;

/** Ends runs whose pause has expired, then reminds of those that wait; several processes at it do no harm. */
export async function tendPauses(
  deps: PauseDeps,
  settings: PauseSettings,
): Promise<{ expired: number; reminded: number }> {
  const { upkeep } = deps;
  const { expiryMs, reminderMs } = settings;
  const page = { limit: AT_ONCE, maxFormat: RUN_FORMAT };
  const old = expiryMs === null ? [] : await upkeep.pausesOlderThan({ ...page, ageMs: expiryMs });
  const expired = await countEach(deps, old, (pause) => expire(deps, pause));
  const silent = reminderMs === null ? [] : await upkeep.pausesToRemind({ ...page, ageMs: reminderMs });
  const reminded = await countEach(deps, silent, (pause) => remind(deps, pause, settings));
  if (expired + reminded > 0) await deps.queue.wakeDeliveries();
  return { expired, reminded };
}

/** One pause that cannot be tended must not keep the others waiting. */
async function countEach(
  deps: PauseDeps,
  pauses: WaitingPause[],
  tend: (pause: WaitingPause) => Promise<boolean>,
): Promise<number> {
  let count = 0;
  for (const pause of pauses) {
    const done = await tend(pause).catch((error) => {
      const { runId, pauseId } = pause;
      deps.log.error({ runId, pauseId, error: String(error) }, 'pause could not be tended');
      return false;
    });
    if (done) count += 1;
  }
  return count;
}

async function expire(deps: PauseDeps, { runId, seq }: WaitingPause): Promise<boolean> {
  const run = await deps.store.load(runId);
  if (run?.row.seq !== seq) return false;
  const state = fold(runId, run.events);
  const at = deps.clock.now().toISOString();
  // Time enters as an event (D1): the log says why the run ended, whoever folds it later.
  const passed: EventOf<'deadline_passed'> = { type: 'deadline_passed', what: 'pause' };
  const event: EventOf<'ended'> = {
    type: 'ended',
    status: 'failed',
    reason: 'pause_expired',
    message: 'Nobody continued the run in the time that this service waits.',
    by: null,
  };
  applyAll(state, [passed, event], at);
  const { outbox, row } = announce(state, [passed, event], run.settings);
  const outcome = await deps.store.end({
    runId,
    before: [passed],
    event,
    at,
    status: statusOf(state),
    reason: event.reason,
    row,
    outbox,
    cause: { actionKey: null, deliveryId: null },
    onlyAtSeq: seq,
  });
  deps.log.warn({ runId, outcome: outcome.kind }, 'run ended: its pause expired');
  return outcome.kind === 'ended';
}

/** Written first, noted then: a second process writes the same marker, which the outbox takes once. */
async function remind(deps: PauseDeps, pause: WaitingPause, settings: PauseSettings): Promise<boolean> {
  const { runId, pauseId, seq } = pause;
  const run = await deps.store.load(runId);
  if (run?.row.seq !== seq) return false;
  const row = reminderRow(fold(runId, run.events), pause, run.settings.provider, settings);
  if (row) await deps.outbox.add([row], { actionKey: null, deliveryId: null });
  await deps.upkeep.reminded(runId, pauseId);
  return row !== null;
}

function reminderRow(
  state: RunState,
  pause: WaitingPause,
  provider: string,
  { expiryMs }: PauseSettings,
): OutboxRow | null {
  const { item, language, runId } = state;
  const mention = (state.told ?? state.startedBy)?.username ?? null;
  if (!item) return null;
  const { pauseId, kind, openedAt } = pause;
  const expiresAt = expiryMs === null ? null : new Date(Date.parse(openedAt) + expiryMs).toISOString();
  const own = marker({ run: runId, kind: 'reminder', pause: pauseId });
  const body = renderReminder({ kind, language, mention, provider, expiresAt });
  return {
    kind: 'reminder',
    itemGlobalId: item.globalId,
    projectId: item.projectId,
    iid: item.iid,
    runId,
    pauseId,
    marker: own,
    body: `${body}\n\n${own}`,
    discussion: false,
    replyTo: null,
    itemUrl: item.webUrl,
    questionId: null,
  };
}
