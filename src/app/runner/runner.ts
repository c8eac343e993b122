/**
 * The runner of a worker process: claims runs, advances each until it waits or ends, renews all holds and leases with one timer (D12),
 * and aborts what was cancelled or taken over (D8).
 */
import type { Lease, LeasePort } from '../../ports/lease.ts';
import type { ClaimedRun, RunStore } from '../../ports/run-store.ts';
import { within } from '../loop.ts';
import { RUN_FORMAT } from '../run-format.ts';
import { STALL_MS } from '../stall.ts';
import { type AdvanceDeps, type AdvanceResult, advanceRun, type Bell } from './advance.ts';

export interface RunnerSettings {
  worker: string;
  /** How many runs this process advances at once; further ones stay for the sweeper or another worker. */
  maxRuns: number;
  /** A hold without a heartbeat for this long is taken over (design: 15 s). */
  holdMs: number;
  /** Design: every 5 s. */
  heartbeatMs: number;
  /** How long a lease stands without being renewed; at least three heartbeats (spec 2: renewed every third of its time). */
  leaseMs: number;
  /** How often cancelled and taken-over runs are looked for: a model call in flight is aborted within 2 s (spec 2). */
  watchMs: number;
}

export interface RunnerDeps extends Omit<AdvanceDeps, 'store' | 'bell'> {
  store: Pick<RunStore, 'append' | 'byId' | 'claim' | 'heartbeat' | 'lost' | 'park' | 'release'>;
  lease: LeasePort;
  settings: RunnerSettings;
}

interface Hold {
  run: ClaimedRun;
  lease: Lease | null;
  abort: AbortController;
  bell: Bell;
  /** When others may take it over unless a heartbeat reached the store before. */
  heldUntil: number;
  done: Promise<void>;
}

export interface Runner {
  /** Claims those of the runs that are free and advances them in the background; returns when they are taken over. */
  take(runIds: string[]): Promise<void>;
  /** One beat: renew holds and leases, abort what was lost. Called by the timer of `start`. */
  beat(): Promise<void>;
  watch(): Promise<void>;
  /** Aborts what others may have taken over because no heartbeat reached the store. Asks nobody. Called by the timer of `start`. */
  guard(): void;
  /** Starts the timers. */
  start(): void;
  /**
   * Takes nothing more and begins no effect; those in flight may end within `graceMs` (default 0) and are recorded, the others are aborted.
   * Gives the holds back: everything stays resumable.
   */
  stop(graceMs?: number): Promise<void>;
  /** Resolves when nothing is advanced here. */
  idle(): Promise<void>;
  readonly active: number;
}

/** What is told beyond that is left to the sweeper. */
const MOST_LATER = 10_000;

