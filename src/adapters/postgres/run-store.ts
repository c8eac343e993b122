import { PermanentFailure } from '../../ports/failures.ts';
import type {
  Append,
  AppendOutcome,
  Cause,
  EndOutcome,
  EndRun,
  ObserveRun,
  ResumeOutcome,
  ResumeRun,
  RunRow,
  RunSettings,
  RunStore,
} from '../../ports/run-store.ts';
import { cleanText } from './clean.ts';
import type { Executor } from './connect.ts';
import { isUniqueViolation } from './errors.ts';
import { createGather } from './gather.ts';
import { createClaim, extendHolds, findLost, parkRun, releaseHolds, unparkRuns } from './run-claim.ts';
import {
  createBundles,
  createRowReads,
  isActionKnown,
  isPauseKnown,
  readAbandoned,
  readLoaded,
  readOverdue,
  readPauses,
  readRunsOfItem,
} from './run-read.ts';
import { toEvents, toRunRow } from './run-rows.ts';
import { createStart } from './run-start.ts';
import { toWrite, type Write, type WriteInput, type WrittenRun, writeRuns } from './run-write.ts';

/** A smaller batch costs more than is gained by sending it at once. */
const BATCH_BESIDE = 12;

/** A write that waits for its batch: made text when that leaves. */
interface AskedWrite {
  runId: string;
  text(): Write;
}

const NO_CAUSE: Cause = { actionKey: null, deliveryId: null };

/**
 * The store of runs on PostgreSQL or PGlite. One instance a process: appends, Continues and ends of a moment share one statement, and so
 * do starts, claims and row reads (D12). `maxBatch` is the most runs a statement, default 128.
 */
export function createRunStore(db: Executor, options: { maxBatch?: number } = {}): RunStore {
  const max = options.maxBatch ?? 128;
  const bundles = createBundles(db);
  const rows = createRowReads(db, max);
  const writeGathered = createGather<AskedWrite, WrittenRun | null, Write>({
    keyOf: (asked) => asked.runId,
    prepare: (asked) => asked.text(),
    flush: (writes) => writeRuns(db, writes),
    max,
    beside: BATCH_BESIDE,
    afterTurn: true,
  });

  const write = (input: WriteInput) => writeGathered({ runId: input.runId, text: () => toWrite(input) });

  async function append(input: Append): Promise<AppendOutcome> {
    const condition = { kind: 'append', fence: input.fence, expectedSeq: input.expectedSeq } as const;
    const written = await writeGathered({
      runId: input.runId,
      text() {
        input.takeAlong?.();
        return toWrite({ ...input, condition, cause: NO_CAUSE, leaseToken: null });
      },
    });
    return written === null ? { kind: 'stale' } : { kind: 'appended', seq: written.seq, version: written.version };
  }

  async function resume(input: ResumeRun): Promise<ResumeOutcome> {
    const written = await unlessDone(
      write({
        ...input,
        condition: { kind: 'resume', pauseId: input.pauseId },
        row: { ...input.row, status: 'GENERATING', pause: null },
        events: [input.event],
        usage: [],
        leaseToken: input.leaseToken ?? null,
      }),
    );
    if (written !== null) return { kind: 'resumed', run: toRunRow(written) };
    if (await wasDone(input.cause)) return { kind: 'duplicate' };
    const run = await rows.byId(input.runId);
    if (run === null) throw new PermanentFailure('run_unknown', `There is no run ${input.runId}`);
    // A pause that is known or another that stands now: this one is over. Else there is nothing to continue.
    const over = run.status === 'NEEDS_INPUT' || (await isPauseKnown(db, run.id, cleanText(input.pauseId)));
    return { kind: over ? 'already_continued' : 'not_resumable', run };
  }

  async function observe(input: ObserveRun): Promise<'observed' | 'passed'> {
    const condition = { kind: 'observe', onlyAtSeq: input.onlyAtSeq } as const;
    const { event, ...rest } = input;
    const written = await write({ ...rest, condition, events: [event], usage: [], cause: NO_CAUSE, leaseToken: null });
    return written === null ? 'passed' : 'observed';
  }

  async function end(input: EndRun): Promise<EndOutcome> {
    const written = await unlessDone(
      write({
        ...input,
        condition: { kind: 'end', onlyAtSeq: input.onlyAtSeq },
        row: { ...input.row, status: input.status, reason: input.reason, pause: null },
        events: [...(input.before ?? []), input.event],
        usage: [],
        leaseToken: null,
      }),
    );
    if (written !== null) return { kind: 'ended', run: toRunRow(written) };
    if (await wasDone(input.cause)) return { kind: 'duplicate' };
    return { kind: 'not_live', run: await rows.byId(input.runId) };
  }

  /** The same action came twice at one moment: the key's uniqueness undid this one. */
  function unlessDone(writing: Promise<WrittenRun | null>): Promise<WrittenRun | null> {
    return writing.catch((error: unknown) => {
      if (isUniqueViolation(error, 'actions_pkey')) return null;
      throw error;
    });
  }

  async function wasDone(cause: Cause): Promise<boolean> {
    return cause.actionKey !== null && (await isActionKnown(db, cleanText(cause.actionKey)));
  }

  async function load(runId: string): ReturnType<RunStore['load']> {
    const run = await readLoaded(db, runId);
    if (run === null) return null;
    const settings = JSON.parse(run.settings) as RunSettings;
    return {
      row: toRunRow(run),
      piece: await bundles(run.piece_hash),
      settings,
      events: toEvents(run.log),
      leaseToken: run.lease_token,
    };
  }

  return {
    start: createStart(db, max),
    claim: createClaim(db, bundles, max),
    append,
    heartbeat: ({ worker, holds, leaseMs }) => extendHolds(db, worker, holds, leaseMs),
    lost: (holds) => findLost(db, holds),
    release: (holds) => releaseHolds(db, holds),
    park: (hold) => parkRun(db, hold),
    unpark: () => unparkRuns(db),
    resume,
    observe,
    end,
    ...rows,
    load,
    runsOfItem: (itemGlobalId, limit): Promise<RunRow[]> => readRunsOfItem(db, itemGlobalId, limit),
    findAbandoned: (limit, maxFormat) => readAbandoned(db, limit, maxFormat),
    findOverdue: (limit, maxFormat) => readOverdue(db, limit, maxFormat),
    pauses: (runId) => readPauses(db, runId),
  };
}
