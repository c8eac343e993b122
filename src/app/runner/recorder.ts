/**
 * Records what the holder of a run learns, in order and one append at a time (D6, D12). Each outcome is handed over for recording when it
 * comes, and the run goes on meanwhile, a few outcomes at most: what is learned while an append waits for its turn goes along with it,
 * and what is learned while it is under way with the next one.
 */
import type { Clock } from '../../ports/clock.ts';
import { TransientFailure } from '../../ports/failures.ts';
import type { Log } from '../../ports/log.ts';
import type { Append, ClaimedRun, RunStore } from '../../ports/run-store.ts';

/** What one turn of a run adds to it. */
export type NewEvents = Omit<Append, 'runId' | 'fence' | 'takeAlong'>;

export interface RecorderDeps {
  /** `byId`: tells whether an append whose answer was lost was written; absent: nobody else could have written. */
  store: Pick<RunStore, 'append'> & Partial<Pick<RunStore, 'byId'>>;
  clock: Clock;
  log: Log;
  /** Called after an append with outbox rows. */
  onOutbox(): void;
  /** How long what was only read may wait to be recorded with what comes next, milliseconds; absent: it is recorded at once. */
  readsWaitMs?: number;
  /** So many outcomes may wait for the append under way, default 8; 0: the run goes on when what it learned is recorded. */
  mostAhead?: number;
}

export interface Recorder {
  /** Sends it now, or with the next append when one is under way. `mayWait`: after `readsWaitMs` at the latest. */
  record(made: NewEvents, mayWait: boolean): void;
  /** Sends what waits. True when all is recorded; false when the fence no longer stands, the store cannot be reached or the signal is aborted. */
  recorded(): Promise<boolean>;
  /** True once nothing can be recorded any more; `onBroken` is called when that comes. */
  readonly broken: boolean;
  onBroken: (() => void) | null;
  /** True when the run must not go on before what it learned is recorded. */
  full(): boolean;
  /** Resolves when no append is under way; what waits is not sent any more. Never rejects. */
  close(): Promise<void>;
}

const APPEND_TRIES = 6;

/** More of them, and a crash while the database is slow would cost too much. */
const MOST_AHEAD = 8;

/** One for all: an abort without a reason makes an error with a stack each time. */
const NO_LONGER = new Error('no longer waited for');

export function createRecorder(run: ClaimedRun, deps: RecorderDeps, signal: AbortSignal): Recorder {
  let waiting: NewEvents | null = null;
  let outcomes = 0;
  /** The appends under way; stays when they failed. */
  let sending: Promise<boolean> | null = null;
  let timer: AbortController | null = null;
  let broken = false;

  function record(made: NewEvents, mayWait: boolean): void {
    if (made.events.length === 0 && made.usage.length === 0 && made.outbox.length === 0) return;
    outcomes += 1;
    const company = waiting !== null;
    if (waiting === null) waiting = made;
    else add(waiting, made);
    if (!mayWait || company || deps.readsWaitMs === undefined) send();
    else {
      timer = new AbortController();
      deps.clock.sleep(deps.readsWaitMs, timer.signal).then(send, () => undefined);
    }
  }

  function send(): void {
    if (sending !== null || waiting === null) return;
    sending = sendAll();
    sending.catch(() => undefined); // Told by `recorded`.
  }

  /** What waits: it leaves now. */
  function take(): NewEvents | null {
    const taken = waiting;
    waiting = null;
    outcomes = 0;
    timer?.abort(NO_LONGER);
    timer = null;
    return taken;
  }

  async function sendAll(): Promise<boolean> {
    let sent = false;
    try {
      for (let made = take(); made !== null; made = take()) {
        const leaving = made;
        const takeAlong = (): void => {
          const more = take();
          if (more !== null) add(leaving, more);
        };
        sent = await append(run, deps, leaving, takeAlong, signal);
        if (!sent) return false;
      }
      sending = null;
      return true;
    } finally {
      if (!sent) {
        broken = true;
        recorder.onBroken?.();
      }
    }
  }

  const recorder: Recorder = {
    onBroken: null,
    get broken() {
      return broken;
    },
    record,
    async recorded() {
      send();
      return (await sending) ?? true;
    },
    full: () => outcomes >= (deps.mostAhead ?? MOST_AHEAD),
    async close() {
      take();
      await sending?.catch(() => undefined);
    },
  };
  return recorder;
}

function add(to: NewEvents, made: NewEvents): void {
  to.events.push(...made.events);
  to.usage.push(...made.usage);
  to.outbox.push(...made.outbox);
  Object.assign(to.row, made.row);
  to.at = made.at;
}

/** Appends under the fence (D6); false when the fence no longer stands or the store cannot be reached. */
async function append(
  run: ClaimedRun,
  deps: RecorderDeps,
  made: NewEvents,
  takeAlong: () => void,
  signal: AbortSignal,
): Promise<boolean> {
  const input: Append = Object.assign(made, { runId: run.row.id, fence: run.fence, takeAlong });
  for (let attempt = 1; ; attempt += 1) {
    if (signal.aborted) return false;
    // It may have been written without an answer: from then on it must stay what it was.
    if (attempt > 1) delete input.takeAlong;
    try {
      const outcome = await deps.store.append(input);
      if (outcome.kind === 'stale' && (attempt === 1 || !(await wasWritten(run, made, deps)))) return false;
      if (made.outbox.length > 0) deps.onOutbox();
      return true;
    } catch (error) {
      if (!(error instanceof TransientFailure)) throw error;
      deps.log.warn({ runId: run.row.id, attempt, code: error.code }, 'append failed, trying again');
      if (attempt === APPEND_TRIES) return false;
      await deps.clock.sleep(Math.min(2000, 50 * 2 ** attempt), signal).catch(() => undefined);
    }
  }
}

/** Was an append written whose answer was lost? Under a fence only its holder appends (D6). */
async function wasWritten(run: ClaimedRun, made: NewEvents, { store }: RecorderDeps): Promise<boolean> {
  const row = await store.byId?.(run.row.id);
  return row?.fence === run.fence && row.seq === made.expectedSeq + made.events.length;
}
