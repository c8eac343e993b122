/** Errors of the AI SDK as the two failures of the service, by what may be done about them (design: Style). */
import { AISDKError, APICallError } from 'ai';
import { PermanentFailure, TransientFailure } from '../../../ports/failures.ts';

const MOST_WORDS = 300;
/** Longer than any provider means it. */
const LONGEST_RETRY_MS = 24 * 3_600_000;

/** `name`: who was called, for people. `secrets`: never repeated, whatever a provider's message says. `now`: milliseconds. */
export function toFailure(error: unknown, name: string, secrets: readonly string[], now: number): Error {
  if (error instanceof TransientFailure || error instanceof PermanentFailure) return error;
  const { status, retryable, headers } = readError(error);
  const said = saidBy(error, secrets);
  if (status === 401 || status === 403)
    return new PermanentFailure('model_unauthorized', `${name} refused the key (status ${status}). Check it.`);
  if (status === 404)
    return new PermanentFailure('model_not_found', `${name} does not know this model or address. ${said}`);
  if (status === 402) return new PermanentFailure('model_unpaid', `${name} asks for payment (status 402). ${said}`);
  if (status === 413 || (status === 400 && TOO_LONG.test(said)))
    return new PermanentFailure('conversation_too_large', `The conversation is too long for the model. ${said}`);
  if (status === 429) {
    if (OUT_OF_CREDIT.test(said)) return new PermanentFailure('model_unpaid', `${name} has no credit left. ${said}`);
    return new TransientFailure('model_rate_limited', `${name} limits its requests.`, retryAfter(headers, now));
  }
  if (status !== null && (status >= 500 || status === 408 || status === 409))
    return new TransientFailure('model_unavailable', `${name} answered ${status}. ${said}`, retryAfter(headers, now));
  if (status !== null && status >= 300)
    return new PermanentFailure('model_refused_request', `${name} refused the request (status ${status}). ${said}`);
  // No status: the connection broke, or the stream could not be read to its end.
  if (retryable !== false) return new TransientFailure('model_unavailable', `${name} gave no whole answer. ${said}`);
  return new PermanentFailure('model_refused_request', `${name} could not be asked. ${said}`);
}

const TOO_LONG =
  /context[ _-]?(?:length|window)|prompt is too long|maximum context|too many (?:input )?tokens|exceeds the (?:maximum|limit).*tokens|input token count/i;
const OUT_OF_CREDIT = /insufficient_quota|exceeded your current quota|credit balance/i;

interface Read {
  status: number | null;
  /** Null: not said. */
  retryable: boolean | null;
  headers: Record<string, string>;
}

function readError(error: unknown): Read {
  if (APICallError.isInstance(error)) {
    const { statusCode, isRetryable, responseHeaders } = error;
    // An answer that came with 200 and broke off is no answer.
    const status = statusCode === undefined || statusCode < 300 ? null : statusCode;
    return { status, retryable: status === null ? true : isRetryable, headers: responseHeaders ?? {} };
  }
  if (typeof error === 'object' && error !== null && 'statusCode' in error) {
    const { statusCode } = error;
    if (typeof statusCode === 'number' && statusCode >= 300)
      return { status: statusCode, retryable: null, headers: {} };
  }
  return { status: statusOfEvent(error), retryable: isSetting(error) ? false : null, headers: {} };
}

/** What cannot become better by asking again. */
function isSetting(error: unknown): boolean {
  return (
    AISDKError.isInstance(error) && /LoadAPIKey|LoadSetting|InvalidArgument|InvalidPrompt|Unsupported/.test(error.name)
  );
}

/** Errors that come inside a stream carry a word in place of a status. */
function statusOfEvent(error: unknown): number | null {
  const text = typeof error === 'object' && error !== null ? safeJson(error) : String(error);
  if (/overloaded_error|"overloaded"/.test(text)) return 529;
  if (/rate_limit/.test(text)) return 429;
  if (/insufficient_quota/.test(text)) return 402;
  if (/authentication_error|invalid_api_key|permission_error/.test(text)) return 401;
  if (/not_found_error/.test(text)) return 404;
  if (/invalid_request_error|INVALID_ARGUMENT|context_length_exceeded/.test(text)) return 400;
  return null;
}

function safeJson(value: object): string {
  try {
    return JSON.stringify(value, Object.getOwnPropertyNames(value).concat('type', 'code', 'error', 'message', 'data'));
  } catch {
    return '';
  }
}

/** A provider's own words: short, on one line, without keys. */
function saidBy(error: unknown, secrets: readonly string[]): string {
  const message = error instanceof Error ? error.message : typeof error === 'string' ? error : messageIn(error);
  let text = message.replace(/\s+/g, ' ').trim();
  for (const secret of secrets) if (secret.length > 3) text = text.replaceAll(secret, '[key]');
  return text.replace(/\b(?:sk|key|AIza)[-_A-Za-z0-9*]{12,}/g, '[key]').slice(0, MOST_WORDS);
}

function messageIn(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('message' in error && typeof error.message === 'string') return error.message;
  return 'error' in error ? messageIn(error.error) : '';
}

/** `Retry-After` in seconds or as a date, or OpenAI's in milliseconds; undefined: nothing was said. */
function retryAfter(headers: Record<string, string>, now: number): number | undefined {
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const millis = Number(lower['retry-after-ms']);
  if (lower['retry-after-ms'] !== undefined && Number.isFinite(millis) && millis >= 0)
    return Math.min(millis, LONGEST_RETRY_MS);
  const text = lower['retry-after'];
  if (text === undefined) return undefined;
  const waitMs = /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isFinite(waitMs) && waitMs >= 0 ? Math.min(waitMs, LONGEST_RETRY_MS) : undefined;
}
