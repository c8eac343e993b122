import { TransientFailure } from '../../../ports/failures.ts';

/** Milliseconds. Any byte counts, also those that carry nothing: a model that thinks may say nothing for long, its server does. */
export interface StreamLimits {
  /** From the request to the first byte of the answer's body. */
  firstByteMs: number;
  /** Between two pieces of the answer. */
  idleMs: number;
  /** The whole call. */
  totalMs: number;
}

export interface Watch {
  fetch: typeof fetch;
  /** Aborted when the caller's signal is, or with the failure when a limit is passed. */
  signal: AbortSignal;
  /** Which limit was passed; null: none. */
  failure(): TransientFailure | null;
  stop(): void;
}

/** Watches over the one call that is made with its `fetch` (design: timeouts; a stalled stream is noticed). */
export function watchCall(limits: StreamLimits, signal: AbortSignal): Watch {
  const late = new AbortController();
  const both = AbortSignal.any([signal, late.signal]);
  let failure: TransientFailure | null = null;
  let timer: NodeJS.Timeout | undefined;

  function give(code: string, message: string): void {
    failure ??= new TransientFailure(code, message);
    late.abort(failure);
  }
  function expect(ms: number, code: string, what: string): void {
    clearTimeout(timer);
    timer = setTimeout(() => give(code, `${what} within ${ms} ms.`), ms);
  }
  const total = setTimeout(
    () => give('model_timeout', `The model did not finish its answer within ${limits.totalMs} ms.`),
    limits.totalMs,
  );

  async function watched(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
    expect(limits.firstByteMs, 'model_no_answer', 'The model did not begin to answer');
    // A redirect would carry the key to wherever it points.
    const response = await fetch(input, { ...init, signal: both, redirect: 'manual' });
    if (!response.body) {
      clearTimeout(timer);
      return response;
    }
    const beat = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        expect(limits.idleMs, 'model_stalled', 'The stream of the model stalled: nothing came');
        controller.enqueue(chunk);
      },
      flush: () => clearTimeout(timer),
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(beat), { status, statusText, headers });
  }

  return {
    fetch: watched,
    signal: both,
    failure: () => failure,
    stop() {
      clearTimeout(timer);
      clearTimeout(total);
    },
  };
}
