import { createRequesterFn, type FormattedResponse } from '@gitbeaker/requester-utils';
import type { Clock } from '../../ports/clock.ts';
import { PermanentFailure, TransientFailure } from '../../ports/failures.ts';
import type { Log } from '../../ports/log.ts';
import { answerFailure, type Call, exchangeFailure, type Failure, unreadableAnswer, wasRefused } from './failures.ts';
import { type Limiter, limitWaitMs, retryAfterMs } from './limiter.ts';
import { type CallScope, currentScope } from './scope.ts';
import type { Answer, Exchange, Headers, Transport } from './transport.ts';

export interface RequesterOptions {
  transport: Transport;
  /** For the service's own token. */
  limiter: Limiter;
  /** For people's tokens: it learns nothing of answers, each person has limits of their own. */
  personalLimiter: Limiter;
  /** A person waits for what these calls answer. */
  urgent: boolean;
  clock: Clock;
  log: Log;
  random: () => number;
  userAgent: string;
  /** Attempts of a safe call, and the longest all of them with their waits may take. */
  maxAttempts: number;
  maxTotalMs: number;
  /** Told about every answer; status null: none came. */
  observe: (call: { method: string; status: number | null; durationMs: number }) => void;
}

const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 8_000;
const MAX_REDIRECTS = 3;
const SAFE = new Set(['GET', 'HEAD']);
/** Changing nothing when done twice: may be sent again when nothing of the first was sent. */
const REPEATABLE_WHEN_REFUSED = new Set(['PUT', 'DELETE']);

interface Attempt {
  answer?: Answer & { body: unknown };
  failure?: Failure;
  refused: boolean;
}

/**
 * gitbeaker's `requesterFn`. Its own repeats POSTs and ignores `Retry-After`; this one repeats safe methods only, bounded by
 * count and time, honours what GitLab asks for and the caller's signal (D8: nothing begins once it is aborted).
 */