export function createRunner(deps: RunnerDeps): Runner {
  const { store, lease, log, clock, settings } = deps;
  const holds = new Map<string, Hold>();
  /** Runs being claimed; they count, so that takes at one moment do not exceed the limit together. */
  const claiming = new Set<string>();
  const claims = new Set<Promise<void>>();
  /** Runs that came while all places were taken. */
  const later = new Set<string>();
  const draining = new AbortController();
  const stopping = new AbortController();

  async function take(runIds: string[]): Promise<void> {
    const free = settings.maxRuns - holds.size - claiming.size;
    if (draining.signal.aborted) return;
    const here = [...new Set(runIds)].filter((id) => !holds.has(id) && !claiming.has(id));
    const wanted = here.slice(0, Math.max(0, free));
    for (const id of here.slice(wanted.length)) if (later.size < MOST_LATER) later.add(id);
    if (wanted.length === 0) return;
    for (const id of wanted) claiming.add(id);
    const claim = claimAll(wanted).finally(() => {
      for (const id of wanted) claiming.delete(id);
      claims.delete(claim);
    });
    claims.add(claim);
    await claim;
  }

  /** A place is free: what was told of while there was none does not wait for the sweeper. */
  function takeLater(): void {
    const free = settings.maxRuns - holds.size - claiming.size;
    const next = [...later.values().take(Math.max(0, free))];
    for (const id of next) later.delete(id);
    if (next.length > 0)
      void take(next).catch((error) => log.warn({ error: String(error) }, 'runs that waited could not be claimed'));
  }

  async function claimAll(runIds: string[]): Promise<void> {
    const { worker, holdMs: leaseMs } = settings;
    const heldUntil = clock.now().getTime() + leaseMs;
    const failed = (runId: string, error: unknown): void =>
      log.warn({ runId, error: String(error) }, 'run could not be claimed, it is tried again');
    const claimed = await store.claim({ runIds, worker, leaseMs, maxFormat: RUN_FORMAT, failed });
    if (draining.signal.aborted) await store.release(claimed.map((run) => ({ runId: run.row.id, fence: run.fence })));
    else for (const run of claimed) begin(run, heldUntil);
  }

  function begin(run: ClaimedRun, heldUntil: number): void {
    const token = run.leaseToken ?? null;
    const hold: Hold = {
      run,
      lease: token === null ? null : lease.handedOn(run.row.itemGlobalId, token),
      abort: new AbortController(),
      bell: { listener: null },
      heldUntil,
      done: Promise.resolve(),
    };
    holds.get(run.row.id)?.abort.abort(new Error('The run was claimed anew.'));
    holds.set(run.row.id, hold);
    hold.done = advance(hold);
  }

  async function advance(hold: Hold): Promise<void> {
    const { run } = hold;
    const runId = run.row.id;
    let result: AdvanceResult = 'lost';
    try {
      const signal = AbortSignal.any([hold.abort.signal, stopping.signal]);
      result = await advanceRun(run, { ...deps, draining: draining.signal, bell: hold.bell }, signal);
      // Left while draining: anybody may go on with it at once.
      if (result === 'stopped' && !signal.aborted) await store.release([{ runId, fence: run.fence }]);
      if (result === 'stalled') await store.park({ runId, fence: run.fence, forMs: STALL_MS });
      log.debug({ runId, result }, 'run left');
    } catch (error) {
      log.error({ runId, error: String(error) }, 'run could not be advanced');
      await store.release([{ runId, fence: run.fence }]).catch(() => undefined);
    } finally {
      if (holds.get(runId) === hold) holds.delete(runId);
      takeLater();
      // Given back when the run waits or ends (spec 2). Whoever goes on with it owns the lease by the same token.
      if (hold.lease && (result === 'waiting' || result === 'ended')) await lease.release(hold.lease);
    }
  }

  function held(): { runId: string; fence: number }[] {
    return [...holds.values()].map(({ run }) => ({ runId: run.row.id, fence: run.fence }));
  }

  /** `asked`: the holds as they were asked about; a run that was claimed anew meanwhile is not meant. */
  function abortLost(asked: { runId: string; fence: number }[], lost: string[]): void {
    for (const { runId, fence } of asked) {
      const hold = holds.get(runId);
      if (hold?.run.fence === fence && lost.includes(runId))
        hold.abort.abort(new Error('The run was cancelled or taken over.'));
    }
  }

  async function beat(): Promise<void> {
    if (holds.size === 0) return;
    const asked = held();
    const heldUntil = clock.now().getTime() + settings.holdMs;
    const leases = [...holds.values()].flatMap((hold) => (hold.lease ? [hold.lease] : []));
    const [lost] = await Promise.all([
      store.heartbeat({ worker: settings.worker, holds: asked, leaseMs: settings.holdMs }),
      leases.length > 0 ? lease.renew(leases, settings.leaseMs) : [],
    ]);
    for (const { runId, fence } of asked) {
      const hold = holds.get(runId);
      if (hold?.run.fence === fence && !lost.includes(runId)) hold.heldUntil = heldUntil;
    }
    abortLost(asked, lost);
    for (const { bell } of holds.values()) bell.listener?.();
  }

  function guard(): void {
    const now = clock.now().getTime();
    for (const hold of holds.values())
      if (hold.heldUntil <= now) hold.abort.abort(new Error('No heartbeat reached the store: others may go on.'));
  }

  async function watch(): Promise<void> {
    if (holds.size === 0) return;
    const asked = held();
    abortLost(asked, await store.lost(asked));
  }

  async function every(ms: number, work: () => Promise<void>): Promise<void> {
    while (!stopping.signal.aborted) {
      await clock.sleep(ms, stopping.signal).catch(() => undefined);
      if (stopping.signal.aborted) return;
      await work().catch((error) => log.warn({ error: String(error) }, 'heartbeat failed'));
    }
  }

  async function idle(): Promise<void> {
    while (holds.size > 0) await Promise.all([...holds.values()].map((hold) => hold.done));
  }

  async function stop(graceMs = 0): Promise<void> {
    const reason = new Error('The worker stops.');
    draining.abort(reason);
    await Promise.allSettled(claims);
    if (graceMs > 0 && holds.size > 0) await within(clock, graceMs, idle());
    stopping.abort(reason);
    const back = held();
    await idle();
    if (back.length > 0)
      await store.release(back).catch((error) => log.warn({ error: String(error) }, 'release failed'));
  }

  return {
    take,
    beat,
    watch,
    guard,
    start() {
      void every(settings.heartbeatMs, beat);
      void every(settings.watchMs, watch);
      // On its own: a heartbeat that hangs must not keep it from looking.
      void every(settings.watchMs, async () => guard());
    },
    stop,
    idle,
    get active() {
      return holds.size;
    },
  };
}
