/**
 * The one place where what goes wrong between us and GitLab becomes a failure of ours. Messages carry status, method, path
 * (without query) and a short description; never a header, a token or the text of a vendor's error, which may hold one.
 */
import type { z } from 'zod';
import { PermanentFailure, TransientFailure } from '../../ports/failures.ts';

/** The answer did not come in the time a call may take. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed';
}

/** The body is larger than the service keeps in memory. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
  readonly bytes: number;
  constructor(bytes: number) {
    super(`more than ${bytes} bytes`);
    this.bytes = bytes;
  }
}

export type Failure = TransientFailure | PermanentFailure;

/** Whom a failure tells about: the call, and the secrets that must not appear. */
export interface Call {
  method: string;
  /** Below `/api/v4`, without query. */
  path: string;
  secrets: readonly string[];
}

const MAX_DESCRIPTION = 200;

const permanentByStatus: Readonly<Record<number, string>> = {
  401: 'gitlab_unauthorized',
  403: 'gitlab_forbidden',
  404: 'gitlab_not_found',
  409: 'gitlab_conflict',
};

const transientStatuses = new Set([408, 425, 429]);

/** The failure for an answer that is no success. `retryAfterMs`: what the answer's headers ask for, if anything. */
export function answerFailure(call: Call, status: number, body: string, retryAfterMs: number | undefined): Failure {
  const message = `GitLab answered ${status} to ${call.method} ${call.path}${describe(body, call.secrets)}`;
  if (status >= 300 && status < 400) {
    return new PermanentFailure(
      'gitlab_redirected',
      `${message}. Redirects to another address are not followed: set GITLAB_URL to the address GitLab itself uses`,
    );
  }
  if (status === 429) return new TransientFailure('gitlab_rate_limited', message, retryAfterMs);
  if (status >= 500 || transientStatuses.has(status)) {
    return new TransientFailure('gitlab_unavailable', message, retryAfterMs);
  }
  // Whose account is blocked is refused altogether, as with a token that is no good any more.
  if (status === 403 && ACCOUNT_OUT.test(body)) return new PermanentFailure('gitlab_unauthorized', message);
  return new PermanentFailure(permanentByStatus[status] ?? 'gitlab_invalid', message);
}

const ACCOUNT_OUT = /your account (?:has been|is) (?:blocked|deactivated|banned|locked|pending)/i;

/** The failure for a call that got no whole answer. */
export function exchangeFailure(call: Call, error: unknown): Failure {
  const what = `${call.method} ${call.path}`;
  if (error instanceof DeadlinePassed) {
    return new TransientFailure('gitlab_timeout', `GitLab did not answer ${what} in time`);
  }
  if (error instanceof AnswerTooLarge) {
    return new PermanentFailure('gitlab_answer_too_large', `GitLab's answer to ${what} has ${error.message}`);
  }
  const code = networkCode(error);
  if (code === null) return new TransientFailure('gitlab_unreachable', `GitLab could not be reached for ${what}`);
  if (/TIMEOUT|TIMEDOUT/.test(code)) {
    return new TransientFailure('gitlab_timeout', `GitLab did not answer ${what} in time (${code})`);
  }
  if (/CERT|TLS|SSL|SELF_SIGNED|VERIFY|ISSUER/.test(code)) {
    const advice = 'trust its authority by NODE_EXTRA_CA_CERTS or the CA file of the settings';
    return new TransientFailure('gitlab_tls', `GitLab's certificate was not accepted for ${what} (${code}): ${advice}`);
  }
  return new TransientFailure('gitlab_unreachable', `GitLab could not be reached for ${what} (${code})`);
}

/** Was the connection refused, so that nothing of the request was sent? */
export function wasRefused(error: unknown): boolean {
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'].includes(networkCode(error) ?? '');
}

/** A success whose body is not JSON: a proxy's page, half an answer. */
export function unreadableAnswer(call: Call, status: number): TransientFailure {
  return new TransientFailure(
    'gitlab_bad_answer',
    `GitLab answered ${status} to ${call.method} ${call.path} with something that is not JSON; is GITLAB_URL right?`,
  );
}

/** A success whose JSON lacks what the service needs; names the fields, not their values. */
export function unexpectedAnswer(what: string, error: z.ZodError): PermanentFailure {
  const fields = error.issues.slice(0, 5).map((issue) => `${issue.path.join('.') || 'the answer'}: ${issue.message}`);
  return new PermanentFailure(
    'gitlab_unexpected_answer',
    `GitLab's ${what} has not the shape expected (${fields.join('; ')})`,
  );
}

/** The error code of Node or undici, looked for in the causes. */
function networkCode(error: unknown): string | null {
  for (let current: unknown = error, depth = 0; current instanceof Error && depth < 5; depth += 1) {
    if ('code' in current && typeof current.code === 'string') return current.code;
    // Several addresses were tried: the first tells enough.
    current = current instanceof AggregateError ? (current.errors[0] ?? current.cause) : current.cause;
  }
  return null;
}

function describe(body: string, secrets: readonly string[]): string {
  let text = jsonMessage(body) ?? body;
  if (/^\s*</.test(text)) return '';
  for (const secret of secrets) if (secret !== '') text = text.replaceAll(secret, '[token]');
  text = text.replace(/\s+/g, ' ').trim();
  if (text === '') return '';
  return `: ${text.length > MAX_DESCRIPTION ? `${text.slice(0, MAX_DESCRIPTION)}…` : text}`;
}

/** GitLab's `message`, `error_description` or `error`; null when the body is no such JSON. */
function jsonMessage(body: string): string | null {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed !== 'object' || parsed === null) return null;
    const fields = parsed as Record<string, unknown>;
    const message = fields['message'] ?? fields['error_description'] ?? fields['error'];
    if (message === undefined) return null;
    return typeof message === 'string' ? message : JSON.stringify(message);
  } catch {
    return null;
  }
}
