import type { CallLimit } from '../../ports/call-limit.ts';
import type { Clock } from '../../ports/clock.ts';
import { PermanentFailure } from '../../ports/failures.ts';
import type { GitLabPort } from '../../ports/gitlab.ts';
import type { GitLabSetup } from '../../ports/gitlab-setup.ts';
import type { Log } from '../../ports/log.ts';
import { codeCalls, hookCalls } from './code.ts';
import { editorCalls } from './editors.ts';
import { createGraphQL } from './graphql.ts';
import { hierarchyCalls } from './hierarchy.ts';
import { itemCalls } from './items.ts';
import { createProcessLimiter, type Limiter } from './limiter.ts';
import { noteCalls } from './notes.ts';
import { peopleCalls } from './people.ts';
import { createRequester, type RequesterOptions } from './requester.ts';
import type { Resource } from './resource.ts';
import { setupCalls } from './setup.ts';
import { createSharedLimiter, limitName } from './shared-limiter.ts';
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
  /** What all processes know together about the limits of the service's token; default: each process goes by what it knows itself. */
  gate?: CallLimit;
  /** Requests with the service's token in flight at once, of all processes at the gate; default 32. */
  places?: number;
  /** Told about every request's end, for metrics; status null: no answer came. */
  observe?: (call: { method: string; status: number | null; durationMs: number }) => void;
}

export interface GitLab extends GitLabPort {
  /** The same, for what a person waits for: their calls go before all that is done in the background. */
  urgent: GitLabPort;
  /** For connecting a project and for looking what is wrong. */
  setup: GitLabSetup;
  close(): Promise<void>;
}

/** Of one process that is alone. */
const CONCURRENCY = 16;
const PLACES = 32;
/** What a header can carry: anything else would make the HTTP client's error quote the token. */
const TOKEN = /^[\x21-\x7e]+$/;

/**
 * GitLab over REST. People's tokens go as `Bearer`, which GitLab takes for OAuth and for personal access tokens alike. `close()`
 * cuts what is in flight. Throws when the address or the token cannot be used.
 */
export function createGitLab(options: GitLabOptions): GitLab {
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
  const limiter = options.gate ? sharedLimiter(options, baseUrl, options.gate, ownLimiter()) : ownLimiter();
  const requests: Omit<RequesterOptions, 'urgent'> = {
    transport,
    clock,
    log,
    random,
    limiter,
    personalLimiter: ownLimiter(),
    userAgent: options.userAgent ?? 'planwright',
    maxAttempts: options.maxAttempts ?? 4,
    maxTotalMs: options.maxTotalMs ?? 3 * timeoutMs,
    observe: options.observe ?? (() => undefined),
  };
  const commonOf = (urgent: boolean) => {
    const requesterFn = createRequester({ ...requests, urgent });
    return { host: baseUrl, requesterFn, queryTimeout: null, rateLimits: {} } as const;
  };
  const portOf = (urgent: boolean): GitLabPort => {
    const common = commonOf(urgent);
    const service: Resource = { ...common, token: options.token };
    const asPerson = (token: string): Resource | null => (TOKEN.test(token) ? { ...common, oauthToken: token } : null);
    const graphql = createGraphQL(service, options.token);
    return {
      baseUrl,
      ...peopleCalls(service, asPerson, clock),
      ...itemCalls(service, asPerson),
      ...noteCalls(service),
      ...editorCalls(graphql),
      ...hierarchyCalls(graphql),
      ...codeCalls(service),
      ...hookCalls(service),
    };
  };
  const setup = setupCalls({ ...commonOf(true), token: options.token }, options.token);
  return { ...portOf(false), urgent: portOf(true), setup, close: () => transport.close() };
}

function sharedLimiter(options: GitLabOptions, baseUrl: string, gate: CallLimit, alone: Limiter): Limiter {
  const { clock, log, token, timeoutMs, random = Math.random, places = PLACES } = options;
  const limit = limitName(baseUrl, token);
  // A redirect is followed within the same place.
  return createSharedLimiter({ gate, limit, alone, clock, log, random, places, holdMs: 2 * timeoutMs });
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
