/** One limiter a host and token for all processes (design: How a run moves): asks the gate they share, and goes by its own where that is away. */
import { createHash, randomUUID } from 'node:crypto';
import type { CallGate, CallLimit } from '../../ports/call-limit.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import {
  FIRST_PAUSE_MS,
  type Limiter,
  limitWaitMs,
  MAX_PAUSE_MS,
  rateLimited,
  refusalIn,
  SPREAD,
  type TakeOptions,
} from './limiter.ts';
import type { Headers } from './transport.ts';

export interface SharedLimiterOptions {
  gate: CallLimit;
  /** Names host and token for the gate; `limitName`. */
  limit: string;
  /** Goes on alone while the gate is away, and always knows the process's own refusals. */
  alone: Limiter;
  clock: Clock;
  log: Log;
  random: () => number;
  /** Requests in flight at once, of all processes. */
  places: number;
  /** Longest time a request can take. */
  holdMs: number;
}

/** Askers at the gate at once, of each urgency: the others of the process wait behind them without asking. */
const ASKERS = 4;
const ASK_AGAIN_MS = 50;
const WAITS_MS = 4 * ASK_AGAIN_MS;
/** How long the gate is left alone after it did not answer. */
const AWAY_MS = 5_000;
/** Below this part of the limit all that is not urgent waits for the next count. */
const RESERVE = 0.05;
/** Above this part nobody needs to be told what is left. */
const PLENTY = 0.5;

/** Of service and token; cannot be turned back into them. */
export function limitName(baseUrl: string, token: string): string {
  return createHash('sha256').update(`${baseUrl}\n${token}`).digest('hex').slice(0, 24);
}

export function createSharedLimiter(options: SharedLimiterOptions): Limiter {
  const { gate, limit, alone, clock, log, random } = options;
  const owner = randomUUID();
  const struck = new Set<string>();
  const doors = { urgent: createDoor(), background: createDoor() };
  let awayUntil = 0;

  const now = (): number => clock.now().getTime();

  async function take(kind: string, given: TakeOptions): Promise<() => void> {
    const { maxWaitMs, urgent = false, signal } = given;
    const startedAt = now();
    const left = (): number => maxWaitMs - (now() - startedAt);
    const door = urgent ? doors.urgent : doors.background;
    for (;;) {
      const closeDoor = await door.pass(signal);
      let answer: CallGate | null;
      const place = randomUUID();
      try {
        answer = await ask(kind, urgent, place);
        // Who only waits for a place keeps the door, so that few ask; who is paused makes way, other kinds may go on.
        if (answer?.kind === 'full') await pause(ASK_AGAIN_MS * (0.5 + random()), left(), signal);
      } finally {
        closeDoor();
      }
      if (answer === null) break;
      if (answer.kind === 'entered') return entered(place, signal);
      if (answer.kind === 'paused') await pause(answer.ms, left(), signal);
    }
    return alone.take(kind, { ...given, maxWaitMs: left() });
  }

  async function pause(ms: number, leftMs: number, signal: AbortSignal | undefined): Promise<void> {
    if (ms > leftMs) throw rateLimited(ms);
    await clock.sleep(ms, signal);
  }

  function entered(place: string, signal: AbortSignal | undefined): () => void {
    const leave = once(() => told(gate.leave({ limit, owner, place })));
    if (signal?.aborted) leave();
    signal?.throwIfAborted();
    return leave;
  }

  /** Null when the gate cannot be asked. */
  async function ask(kind: string, urgent: boolean, place: string): Promise<CallGate | null> {
    if (now() < awayUntil) return null;
    const { places, holdMs } = options;
    try {
      return await gate.enter({ limit, owner, place, kind, urgent, holdMs, places, waitsMs: WAITS_MS });
    } catch (error) {
      if (now() >= awayUntil) log.warn({ error: String(error) }, 'the shared limits of GitLab cannot be asked');
      awayUntil = now() + AWAY_MS;
      // It may have been counted all the same.
      told(gate.leave({ limit, owner, place }));
      return null;
    }
  }

  /** Nobody waits for what the gate is told; what does not arrive lapses or is told again. */
  function told(work: Promise<void>): void {
    work.catch(() => {
      awayUntil = Math.max(awayUntil, now() + AWAY_MS);
    });
  }

  function observe(kind: string, status: number, headers: Headers): void {
    alone.observe(kind, status, headers);
    if (now() < awayUntil) return;
    const refusal = refusalIn(status, headers, now());
    if (refusal && (status === 429 || refusal.ms !== undefined)) {
      struck.add(kind);
      const stretch = 1 + SPREAD * random();
      const scope = refusal.everything ? null : kind;
      const pause = {
        kind: scope,
        refused: kind,
        ms: refusal.ms ?? null,
        firstMs: FIRST_PAUSE_MS,
        maxMs: MAX_PAUSE_MS,
      };
      told(gate.pause({ limit, ...pause, stretch }));
      return;
    }
    if (struck.delete(kind)) told(gate.calm(limit, kind));
    const total = Number(headers['ratelimit-limit']);
    const remaining = Number(headers['ratelimit-remaining']);
    const resetMs = limitWaitMs({ 'ratelimit-reset': headers['ratelimit-reset'] ?? '' }, now());
    if (!(total > 0 && remaining >= 0 && resetMs) || remaining > total * PLENTY) return;
    told(gate.budget({ limit, remaining, resetMs, reserve: Math.floor(total * RESERVE) }));
  }

  return { take, observe };
}

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    work();
  };
}

/** Lets so many through at once, in order of arrival; who is aborted leaves the line. */
function createDoor(): { pass(signal?: AbortSignal): Promise<() => void> } {
  const line: (() => void)[] = [];
  let inside = 0;

  function leave(): void {
    const next = line.shift();
    if (next) next();
    else inside -= 1;
  }

  return {
    async pass(signal) {
      signal?.throwIfAborted();
      if (inside < ASKERS) inside += 1;
      else
        await new Promise<void>((resolve, reject) => {
          const admit = (): void => {
            signal?.removeEventListener('abort', gone);
            resolve();
          };
          const gone = (): void => {
            line.splice(line.indexOf(admit), 1);
            reject(signal?.reason);
          };
          signal?.addEventListener('abort', gone, { once: true });
          line.push(admit);
        });
      return once(leave);
    },
  };
}
