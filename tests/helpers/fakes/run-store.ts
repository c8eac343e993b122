import { EVENT_VERSION, type RunEventBody } from '../../../src/domain/run/events.ts';
import { PermanentFailure, TransientFailure } from '../../../src/ports/failures.ts';
import type { OutboxRow } from '../../../src/ports/outbox.ts';
import type { Cause, ClaimedRun, RowChange, RunStore } from '../../../src/ports/run-store.ts';
import type { FakeClock } from './clock.ts';
import { changeRow, type MemoryData, putIntoOutbox, type StoredRun } from './run-data.ts';

export interface MemoryRunStore extends RunStore {
  readonly data: MemoryData;
  /** Makes the next calls of that name fail as if the database were away. */
  failNext(call: keyof RunStore, times?: number): void;
  run(runId: string): StoredRun;
}

const PARKED = 'parked';
const LIVE: readonly string[] = ['GENERATING', 'NEEDS_INPUT'];

/** The store in memory: fence and sequence are checked as the port says; what nobody expects throws. */
export function createMemoryRunStore(clock: FakeClock): MemoryRunStore {
  const data: MemoryData = {
    runs: new Map(),
    outbox: [],
    notices: [],
    notes: [],
    failures: [],
    actions: new Set(),
    deliveriesDone: new Map(),
    lastId: 0,
  };
  const planned: string[] = [];
  const now = () => clock.now().getTime();
  const copy = structuredClone;

  function run(runId: string): StoredRun {
    const found = data.runs.get(runId);
    if (!found) throw new Error(`the memory store has no run ${runId}`);
    return found;
  }

  function isKnown(cause: Cause): boolean {
    return cause.actionKey !== null && data.actions.has(cause.actionKey);
  }

  function consequences(
    stored: StoredRun,
    events: readonly RunEventBody[],
    rows: readonly OutboxRow[],
    at: string,
    cause: Cause,
    result: string,
  ) {
    for (const event of events) {
      if (stored.events.at(-1)?.type === 'ended') throw new Error('an event after the terminal one (D5)');
      stored.events.push(copy({ ...event, v: EVENT_VERSION, seq: stored.events.length + 1, at }));
    }
    stored.row.seq = stored.events.length;
    for (const row of rows) putIntoOutbox(data, row, now());
    if (cause.actionKey !== null) data.actions.add(cause.actionKey);
    if (cause.deliveryId !== null) data.deliveriesDone.set(cause.deliveryId, result);
  }

  const change = (stored: StoredRun, row: RowChange, at: string) => changeRow(stored, row, at, now());

  const calls: RunStore = {
    async start(input) {
      if (isKnown(input.cause)) return { kind: 'duplicate' };
      const own = data.runs.get(input.id);
      // The same call once more, after its first answer was lost.
      if (own) return { kind: 'started', run: copy(own.row) };
      const live = [...data.runs.values()].find(
        (known) => known.row.itemGlobalId === input.item.globalId && LIVE.includes(known.row.status),
      );
      if (live) return { kind: 'already_running', run: copy(live.row) };
      const stored: StoredRun = {
        start: copy(input),
        row: {
          id: input.id,
          itemGlobalId: input.item.globalId,
          item: input.item,
          startedBy: input.startedBy,
          status: 'GENERATING',
          reason: null,
          pause: null,
          scoreStatus: 'NOT_EVALUATED',
          view: null,
          fence: 0,
          seq: 0,
          version: 1,
          createdAt: input.at,
          updatedAt: input.at,
        },
        events: [],
        usage: [],
        pauses: [],
        owner: null,
        heldUntil: 0,
        leaseToken: input.leaseToken ?? null,
        deadlineAt: now() + input.settings.timeoutMs,
        leftMs: input.settings.timeoutMs,
      };
      data.runs.set(input.id, stored);
      change(stored, input.row, input.at);
      stored.row.version = 1;
      consequences(stored, input.events, input.outbox, input.at, input.cause, 'plan');
      return { kind: 'started', run: copy(stored.row) };
    },
    async claim({ runIds, worker, leaseMs, maxFormat }) {
      const claimed: ClaimedRun[] = [];
      for (const runId of runIds) {
        const stored = data.runs.get(runId);
        if (stored?.row.status !== 'GENERATING' || stored.start.settings.format > maxFormat) continue;
        if (stored.owner !== null && stored.heldUntil > now()) continue;
        stored.row.fence += 1;
        Object.assign(stored, { owner: worker, heldUntil: now() + leaseMs });
        const { row, events, leaseToken } = copy(stored);
        const { piece, settings } = stored.start;
        claimed.push({ row, fence: row.fence, piece, settings, events, leaseToken });
      }
      return claimed;
    },
    async append(input) {
      const stored = run(input.runId);
      const stands =
        stored.row.status === 'GENERATING' && stored.row.fence === input.fence && stored.row.seq === input.expectedSeq;
      if (!stands) return { kind: 'stale' };
      change(stored, input.row, input.at);
      stored.usage.push(...input.usage);
      consequences(stored, input.events, input.outbox, input.at, { actionKey: null, deliveryId: null }, 'append');
      return { kind: 'appended', seq: stored.row.seq, version: stored.row.version };
    },
    async heartbeat({ worker, holds, leaseMs }) {
      const lost: string[] = [];
      for (const { runId, fence } of holds) {
        const stored = run(runId);
        if (stored.row.fence !== fence) lost.push(runId);
        else if (stored.owner === worker) stored.heldUntil = now() + leaseMs;
      }
      return lost;
    },
    lost: async (holds) => holds.filter(({ runId, fence }) => run(runId).row.fence !== fence).map(({ runId }) => runId),
    async release(holds) {
      for (const { runId, fence } of holds) {
        const stored = run(runId);
        if (stored.row.fence === fence) stored.owner = null;
      }
    },
    async park({ runId, fence, forMs }) {
      const stored = run(runId);
      if (stored.row.fence !== fence || stored.row.status !== 'GENERATING') return;
      Object.assign(stored, {
        owner: PARKED,
        heldUntil: now() + forMs,
        deadlineAt: (stored.deadlineAt ?? now()) + forMs,
      });
    },
    async unpark() {
      for (const stored of data.runs.values()) {
        if (stored.owner !== PARKED || stored.heldUntil <= now()) continue;
        Object.assign(stored, { owner: null, deadlineAt: (stored.deadlineAt ?? 0) - (stored.heldUntil - now()) });
      }
    },
    async resume(input) {
      if (isKnown(input.cause)) return { kind: 'duplicate' };
      const stored = data.runs.get(input.runId);
      if (!stored) throw new PermanentFailure('run_unknown', `There is no run ${input.runId}`);
      if (stored.row.status !== 'NEEDS_INPUT' || stored.row.pause?.id !== input.pauseId) {
        const over = stored.row.status === 'NEEDS_INPUT' || stored.pauses.some((pause) => pause.id === input.pauseId);
        return { kind: over ? 'already_continued' : 'not_resumable', run: copy(stored.row) };
      }
      change(stored, { ...input.row, status: 'GENERATING', pause: null }, input.at);
      stored.leaseToken = input.leaseToken ?? null;
      consequences(stored, [input.event], input.outbox, input.at, input.cause, 'resume');
      return { kind: 'resumed', run: copy(stored.row) };
    },
    async observe(input) {
      const stored = data.runs.get(input.runId);
      if (stored?.row.status !== 'NEEDS_INPUT' || stored.row.seq !== input.onlyAtSeq) return 'passed';
      change(stored, input.row, input.at);
      consequences(stored, [input.event], input.outbox, input.at, { actionKey: null, deliveryId: null }, 'observe');
      return 'observed';
    },
    async end(input) {
      if (isKnown(input.cause)) return { kind: 'duplicate' };
      const stored = data.runs.get(input.runId);
      if (!stored) return { kind: 'not_live', run: null };
      const stands = input.onlyAtSeq === null || stored.row.seq === input.onlyAtSeq;
      if (!LIVE.includes(stored.row.status) || !stands) return { kind: 'not_live', run: copy(stored.row) };
      const dropped = ['question', 'gate', 'approval', 'reminder', 'status'];
      // One that is being delivered goes on holding its item.
      const isHeld = (row: MemoryData['outbox'][number]) => row.owner !== null && row.heldUntil >= now();
      data.outbox = data.outbox.filter(
        (row) => row.runId !== input.runId || !dropped.includes(row.kind) || isHeld(row),
      );
      stored.row.fence += 1;
      change(stored, { ...input.row, status: input.status, reason: input.reason, pause: null }, input.at);
      consequences(stored, [...(input.before ?? []), input.event], input.outbox, input.at, input.cause, 'end');
      return { kind: 'ended', run: copy(stored.row) };
    },
    byId: async (runId) => copy(data.runs.get(runId)?.row ?? null),
    latestForItem: async (item) => (await calls.runsOfItem(item, 1))[0] ?? null,
    runsOfItem: async (item, limit) =>
      copy([...data.runs.values()].map((stored) => stored.row).filter((row) => row.itemGlobalId === item))
        .reverse()
        .slice(0, limit),
    async load(runId) {
      const stored = data.runs.get(runId);
      if (!stored) return null;
      const { row, events, leaseToken } = copy(stored);
      return { row, piece: stored.start.piece, settings: stored.start.settings, events, leaseToken };
    },
    findAbandoned: async (limit, maxFormat = Number.POSITIVE_INFINITY) =>
      [...data.runs.values()]
        .filter(({ start }) => start.settings.format <= maxFormat)
        .filter(({ row, owner, heldUntil }) => row.status === 'GENERATING' && (owner === null || heldUntil <= now()))
        .map(({ row }) => row.id)
        .slice(0, limit),
    findOverdue: async (limit, maxFormat = Number.POSITIVE_INFINITY) =>
      [...data.runs.values()]
        .filter(({ start }) => start.settings.format <= maxFormat)
        .filter(({ row, deadlineAt }) => row.status === 'GENERATING' && deadlineAt !== null && deadlineAt <= now())
        .map(({ row }) => ({ runId: row.id, seq: row.seq }))
        .slice(0, limit),
    pauses: async (runId) =>
      copy(run(runId).pauses).map((pause) => ({
        ...pause,
        posting: data.outbox.some((row) => row.runId === runId && row.pauseId === pause.id),
      })),
  };

  const guarded = Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [
      name,
      async (...given: unknown[]) => {
        const at = planned.indexOf(name);
        if (at >= 0) {
          planned.splice(at, 1);
          throw new TransientFailure('store_unavailable', 'the memory store is away');
        }
        return (call as (...all: unknown[]) => unknown)(...given);
      },
    ]),
  ) as unknown as RunStore;

  return Object.assign(guarded, {
    data,
    run,
    failNext: (call: keyof RunStore, times = 1) => void planned.push(...Array<string>(times).fill(call)),
  });
}
