import type { Clock } from '../../ports/clock.ts';
import { PermanentFailure, TransientFailure } from '../../ports/failures.ts';
import type { Log } from '../../ports/log.ts';
import type { ModelPort, ModelReply, ModelRequest, ModelUsage } from '../../ports/model.ts';
import type { Meter } from '../budget/keeper.ts';
import { orAborted, TimeOver } from './abort.ts';
import { replyWithoutSecrets, requestWithoutSecrets } from './without-secrets.ts';

const tries = 5;
const firstWaitMs = 1000;
const longestWaitMs = 30_000;
/** A provider that asks for a longer wait is not waited for here. */
const longestRetryAfterMs = 300_000;

export interface CallDeps {
  model: ModelPort;
  clock: Clock;
  log: Log;
  /** Watches the budget; absent: there is none. */
  meter?: Pick<Meter, 'before' | 'after'>;
  /** Told how each call ended. */
  observe?: ObserveModelCall;
  /** Who is asked when a model fails for good; absent or empty: nobody. */
  fallback?: string;
}

export type ObserveModelCall = (call: { model: string; outcome: string; ms: number }) => void;

/**
 * One answer, without secrets in either direction: of the model that is named, else of the fallback. `tokens`: of the request, estimated.
 * @throws the last failure, BudgetSpent, or the signal's reason at once when aborted, even if the provider does not heed the signal.
 */
export async function callModel(request: ModelRequest, deps: CallDeps, tokens: number): Promise<ModelReply> {
  const sent = requestWithoutSecrets(request);
  const { fallback } = deps;
  try {
    return replyWithoutSecrets(await callOne(sent, deps, tokens));
  } catch (error) {
    request.signal.throwIfAborted();
    if (!fallback || fallback === request.model || !isFailure(error) || NOT_THE_MODEL.has(error.code)) throw error;
    const { runId, movement } = request.tag;
    deps.log.warn({ runId, movement, code: error.code, model: request.model, fallback }, 'another model is asked');
    const reply = await callOne({ ...sent, model: fallback }, deps, tokens);
    return replyWithoutSecrets({ model: fallback, ...reply });
  }
}

/** Failures that say nothing against the model. */
const NOT_THE_MODEL: ReadonlySet<string> = new Set([
  'conversation_too_large',
  'price_unknown',
  'budget_exceeded',
  'store_unavailable',
]);

function isFailure(error: unknown): error is TransientFailure | PermanentFailure {
  return error instanceof TransientFailure || error instanceof PermanentFailure;
}

/** One model; a transient failure is repeated with growing waits, or after what the provider asks for. */
async function callOne(request: ModelRequest, deps: CallDeps, tokens: number): Promise<ModelReply> {
  for (let tried = 1; ; tried += 1) {
    request.signal.throwIfAborted();
    try {
      return await askOnce(request, deps, tokens);
    } catch (error) {
      request.signal.throwIfAborted();
      if (!(error instanceof TransientFailure) || tried >= tries) throw error;
      const backoff = Math.min(longestWaitMs, firstWaitMs * 2 ** (tried - 1));
      const waitMs = Math.max(backoff, error.retryAfterMs ?? 0);
      if (waitMs > longestRetryAfterMs) throw error;
      const { runId, movement } = request.tag;
      deps.log.warn({ runId, movement, code: error.code, tried, waitMs }, 'model call is repeated');
      await deps.clock.sleep(waitMs, request.signal);
    }
  }
}

async function askOnce(request: ModelRequest, deps: CallDeps, tokens: number): Promise<ModelReply> {
  await deps.meter?.before(request.model, tokens);
  const began = deps.clock.now().getTime();
  const since = (): number => deps.clock.now().getTime() - began;
  try {
    const reply = await orAborted(deps.model.complete(request), request.signal);
    deps.meter?.after(reply.model ?? request.model, reply.usage, since());
    deps.observe?.({ model: request.model, outcome: reply.cutOff ? 'cut_off' : 'ok', ms: since() });
    return reply;
  } catch (error) {
    const outcome = request.signal.aborted ? 'aborted' : isFailure(error) ? error.code : 'internal';
    deps.observe?.({ model: request.model, outcome, ms: since() });
    throw error;
  }
}

/**
 * Runs the work under a signal that also ends after `timeoutMs`.
 * @throws TimeOver then; the outer signal's reason when that was aborted.
 */
export async function withTimeLimit<T>(
  limits: { timeoutMs: number; signal: AbortSignal; clock: Clock },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, clock, timeoutMs } = limits;
  const inner = new AbortController();
  const done = new AbortController();
  const stop = (): void => inner.abort(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  clock.sleep(timeoutMs, done.signal).then(
    () => inner.abort(new TimeOver(timeoutMs)),
    () => undefined,
  );
  try {
    return await work(inner.signal);
  } finally {
    signal.removeEventListener('abort', stop);
    done.abort(ENDED);
  }
}

/** One for all: an abort without a reason makes an error with a stack each time. */
const ENDED = new Error('The work has ended.');

export function noUsage(): ModelUsage {
  return { inputTokens: 0, outputTokens: 0, estimated: false };
}

export function addUsage(sum: ModelUsage, more: ModelUsage): ModelUsage {
  return {
    inputTokens: sum.inputTokens + more.inputTokens,
    outputTokens: sum.outputTokens + more.outputTokens,
    estimated: sum.estimated || more.estimated,
    ...part('cachedTokens', sum, more),
    ...part('cacheWriteTokens', sum, more),
  };
}

function part(key: 'cachedTokens' | 'cacheWriteTokens', sum: ModelUsage, more: ModelUsage): Partial<ModelUsage> {
  return sum[key] === undefined && more[key] === undefined ? {} : { [key]: (sum[key] ?? 0) + (more[key] ?? 0) };
}
