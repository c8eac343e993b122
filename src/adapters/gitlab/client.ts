import type { Clock } from '../../ports/clock.ts';
import { PermanentFailure } from '../../ports/failures.ts';
import type { GitLabPort } from '../../ports/gitlab.ts';
import type { Log } from '../../ports/log.ts';
import { codeCalls, hookCalls } from './code.ts';
import { editorCalls } from './editors.ts';
import { itemCalls } from './items.ts';
import { createProcessLimiter, type Limiter } from './limiter.ts';
import { noteCalls } from './notes.ts';
import { peopleCalls } from './people.ts';
import { createRequester } from './requester.ts';
import type { Resource } from './resource.ts';
import { createTransport } from './transport.ts';

export interface GitLabOptions {
  /** GitLab's address, with its path when it is installed under one. */
  baseUrl: string;
  /** The service's token: sent as `PRIVATE-TOKEN`. */
  token: string;
  userAgent?: string;
  /** An HTTP proxy's URL; none: the connection is direct. */
  proxy?: string;
  /** A PEM file with further authorities. */
  caFile?: string;
  /** Longest wait for one answer, in milliseconds. */
  timeoutMs: number;
  /** Longest time for a safe call with its repeats, in milliseconds; default three times `timeoutMs`. */
  maxTotalMs?: number;
  /** Attempts of a safe call; default 4. */
  maxAttempts?: number;
  clock: Clock;
  log: Log;
  /** 0 to 1, exclusive; for jitter. */
  random?: () => number;
  /** The limiter of the service's token; default one for this process. */
  limiter?: Limiter;
  /** Told about every request's end, for metrics; status null: no answer came. */
  observe?: (call: { method: string; status: number | null; durationMs: number }) => void;
}

const CONCURRENCY = 16;
/** What a header can carry: anything else would make the HTTP client's error quote the token. */
const TOKEN = /^[\x21-\x7e]+$/;

/**
 * GitLab over REST. People's tokens go as `Bearer`, which GitLab takes for OAuth and for personal access tokens alike. `close()`
 * cuts what is in flight. Throws when the address or the token cannot be used.
 */
export function createGitLab(options: GitLabOptions): GitLabPort & { close(): Promise<void> } {
  const { clock, log, timeoutMs } = options;
  const baseUrl = checkedBaseUrl(options.baseUrl);
  if (!TOKEN.test(options.token)) {
    throw new PermanentFailure(
      'gitlab_token_invalid',
      'The GitLab token is empty or holds blanks or other odd characters',
    );
  }
  const random = options.random ?? Math.random;
  const transport = createTransport({
    timeoutMs,
    ...(options.proxy === undefined ? {} : { proxy: options.proxy }),
    ...(options.caFile === undefined ? {} : { caFile: options.caFile }),
  });
  const ownLimiter = (): Limiter => createProcessLimiter({ clock, random, concurrency: CONCURRENCY });
  const requesterFn = createRequester({
    transport,
    clock,
    log,
    random,
    limiter: options.limiter ?? ownLimiter(),
    personalLimiter: ownLimiter(),
    userAgent: options.userAgent ?? 'planwright',
    maxAttempts: options.maxAttempts ?? 4,
    maxTotalMs: options.maxTotalMs ?? 3 * timeoutMs,
    observe: options.observe ?? (() => undefined),
  });
  const common = { host: baseUrl, requesterFn, queryTimeout: null, rateLimits: {} } as const;
  const service: Resource = { ...common, token: options.token };
  const asPerson = (token: string): Resource | null => (TOKEN.test(token) ? { ...common, oauthToken: token } : null);

  return {
    baseUrl,
    ...peopleCalls(service, asPerson),
    ...itemCalls(service, asPerson),
    ...noteCalls(service),
    ...editorCalls(service, options.token),
    ...codeCalls(service),
    ...hookCalls(service),
    close: () => transport.close(),
  };
}

function checkedBaseUrl(given: string): string {
  const url = URL.parse(given);
  const usable = url && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === '';
  if (!usable) {
    throw new PermanentFailure(
      'gitlab_url_invalid',
      'GITLAB_URL is no address of a GitLab: expected http(s)://host[:port][/path] without user and password',
    );
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
