import type { Clock } from '../../ports/clock.ts';
import { TransientFailure } from '../../ports/failures.ts';
import type { Log } from '../../ports/log.ts';
import type { ModelPort, ModelReply, ModelRequest, ModelUsage } from '../../ports/model.ts';
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
}

/**
 * One model call, without secrets in either direction; a transient failure is repeated with growing waits, or after what the provider asks for.
 * @throws the last failure, or the signal's reason at once when aborted, even if the provider does not heed the signal.
 */
export async function callModel(request: ModelRequest, deps: CallDeps): Promise<ModelReply> {
  const sent = requestWithoutSecrets(request);
  for (let tried = 1; ; tried += 1) {
    request.signal.throwIfAborted();
    try {
      return replyWithoutSecrets(await orAborted(deps.model.complete(sent), request.signal));
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
  };
}