export function createRequester(options: RequesterOptions): ReturnType<typeof createRequesterFn> {
  const { transport, clock, log } = options;

  async function handle(endpoint: string, given: Record<string, unknown> = {}): Promise<FormattedResponse> {
    const scope = currentScope();
    const base = new URL('./', `${String(given['prefixUrl'])}/`.replace(/\/+$/, '/'));
    const url = addressOf(base, endpoint, given['searchParams']);
    const headers = {
      ...(given['headers'] as Headers),
      'user-agent': options.userAgent,
      accept: 'application/json, */*',
    };
    const call: Call = { method: String(given['method'] ?? 'GET'), path: pathOf(url), secrets: secretsOf(headers) };
    const exchange: Exchange = {
      method: call.method,
      url,
      headers,
      body: typeof given['body'] === 'string' ? given['body'] : undefined,
      signal: scope.signal,
      stream: given['asStream'] === true,
    };
    const answer = await repeat(exchange, call, scope);
    if (scope.pages && Array.isArray(answer.body)) scope.pages.see(answer.headers, answer.body.length, call.path);
    return { status: answer.status, headers: answer.headers, body: answer.body as FormattedResponse['body'] };
  }

  async function repeat(exchange: Exchange, call: Call, scope: CallScope): Promise<Answer & { body: unknown }> {
    const startedAt = clock.now().getTime();
    const left = (): number => options.maxTotalMs - (clock.now().getTime() - startedAt);
    for (let attempt = 1; ; attempt += 1) {
      const { answer, failure, refused } = await once(exchange, call, scope, left());
      if (answer) return answer;
      const safe = scope.readOnly || SAFE.has(call.method);
      if (!failure || !mayRepeat(call.method, safe, failure, refused, attempt)) throw failure;
      const waitMs = waitBefore(attempt, failure);
      if (waitMs >= left()) throw failure;
      log.warn(
        { method: call.method, path: call.path, code: failure.code, attempt, waitMs },
        'GitLab call is repeated',
      );
      await clock.sleep(waitMs, scope.signal);
    }
  }

  async function once(exchange: Exchange, call: Call, scope: CallScope, leftMs: number): Promise<Attempt> {
    const limiter = scope.personal ? options.personalLimiter : options.limiter;
    const kind = `${call.method} ${call.path.replace(/\/(\d+|[^/]*%2F[^/]*)(?=\/|$)/gi, '/:id')}`;
    const { urgent } = options;
    const release = await limiter.take(kind, { maxWaitMs: leftMs, urgent, signal: scope.signal });
    const startedAt = clock.now().getTime();
    let status: number | null = null;
    try {
      scope.signal?.throwIfAborted();
      const answer = await follow(exchange);
      status = answer.status;
      if (!scope.personal) limiter.observe(kind, status, answer.headers);
      return judge(answer, call, scope);
    } catch (error) {
      scope.signal?.throwIfAborted();
      return { failure: exchangeFailure(call, error), refused: wasRefused(error) };
    } finally {
      release();
      const durationMs = clock.now().getTime() - startedAt;
      options.observe({ method: call.method, status, durationMs });
      log.debug({ method: call.method, path: call.path, status, durationMs }, 'GitLab call');
    }
  }

  /** Redirects within GitLab (a renamed project) are followed for safe methods; a token goes to no other origin. */
  async function follow(exchange: Exchange): Promise<Answer> {
    let url = exchange.url;
    for (let redirects = 0; ; redirects += 1) {
      exchange.signal?.throwIfAborted();
      const answer = await transport.exchange({ ...exchange, url });
      const location = answer.headers['location'];
      const redirected = answer.status >= 300 && answer.status < 400 && location !== undefined;
      if (!redirected || !SAFE.has(exchange.method) || redirects === MAX_REDIRECTS) return answer;
      const target = URL.parse(location, url.href);
      if (target === null || target.origin !== url.origin) return answer;
      url = target;
    }
  }

  function judge(answer: Answer, call: Call, scope: CallScope): Attempt {
    if (answer.status < 200 || answer.status >= 300) {
      // RateLimit-Reset stands on every answer of GitLab: it means something only where the limit is the reason.
      const asked = (answer.status === 429 ? limitWaitMs : retryAfterMs)(answer.headers, clock.now().getTime());
      return { failure: answerFailure(call, answer.status, answer.text, asked), refused: false };
    }
    if (answer.stream) return { answer: { ...answer, body: answer.stream }, refused: false };
    if (scope.asText) return { answer: { ...answer, body: answer.text }, refused: false };
    if (answer.text === '') return { answer: { ...answer, body: null }, refused: false };
    try {
      return { answer: { ...answer, body: JSON.parse(answer.text) as unknown }, refused: false };
    } catch {
      return { failure: unreadableAnswer(call, answer.status), refused: false };
    }
  }

  function mayRepeat(method: string, safe: boolean, failure: Failure, refused: boolean, attempt: number): boolean {
    // A certificate does not become good by asking again.
    if (failure instanceof PermanentFailure || failure.code === 'gitlab_tls') return false;
    if (safe) return attempt < options.maxAttempts;
    return REPEATABLE_WHEN_REFUSED.has(method) && refused && attempt === 1;
  }

  function waitBefore(attempt: number, failure: Failure): number {
    const backoff = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), MAX_WAIT_MS);
    const asked = failure instanceof TransientFailure ? failure.retryAfterMs : undefined;
    const ms = asked === undefined ? backoff : Math.max(asked, backoff);
    return ms + ms * 0.2 * options.random();
  }

  return createRequesterFn(
    (_resource, request) => Promise.resolve(request),
    handle as Parameters<typeof createRequesterFn>[1],
  );
}

/**
 * The address of an endpoint below the API's base, which may lie under a path. An id of `.` or `..` would climb out of its
 * place: nothing in GitLab has such a name.
 */
function addressOf(base: URL, endpoint: string, query: unknown): URL {
  const url = new URL(endpoint, base);
  if (url.origin !== base.origin || url.pathname !== base.pathname + endpoint) {
    throw new PermanentFailure('gitlab_not_found', 'Nothing in GitLab has a name that cannot be part of an address');
  }
  if (typeof query === 'string') url.search = query;
  return url;
}

function pathOf(url: URL): string {
  const start = url.pathname.indexOf('/api/v4');
  return start < 0 ? url.pathname : url.pathname.slice(start + '/api/v4'.length);
}

function secretsOf(headers: Headers): string[] {
  const token = headers['private-token'];
  const bearer = headers['authorization']?.replace(/^Bearer /, '');
  return [token, bearer].filter((secret) => secret !== undefined);
}
