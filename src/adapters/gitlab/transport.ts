import { readFileSync } from 'node:fs';
import { getCACertificates } from 'node:tls';
import { Agent, type Dispatcher, fetch, ProxyAgent } from 'undici';
import { AnswerTooLarge, DeadlinePassed } from './failures.ts';

/** Lower-case names. */
export type Headers = Record<string, string>;

export interface Exchange {
  method: string;
  url: URL;
  headers: Headers;
  body: string | undefined;
  signal: AbortSignal | undefined;
  /** Hand the body on as it comes: only the wait for the headers and each pause in the body are limited then. */
  stream: boolean;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** The whole body; '' for a stream. */
  text: string;
  stream: AsyncIterable<Uint8Array> | null;
}

export interface TransportOptions {
  /** Longest wait for a whole answer, in milliseconds; for a stream: for its headers and between two pieces. */
  timeoutMs: number;
  /** An HTTP proxy's URL. */
  proxy?: string;
  /** A PEM file with authorities to trust beside those Node knows. */
  caFile?: string;
}

/** One HTTP exchange: no repeat, no redirect, no opinion about the status. Throws undici's errors and those of `failures.ts`. */
export interface Transport {
  exchange(request: Exchange): Promise<Answer>;
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 32 * 1024 * 1024;

export function createTransport(options: TransportOptions): Transport {
  const dispatcher = createDispatcher(options);

  async function exchange(request: Exchange): Promise<Answer> {
    const control = new AbortController();
    const onAbort = (): void => control.abort(request.signal?.reason);
    const timer = setTimeout(() => control.abort(new DeadlinePassed()), options.timeoutMs);
    request.signal?.addEventListener('abort', onAbort, { once: true });
    const detach = (): void => {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', onAbort);
    };
    let handedOver = false;
    try {
      const response = await fetch(request.url, {
        method: request.method,
        headers: request.headers,
        ...(request.body === undefined ? {} : { body: request.body }),
        // A header with a token would follow a redirect to any host: the requester decides.
        redirect: 'manual',
        signal: control.signal,
        dispatcher,
      });
      const headers = Object.fromEntries(response.headers.entries());
      const body: AsyncIterable<Uint8Array> | null = response.body;
      if (request.stream && response.ok && body) {
        handedOver = true;
        clearTimeout(timer);
        return { status: response.status, headers, text: '', stream: untilEnd(body, detach) };
      }
      return { status: response.status, headers, text: body ? await readText(body) : '', stream: null };
    } catch (error) {
      // undici wraps an abort's reason at some places only.
      throw control.signal.aborted ? control.signal.reason : error;
    } finally {
      if (!handedOver) detach();
    }
  }

  return { exchange, close: () => dispatcher.destroy() };
}

function createDispatcher({ timeoutMs, proxy, caFile }: TransportOptions): Dispatcher {
  // Given authorities replace the built-in ones, so those are named again (`default` includes NODE_EXTRA_CA_CERTS).
  const tls = caFile === undefined ? {} : { ca: [...getCACertificates('default'), readFileSync(caFile, 'utf8')] };
  const common = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
  if (proxy === undefined) return new Agent({ ...common, connect: { ...tls, timeout: timeoutMs } });
  return new ProxyAgent({ ...common, uri: proxy, requestTls: { ...tls, timeout: timeoutMs }, proxyTls: tls });
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) throw new AnswerTooLarge(MAX_BODY_BYTES);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function* untilEnd(body: AsyncIterable<Uint8Array>, detach: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    detach();
  }
}
